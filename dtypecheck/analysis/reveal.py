"""What the analysis knows of a name at a line: for `dtypecheck trace`, and for `reveal` in fixtures.

It asks the summaries of a watching `Store`; it decides which function and which occurrence are meant,
and evaluates nothing that the checks would evaluate otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core import ir
from ..core.spans import Span
from ..syntax.model import FileIndex
from . import contexts
from . import graph as g
from .frames import Frame
from .host import access_path
from .launches import FUEL, depends
from .program import ClassDef, FunctionDef
from .values import Alternative, Value, agree, union

if TYPE_CHECKING:
    from .solve import Solver

RESULT = "return"
"""The name of what a `return` statement gives."""


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """One occurrence of a name in the function that `frame` runs, for callers that nobody knows."""

    frame: Frame
    sighting: g.Sighting


class NoSubject(LookupError):
    """Nothing at a line has the name that was asked for; the message says what there is."""


def reveal(solver: Solver, subject: Subject, callers: bool = False) -> Value:
    """The value of one occurrence; `callers`: for the callers that the program has."""
    solver.fuel = FUEL
    function = subject.frame.function
    if not callers or function is None:
        return _here(solver, subject.sighting, subject.frame)

    def is_open(frame: Frame, name: str) -> bool:
        return any(depends(alt.what, name) for alt in solver.force(subject.sighting.node, frame))

    found = contexts.contexts(solver, function, is_open)
    return union(_here(solver, subject.sighting, context.frame) for context in found)


def _here(solver: Solver, sighting: g.Sighting, frame: Frame) -> Value:
    """The alternatives that can be met where the name stands."""
    guards = solver.guards(sighting.path, frame)
    met: list[Alternative] = []
    for alt in solver.force(sighting.node, frame):
        if any(agree(alt.guard, guard) is not None for guard in guards):
            met.append(alt)
    return tuple(met)


# -- what is meant -------------------------------------------------------------------------------


def subjects(solver: Solver, file: FileIndex, line: int, name: str | None = None) -> list[Subject]:
    """What a line is about: the occurrence of `name`, as stored where it is, or what the statement gives.

    A statement gives its targets in order, what it returns, or the value of its expression.
    """
    frame = frame_at(solver, file, line)
    here = [s for s in frame.summary.sightings if s.span.line == line]
    if name is None:
        wanted = _given(frame.summary.function.body, line)
        found = [s for target, span in wanted if (s := _seen(frame, target, span)) is not None]
    else:
        named = [s for s in here if s.name == name]
        found = [s for s in named if s.stored][-1:] or named[:1]
    if not found:
        names = sorted({s.name for s in here} - {"", RESULT})
        there = f"; there: {', '.join(names)}" if names else ""
        raise NoSubject(f"no value{f' `{name}`' if name else ''} at {file.path}:{line}{there}")
    return [Subject(frame, sighting) for sighting in found]


def frame_at(solver: Solver, file: FileIndex, line: int) -> Frame:
    """The root frame of the innermost function around a line, or the body of its class or module."""
    functions = [e for e in file.functions if e.first_line <= line <= e.last_line]
    classes = [c for c in file.classes if c.first_line <= line <= c.last_line]
    inner = max(functions, key=lambda e: e.first_line, default=None)
    around = max(classes, key=lambda c: c.first_line, default=None)
    if inner is not None and (
        around is None or around.first_line <= inner.first_line or around.last_line > inner.last_line
    ):
        return solver.store.root_frame(FunctionDef(file, inner))
    if around is not None:
        return solver.store.class_frame(ClassDef(file, around))
    return solver.store.module_frame(file)


def _seen(frame: Frame, name: str, span: Span) -> g.Sighting | None:
    return next((s for s in reversed(frame.summary.sightings) if s.span == span and s.name == name), None)


def _given(body: Iterable[ir.Stmt], line: int) -> list[tuple[str, Span]]:
    """What the statements that start on a line give: (name, span) as sightings have them."""
    found: list[tuple[str, Span]] = []
    for stmt in body:
        if stmt.span.line == line:
            found += _gives(stmt)
        for inner in _blocks(stmt):
            found += _given(inner, line)
    return found


def _blocks(stmt: ir.Stmt) -> Iterator[tuple[ir.Stmt, ...]]:
    match stmt:
        case (
            ir.If(body=body, orelse=orelse)
            | ir.For(body=body, orelse=orelse)
            | ir.While(body=body, orelse=orelse)
        ):
            yield from (body, orelse)
        case ir.With(body=body):
            yield body
        case ir.Try(body=body, handlers=handlers, orelse=orelse, final=final):
            yield from (body, *(block for _, block in handlers), orelse, final)


def _gives(stmt: ir.Stmt) -> list[tuple[str, Span]]:
    match stmt:
        case ir.Assign(targets=targets):
            return [pair for target in targets[:1] for pair in _targets(target)]
        case ir.AugAssign(target=target) | ir.AnnAssign(target=target) | ir.For(target=target):
            return _targets(target)
        case ir.With(items=items):
            return [pair for _, target in items if target is not None for pair in _targets(target)]
        case ir.Return(span=span):
            return [(RESULT, span)]
        case ir.ExprStmt(value=ir.Call(span=span)):
            return [("", span)]
        case ir.ExprStmt(value=value) | ir.Assert(test=value) if access_path(value) is not None:
            return [(access_path(value) or "", value.span)]
    return []


def _targets(target: ir.Expr) -> list[tuple[str, Span]]:
    match target:
        case ir.Display(items=items):
            return [pair for item in items for pair in _targets(item)]
        case ir.Starred(value=value):
            return _targets(value)
        case ir.Name() | ir.Attribute():
            path = access_path(target)
            return [(path, target.span)] if path is not None else []
    return []
