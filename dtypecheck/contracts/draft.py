"""A rules file that says what kernels were found to accept: a start for one that is written by hand.

It never says more than was found: what is not decided is allowed. So a launch that Triton takes breaks none
of its contracts.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ..core import dtypes as dt
from ..core.acceptance import Inventory, KernelAcceptance, Parameter, Takes
from ..core.dtypes import DTypes
from .model import KernelContract, Kind, RulesFile, ValueContract
from .words import CLASSES
from .writer import write

KINDS = {Takes.POINTER: Kind.POINTER, Takes.SCALAR: Kind.SCALAR, Takes.CONSTEXPR: Kind.CONSTEXPR}
TRITON: DTypes = dt.mask(d for d in dt.ALL if d.triton is not None)
"""What a pointer of Triton's can point to: of other dtypes nothing is found out."""


def draft(inventory: Inventory, name: str) -> str:
    """The text of the rules file; kernels that are not decided stand in a comment."""
    undecided = [f"  {k.key}: {k.reason}" for k in inventory.kernels if k.reason]
    header = "What each kernel accepts, as `dtypecheck contracts` finds it."
    if undecided:
        header = "\n".join([header, "Not decided, and left out:", *undecided])
    return write(rules(inventory, name), header=header)


def rules(inventory: Inventory, name: str) -> RulesFile:
    """The contracts of all kernels that are decided, by name."""
    found: dict[str, KernelContract] = {}
    for kernel in sorted(inventory.kernels, key=lambda k: k.key):
        if kernel.parameters and not kernel.reason:
            made = _contract(kernel)
            known = found.get(made.pattern)
            found[made.pattern] = made if known is None else _either(known, made)
    return RulesFile(name, "", kernels=tuple(found.values()))


def _contract(kernel: KernelAcceptance) -> KernelContract:
    return KernelContract(_pattern(kernel.key), kernel.place, tuple(map(_value, kernel.parameters)))


def _value(p: Parameter) -> ValueContract:
    constrained = p.takes in (Takes.POINTER, Takes.ANYTHING) and p.restricted
    return ValueContract(
        name=p.name,
        place=p.place,
        dtypes=widened(p.accepted | p.undecided) if constrained else dt.ANY,
        same_as=p.same_as or None,
        mixed_float8=p.mixed,
        at_least=p.at_least or None,
        optional=p.takes is not Takes.CONSTEXPR and (p.optional is not False or p.takes is Takes.TUPLE),
        kind=KINDS.get(p.takes, Kind.VALUE) if p.strictly else Kind.VALUE,
    )


def widened(accepted: DTypes) -> DTypes:
    """The set with the dtypes that only torch has, of every class that is accepted else."""
    found = accepted
    for bits in CLASSES.values():
        if bits & TRITON and bits & TRITON & ~accepted == 0:
            found |= bits
    return found


def _pattern(key: str) -> str:
    """A qualified name as rules files take it: what cannot stand in one becomes `*`."""
    return ".".join(re.sub(r"\*+", "*", re.sub(r"^\d|[^\w<>-]", "*", part)) for part in key.split("."))


def _either(a: KernelContract, b: KernelContract) -> KernelContract:
    """What one of two kernels of one name accepts."""
    named = {p.name: p for p in a.parameters}
    for p in b.parameters:
        named[p.name] = _either_value(named[p.name], p) if p.name in named else p
    return replace(a, parameters=tuple(named.values()))


def _either_value(a: ValueContract, b: ValueContract) -> ValueContract:
    return replace(
        a,
        dtypes=a.dtypes | b.dtypes,
        same_as=a.same_as if a.same_as == b.same_as else None,
        mixed_float8=a.same_as is not None and a.same_as == b.same_as and (a.mixed_float8 or b.mixed_float8),
        at_least=a.at_least if a.at_least == b.at_least else None,
        optional=a.optional or b.optional,
        kind=a.kind if a.kind is b.kind else Kind.VALUE,
    )
