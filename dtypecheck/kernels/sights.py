"""What a variable of a kernel is at a line, under each signature that the program's launches give the kernel.

A variable of a device function is looked at where launched kernels call it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from ..analysis import words
from ..analysis.choices import Choices
from ..analysis.facts import LaunchFact
from ..analysis.gathering import Gathering
from ..analysis.interpreter import assigned
from ..analysis.launches import launches
from ..analysis.narrowing import NOTHING
from ..analysis.program import FunctionDef
from ..analysis.reveal import NoSubject, barren, given, head, statements, unnamed
from ..analysis.values import ALWAYS, Guard, agree
from ..core import ir
from ..core.diagnostics import Step
from ..core.spans import Place, Span
from ..core.traces import Call, Kind, Said, Traced
from . import explain
from .devices import called
from .launch import WAYS, Typer
from .program_scope import scope_of
from .session import Watch
from .typing import Outcome, Rejected, watch
from .values import KernelType, UnknownType, Value
from .words import in_words, names_of

Signature = dict[str, KernelType]
UNKNOWN = UnknownType("not given")
UNFIT = Said(Kind.UNKNOWN, "unknown: the arguments of this launch do not fit the kernel", reason="launch")


@dataclass(frozen=True, slots=True)
class _Question:
    """A name at a statement of a function; `stored`: as the statement leaves it."""

    function: FunctionDef
    body: ir.Function
    name: str
    span: Span
    stmt: ir.Stmt
    stored: bool


@dataclass(frozen=True, slots=True)
class _Sight:
    """What a name is under a guard; `chosen` is the part of it that decides the arguments that take part."""

    said: Said
    steps: tuple[Step, ...]
    guard: Guard
    chosen: Guard


def sights(typer: Typer, function: FunctionDef, line: int, name: str | None) -> tuple[Traced, ...]:
    """What names at a line of a kernel are; raises NoSubject where it has none, or nothing launches it."""
    questions = list(_questions(typer, function, line, name))
    facts = list(_launches(typer, function))
    if not facts:
        where = f"{function.file.path}:{line}"
        what = f"`{function.entry.name}`, of which no launch is found"
        raise NoSubject(f"{where} is in the kernel {what}: what its arguments are is not known")
    return tuple(_answer(typer, question, facts) for question in questions)


def _questions(typer: Typer, function: FunctionDef, line: int, name: str | None) -> Iterator[_Question]:
    """The names that are meant: what the line assigns where none is told."""
    body = typer.solver.store.function(function)
    where = f"{function.file.path}:{line}"
    here = [q for q in _names(function, body) if q.span.line == line]
    if not here:
        raise NoSubject(barren(where, line, [q.span.line for q in _names(function, body)]))
    wanted = dict.fromkeys(q.name for q in here if q.stored) if name is None else [name]
    for one in wanted:
        named = [q for q in here if q.name == one]
        if not named:
            raise NoSubject(unnamed(where, name, sorted({q.name for q in here})))
        yield next((q for q in named if q.stored), named[0])
    if not wanted:
        raise NoSubject(unnamed(where, None, sorted({q.name for q in here})))


def _names(function: FunctionDef, body: ir.Function) -> Iterator[_Question]:
    """Every variable of a kernel at every statement; a parameter is looked at before the first."""
    own = {p.name for p in body.params} | assigned(body.body)
    for param in body.params if body.body else ():
        yield _Question(function, body, param.name, param.span, body.body[0], False)
    for stmt in statements(body.body):
        for name, span in given(stmt):
            if name.isidentifier():
                yield _Question(function, body, name, span, stmt, True)
        for node in ir.walk(head(stmt)):
            if isinstance(node, ir.Name) and node.id in own:
                yield _Question(function, body, node.id, node.span, stmt, False)


def _launches(typer: Typer, function: FunctionDef) -> Iterator[LaunchFact]:
    """The launches of kernels that are, or call, a function: where the name of one of them is written."""
    program, store = typer.solver.program, typer.solver.store
    kernels = {function}
    every = [f for f in program.functions() if program.is_kernel(f)]
    while more := {k for k in every if k not in kernels and called(program, [k]) & kernels}:
        kernels |= more
    names = {k.entry.name for k in kernels}
    for file in program.files:
        source = store.source(file.path) if program.may_launch(file) else None
        if source is None or not any(name in source.text for name in names):
            continue
        for definition in (program.module_function(file), *(FunctionDef(file, f) for f in file.functions)):
            for fact in launches(typer.solver, definition) if definition.entry.sites else ():
                if isinstance(fact, LaunchFact) and fact.kernel in kernels:
                    yield fact


def _answer(typer: Typer, question: _Question, facts: list[LaunchFact]) -> Traced:
    """All ways of all launches."""
    gathering = Gathering(Choices(typer.solver))
    for fact in facts:
        call = Call(words.function_name(typer.solver.program, fact.chain[-1]), fact.place)
        found = [
            sight
            for guard, signature in _apart(typer, question, fact)
            for sight in _seen(typer, question, fact, guard, signature)
        ]
        enough = _tell_apart(found)
        for sight in found or [_Sight(UNFIT, (), ALWAYS, ALWAYS)]:
            gathering.add(sight.said, sight.steps, (call,), sight.chosen if enough else sight.guard)
    return gathering.told(question.name, Place(question.function.file.path, question.span))


def _tell_apart(found: list[_Sight]) -> bool:
    """Whether the choices of the arguments that take part tell all sights apart."""
    return not any(
        (a.said, a.steps) != (b.said, b.steps) and agree(a.chosen, b.chosen) is not None
        for a, b in combinations(found, 2)
    )


def _apart(typer: Typer, question: _Question, fact: LaunchFact) -> Iterator[tuple[Guard, Signature]]:
    """The ways of a launch; alternatives of arguments that the name depends on are told apart."""
    ways = [(guard, way) for guard, way in typer.ways(fact) if isinstance(way, dict)]
    for guard, signature in ways or typer.samples(fact):
        values, _ = _looked(typer, question, fact, signature)
        several = [n for n in explain.parameters(values) if len(names_of(signature.get(n, UNKNOWN))) > 1]
        parts: list[Guard] = [guard]
        for name in several:
            alternatives = fact.arguments[name].value if name in fact.arguments else ()
            finer = {agree(part, alt.guard): None for part in parts for alt in alternatives}
            met = [both for both in finer if both is not None]
            parts = met if 0 < len(met) <= WAYS else parts
        for part in parts:
            yield part, typer.supposing(fact, part, NOTHING) or signature


def _looked(
    typer: Typer, question: _Question, fact: LaunchFact, signature: Signature
) -> tuple[list[Value | None], Outcome]:
    """What a name is under one signature, in each of the runs of its statement, and what Triton says."""
    kernel = typer.solver.store.function(fact.kernel)
    look = Watch(question.stmt.span, None if question.function == fact.kernel else question.body)
    version = typer.versions[0]
    flags = typer.typing(fact, signature, version).assumed
    scope = scope_of(typer.solver, fact.kernel.file)
    outcome = watch(kernel, signature, scope, version, typer.target, flags, look)
    return [(after if question.stored else before).get(question.name) for before, after in look.seen], outcome


def _seen(
    typer: Typer, question: _Question, fact: LaunchFact, guard: Guard, signature: Signature
) -> Iterator[_Sight]:
    """What a name is in each run, and how it came."""
    values, outcome = _looked(typer, question, fact, signature)
    for value in values or [None]:
        if value is not None:
            chosen = _chosen(fact, guard, explain.parameters([value]))
            yield _Sight(in_words(value), _steps(typer, fact, guard, value), guard, chosen)
        elif isinstance(outcome, Rejected):
            text = f"unknown: Triton refuses the kernel: {outcome.message}"
            yield _Sight(Said(Kind.UNKNOWN, text, reason="refused"), (), guard, ALWAYS)
        else:
            text = "unknown: this line is not compiled for these arguments"
            yield _Sight(Said(Kind.UNKNOWN, text, reason="not-compiled"), (), guard, ALWAYS)


def _chosen(fact: LaunchFact, guard: Guard, names: Iterable[str]) -> Guard:
    """What of a guard decides what these arguments are."""
    chosen = ALWAYS
    for name in names:
        value = fact.arguments[name].value if name in fact.arguments else ()
        met = [alt.guard for alt in value if agree(alt.guard, guard) is not None]
        chosen = agree(chosen, frozenset.intersection(*met)) or chosen if met else chosen
    return chosen


def _steps(typer: Typer, fact: LaunchFact, guard: Guard, value: Value) -> tuple[Step, ...]:
    """From the argument of the launch to the variable."""
    parameter, inside = explain.path(value)
    name = parameter.partition("[")[0]
    found: list[Step] = []
    if name in fact.arguments:
        given = fact.arguments[name]
        met = {
            words.said(typer.solver, a.what, (both,)).text: None
            for a in given.value
            if (both := agree(a.guard, guard)) is not None
        }
        found.append(
            Step(given.place, "launched", " or ".join(met), f"`{parameter}` of {fact.kernel.entry.name}")
        )
    for step in inside:
        homes = typer.solver.store.lowered(step.function) if step.function else [fact.kernel]
        if len(homes) == 1:
            found.append(Step(Place(homes[0].file.path, step.span), "kernel", "", step.note))
    return tuple(found)
