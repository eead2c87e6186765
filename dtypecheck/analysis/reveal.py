"""What the analysis knows of a name at a line: for `dtypecheck trace`, and for `reveal` in fixtures.

It asks the summaries of a watching `Store`; it decides which function and which occurrence are meant,
and evaluates nothing that the checks would evaluate otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..contracts.words import nearest
from ..core import ir
from ..core.spans import Span
from ..syntax.model import FileIndex
from . import contexts
from . import graph as g
from .frames import Frame
from .host import access_path
from .launches import FUEL, SPARE, depends
from .program import ClassDef, FunctionDef
from .values import Guard, Value, agree, union

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


@dataclass(frozen=True, slots=True, eq=False)
class Met:
    """What an occurrence can be in one context; `ways` are the guards under which it is reached there."""

    context: contexts.Context
    ways: tuple[Guard, ...]
    value: Value


def reveal(solver: Solver, subject: Subject, callers: bool = False) -> Value:
    """The value of one occurrence; `callers`: for the callers that the program has."""
    if callers:
        return union(one.value for one in met(solver, subject))
    solver.fuel = FUEL
    return _met(solver, subject, contexts.Context(subject.frame, ())).value


def met(solver: Solver, subject: Subject) -> Iterator[Met]:
    """What one occurrence can be, for each of the callers that the program has."""
    solver.fuel = FUEL
    function = subject.frame.function

    def is_open(frame: Frame, name: str) -> bool:
        return any(depends(alt.what, name) for alt in solver.force(subject.sighting.node, frame))

    alone = [contexts.Context(subject.frame, ())]
    for context in contexts.contexts(solver, function, is_open) if function is not None else alone:
        solver.fuel = max(solver.fuel, SPARE)
        yield _met(solver, subject, context)


def _met(solver: Solver, subject: Subject, context: contexts.Context) -> Met:
    """The alternatives that can be met where the name stands."""
    ways = contexts.ways(solver, context, subject.sighting.path)
    value = solver.force(subject.sighting.node, context.frame)
    here = tuple(alt for alt in value if any(agree(alt.guard, way) is not None for way in ways))
    return Met(context, ways, here)


def unnamed(where: str, name: str | None, names: Sequence[str]) -> str:
    """What to say where a line has these names and not the one that was asked for, or none was."""
    if name is None:
        return f"the statement at {where} gives no value: name one of {', '.join(names)}"
    near = nearest(name, names)
    hint = f"; did you mean `{near}`?" if near else ""
    return f"no `{name}` at {where}{hint}; there: {', '.join(names)}"


def barren(where: str, line: int, others: Iterable[int]) -> str:
    """What to say of a line without values, where other lines have some."""
    nearby = sorted(set(others), key=lambda other: (abs(other - line), other))[:2]
    hint = f"; the nearest lines with values: {', '.join(map(str, sorted(nearby)))}" if nearby else ""
    return f"nothing at {where} has a value{hint}"


# -- what is meant -------------------------------------------------------------------------------


def subjects(solver: Solver, file: FileIndex, line: int, name: str | None = None) -> list[Subject]:
    """What a line is about: the occurrence of `name`, as stored where it is, or what the statement gives.

    A statement gives its targets in order, what it returns, or the value of its expression. A line within a
    statement is about the expression that stands there alone: an argument, most often.
    """
    frame = frame_at(solver, file, line)
    here = [s for s in (*_parameters(frame), *frame.summary.sightings) if s.span.line == line]
    if name is None:
        on = _at(frame.summary.function.body, line)
        wanted = [pair for stmt in on for pair in given(stmt)]
        found = [s for target, span in wanted if (s := _seen(frame, target, span)) is not None]
        if all(stmt.span.line != line for stmt in on):
            found = _whole(here) or found
    else:
        asked = "".join(name.split())
        named = [s for s in here if asked in _names(solver, frame, s)]
        found = [s for s in named if s.stored][-1:] or named[:1]
    if not found:
        raise NoSubject(_nothing(solver, frame, line, name))
    return [Subject(frame, sighting) for sighting in found]


def _whole(here: list[g.Sighting]) -> list[g.Sighting]:
    """The one expression of a line that holds all others of it; nothing where there are several."""
    outer = [s for s in here if not any(s.span != o.span and s.span.within(o.span) for o in here)]
    return outer if len(outer) == 1 else []


def _parameters(frame: Frame) -> Iterator[g.Sighting]:
    for param in frame.summary.function.params:
        yield g.Sighting(param.name, param.span, g.Formal(param.name, param.span), (), True)


def _names(solver: Solver, frame: Frame, sighting: g.Sighting) -> tuple[str, ...]:
    """How an occurrence may be called: a call by its whole text, or by what is called, with `()`."""
    if sighting.name:
        return (sighting.name,)
    text = "".join(solver.store.text(frame.file.path, sighting.span).split())
    return (f"{text.partition('(')[0]}()", text)


def _nothing(solver: Solver, frame: Frame, line: int, name: str | None) -> str:
    """What to say where nothing is found: the names that the line has, or the nearest lines with some."""
    where = f"{frame.file.path}:{line}"
    every = [s for s in (*_parameters(frame), *frame.summary.sightings) if s.name != RESULT]
    names = sorted({_names(solver, frame, s)[0] for s in every if s.span.line == line})
    if names:
        return unnamed(where, name, names)
    return barren(where, line, [s.span.line for s in every])


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


def _at(body: Iterable[ir.Stmt], line: int) -> list[ir.Stmt]:
    """The statements that start on a line; where none does, the innermost one that it belongs to."""
    on = [stmt for stmt in statements(body) if stmt.span.line <= line <= stmt.span.end_line]
    return [stmt for stmt in on if stmt.span.line == line] or on[-1:]


def statements(body: Iterable[ir.Stmt]) -> Iterator[ir.Stmt]:
    """All statements, outer ones before those inside them."""
    for stmt in body:
        yield stmt
        for inner in _blocks(stmt):
            yield from statements(inner)


def head(stmt: ir.Stmt) -> object:
    """A statement without the statements inside it, to be walked."""
    match stmt:
        case ir.If(test=test) | ir.While(test=test):
            return test
        case ir.For(target=target, iter=iterated):
            return (target, iterated)
        case ir.With(items=items):
            return items
        case ir.Try() | ir.Define():
            return ()
    return stmt


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


def given(stmt: ir.Stmt) -> list[tuple[str, Span]]:
    """What a statement gives, with the place of each: variables and attributes, a result, or a value."""
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
