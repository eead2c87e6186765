"""An origin as the stations that a reader is shown, from the birth on, each with its dtype."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..core.diagnostics import Step
from ..core.provenance import MOST, Move, Origin
from ..core.spans import Place, Span
from .dtypexpr import Known, Of, Term
from .program import FunctionDef
from .values import ALWAYS, Guard, agree
from .words import dtype_words, function_name

if TYPE_CHECKING:
    from .solve import Solver

Route = tuple[Origin, ...]
"""The moves of one way, oldest first, none of them a join."""


def routes(origin: Origin) -> Iterator[tuple[Guard, Route]]:
    """Every way that an origin stands for, with what was chosen for it."""
    later: list[Origin] = []
    for at in origin.chain():
        if at.move is Move.JOINED:
            for chosen, way in at.ways:
                for before, route in routes(way):
                    both = agree(chosen, before)
                    if both is not None:
                        yield both, (*route, *reversed(later))
            return
        later.append(at)
    yield ALWAYS, tuple(reversed(later))


def is_cut(origin: Origin) -> bool:
    """Whether more ways were joined than are remembered."""
    return any(len({id(way) for _, way in at.ways}) == MOST for at in origin.chain())


def steps(solver: Solver, route: Route) -> tuple[Step, ...]:
    """What happened at each station of a way; nothing is lost with what a launch gives."""
    if route and route[0].note == "compiled-kernel":
        return ()
    return tuple(_step(solver, at, before) for at, before in zip(route, (None, *route), strict=False))


def _step(solver: Solver, at: Origin, before: Origin | None) -> Step:
    dtype = dtype_words(solver, at.dtype) if isinstance(at.dtype, (Known, Of, Term)) else ""
    match at.move:
        case Move.BORN:
            return Step(_declared(solver, at), "flows" if before else "born", dtype, _parameter(solver, at))
        case Move.DERIVED:
            return Step(at.place, "flows" if before else "born", dtype, "inherited" if before else "")
        case Move.CAST:
            kept = before is not None and before.dtype == at.dtype
            return Step(at.place, "flows" if kept else "cast", dtype, "")
        case Move.PASSED:
            name, _, callee = at.note.partition(" of ")
            return Step(at.place, "passed", dtype, f"`{name}` of {function_name(solver.program, callee)}")
        case Move.RETURNED:
            return Step(at.place, "returned", dtype, f"by {function_name(solver.program, at.note)}")
        case Move.LOST:
            return Step(at.place, "lost", "", at.note)
        case Move.GIVEN:
            return Step(_declared(solver, at), "given", dtype, _parameter(solver, at))
    return Step(at.place, at.move.value, dtype, at.note)


def _parameter(solver: Solver, at: Origin) -> str:
    """Whose parameter it is that a caller provides; the note of a call is its code, which is shown."""
    if not isinstance(at.dtype, Of) or not at.note.startswith("parameter "):
        return ""
    symbol = at.dtype.symbol
    if symbol.function == "platform":
        return "depends on the machine"
    whose = function_name(solver.program, symbol.function)
    return "a parameter" if symbol.path.isidentifier() else f"from a parameter of {whose}"


def _declared(solver: Solver, at: Origin) -> Place:
    """Where a caller's value is declared: the parameter and its annotation, where the place is in these."""
    file = solver.program.by_path.get(at.place.path)
    if file is None or not _parameter(solver, at):
        return at.place
    line = at.place.span.line
    for entry in file.functions:
        if entry.first_line <= line <= entry.last_line:
            for param in solver.store.function(FunctionDef(file, entry)).params:
                whole = param.span
                if param.annotation is not None:
                    whole = Span.cover(whole, param.annotation.span)
                if at.place.span.within(whole):
                    return Place(file.path, whole)
    return at.place
