"""One type for each parameter of a kernel, chosen so that its typing does not refuse them.

Sets are narrowed one after the other; what Triton's doubt is about comes first. Typing proposes; whether a
choice compiles is for Triton to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from ..core import ir
from ..kernels.blame import with_element
from ..kernels.scope import Scope
from ..kernels.typing import Accepted, Outcome, Rejected, Undecided, type_kernel
from ..kernels.values import ConstexprType, DescriptorType, KernelType, PointerType, ScalarType, TypeOf
from ..semantics.triton_types import FP32, SCALARS

Types = dict[str, KernelType]
OPEN = ConstexprType(None, False)
"""A compile-time value of which nothing is known."""
GUESSES = (
    ConstexprType(None, False, "int"),
    ConstexprType(None, False, "float"),
    ConstexprType(TypeOf(FP32)),
)
"""What it most often is."""
Prefer = Callable[[str, int], Iterable[int]]
"""The usual element types of a parameter, likeliest first, of a set."""
MOST = 400
"""Typings that one narrowing may ask for."""


@dataclass(slots=True)
class Narrowing:
    """Typings of one kernel, each made once."""

    function: ir.Function
    scope: Scope
    release: str
    target: str
    _memo: dict[tuple[tuple[str, KernelType], ...], Outcome] = field(default_factory=dict)

    def outcome(self, types: Mapping[str, KernelType]) -> Outcome:
        key = tuple(types.items())
        found = self._memo.get(key)
        if found is None:
            typing = type_kernel(self.function, types, self.scope, self.release, self.target)
            found = self._memo[key] = typing.outcome
        return found

    def refuses(self, types: Mapping[str, KernelType]) -> bool:
        return isinstance(self.outcome(types), Rejected)

    def narrow(self, types: Types, prefer: Prefer, dtypes: frozenset[str]) -> Types:
        """The types with one member left of each set; `dtypes` are named as constants that are dtypes."""
        types = self._constants(types, dtypes)
        for _ in range(MOST):
            name = self._next(types)
            if name is None:
                break
            types = self._one(types, name, prefer)
        return types

    def _constants(self, types: Types, dtypes: frozenset[str]) -> Types:
        """Kinds for compile-time values of which nothing is known."""
        for name in [n for n, t in types.items() if t == OPEN]:
            guesses = (GUESSES[2], *GUESSES[:2]) if name in dtypes else GUESSES
            options = ({**types, name: guess} for guess in guesses)
            types = next((o for o in options if not self.refuses(o)), types)
        return types

    def _next(self, types: Types) -> str | None:
        outcome = self.outcome(types)
        doubted: tuple[str, ...] = ()
        if isinstance(outcome, Undecided) and outcome.possible is not None:
            doubted = outcome.possible.parameters
        wide = (n for n in (*doubted, *types) if n in types and element(types[n]).bit_count() > 1)
        return next(wide, None)

    def _one(self, types: Types, name: str, prefer: Prefer) -> Types:
        bits = element(types[name])
        usual = [narrowed(types, name, bit) for bit in prefer(name, bits)]
        good = [o for o in usual if not self.refuses(o)]
        if good:
            return next((o for o in good if not self._blames(o, name)), good[0])
        others = [narrowed(types, name, s.bit) for s in SCALARS if s.bit & bits]
        return next((o for o in others if not self.refuses(o)), (usual or others)[0])

    def _blames(self, types: Types, name: str) -> bool:
        """Whether a refusal that some choice meets is about this parameter."""
        outcome = self.outcome(types)
        possible = outcome.possible if isinstance(outcome, Undecided) else None
        return possible is not None and name in possible.parameters

    def flags(self, types: Types) -> dict[str, object]:
        """Values of compile-time parameters with which the kernel's typing came through."""
        outcome = self.outcome(types)
        return _values(outcome.assumed) if isinstance(outcome, Accepted) else {}


def element(declared: KernelType) -> int:
    """The element types of a parameter that has them, else 0."""
    return declared.element if isinstance(declared, (PointerType, ScalarType, DescriptorType)) else 0


def narrowed(types: Types, name: str, bits: int) -> Types:
    return {**types, name: with_element(types[name], bits)}


def _values(flags: tuple[tuple[tuple[object, ...], bool], ...]) -> dict[str, object]:
    """Values with which these conditions come out as they say; of two that contradict, the first counts."""
    found: dict[str, object] = {}
    for key, way in flags:
        match key:
            case ("param", str(name)):
                found.setdefault(name, way)
            case ("==", ("param", str(name)), (kind, str(text))) if way and kind in READERS:
                found.setdefault(name, READERS[kind](text))
            case ("==", (kind, str(text)), ("param", str(name))) if way and kind in READERS:
                found.setdefault(name, READERS[kind](text))
    return found


READERS: dict[object, Callable[[str], object]] = {
    "int": int,
    "float": float,
    "bool": lambda text: text == "True",
    "str": str,
}
"""Literals, by the class that a condition names."""
