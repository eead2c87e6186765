"""What holds of every answer, over all host code of the fixtures; and that every reason has words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

import dtypecheck
from dtypecheck.analysis.program import FunctionDef
from dtypecheck.analysis.reasons import FAMILIES, REASONS, in_words
from dtypecheck.analysis.reveal import Subject
from dtypecheck.analysis.solve import Solver
from dtypecheck.analysis.trails import trail
from dtypecheck.core.diagnostics import Step
from dtypecheck.core.traces import Kind, Trace, Traced
from dtypecheck.processes import with_deep_stack
from dtypecheck.report.trace_json import document
from tests.literate.projects import FIXTURES, Fixture, fixtures

from .test_output import SCHEMA

UNWRITTEN = {"constructor", "fields"}
"""Calls that nobody wrote: these nodes are no values."""
BEGINNINGS = {"born", "given", "lost", "cast"}


def subjects(solver: Solver) -> Iterator[Subject]:
    """Every occurrence of every name in host code."""
    for file in solver.program.files:
        for function in (
            solver.program.module_function(file),
            *(FunctionDef(file, f) for f in file.functions),
        ):
            if not solver.program.is_kernel(function):
                frame = solver.store.root_frame(function)
                yield from (Subject(frame, sighting) for sighting in frame.summary.sightings)


def faults(value: Traced) -> Iterator[str]:
    """What is wrong with an answer."""
    for way in value.ways:
        tensors = way.said.kind is Kind.TENSOR
        if tensors and not way.steps:
            yield "a tensor from nowhere"
        if way.steps and way.steps[0].role not in BEGINNINGS:
            yield f"begins with {way.steps[0].role}"
        for before, after in zip(way.steps, way.steps[1:], strict=False):
            if concrete(before) and after.dtype != before.dtype and after.role not in ("cast", "here"):
                yield f"{before.dtype} becomes {after.dtype} where it is {after.role}"
        known = tensors and len(way.said.dtypes) == 1 and concrete(way.steps[-1])
        if known and way.steps[-1].dtype != way.said.dtypes[0]:
            yield f"{way.said.text}, and {way.steps[-1].dtype} in the end"
        if any(step.place.span.line < 1 for step in way.steps):
            yield "a station that is nowhere"
    if len({(w.said, w.steps) for w in value.ways}) != len(value.ways):
        yield "one way told twice"


def concrete(step: Step) -> bool:
    return bool(re.fullmatch(r"[a-z]+\d+\w*|bool", step.dtype))


def broken(fixture: Fixture) -> list[str]:
    solver = fixture.solver()
    found = []
    for subject in subjects(solver):
        value = trail(solver, subject)
        found += [f"{value.place} {value.name}: {fault}" for fault in faults(value)]
        jsonschema.Draft202012Validator(SCHEMA).validate(document(Trace(str(fixture.root), (value,))))
    return found


ASKED = [f for f in fixtures(FIXTURES) if f.name.startswith(("inference/", "launches/", "spec_decode"))]


@pytest.mark.parametrize("fixture", ASKED, ids=lambda f: f.name)
def test_every_answer_on_the_fixtures_is_sound(fixture: Fixture) -> None:
    assert with_deep_stack(lambda: broken(fixture)) == []


def reasons() -> Iterator[str]:
    """The reasons that the analysis and the lowering write down."""
    package = Path(dtypecheck.__file__).parent
    for path in (*(package / "analysis").glob("*.py"), *(package / "syntax").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                name = (
                    node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                )
                if name in ("unknown", "Unknown", "Opaque", "opaque"):
                    yield from texts(node.args[0])


def texts(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str() as text):
            yield text
        case ast.JoinedStr(values=[ast.Constant(value=str() as head), *_]) if head.endswith("("):
            yield f"{head}it)"


@pytest.mark.parametrize("reason", sorted(set(reasons()) - UNWRITTEN))
def test_every_reason_has_words(reason: str) -> None:
    assert reason in REASONS or reason.partition("(")[0] in FAMILIES
    assert in_words(reason) != reason


def test_the_words_are_those_of_reasons_that_there_are() -> None:
    known = {reason.partition("(")[0] for reason in reasons()} | {
        "several-dtypes",
        "too-deep",
        "no-such-definition",
    }
    assert set(REASONS) | set(FAMILIES) <= known | {"one-of"}


def test_a_construct_that_is_not_followed_is_named() -> None:
    assert in_words("await") == "await is not followed"
