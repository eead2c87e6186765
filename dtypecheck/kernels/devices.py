"""Which jit functions are launched themselves, and which only help others: device functions."""

from __future__ import annotations

from collections.abc import Iterable

from ..analysis.program import FunctionDef, Program
from ..core import ir


def called(program: Program, kernels: Iterable[FunctionDef]) -> frozenset[FunctionDef]:
    """The jit functions that these call, under any name that a module gives them."""
    found: set[FunctionDef] = set()
    for caller in kernels:
        for name in caller.entry.calls:
            definitions = program.lookup(caller.file.module, name)
            found.update(d for d in definitions if isinstance(d, FunctionDef) and d != caller)
    return frozenset(found)


def gives_a_value(function: ir.Function) -> bool:
    """Whether a function returns something: nobody gets that from a launch."""
    return any(isinstance(node, ir.Return) and node.value is not None for node in ir.walk(function.body))
