"""What `torch.compile` traces: functions that it is given, or that it decorates, and what they call.

Custom operators and what is disabled for the compiler run as they stand, whoever calls them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .program import FunctionDef, Program

COMPILER = "torch.compile"
BARRIERS = frozenset({"disable", "custom_op", "skip", "disallow_in_graph"})
"""The last names of decorators behind which nothing is traced (torch.compiler, torch._dynamo, torch.library)."""


class Compiled:
    """The functions of a program that are compiled, by key; found when they are first asked for."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def traces(self, chain: Iterable[str]) -> bool:
        """Whether the last function of a chain of calls, keys from the root, is compiled or called by one that is."""
        for key in reversed(tuple(chain)):
            if key in self._compiled:
                return True
            function = self._functions.get(key)
            if function is None or _is_barrier(function):
                return False
        return False

    @cached_property
    def _functions(self) -> dict[str, FunctionDef]:
        return {function.key: function for function in self._program.functions()}

    @cached_property
    def _compiled(self) -> frozenset[str]:
        decorated = {key for key, f in self._functions.items() if COMPILER in f.entry.decorators}
        given: set[str] = set()
        for file in self._program.files:
            for text in file.compiled:
                owner, _, name = text.rpartition(".")
                if owner in ("self", "cls"):
                    given |= {k for k, f in self._functions.items() if f.file is file and f.entry.name == name}
                else:
                    given |= {getattr(d, "key", "") for d in self._program.dotted(file.module, text)}
        return frozenset(decorated | given)


def _is_barrier(function: FunctionDef) -> bool:
    names = {decorator.rpartition(".")[2] for decorator in function.entry.decorators}
    registered = {entry.function for entry in function.file.operators}
    return not BARRIERS.isdisjoint(names) or function.entry.qualname in registered
