"""DT307: products of float32 matrices that are left at the default precision, which is TF32 on CUDA.

Source: `default_dot_input_precision` of triton/backends/nvidia/compiler.py ("tf32"; "ieee" on AMD), read by
`tl.dot` where neither `input_precision` nor `allow_tf32` is given (triton 3.6 to 3.9).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..analysis.facts import LaunchFact
from ..core.diagnostics import Diagnostic, Step
from ..core.spans import Place
from ..kernels.session import DotFact
from ..kernels.sums import loaded
from ..semantics.triton_types import FP32
from .inside import born_here, noted, site
from .judge import Case, finding


def rounded(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding for each kernel, at its first `tl.dot` of operands that are known to be float32."""
    found: dict[Place, DotFact] = {}
    typers = [t for t in case.typers if not t.target.startswith("hip")]
    for verdict in (v for t in typers for v in t.verdicts(fact)):
        for one in noted(verdict):
            if isinstance(one, DotFact) and one.precision is None and _is_single(one):
                found.setdefault(site(case, fact, one.span, one.function), one)
    if found:
        yield _finding(case, fact, found)


def _is_single(one: DotFact) -> bool:
    return one.left.element == one.right.element == FP32


def _finding(case: Case, fact: LaunchFact, found: dict[Place, DotFact]) -> Diagnostic:
    place = min(found)
    operands = loaded(found[place].left) | loaded(found[place].right)
    name = next((n for n in fact.arguments if n in operands), "")
    kernel = fact.kernel.entry.name
    message = (
        f"`tl.dot` in `{kernel}` multiplies float32 operands in TF32: of their fractions it keeps 10 bits"
    )
    made = finding(case, "DT307", message, place=place, launch=fact, parameter=name)
    trace = tuple(Step(at, "kernel", "", "") for at in sorted(found)) if len(found) > 1 else ()
    return born_here(replace(made, trace=trace), place)
