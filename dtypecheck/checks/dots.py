"""DT307: products of float32 matrices that are left at the default precision, which is TF32 on CUDA.

Source: `default_dot_input_precision` of triton/backends/nvidia/compiler.py ("tf32"; "ieee" on AMD), read by
`tl.dot` where neither `input_precision` nor `allow_tf32` is given (triton 3.6 to 3.9).
"""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.facts import LaunchFact
from ..core.diagnostics import Diagnostic
from ..core.spans import Span
from ..kernels.session import DotFact
from ..kernels.sums import loaded
from ..semantics.triton_types import FP32
from .inside import born_here, noted, site
from .judge import Case, finding


def rounded(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding for each `tl.dot` of operands that are known to be float32."""
    told: set[Span] = set()
    for typer in case.typers:
        if typer.target.startswith("hip"):
            continue
        for verdict in typer.verdicts(fact):
            for one in noted(verdict):
                if not isinstance(one, DotFact) or one.precision is not None or one.span in told:
                    continue
                if one.left.element == one.right.element == FP32:
                    told.add(one.span)
                    yield _finding(case, fact, one)


def _finding(case: Case, fact: LaunchFact, one: DotFact) -> Diagnostic:
    place = site(case, fact, one.span, one.function)
    operands = loaded(one.left) | loaded(one.right)
    name = next((n for n in fact.arguments if n in operands), "")
    kernel = fact.kernel.entry.name
    message = (
        f"`tl.dot` in `{kernel}` multiplies float32 operands in TF32: it keeps 10 bits of their fractions"
    )
    return born_here(finding(case, "DT307", message, place=place, launch=fact, parameter=name), place)
