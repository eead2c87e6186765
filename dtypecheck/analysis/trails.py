"""The trail of a host value: each thing that it can be, for which callers and choices, and how it came."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..core.provenance import Origin
from ..core.spans import Place
from ..core.traces import Call, Traced
from . import words
from .choices import Choices
from .gathering import Gathering
from .launches import SPARE
from .reveal import Met, Subject, met
from .stations import Route, is_cut, routes, steps
from .values import ALWAYS, Abstract, Alternative, Array, External, Guard, Layer, Unknown, agree

if TYPE_CHECKING:
    from .solve import Solver


def trail(solver: Solver, subject: Subject) -> Traced:
    """Everything that an occurrence can be."""
    gathering = Gathering(Choices(solver))
    for one in met(solver, subject):
        solver.fuel = max(solver.fuel, SPARE)
        callers = tuple(_calls(solver, one))
        for alt in one.value:
            ways = tuple(both for way in one.ways if (both := agree(alt.guard, way)) is not None)
            said = words.said(solver, alt.what, ways)
            for guard, route in _routes(alt):
                gathering.add(said, steps(solver, route), callers, guard)
            origin = _origin(alt.what)
            gathering.cut = gathering.cut or (origin is not None and is_cut(origin))
    return gathering.told(subject.sighting.name, subject.frame.place(subject.sighting.span))


def _routes(alt: Alternative) -> Iterator[tuple[Guard, Route]]:
    """The ways of one alternative that its own choices leave."""
    origin = _origin(alt.what)
    for chosen, route in routes(origin) if origin is not None else [(ALWAYS, ())]:
        both = agree(alt.guard, chosen)
        if both is not None:
            yield both, route


def _origin(what: Abstract) -> Origin | None:
    """Where something comes from that can be a tensor, or holds some."""
    return what.origin if isinstance(what, (Array, External, Unknown, Layer)) else None


def _calls(solver: Solver, one: Met) -> Iterator[Call]:
    for link in one.context.links:
        caller = words.function_name(solver.program, link.caller.key)
        yield Call(caller, Place(link.caller.file.path, link.site.apply.span))
