"""Which contracts hold for a named kernel, function or class.

Several patterns may name one thing. Each parameter, result or field takes the whole contract of the
most specific pattern that declares it (see `patterns.Specificity`); between equals, the later file
wins, and in one file the later key.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from .model import ClassContract, FunctionContract, KernelContract, RulesFile, ValueContract
from .patterns import Pattern, parse

Declared = Mapping[str, ValueContract]
"""The contract of each declared parameter, result or field, by name."""

_Entry = TypeVar("_Entry", bound=KernelContract | FunctionContract | ClassContract)


@dataclass(frozen=True, slots=True)
class FunctionRules:
    """What holds for one function; `returns` is keyed as `ValueContract.name` says."""

    parameters: Declared
    returns: Declared


@dataclass(slots=True)
class _Table(Generic[_Entry]):
    """The entries of one section, least specific first, with exact names apart."""

    exact: dict[str, list[_Entry]] = field(default_factory=dict)
    wild: list[tuple[Pattern, _Entry]] = field(default_factory=list)
    known: dict[str, tuple[_Entry, ...]] = field(default_factory=dict)

    def matching(self, qualified: str) -> tuple[_Entry, ...]:
        """The entries that name `qualified`, least specific first."""
        found = self.known.get(qualified)
        if found is None:
            wild = (entry for pattern, entry in self.wild if pattern.matches(qualified))
            found = self.known[qualified] = (*wild, *self.exact.get(qualified, ()))
        return found


def _table(entries: Iterable[_Entry]) -> _Table[_Entry]:
    table: _Table[_Entry] = _Table()
    for entry in entries:
        pattern = parse(entry.pattern)
        if pattern.exact:
            table.exact.setdefault(entry.pattern, []).append(entry)
        else:
            table.wild.append((pattern, entry))
    table.wild.sort(key=lambda item: item[0].specificity)
    return table


class Contracts:
    """The contracts of all rules files of a run, in the order of the files."""

    __slots__ = ("_classes", "_functions", "_kernels", "files")

    def __init__(self, files: Iterable[RulesFile] = ()) -> None:
        self.files = tuple(files)
        self._kernels = _table(k for f in self.files for k in f.kernels)
        self._functions = _table(k for f in self.files for k in f.functions)
        self._classes = _table(k for f in self.files for k in f.classes)

    def __bool__(self) -> bool:
        """Whether anything is declared at all."""
        return any(f.kernels or f.functions or f.classes for f in self.files)

    def kernel(self, qualified: str) -> Declared:
        """The declared parameters of a kernel."""
        return _merge(e.parameters for e in self._kernels.matching(qualified))

    def function(self, qualified: str) -> FunctionRules:
        """The declared parameters and results of a host function or method."""
        entries = self._functions.matching(qualified)
        return FunctionRules(_merge(e.parameters for e in entries), _results(entries))

    def fields(self, qualified: str) -> Declared:
        """The declared attributes and fields of a class."""
        return _merge(e.fields for e in self._classes.matching(qualified))

    def field(self, qualified: str, name: str) -> ValueContract | None:
        """The contract of one attribute or field of a class."""
        return self.fields(qualified).get(name)


def _merge(groups: Iterable[tuple[ValueContract, ...]]) -> dict[str, ValueContract]:
    return {contract.name: contract for group in groups for contract in group}


def _results(entries: tuple[FunctionContract, ...]) -> dict[str, ValueContract]:
    """A whole value and its parts exclude each other: the more specific pattern decides which it is."""
    merged: dict[str, ValueContract] = {}
    for entry in entries:
        if not entry.returns:
            continue
        whole = any(c.is_whole for c in entry.returns)
        if whole or any(c.is_whole for c in merged.values()):
            merged = {}
        merged.update(_merge([entry.returns]))
    return merged
