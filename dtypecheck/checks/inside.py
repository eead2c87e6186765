"""What rules about kernel bodies share: the facts of a launch's typings, findings that stand in a kernel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..analysis.facts import LaunchFact
from ..core import ir
from ..core.diagnostics import Diagnostic
from ..core.spans import Place, Span
from ..kernels.launch import Verdict
from ..kernels.typing import Accepted, KernelTyping, Rejected
from .judge import Case


def typed(case: Case, fact: LaunchFact) -> Iterator[tuple[Verdict, tuple[object, ...]]]:
    """The ways of a launch, and what was noted of each."""
    for verdict in (v for t in case.typers for v in t.verdicts(fact)):
        if verdict.launch_refusal is None:
            yield verdict, noted(verdict)


def noted(verdict: Verdict) -> tuple[object, ...]:
    """The facts of the typing that speaks for a verdict."""
    found = speaking(verdict)
    return found[1].facts if found is not None else ()


def speaking(verdict: Verdict) -> tuple[str, KernelTyping] | None:
    """The newest release that takes the kernel, else the newest that does not refuse it, and its typing."""
    left = [(v, t) for v, t in verdict.typings.items() if not isinstance(t.outcome, Rejected)]
    taken = [(v, t) for v, t in left if isinstance(t.outcome, Accepted)]
    return next(iter((*taken, *left)), None)


def site(case: Case, fact: LaunchFact, span: Span, function: ir.Function | None) -> Place:
    """A place in the kernel, or in the helper `function` that it calls."""
    path = case.solver.store.path_of(function) if function is not None else None
    return Place(path or fact.kernel.file.path, span)


def born_here(made: Diagnostic, place: Place) -> Diagnostic:
    """The finding, where the kernel's own text is the cause."""
    return replace(made, primary=place, birth=place, kernel_site=place)
