"""What rules are given, and how they make a finding.

A rule is a function from a `Case` and one fact to findings; `rules.CHECKS` says which rule judges which
kind of fact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..analysis.facts import LaunchFact
from ..analysis.solve import Solver
from ..analysis.values import Alternative, Guard, Value, agree
from ..contracts.matching import Contracts
from ..core.claims import Claim
from ..core.diagnostics import Certainty, Diagnostic, Severity
from ..core.dtypes import DTypes, members, single
from ..core.spans import Place
from ..kernels.launch import Typer
from . import claims, evidence
from .registry import BY_CODE


@dataclass(frozen=True, slots=True)
class Case:
    """The program, and what is declared about it."""

    solver: Solver
    contracts: Contracts
    typers: tuple[Typer, ...]
    """One for each target architecture."""
    show_possible: bool = False


def happening(value: Value, guards: tuple[Guard, ...]) -> Iterator[Alternative]:
    """The alternatives of a value that can be met at a place reached under one of these guards."""
    for alt in value:
        if any(agree(alt.guard, guard) is not None for guard in guards):
            yield alt


def names(dtypes: DTypes) -> tuple[str, ...]:
    """A set as the sorted torch names that a finding carries."""
    return tuple(sorted(d.name for d in members(dtypes)))


def finding(
    case: Case,
    code: str,
    message: str,
    *,
    place: Place,
    alternative: Alternative | None = None,
    value: Value = (),
    launch: LaunchFact | None = None,
    parameter: str = "",
    actual: DTypes = 0,
    expected: DTypes = 0,
    severity: Severity | None = None,
    why: str = "",
    claim: Claim | None = None,
) -> Diagnostic:
    """A finding at its birth where the project holds it, else at `place`.

    Without a `claim` it claims that the launch needs `expected` where it has `alternative`.
    """
    rule = BY_CODE[code]
    wanted = single(expected)
    shown = evidence.Evidence(None, (), None)
    notes: list[tuple[str, str]] = []
    if alternative is not None:
        shown = evidence.evidence(case.solver, alternative, wanted, launch)
        beside = evidence.siblings(case.solver, value, alternative)
        if beside:
            notes.append(("siblings", beside))
    if why:
        notes.append(("why", why))
    if claim is None and launch is not None:
        mended = ((parameter, claims.tensor(expected)),) if parameter and expected else ()
        claim = claims.claim(case, launch, parameter=parameter, alternative=alternative, mended=mended)
    return Diagnostic(
        code=rule.code,
        slug=rule.slug,
        severity=severity or rule.severity,
        certainty=Certainty.PROVEN,
        message=message,
        primary=shown.birth or place,
        kernel=launch.kernel.key if launch is not None else "",
        parameter=parameter,
        actual=names(actual),
        expected=names(expected),
        birth=shown.birth,
        launch=launch.place if launch is not None else None,
        kernel_site=launch.kernel.place if launch is not None else None,
        trace=shown.trace,
        notes=tuple(notes),
        fix=shown.fix,
        claim=claim,
    )
