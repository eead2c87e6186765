"""From a value's origin to what a reader is shown: birth, trace, siblings and fix."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..analysis.dtypexpr import describe, exact
from ..analysis.facts import LaunchFact
from ..analysis.solve import Solver
from ..analysis.values import Alternative, Array, Value
from ..core.diagnostics import Applicability, Edit, Fix, Step
from ..core.dtypes import DType
from ..core.provenance import Move, Origin
from ..core.spans import Place, Span

CONSTRUCTORS = frozenset(
    {"empty", "zeros", "ones", "full", "new_empty", "new_zeros", "new_ones", "new_full", "empty_like", "zeros_like",
     "ones_like", "full_like", "rand_like", "randn_like", "arange", "tensor", "rand", "randn", "new_tensor",
     "empty_strided", "linspace", "as_tensor"}
)  # fmt: skip
"""What takes a dtype keyword: a wrong dtype born there is mended there."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a diagnostic takes over."""

    birth: Place | None
    trace: tuple[Step, ...]
    fix: Fix | None


def evidence(solver: Solver, alt: Alternative, wanted: DType | None, launch: LaunchFact | None) -> Evidence:
    """The birth, journey and mend of one alternative."""
    array = alt.what if isinstance(alt.what, Array) else None
    origin = array.origin if array is not None else None
    if array is None or origin is None:
        return Evidence(None, _launched(launch), None)
    birth = birth_of(origin)
    dtype = describe(array.dtype)
    steps = [_step(solver, at, birth, dtype) for at in reversed(list(origin.chain())) if _worth_showing(at, birth)]
    fix = _fix(solver, birth, wanted) if wanted is not None else None
    return Evidence(birth.place, tuple(_distinct(steps)) + _launched(launch), fix)


def birth_of(origin: Origin) -> Origin:
    """Where the dtype was decided: what stands between is the same thing again (`empty_like`, arithmetic).

    A `new_*` call decides too: it gives the dtype of one thing to another.
    """
    found = origin
    for at in origin.chain():
        match at.move:
            case Move.BORN | Move.CAST:
                return at
            case Move.DERIVED:
                found = at
                if at.note.rpartition(".")[2].startswith("new_"):
                    return at
    return found


def _worth_showing(at: Origin, birth: Origin) -> bool:
    return at is birth or at.move in (Move.STORED, Move.DERIVED, Move.CAST)


def _step(solver: Solver, at: Origin, birth: Origin, dtype: str) -> Step:
    role = "born" if at is birth else "flows"
    match at.move:
        case Move.STORED:
            return Step(at.place, role, "", at.note)
        case Move.DERIVED if at.parent is not None:
            return Step(at.place, role, dtype, f"{dtype}, inherited" if at is birth else dtype)
    return Step(at.place, role, dtype, dtype)


def _distinct(steps: Iterable[Step]) -> list[Step]:
    """An attribute that is read many times is one station."""
    kept: list[Step] = []
    for step in steps:
        if not any(step.place == other.place and step.note == other.note for other in kept):
            kept.append(step)
    born = next((i for i, s in enumerate(kept) if s.role == "born"), 0)
    return kept[born:]


def _launched(launch: LaunchFact | None) -> tuple[Step, ...]:
    return () if launch is None else (Step(launch.place, "launched", "", launch.kernel.entry.name),)


# -- siblings ------------------------------------------------------------------------------------


def siblings(solver: Solver, value: Value, bad: Alternative) -> str:
    """Which other ways give this value another dtype: "f and g return int32 here"."""
    groups: dict[str, list[str]] = {}
    dtype = exact(bad.what.dtype) if isinstance(bad.what, Array) else None
    for alt in value:
        if alt is bad or not isinstance(alt.what, Array):
            continue
        other = exact(alt.what.dtype)
        if other is None or other == dtype:
            continue
        for origin in _ways(alt.what.origin):
            who = _who(solver, origin)
            if who and who not in groups.setdefault(other.name, []):
                groups[other.name].append(who)
    return "; ".join(
        f"{listed(names)} {'returns' if len(names) == 1 else 'return'} {name} here" for name, names in groups.items()
    )


def _ways(origin: Origin | None) -> list[Origin]:
    """All the ways in which a value that is the same either way may have come."""
    if origin is None:
        return []
    found = [origin]
    for at in origin.chain():
        for _, other in at.ways:
            if other is not at.parent:
                found += _ways(other)
    return found


def _who(solver: Solver, origin: Origin) -> str:
    """The function or method in which a value was born; "" in a constructor, which returns nothing."""
    place = birth_of(origin).place
    file = solver.program.by_path.get(place.path)
    if file is None:
        return ""
    inside = [e for e in file.functions if e.first_line <= place.span.line <= e.last_line]
    if not inside:
        return ""
    inner = min(inside, key=lambda e: e.last_line - e.first_line)
    if inner.name == "__init__":
        return ""
    return f"{inner.class_name}.{inner.name}" if inner.class_name else inner.name


def listed(words: Iterable[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    names = list(words)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


# -- fixes ---------------------------------------------------------------------------------------


def _fix(solver: Solver, birth: Origin, wanted: DType) -> Fix | None:
    """One keyword at the birth, where the birth is a constructor that takes it."""
    if birth.note.rpartition(".")[2] not in CONSTRUCTORS:
        return None
    text = solver.store.text(birth.place.path, birth.place.span)
    if not text.endswith(")") or "\n" in text:
        return None
    if "dtype=" in text.replace(" ", ""):
        return Fix(Applicability.DISPLAY, f"give it dtype=torch.{wanted.name}", ())
    keyword = f"dtype=torch.{wanted.name}"
    inner = text[:-1].rstrip()
    addition = keyword if inner.endswith("(") else f" {keyword}" if inner.endswith(",") else f", {keyword}"
    end = birth.place.span
    at = Span(end.end_line, end.end_column - 1, end.end_line, end.end_column - 1)
    return Fix(Applicability.UNSAFE, f"{inner}{addition})", (Edit(Place(birth.place.path, at), addition),))
