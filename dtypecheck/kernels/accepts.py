"""What a kernel accepts: for each parameter the element types that compile, given the other arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..core import ir
from ..semantics.triton_types import SCALARS
from .blame import Search, with_element
from .scope import Scope
from .values import DescriptorType, KernelType, PointerType


@dataclass(frozen=True, slots=True)
class Accepts:
    """`taken` compile, `refused` do not, the rest is undecided; masks of element types."""

    parameter: str
    taken: int
    refused: int


def accepts(
    function: ir.Function,
    signature: Mapping[str, KernelType],
    scope: Scope,
    triton_version: str = "3.9",
    target: str = "cuda:90",
) -> tuple[Accepts, ...]:
    """One answer for each tensor parameter of the signature."""
    search = Search(function, signature, scope, triton_version, target)
    found = []
    for name, declared in signature.items():
        if not isinstance(declared, (PointerType, DescriptorType)):
            continue
        taken = refused = 0
        for scalar in SCALARS:
            if scalar.name == "fp8e4b15":
                continue
            verdict = search.verdict({name: with_element(declared, scalar.bit)})
            taken |= scalar.bit if verdict is True else 0
            refused |= scalar.bit if verdict is False else 0
        found.append(Accepts(name, taken, refused))
    return tuple(found)
