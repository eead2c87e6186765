"""Declarations that mean nothing in a program: names that it does not have (DT004).

A pure function of the contracts and of the names that the program has. Shipped packs span several
releases of a library, so by default only the user's own files are held to their names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ..core.spans import Place
from .matching import Contracts
from .model import RulesFile, ValueContract
from .patterns import parse
from .words import nearest

Names = Mapping[str, frozenset[str]]
"""Qualified name -> the names of its parameters, or of its fields."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the program has. `results` may hold the positions and fields that a function returns; a
    function that it lacks may return anything."""

    kernels: Names = field(default_factory=dict)
    functions: Names = field(default_factory=dict)
    classes: Names = field(default_factory=dict)
    results: Names = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stale:
    """One declared name that matches nothing.

    `what` is "kernel", "function", "class", "parameter", "result" or "field"; `owner` is the pattern
    that a parameter, result or field is declared under; `suggestion` is the nearest real name.
    """

    place: Place
    what: str
    name: str
    owner: str = ""
    suggestion: str | None = None

    def __str__(self) -> str:
        of = f' of "{self.owner}"' if self.owner else ""
        hint = f'; did you mean "{self.suggestion}"?' if self.suggestion else ""
        return f'the project has no {self.what} "{self.name}"{of}{hint}'


def stale(contracts: Contracts, known: Known, *, shipped: bool = False) -> tuple[Stale, ...]:
    """Every declared name that the program lacks, by place; packs are looked at only on request."""
    found: list[Stale] = []
    for file in contracts.files:
        if shipped or not file.shipped:
            found.extend(_stale_in(file, known))
    return tuple(sorted(found, key=lambda s: (s.place, s.what, s.name)))


def _stale_in(file: RulesFile, known: Known) -> Iterator[Stale]:
    for kernel in file.kernels:
        yield from _entry("kernel", kernel.pattern, kernel.place, known.kernels, kernel.parameters)
    for function in file.functions:
        pattern = function.pattern
        yield from _entry("function", pattern, function.place, known.functions, function.parameters)
        yield from _stale_results(pattern, function.returns, known)
    for cls in file.classes:
        yield from _entry("class", cls.pattern, cls.place, known.classes, cls.fields, part="field")


def _entry(
    what: str,
    pattern: str,
    place: Place,
    names: Names,
    contracts: tuple[ValueContract, ...],
    part: str = "parameter",
) -> Iterator[Stale]:
    """A pattern that matches nothing; else the parts that no match has."""
    matched = _matched(pattern, names)
    if not matched:
        yield Stale(place, what, pattern, suggestion=_nearest_name(pattern, names))
        return
    have = frozenset().union(*(names[n] for n in matched))
    yield from _parts(part, pattern, contracts, have)
    yield from _references(part, pattern, contracts, have)


def _stale_results(pattern: str, returns: tuple[ValueContract, ...], known: Known) -> Iterator[Stale]:
    matched = _matched(pattern, known.functions)
    if not matched:
        return
    parameters = frozenset().union(*(known.functions[n] for n in matched))
    yield from _references("parameter", pattern, returns, parameters)
    if all(n in known.results for n in matched):
        parts = tuple(c for c in returns if not c.is_whole)
        have = frozenset().union(*(known.results[n] for n in matched))
        yield from _parts("result", pattern, parts, have)


def _parts(
    part: str, pattern: str, contracts: Iterable[ValueContract], have: frozenset[str]
) -> Iterator[Stale]:
    for contract in contracts:
        if contract.name not in have:
            yield Stale(contract.place, part, contract.name, pattern, nearest(contract.name, have))


def _references(
    part: str, pattern: str, contracts: Iterable[ValueContract], have: frozenset[str]
) -> Iterator[Stale]:
    for contract in contracts:
        for name in dict.fromkeys(contract.references):
            if name not in have:
                yield Stale(contract.place, part, name, pattern, nearest(name, have))


def _matched(pattern: str, names: Names) -> list[str]:
    compiled = parse(pattern)
    if compiled.exact:
        return [pattern] if pattern in names else []
    return [n for n in names if compiled.matches(n)]


def _nearest_name(pattern: str, names: Names) -> str | None:
    """The real name most like a pattern: first by its last component alone, for names that moved."""
    last = pattern.rpartition(".")[2]
    if "*" not in last:
        moved = sorted(n for n in names if n.rpartition(".")[2] == last)
        if moved:
            return moved[0] if len(moved) == 1 else nearest(pattern, moved) or moved[0]
        close = nearest(last, {n.rpartition(".")[2] for n in names})
        if close:
            return next(n for n in sorted(names) if n.rpartition(".")[2] == close)
    return nearest(pattern, names) if len(names) <= 2000 else None
