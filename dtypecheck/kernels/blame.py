"""Which argument to blame for a refusal: the one whose change of dtype alone makes the kernel compile.

A parameter is first tried with every dtype at once: if that is refused, no dtype of it helps. Only then
are single dtypes tried. Where no single argument helps, `together` looks for several.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ..core import ir
from ..semantics.triton_types import BY_NAME, SCALARS, Scalar, members
from .scope import Scope
from .typing import Accepted, Rejected, type_kernel
from .values import DescriptorType, KernelType, PointerType, ScalarType

BUDGET = 400
"""Typings that one search may cost."""

_USUAL = ("int32", "int64", "fp32", "fp16", "bf16")


@dataclass(frozen=True, slots=True)
class Blame:
    """Change these parameters: for each, the set of element types that compiles, given the others.

    Of several, not all types go together: `choices` are those that do, in the order of the changes.
    """

    changes: tuple[tuple[str, int], ...]
    choices: tuple[tuple[int, ...], ...] = ()


@dataclass(slots=True)
class Search:
    """Typings of one kernel under changes of its signature."""

    function: ir.Function
    signature: Mapping[str, KernelType]
    scope: Scope
    version: str
    target: str
    spent: int = 0

    def verdict(self, changes: Mapping[str, KernelType]) -> bool | None:
        """Whether the changed signature compiles; None where that is not decided."""
        self.spent += 1
        changed = {**self.signature, **changes}
        outcome = type_kernel(self.function, changed, self.scope, self.version, self.target).outcome
        return True if isinstance(outcome, Accepted) else False if isinstance(outcome, Rejected) else None

    def assume(self, name: str, every: int) -> None:
        """Narrow what is not known of the others to usual types under which some type of `name` may compile."""
        for other, declared in self.signature.items():
            if other == name or not isinstance(declared, (PointerType, ScalarType, DescriptorType)):
                continue
            if declared.element & (declared.element - 1) == 0:
                continue
            for usual in _USUAL:
                bit = BY_NAME[usual].bit
                if not bit & declared.element:
                    continue
                narrowed = {**self.signature, other: with_element(declared, bit)}
                if self.verdict({**narrowed, name: with_element(self.signature[name], every)}) is not False:
                    self.signature = narrowed
                    break

    def elements(self, changes: Mapping[str, int]) -> bool | None:
        return self.verdict({n: with_element(self.signature[n], e) for n, e in changes.items()})


def blame(
    function: ir.Function,
    signature: Mapping[str, KernelType],
    scope: Scope,
    rejected: Rejected,
    triton_version: str = "3.9",
    target: str = "cuda:90",
) -> tuple[Blame, ...]:
    """The parameters whose change alone makes the kernel compile, the likeliest culprit first."""
    search = Search(function, signature, scope, triton_version, target)
    names = [n for n in rejected.parameters if n in signature] + [
        n for n in signature if n not in rejected.parameters
    ]
    names = [n for n in names if isinstance(signature[n], (PointerType, ScalarType, DescriptorType))]
    every = sum(s.bit for s in SCALARS if s.name != "fp8e4b15")
    names.sort(key=lambda n: isinstance(signature[n], ScalarType))
    found: list[tuple[tuple[bool, int], Blame]] = []
    for place, name in enumerate(names):
        if found and isinstance(signature[name], ScalarType):
            break  # a number's type follows from its value: it is to blame only where no tensor is
        if search.spent >= BUDGET or search.elements({name: every}) is False:
            continue
        search.assume(name, every)
        taken = sum(t.bit for t in _alternatives(signature[name]) if search.elements({name: t.bit}))
        search.signature = signature
        if taken:
            found.append(((not _same_kind(signature[name], taken), place), Blame(((name, taken),))))
    return tuple(b for _, b in sorted(found, key=lambda f: f[0]))


def _alternatives(declared: KernelType) -> Iterator[Scalar]:
    assert isinstance(declared, (PointerType, ScalarType, DescriptorType))
    return (s for s in SCALARS if not s.bit & declared.element and s.name != "fp8e4b15")


def _same_kind(declared: KernelType, taken: int) -> bool:
    """Whether some accepted type is of the kind that is there now: int64 for int32, fp16 for fp32."""
    assert isinstance(declared, (PointerType, ScalarType, DescriptorType))
    kinds = {s.floating for s in members(declared.element)}
    return any(s.floating in kinds for s in members(taken))


def with_element(declared: KernelType, element: int) -> KernelType:
    """The same parameter, of another element type."""
    assert isinstance(declared, (PointerType, ScalarType, DescriptorType))
    return replace(declared, element=element)
