"""DT201 to DT206 under `torch.compile`: Inductor types a Python float that a kernel gets as float64.

Source: `signature_of` in torch/_inductor/codegen/triton_utils.py (torch 2.11 to 2.13); a plain launch types it as float32.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..analysis.facts import LaunchFact
from ..analysis import values
from ..core.claims import Number
from ..core.diagnostics import Diagnostic, Severity
from ..core.dtypes import BY_NAME
from ..kernels.launch import Typer, Verdict
from ..kernels.typing import Rejected
from ..kernels.values import KernelType, ScalarType
from .claims import claim
from .judge import Case, finding
from .refused import FAMILY, depends, inside, refusing

SINGLE, DOUBLE = ScalarType(BY_NAME["float32"].bit), ScalarType(BY_NAME["float64"].bit)


def traced(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding for each float that the kernel takes as float32 and refuses as float64."""
    if not any(_is_float(fact, name) for name in fact.arguments) or not case.solver.program.compiled.traces(fact.chain):
        return
    told: set[str] = set()
    for typer, verdict in ((t, v) for t in case.typers for v in t.verdicts(fact)):
        if verdict.launch_refusal is not None or depends(verdict.guard):
            continue
        for name, rejected in _refused(typer, fact, verdict):
            if name not in told:
                told.add(name)
                yield _finding(case, typer, fact, verdict, name, rejected)


def _is_float(fact: LaunchFact, name: str) -> bool:
    value = fact.arguments[name].value
    return bool(value) and all(isinstance(a.what, values.Number) and a.what.kind == "float" for a in value)


def _refused(typer: Typer, fact: LaunchFact, verdict: Verdict) -> Iterator[tuple[str, Rejected]]:
    """The floats that are refused as float64, whatever the rest may be, though the launch as it stands is not."""
    for version, typing in verdict.typings.items():
        if isinstance(typing.outcome, Rejected):
            continue
        for name, declared in verdict.signature.items():
            if declared == SINGLE and name in fact.arguments and _is_float(fact, name):
                changed: dict[str, KernelType] = {**verdict.signature, name: DOUBLE}
                outcome = typer.again(fact, changed, version).outcome
                if isinstance(outcome, Rejected) and outcome.code in FAMILY:
                    yield name, outcome
        return


def _finding(
    case: Case, typer: Typer, fact: LaunchFact, verdict: Verdict, name: str, rejected: Rejected
) -> Diagnostic:
    message = (
        f"`{name}` of `{fact.kernel.entry.name}` is a Python float, which is float64 where torch.compile traces this "
        "launch; it compiles only with float32"
    )
    tried = claim(
        case,
        fact,
        guard=verdict.guard,
        instead=((name, Number("double")),),
        mended=((name, Number("float")),),
        target=typer.target,
    )
    made = finding(
        case, rejected.code, message, place=fact.arguments[name].place, launch=fact, parameter=name,
        actual=DOUBLE.element, expected=SINGLE.element, severity=Severity.WARNING,
        claim=tried,
    )  # fmt: skip
    site = refusing(case, fact, rejected)
    return replace(
        made,
        kernel_site=site,
        triton_error=rejected.message,
        trace=made.trace + inside(case, fact, rejected, site),
        notes=(*made.notes, ("fix", f"declare `{name}: tl.constexpr`, or cast it in the kernel: `{name}.to(tl.float32)`")),
    )
