"""DT207: annotations of kernel parameters that a caller's argument contradicts.

An annotation makes the parameter's type, unchecked (`KernelParam.annotation_type`). The launcher then
takes the address of a tensor whatever its dtype, and the low bits of an integer (`extractI32` and its
kin, triton 3.9; 3.6 raises an OverflowError, but for `int1`). A float for an integer, or None, raises a
TypeError there, an integer for a float is converted, and a tensor of one element for a number is read:
these are not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.dtypexpr import exact
from ..analysis.facts import LaunchFact
from ..analysis.values import Alternative, Array, Number
from ..core.diagnostics import Diagnostic
from ..core.dtypes import DType, Kind
from ..kernels.signatures import annotated
from ..kernels.values import PointerType, ScalarType
from .judge import Case, finding
from .stored import element
from .supposed import met, sure


def override(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding for each annotated parameter that gets something else."""
    ways = dict.fromkeys(run.guard for run in sure(case, fact))
    for param in case.solver.store.function(fact.kernel).params:
        declared = annotated(param.annotation)
        type_ = element(declared.element) if isinstance(declared, (PointerType, ScalarType)) else None
        if type_ is None:
            continue
        contradiction = _tensor if isinstance(declared, PointerType) else _number
        for found in (met(fact, param.name, guard) for guard in ways):
            said = contradiction(found[0], type_) if len(found) == 1 else None
            if said is not None:
                yield _finding(case, fact, param.name, found[0], type_, said)
                break


def _tensor(alt: Alternative, declared: DType) -> tuple[DType | None, str] | None:
    """A tensor whose elements are not what the annotation says."""
    given = exact(alt.what.dtype) if isinstance(alt.what, Array) and not alt.what.numpy else None
    if given is None or given.triton is None or _is_meant(given, declared):
        return None
    return given, f"gets {given}, and is annotated as a pointer to {declared}: its bytes are read as that"


def _is_meant(given: DType, declared: DType) -> bool:
    """Whether memory is looked at as the same thing: bytes hold anything, and a sign is no other bit."""
    if given == declared or declared.bits <= 8 or given.name == "uint8":
        return True
    return given.kind is declared.kind is Kind.INTEGER and given.bits == declared.bits


def _number(alt: Alternative, declared: DType) -> tuple[DType | None, str] | None:
    """An integer that becomes another one under an integer annotation: it has no room for it."""
    match alt.what:
        case Number("int", int(value), True) if declared.kind in (Kind.INTEGER, Kind.BOOL):
            left = value & (2**declared.bits - 1)
            if declared.signed and left >= 2 ** (declared.bits - 1):
                left -= 2**declared.bits
            meant = bool(value) if declared.kind is Kind.BOOL else value
            if left != meant and (value >= 0 or declared.signed):
                return None, f"gets {value}, and is annotated {declared}: the kernel gets {int(left)}"
    return None


def _finding(
    case: Case, fact: LaunchFact, name: str, alt: Alternative, declared: DType, said: tuple[DType | None, str]
) -> Diagnostic:
    given, text = said
    argument, actual = fact.arguments[name], given.bit if given is not None else 0
    return finding(
        case, "DT207", f"`{name}` of `{fact.kernel.entry.name}` {text}", place=argument.place, launch=fact,
        alternative=alt, value=argument.value, parameter=name, actual=actual,
        expected=declared.bit if actual else 0,
    )  # fmt: skip
