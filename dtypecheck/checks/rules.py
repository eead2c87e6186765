"""Which rules judge which kind of fact. Adding a rule: a function in its family's module, and its name here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..analysis.facts import Fact, FieldFact, LaunchFact, ParameterFact, ReturnFact
from ..core.diagnostics import Diagnostic
from . import (
    annotated,
    declared,
    divergent,
    inherited,
    launch,
    offsets,
    recast,
    refused,
    rounded,
    stores,
)  # fmt: skip
from .judge import Case

CHECKS: dict[type, tuple[tuple[str, Callable[[Case, Any], Iterator[Diagnostic]]], ...]] = {
    LaunchFact: (
        ("DT101", declared.argument),
        ("DT110", divergent.divergent),
        ("DT401", launch.arity),
        ("DT402", launch.kinds),
        ("DT111", inherited.inherited),
        ("DT2", refused.refused),
        ("DT207", annotated.override),
        ("DT301", stores.narrowing),
        ("DT303", offsets.overflow),
        ("DT304", rounded.rounded),
        ("DT305", recast.recast),
    ),
    ParameterFact: (("DT101", declared.parameter),),
    ReturnFact: (("DT102", declared.returned),),
    FieldFact: (("DT103", declared.field),),
}


def judge(case: Case, facts: Iterable[Fact], codes: frozenset[str]) -> Iterator[Diagnostic]:
    """The findings of the rules that are on."""
    for fact in facts:
        for code, check in CHECKS[type(fact)]:
            if any(on.startswith(code) for on in codes):
                yield from check(case, fact)
