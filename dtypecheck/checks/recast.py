"""DT305: pointers that a kernel casts to elements of another width than the argument has.

`ptr.to(tl.pointer_type(tl.float32))` takes the address as it is: the kernel reads as many elements, of
other bytes. What is done on purpose stays silent: bytes (8-bit elements) as containers of anything, parts
of a packed row (an offset before the cast), and words that move bits (unsigned elements, or integers for
floats).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..analysis.dtypexpr import exact
from ..analysis.facts import LaunchFact
from ..analysis.values import Array
from ..core.diagnostics import Diagnostic
from ..core.dtypes import DType, Kind
from ..kernels.certainty import always
from ..kernels.flow import behind, word
from ..kernels.session import CastFact
from ..kernels.typing import KernelTyping
from ..kernels.values import Pointer, Tensor
from .inside import site
from .judge import Case, finding
from .stored import element
from .supposed import Run, met, sure


def recast(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding for each argument that is taken for one of wider or narrower elements."""
    told: set[str] = set()
    for run, cast in ((r, f) for r in sure(case, fact) for f in r.typing.facts if isinstance(f, CastFact)):
        name = _argument(cast.source) if _differs(cast) else ""
        if name and name not in told and _is_certain(run, cast):
            told.add(name)
            yield from _finding(case, run, name, cast)


def _differs(cast: CastFact) -> bool:
    """Whether a cast of a whole argument looks at numbers as numbers of the same kind and another width."""
    if not isinstance(cast.source.element, Pointer) or not isinstance(cast.target, Pointer):
        return False
    given, taken = element(cast.source.element.target), element(cast.target.target)
    if given is None or taken is None or given.bits == taken.bits or 8 in (given.bits, taken.bits):
        return False
    signed = taken.kind is Kind.FLOATING or taken.signed
    return given.kind is taken.kind and signed and _argument(cast.source) != ""


def _argument(pointer: Tensor) -> str:
    """The parameter that is cast as a whole; "" where an offset into it is, or something else."""
    *_, at = behind((pointer,), lambda t: word(t) == "argument")
    return at.op[6:] if at.op.startswith("param ") else ""


def _is_certain(run: Run, cast: CastFact) -> bool:
    """Whether the cast is there however the kernel's unknown flags come out."""

    def holds(typing: KernelTyping) -> bool:
        return any(isinstance(f, CastFact) and f.span == cast.span and _differs(f) for f in typing.facts)

    return always(run.typing, run.held_to, holds)


def _finding(case: Case, run: Run, name: str, cast: CastFact) -> Iterator[Diagnostic]:
    assert isinstance(cast.source.element, Pointer) and isinstance(cast.target, Pointer)
    given, taken = element(cast.source.element.target), element(cast.target.target)
    fact, found = run.fact, met(run.fact, name, run.guard)
    what = found[0].what if len(found) == 1 else None
    if not isinstance(what, Array) or given is None or taken is None or exact(what.dtype) != given:
        return
    message = (
        f"`{name}` of `{fact.kernel.entry.name}` gets {given}, and the kernel takes its memory for {taken}: "
        f"{_bits(given)} for {_bits(taken)}"
    )
    made = finding(
        case, "DT305", message, place=fact.arguments[name].place, alternative=found[0],
        value=fact.arguments[name].value, launch=fact, parameter=name, actual=given.bit, expected=taken.bit,
    )  # fmt: skip
    yield replace(made, kernel_site=site(case, fact, cast.span, cast.function))


def _bits(dtype: DType) -> str:
    return f"elements of {dtype.bits} bits"
