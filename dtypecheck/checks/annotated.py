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
from ..analysis.values import Alternative, Array, Guard, Number, agree
from ..core.diagnostics import Diagnostic
from ..core.dtypes import DType, Kind
from ..kernels.signatures import annotated
from ..kernels.values import PointerType, ScalarType
from .judge import Case, finding
from .refused import depends
from .stored import element


def override(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding for each annotated parameter that gets something else."""
    ways = {v.guard: None for typer in case.typers for v in typer.verdicts(fact) if not depends(v.guard)}
    for param in case.solver.store.function(fact.kernel).params:
        given = fact.arguments.get(param.name)
        declared = annotated(param.annotation)
        if given is None or not isinstance(declared, (PointerType, ScalarType)):
            continue
        type_ = element(declared.element)
        if type_ is None:
            continue
        for alt in (a for guard in ways for a in _only(given.value, guard)):
            said = _tensor(alt, type_) if isinstance(declared, PointerType) else _number(alt, type_)
            if said is not None:
                yield _finding(case, fact, param.name, alt, type_, said)
                break


def _only(value: tuple[Alternative, ...], guard: Guard) -> list[Alternative]:
    """What an argument is on a way, where that is one thing."""
    met = [a for a in value if agree(a.guard, guard) is not None]
    return met if len(met) == 1 else []


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
            if left != (bool(value) if declared.kind is Kind.BOOL else value) and (
                value >= 0 or declared.signed
            ):
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
