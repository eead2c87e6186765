"""Custom operators of the program: the functions that it registers for `torch.ops.namespace.name`.

A name without a namespace belongs to a library of the program that registration does not tell; it is
taken for any namespace that the program makes a library of.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..syntax.model import FileIndex, OperatorEntry

if TYPE_CHECKING:
    from .program import FunctionDef, Program

FAKE = "Meta"
ELSEWHERE = frozenset({"CPU", "cpu", "Autograd", "AutogradCUDA", "AutogradCPU"})
"""Dispatch keys of functions that stand back where there is one for a device, or for all."""


@dataclass(frozen=True, slots=True)
class Operator:
    """`real` are the functions that may run, one where it is certain; `fake` gives results like theirs."""

    real: tuple[FunctionDef, ...]
    fake: FunctionDef | None


@dataclass(slots=True)
class Operators:
    """All registrations of a program, resolved as they are asked for."""

    program: Program
    entries: dict[str, list[tuple[FileIndex, OperatorEntry]]] = field(default_factory=dict)
    namespaces: set[str] = field(default_factory=set)
    found: dict[tuple[str, str], Operator | None] = field(default_factory=dict)
    names: dict[FunctionDef, list[str]] | None = None

    def __post_init__(self) -> None:
        for file in self.program.files:
            self.namespaces.update(file.libraries)
            for entry in file.operators:
                namespace, _, name = entry.name.rpartition("::")
                self.entries.setdefault(name, []).append((file, entry))
                if namespace:
                    self.namespaces.add(namespace)

    def operator(self, namespace: str, name: str) -> Operator | None:
        """The operator `torch.ops.namespace.name`; None where the program registers none. ATen's are torch's."""
        key = (namespace, name)
        if key not in self.found:
            self.found[key] = self._operator(namespace, name)
        return self.found[key]

    def _operator(self, namespace: str, name: str) -> Operator | None:
        if namespace == "aten" or namespace not in self.namespaces:
            return None
        functions: dict[FunctionDef, str] = {}
        for file, entry in self.entries.get(name, ()):
            if entry.name.rpartition("::")[0] in ("", namespace):
                function = self.program.registered(file, entry)
                if function is not None:
                    functions.setdefault(function, entry.key)
        fakes = [f for f, key in functions.items() if key == FAKE]
        real = [f for f, key in functions.items() if key != FAKE]
        real = [f for f in real if functions[f] not in ELSEWHERE] or real
        if not functions:
            return None
        return Operator(tuple(real), fakes[0] if len(fakes) == 1 else None)

    def names_of(self, function: FunctionDef) -> list[str]:
        """The names under which a function is called through `torch.ops`."""
        if self.names is None:
            self.names = {}
            for name, entries in self.entries.items():
                for file, entry in entries:
                    registered = self.program.registered(file, entry)
                    if registered is not None and entry.key != FAKE:
                        known = self.names.setdefault(registered, [])
                        if name not in known:
                            known.append(name)
        return self.names.get(function, [])
