"""Concrete rules of Triton's operators lifted to sets of types, and remembered.

An operand is a set of scalars (a mask) or a Python number. The lifted result is the set of all results of
members that Triton takes; the rule refuses only where every combination is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from .triton_casts import bitcastable, castable
from .triton_errors import Refusal
from .triton_promotion import Number, binary, ternary
from .triton_types import SCALARS, Scalar, members


@dataclass(frozen=True, slots=True)
class Outcome:
    """`types` is 0 where all is refused; `refusal` is the first one met, `partial` whether some were
    taken."""

    types: int
    refusal: Refusal | None = None

    @property
    def partial(self) -> bool:
        return bool(self.types) and self.refusal is not None


def gather(results: Iterable[Scalar | Refusal]) -> Outcome:
    types, refusal = 0, None
    for r in results:
        if isinstance(r, Refusal):
            refusal = refusal or r
        else:
            types |= r.bit
    return Outcome(types, refusal)


Exact = "tuple[type, Number]"


class Literal:
    """A Python number as a key: True, 1 and 1.0 are three keys."""

    __slots__ = ("key", "values")

    def __init__(self, *values: Number) -> None:
        self.values = values
        self.key = tuple((type(v), str(v)) for v in values)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Literal) and self.key == other.key


ANY_NUMBER = Literal(1, 1.5)
"""A number of which nothing is known: an integer or a float."""

KINDS = {"int": Literal(1), "float": Literal(1.5), "bool": Literal(True), "": ANY_NUMBER}

Side = "int | Literal"


def _choices(side: int | Literal) -> tuple[Scalar | Number, ...]:
    return side.values if isinstance(side, Literal) else tuple(members(side))


@cache
def binary_sets(op: str, a: int | Literal, b: int | Literal, version: tuple[int, int]) -> Outcome:
    """`a op b` over sets."""
    return gather(binary(op, x, y, version) for x in _choices(a) for y in _choices(b))


@cache
def ternary_sets(sides: tuple[int | Literal, ...], version: tuple[int, int]) -> Outcome:
    a, b, c = (_choices(s) for s in sides)
    return gather(ternary((x, y, z), version) for x in a for y in b for z in c)


@cache
def mapped(rule: Callable[[Scalar], str], types: int) -> int:
    """The image of a set under a total rule that gives type names."""
    names = {rule(s) for s in members(types)}
    return sum(s.bit for s in SCALARS if s.name in names)


@cache
def conversions(source: int, target: int, bitcast: bool) -> tuple[bool, bool]:
    """(some pair converts, every pair does)."""
    path = bitcastable if bitcast else castable
    found = [path(s, t) for s in members(source) for t in members(target)]
    return any(found), all(found)
