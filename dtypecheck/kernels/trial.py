"""One kernel typed under changes of its signature: what some release of Triton takes, on every target.

A trial remembers what it asked. Element types are sets, so one question asks about many dtypes at once:
accepted and refused hold for every member, and only what is in between needs a closer look.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..core import ir
from ..semantics.triton_targets import supported
from ..semantics.triton_types import SCALARS, bits_of
from .blame import with_element
from .conditions import asks_types
from .scope import Scope
from .typing import DEPENDS, Accepted, Flags, Outcome, Rejected, Undecided, type_kernel
from .values import ConstexprType, DescriptorType, KernelType, PointerType, ScalarType, UnknownType

Signature = Mapping[str, KernelType]
Types = tuple[tuple[str, KernelType], ...]
"""A signature as a key."""

BUDGET = 6000
"""Runs that one kernel may cost; what is asked later is undecided."""
ELEMENTS = sum(s.bit for s in SCALARS if s.name != "fp8e4b15")
"""The element types that a torch tensor can have."""
NUMBERS = bits_of("int32", "int64", "fp32", "int1")
"""The types of Python numbers at run time."""
NONE = ConstexprType(None)
ANY_TENSOR, ANY_NUMBER = PointerType(ELEMENTS), ScalarType(NUMBERS)
Elemental = (PointerType, ScalarType, DescriptorType)


@dataclass(slots=True)
class Typings:
    """What each release said, and what that has cost."""

    memo: dict[object, Outcome] = field(default_factory=dict)
    spent: int = 0


@dataclass(slots=True)
class Trial:
    """The kernel, and what was found out about it."""

    function: ir.Function
    scope: Scope
    releases: tuple[str, ...]
    targets: tuple[str, ...]
    budget: int = BUDGET
    typings: Typings = field(default_factory=Typings)

    def of(self, releases: tuple[str, ...]) -> Trial:
        """The same kernel by the rules of some of the releases."""
        return Trial(self.function, self.scope, releases, self.targets, self.budget, self.typings)

    @property
    def elements(self) -> int:
        """The element types that every target has."""
        found = ELEMENTS
        for target in self.targets:
            found &= supported(target)
        return found

    def outcome(self, signature: Signature, flags: Flags = (), about: str = "") -> Outcome:
        """The newest release's words where no release takes the kernel on some target.

        A doubt is about the parameter `about`, if one is.
        """
        types = tuple(signature.items())
        worst: Outcome | None = None
        for target in self.targets:
            outcome = self._anyhow(types, flags, about, target)
            if isinstance(outcome, Rejected):
                return outcome
            if worst is None or isinstance(outcome, Undecided):
                worst = outcome
        assert worst is not None
        return worst

    def _anyhow(self, types: Types, flags: Flags, about: str, target: str) -> Outcome:
        """What one target says: an older release is asked where the newer ones do not take it."""
        refusal: Rejected | None = None
        doubt: Undecided | None = None
        for release in self.releases:
            match self._typed(types, flags, about, target, release):
                case Accepted(assumed) as taken:
                    return Undecided(DEPENDS) if asks_types(assumed) else taken
                case Rejected() as rejected:
                    refusal = refusal or rejected
                case Undecided() as undecided:
                    if undecided.depends:
                        return undecided
                    doubt = doubt or undecided
        assert refusal is not None or doubt is not None
        return refusal if refusal is not None and (doubt is None or doubt.removed) else doubt or refusal  # type: ignore[return-value]

    def _typed(self, types: Types, flags: Flags, about: str, target: str, release: str) -> Outcome:
        key = (types, flags, about, target, release)
        found = self.typings.memo.get(key)
        if found is None:
            if self.typings.spent >= self.budget:
                return Undecided("too many typings")
            typing = type_kernel(self.function, dict(types), self.scope, release, target, flags, about)
            self.typings.spent += typing.runs
            found = self.typings.memo[key] = typing.outcome
        return found

    def accepted(self, signature: Signature, flags: Flags = ()) -> bool:
        return isinstance(self.outcome(signature, flags), Accepted)

    def words(self, signature: Signature, about: str) -> Rejected | None:
        """A refusal as the newest release words it."""
        for release in self.releases:
            outcome = self._typed(tuple(signature.items()), (), about, self.targets[0], release)
            if isinstance(outcome, Rejected):
                return outcome
        return None

    def refusal(self, signature: Signature, vague: frozenset[str]) -> Rejected | None:
        """The refusal that holds whatever `vague` arguments are: as they are given, or None."""
        outcome = self.outcome(signature)
        if not isinstance(outcome, Rejected) or not vague:
            return outcome if isinstance(outcome, Rejected) else None
        near = [n for n in outcome.parameters if n in vague]
        others = {n: UnknownType("any") for n in vague if n not in near}
        variants = [{**signature, **others}]
        variants += [{**variants[0], n: NONE} for n in near]
        sure = all(isinstance(self.outcome(v), Rejected) for v in variants)
        return outcome if sure else None


def element(declared: KernelType) -> int:
    """The element types of a parameter that has them, else 0."""
    return declared.element if isinstance(declared, Elemental) else 0


def narrowed(signature: Signature, name: str, bits: int) -> dict[str, KernelType]:
    """The signature with other element types for one parameter."""
    return {**signature, name: with_element(signature[name], bits)}
