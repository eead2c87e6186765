"""From a launch, on one of its ways, to the claim that a finding makes about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..analysis.dtypexpr import DTypeExpr, Of, Symbol
from ..analysis.facts import LaunchFact
from ..analysis.narrowing import admitted, narrowed
from ..analysis.pointers import descriptors, pointers, ranks
from ..analysis.values import (
    ALWAYS,
    Abstract,
    Alternative,
    Array,
    ClassRef,
    ClosureRef,
    Dictionary,
    DTypeRef,
    External,
    FunctionRef,
    Given,
    Guard,
    KernelRef,
    Library,
    ModuleRef,
    Nil,
    Number,
    Sequence,
    agree,
)  # fmt: skip
from ..core import claims as c
from ..core.dtypes import ALL, ANY, DTypes, members, triton_named
from ..semantics.triton_targets import supported
from ..semantics.triton_types import BY_BIT

if TYPE_CHECKING:
    from .judge import Case

_KINDS: tuple[tuple[type, str], ...] = (
    (Dictionary, "dict"),
    (FunctionRef, "function"),
    (ClosureRef, "function"),
    (ClassRef, "class"),
    (ModuleRef, "module"),
)


USUAL_TARGET = "cuda:90"
"""Whose dtypes are likelier where any target will do."""


def claim(
    case: Case,
    fact: LaunchFact,
    *,
    guard: Guard = ALWAYS,
    parameter: str = "",
    alternative: Alternative | None = None,
    instead: c.Arguments = (),
    mended: c.Arguments = (),
    misfit: c.Misfit | None = None,
    target: str = "",
    releases: tuple[str, ...] = (),
) -> c.Claim:
    """The launch under a guard, `parameter` getting `alternative`; `instead` replaces arguments.

    Of alternatives that go together the first is taken: what is claimed holds whatever the others are.
    """
    typers = case.typers
    target = target or (typers[0].target if typers else "any")
    way = _Way(case, fact, guard, supported(USUAL_TARGET if target == "any" else target))
    if alternative is not None:
        way.narrow(alternative.guard)
    arguments = []
    for name, given in fact.arguments.items():
        chosen = alternative if alternative is not None and name == parameter else way.choose(given.value)
        arguments.append((name, c.Anything() if chosen is None else way.argument(name, chosen.what)))
    return c.Claim(
        fact.kernel.place,
        tuple({**dict(arguments), **dict(instead)}.items()),
        mended,
        misfit,
        target,
        releases or (typers[0].versions if typers else ()),
    )


def tensor(dtypes: DTypes) -> c.Tensor:
    """A tensor of one of these dtypes."""
    return c.Tensor(tuple(d.name for d in members(dtypes & (2 ** len(ALL) - 1))))


class _Way:
    """One way through a launch: each choice of an alternative narrows the ones after it."""

    def __init__(self, case: Case, fact: LaunchFact, guard: Guard, types: DTypes) -> None:
        solver = case.solver
        self.guard = guard
        self.types = types
        self.addresses = pointers(solver.program, solver.store, fact.kernel)
        self.described = descriptors(solver.store, fact.kernel)
        self.ranks = ranks(solver.store, fact.kernel)

    def narrow(self, guard: Guard) -> None:
        self.guard = agree(self.guard, guard) or self.guard

    def choose(self, value: tuple[Alternative, ...]) -> Alternative | None:
        met = [a for a in value if agree(a.guard, self.guard) is not None]
        if not met:
            return None
        first = min(met, key=self._unlikely)
        self.narrow(first.guard)
        return first

    def _unlikely(self, alternative: Alternative) -> int:
        """Tensors come first, of dtypes that the target has; None comes last."""
        match alternative.what:
            case Array(dtype):
                return int(not narrowed(dtype, self.guard, {}) & self.types)
            case Nil():
                return 3
        return 2

    def argument(self, name: str, what: Abstract) -> c.Argument:
        match what:
            case Array(numpy=True):
                return c.Object("numpy array")
            case Array(dtype):
                return c.Tensor(tensor(narrowed(dtype, self.guard, {})).dtypes, _like(dtype))
            case Nil():
                return c.Nothing()
            case Number(kind, literal, known) if kind in ("bool", "int", "float", "str"):
                plain = known and isinstance(literal, (bool, int, float, str))
                return c.Number(kind, literal if plain else None)  # type: ignore[arg-type]
            case Number("bytes"):
                return c.Object("bytes")
            case External(symbol) if name in self.addresses:
                return c.Tensor(tensor(admitted(symbol, self.guard)).dtypes, _name(symbol))
            case KernelRef(function):
                return c.Function(function.place)
            case DTypeRef():
                return c.Object("dtype")
            case Library(dotted) if dotted.startswith("triton.language."):
                named = triton_named(dotted.rpartition(".")[2])
                return c.TritonType(BY_BIT[named.bit].name) if named is not None else c.Anything()
            case Sequence("tuple", items, fields):
                return c.Items(tuple(self._item(name, slot) for slot in items), fields)
            case Sequence(kind):
                return c.Object(kind)
        for sort, kind in _KINDS:
            if isinstance(what, sort):
                return c.Object(kind)
        if name in self.described:
            return c.Descriptor(tensor(ANY).dtypes, self.ranks.get(name, 0))
        return tensor(ANY) if name in self.addresses else c.Anything()

    def _item(self, name: str, slot: object) -> c.Argument:
        """An item of a tuple that is already there."""
        if isinstance(slot, Given) and len(slot.value) == 1:
            return self.argument(name, slot.value[0].what)
        return c.Anything()


def _like(dtype: DTypeExpr) -> str:
    """What else has this dtype, where it is not known."""
    return _name(dtype.symbol) if isinstance(dtype, Of) else ""


def _name(symbol: Symbol) -> str:
    return f"{symbol.function}:{symbol.path}"
