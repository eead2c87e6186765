"""DT110: a value that different ways give different dtypes, on its way into a kernel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..analysis.dtypexpr import exact
from ..analysis.facts import LaunchFact
from ..analysis.values import Alternative, Array
from ..core.diagnostics import Diagnostic
from ..core.dtypes import mask, show
from ..core.spans import Place
from .judge import Case, finding, happening


def divergent(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding per argument, at the place where the ways meet."""
    for name, given in fact.arguments.items():
        alternatives = [a for a in happening(given.value, fact.guards) if isinstance(a.what, Array)]
        found = {d for a in alternatives if isinstance(a.what, Array) and (d := exact(a.what.dtype)) is not None}
        if len(found) < 2:
            continue
        dtypes = mask(found)
        rarest = min(alternatives, key=lambda a: (_count(alternatives, a), _order(a)))
        message = f"`{name}` of `{fact.kernel.entry.name}` is {show(dtypes)}, depending on the path"
        made = finding(
            case, "DT110", message, place=given.place, alternative=rarest, value=given.value, launch=fact,
            parameter=name, actual=dtypes,
        )  # fmt: skip
        join = _join(case, alternatives)
        yield replace(made, primary=join) if join is not None else made


def _count(alternatives: list[Alternative], one: Alternative) -> int:
    return sum(isinstance(a.what, Array) and isinstance(one.what, Array) and a.what.dtype == one.what.dtype for a in alternatives)


def _order(alt: Alternative) -> str:
    origin = alt.what.origin if isinstance(alt.what, Array) else None
    return str(origin.place) if origin is not None else ""


def _join(case: Case, alternatives: list[Alternative]) -> Place | None:
    """The recorded join whose ways are stations of these alternatives."""
    stations = [_stations(a) for a in alternatives]
    best: tuple[int, Place] | None = None
    for place, value in case.solver.joins.items():
        heads = [a.what.origin.place for a in value if isinstance(a.what, Array) and a.what.origin is not None]
        met = sum(any(head in s for s in stations) for head in heads)
        if met >= 2 and (best is None or met > best[0]):
            best = (met, place)
    return best[1] if best is not None else None


def _stations(alt: Alternative) -> set[Place]:
    origin = alt.what.origin if isinstance(alt.what, Array) else None
    return {at.place for at in origin.chain()} if origin is not None else set()
