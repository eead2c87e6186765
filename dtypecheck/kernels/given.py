"""What a kernel's arguments are known to be: what its launches give it, or what its body takes them for.

Ways that give arguments of the same kinds are one: their dtypes become sets, and compile-time values that
differ become unknown. So what is refused under a joined way is refused under every way that it stands for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..analysis.facts import LaunchFact
from ..core import ir
from .launch import Typer, is_vague
from .nulls import tested
from .semantics import is_constexpr
from .signatures import annotated
from .trial import ANY_NUMBER, ANY_TENSOR, ELEMENTS, NONE, element
from .values import ConstexprType, DescriptorType, KernelType, PointerType, ScalarType, TupleType, UnknownType

MOST = 6
"""Ways of different kinds that are kept apart."""


@dataclass(frozen=True, slots=True)
class Given:
    """The types of the arguments; `vague` ones may be None as well."""

    types: tuple[tuple[str, KernelType], ...]
    vague: frozenset[str] = frozenset()

    @property
    def signature(self) -> dict[str, KernelType]:
        return dict(self.types)


def launched(typer: Typer, fact: LaunchFact) -> Iterator[Given]:
    """What one launch gives in each of its ways.

    An argument of which nothing is known is what the body takes it for; or None, where the body asks.
    """
    function = typer.solver.store.function(fact.kernel)
    asked = [p.name for p in function.params if not is_constexpr(p.annotation) and tested(function, p.name)]
    for guard, way in typer.ways(fact):
        if isinstance(way, dict):
            yield Given(
                tuple(way.items()), frozenset(n for n in asked if n in way and is_vague(fact, n, guard))
            )


def unlaunched(function: ir.Function, addresses: frozenset[str], described: frozenset[str]) -> Given:
    """Anything of the kind that the body takes each parameter for."""
    types: dict[str, KernelType] = {}
    for param in function.params:
        if is_constexpr(param.annotation):
            types[param.name] = ConstexprType(None, False)
        elif (forced := annotated(param.annotation)) is not None:
            types[param.name] = forced
        elif param.name in described:
            types[param.name] = DescriptorType(ELEMENTS)
        else:
            types[param.name] = ANY_TENSOR if param.name in addresses else ANY_NUMBER
    return Given(tuple(types.items()))


def known(ways: Iterable[Given]) -> dict[str, int]:
    """The element types that launches are known to give, by parameter."""
    found: dict[str, int] = {}
    for way in ways:
        for name, declared in way.types:
            bits = element(declared)
            if bits and bits & ELEMENTS != ELEMENTS:
                found[name] = found.get(name, 0) | bits
    return found


def whole(ways: Sequence[Given]) -> Given:
    """One way that stands for all; nothing is known of an argument of which they give several kinds."""
    found = ways[0]
    for way in ways[1:]:
        found = _join(found, way)
    return found


def joined(ways: Iterable[Given]) -> tuple[Given, ...]:
    """Few ways that stand for all, those with most tensors first."""
    alike: dict[tuple[object, ...], Given] = {}
    for way in ways:
        shape = tuple((name, _kind(declared)) for name, declared in way.types)
        alike[shape] = _join(alike[shape], way) if shape in alike else way
    ranked = sorted(alike.values(), key=lambda way: -sum(bool(element(t)) for _, t in way.types))
    if len(ranked) <= MOST:
        return tuple(ranked)
    return (*ranked[: MOST - 1], whole(ranked[MOST - 1 :]))


def _kind(declared: KernelType) -> object:
    match declared:
        case ConstexprType(None, True):
            return "none"
        case TupleType(items):
            return tuple(_kind(i) for i in items)
    return type(declared)


def _join(a: Given, b: Given) -> Given:
    one, other = a.signature, b.signature
    names = [*one, *(n for n in other if n not in one)]
    types = tuple((n, _joined(one.get(n, UNSAID), other.get(n, UNSAID))) for n in names)
    return Given(types, a.vague | b.vague)


UNSAID = UnknownType("given at some launches only")


def _joined(a: KernelType, b: KernelType) -> KernelType:
    """A type that stands for both."""
    if a == b:
        return a
    match a, b:
        case PointerType(x, const), PointerType(y):
            return PointerType(x | y, const)
        case ScalarType(x), ScalarType(y):
            return ScalarType(x | y)
        case DescriptorType(), DescriptorType():
            return DescriptorType(a.element | b.element, a.shape if a.shape == b.shape else None)
        case ConstexprType(), ConstexprType() if NONE not in (a, b):
            return ConstexprType(None, False, a.kind if a.kind == b.kind else "")
    return UnknownType("a tensor here, something else there")
