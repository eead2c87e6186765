"""Compares what the analysis says with what an execution showed: every real value must be admitted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from dtypecheck.analysis import show
from dtypecheck.analysis.dtypexpr import Symbol, evaluate
from dtypecheck.analysis.facts import LaunchFact
from dtypecheck.analysis.launches import launches
from dtypecheck.analysis.reveal import reveal, subjects
from dtypecheck.analysis.solve import Solver
from dtypecheck.analysis.values import (
    Abstract,
    Array,
    Dictionary,
    DTypeRef,
    External,
    Given,
    Instance,
    Layer,
    Many,
    Nil,
    Number,
    Sequence,
    Thunk,
    Unknown,
    Value,
    agree,
)  # fmt: skip
from dtypecheck.core.dtypes import BY_NAME, DType, named
from dtypecheck.processes import with_deep_stack

from .comments import Comment
from .execute import Launch, Record, Seen, Sight, execute
from .projects import Fixture

Given_ = Mapping[Symbol, DType]


@dataclass(slots=True)
class Truth:
    """`wrong`: what the analysis denies; `compared` values were looked at, `unknown` of them not known."""

    wrong: list[str] = field(default_factory=list)
    compared: int = 0
    unknown: int = 0


def truth(fixture: Fixture) -> Truth:
    """Runs a fixture and compares; nothing is compared where it says no `run`."""
    outcome = Truth()
    calls = [c for c in fixture.comments if c.kind == "run"]
    for file in dict.fromkeys(c.file for c in calls):
        wanted = with_deep_stack(partial(_wanted, fixture))
        module = fixture.relative(file).removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        texts = [c.text for c in calls if c.file == file]
        records = execute(fixture.root, module, frozenset(fixture.files), texts, wanted)
        with_deep_stack(partial(_compare, fixture, records, outcome))
    return outcome


def _asked(fixture: Fixture) -> list[Comment]:
    return [c for c in fixture.comments if c.kind == "reveal"]


def _wanted(fixture: Fixture) -> dict[Path, dict[int, set[str]]]:
    solver = fixture.solver()
    wanted: dict[Path, dict[int, set[str]]] = {}
    for comment in _asked(fixture):
        for name in _names(solver, fixture, comment):
            wanted.setdefault(comment.file, {}).setdefault(comment.line, set()).add(name)
    return wanted


def _names(solver: Solver, fixture: Fixture, comment: Comment) -> list[str]:
    file = solver.program.by_path[fixture.relative(comment.file)]
    return [s.sighting.name for s in subjects(solver, file, comment.line, comment.subject)]


def _compare(fixture: Fixture, records: list[Record], outcome: Truth) -> None:
    solver = fixture.solver()
    facts = list(_facts(solver))
    for record in records:
        given = {
            Symbol(*key): BY_NAME[seen.name] for key, seen in record.given.items() if seen.kind == "tensor"
        }
        for launch in record.launches:
            _launch(fixture, solver, launch, facts, given, outcome)
        for comment in _asked(fixture):
            file = solver.program.by_path[fixture.relative(comment.file)]
            for subject in subjects(solver, file, comment.line, comment.subject):
                value = reveal(solver, subject, comment.callers)
                for sight in record.sights:
                    if (sight.file, sight.line, sight.name) == (
                        comment.file,
                        comment.line,
                        subject.sighting.name,
                    ):
                        _sight(fixture, solver, sight, value, given, outcome)


def _sight(
    fixture: Fixture, solver: Solver, sight: Sight, value: Value, given: Given_, outcome: Truth
) -> None:
    outcome.compared += 1
    outcome.unknown += any(isinstance(a.what, Unknown) for a in value)
    if not admits(solver, value, sight.seen, given):
        said = show.value(solver, value)
        where = f"{fixture.relative(sight.file)}:{sight.line}"
        outcome.wrong.append(
            f"{where}: `{sight.name}` is {said} by the analysis, and really {_really(sight.seen)}"
        )


def _facts(solver: Solver) -> Iterator[LaunchFact]:
    for function in solver.program.functions():
        if function.entry.sites:
            yield from (f for f in launches(solver, function) if isinstance(f, LaunchFact))


def _launch(
    fixture: Fixture, solver: Solver, launch: Launch, facts: list[LaunchFact], given: Given_, outcome: Truth
) -> None:
    path = fixture.relative(launch.file)
    here = [
        f
        for f in facts
        if f.place.path == path
        and f.place.span.line <= launch.line <= f.place.span.end_line
        and f.kernel.entry.name == launch.kernel
    ]
    where = f"{path}:{launch.line}"
    if not here:
        outcome.wrong.append(f"{where}: a launch of `{launch.kernel}` that the analysis does not see")
        return
    for name, seen in launch.arguments.items():
        values = [
            tuple(
                a
                for a in f.arguments[name].value
                if any(agree(a.guard, guard) is not None for guard in f.guards)
            )
            for f in here
            if name in f.arguments
        ]
        if not values:
            continue
        outcome.compared += 1
        outcome.unknown += any(isinstance(a.what, Unknown) for v in values for a in v)
        if not any(admits(solver, value, seen, given) for value in values):
            said = " || ".join(dict.fromkeys(show.value(solver, v) for v in values))
            outcome.wrong.append(
                f"{where}: `{name}` of `{launch.kernel}` is {said} by the analysis, really {_really(seen)}"
            )


# -- admitting -----------------------------------------------------------------------------------


def admits(solver: Solver, value: Value, seen: Seen, given: Given_) -> bool:
    """Whether one alternative can be the object that was seen, when symbols have the dtypes `given`."""
    return any(_admits(solver, alt.what, seen, given) for alt in value)


def _admits(solver: Solver, what: Abstract, seen: Seen, given: Given_) -> bool:
    match what, seen:
        case (Array(dtype, numpy=numpy), Seen("tensor" | "numpy" as kind, name)):
            found = named(name)
            return (
                numpy is (kind == "numpy") and found is not None and bool(evaluate(dtype, given) & found.bit)
            )
        case (Number(kind, literal, known), Seen("number", name, real)):
            return kind in ("number", name) and (not known or literal == real or literal != literal)
        case (Nil(), _):
            return seen.kind == "none"
        case (DTypeRef(dtype), Seen("dtype", name)):
            return bool(evaluate(dtype, given) & BY_NAME[name].bit)
        case (Sequence(_, items), Seen("sequence")):
            pairs = zip(items, seen.items, strict=False)
            return len(items) == len(seen.items) and all(_item(solver, s, one, given) for s, one in pairs)
        case (Many(_, elements), Seen("sequence")):
            return all(
                not elements or any(_item(solver, e, one, given) for e in elements) for one in seen.items
            )
        case (Dictionary(items, rest), Seen("dict", _, keys)):
            known_items = dict(items)
            return all(
                _item(solver, known_items[k], one, given) if k in known_items else bool(rest)
                for k, one in zip(keys, seen.items, strict=True)  # type: ignore[call-overload]
            )
        case (External(symbol), Seen("tensor", name)):
            return symbol not in given or given[symbol].name == name
        case (External() | Unknown(), _):
            return True
        case (Instance(cls), _):
            return cls.entry.name in seen.name.split()
        case (Layer(name), _):
            return name in seen.name.split()
        case ((Array() | Number() | DTypeRef() | Sequence() | Many() | Dictionary()), _):
            return False
    return seen.kind == "object"


def _item(solver: Solver, slot: Thunk | Given, seen: Seen, given: Given_) -> bool:
    return admits(solver, solver.demand(slot), seen, given)


def _really(seen: Seen) -> str:
    return f"{seen.kind} {seen.name} {seen.value if seen.kind == 'number' else ''}".strip()
