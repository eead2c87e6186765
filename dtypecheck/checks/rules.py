"""Which rules judge which kind of fact. Adding a rule: a function in its family's module, and its name here.

A rule about several launches records something of each, which workers send home, and concludes from all records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..analysis.facts import Fact, FieldFact, LaunchFact, ParameterFact, ReturnFact
from ..core.diagnostics import Diagnostic
from . import (
    accumulators,
    annotated,
    compiled,
    conditional,
    declared,
    divergent,
    dots,
    half_sums,
    inherited,
    keys,
    launch,
    offsets,
    partial_sums,
    raw_bytes,
    recast,
    recompiles,
    refused,
    rounded,
    stores,
    strides,
    views,
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
        ("DT2", conditional.conditional),
        ("DT2", compiled.traced),
        ("DT207", annotated.override),
        ("DT301", stores.narrowing),
        ("DT302", accumulators.kept),
        ("DT302", half_sums.halved),
        ("DT303", offsets.overflow),
        ("DT304", rounded.rounded),
        ("DT305", recast.recast),
        ("DT306", views.biased),
        ("DT307", dots.rounded),
        ("DT308", raw_bytes.converted),
        ("DT403", strides.order),
        ("DT404", keys.untyped),
        ("DT501", recompiles.sizes),
    ),
    ParameterFact: (("DT101", declared.parameter),),
    ReturnFact: (("DT102", declared.returned),),
    FieldFact: (("DT103", declared.field),),
}

ACROSS: dict[
    str, tuple[Callable[[Case, LaunchFact], Iterator[Any]], Callable[[Iterable[Any]], Iterator[Diagnostic]]]
] = {
    "DT302": (partial_sums.seen, partial_sums.compared),
    "DT501": (recompiles.seen, recompiles.compared),
}
"""By code: what is recorded of a launch, as values that can be sent, and what follows from all of them."""

Records = dict[str, list[Any]]


def judge(case: Case, facts: Iterable[Fact], codes: frozenset[str]) -> Iterator[Diagnostic]:
    """The findings of the rules that are on."""
    for fact in facts:
        for code, check in CHECKS[type(fact)]:
            if any(on.startswith(code) for on in codes):
                yield from check(case, fact)


def record(case: Case, facts: Iterable[LaunchFact], codes: frozenset[str]) -> Records:
    """What the rules that are on remember of launches, by code."""
    wanted = {code: make for code, (make, _) in ACROSS.items() if code in codes}
    return {code: [one for fact in facts for one in make(case, fact)] for code, make in wanted.items()}


def conclude(records: Records) -> Iterator[Diagnostic]:
    """The findings about the program as a whole; they do not depend on the order of the records."""
    for code, found in records.items():
        yield from ACROSS[code][1](found)
