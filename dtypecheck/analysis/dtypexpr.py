"""The dtype of a host value as an expression: a set, a symbol, or a rule applied to expressions.

A rule is written for one concrete input; `lift` applies it to sets, member by member, and leaves a
`Term` where a symbol stands. `evaluate` decides a term once its symbols are given dtypes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Union

from ..core.dtypes import ALL, ANY, DType, DTypes, members, show, single
from ..semantics.ops import Concrete, Operand, Rank


@dataclass(frozen=True, slots=True, order=True)
class Symbol:
    """Something that a root function's caller provides: `path` is the parameter, or an access path from it."""

    function: str
    path: str


@dataclass(frozen=True, slots=True)
class Known:
    """One of these; a set with several members is ignorance."""

    mask: DTypes


@dataclass(frozen=True, slots=True)
class Of:
    """The dtype of a symbol."""

    symbol: Symbol


@dataclass(frozen=True, slots=True)
class Input:
    """One operand of a lifted rule: its dtype and the ranks it may have."""

    dtype: DTypeExpr
    ranks: frozenset[Rank]


@dataclass(frozen=True, slots=True)
class Term:
    """`rule(*inputs)`; an input of None is an absent operand, a tuple is a list of tensors."""

    rule: Concrete
    inputs: tuple[Input | tuple[Input, ...] | None, ...]


DTypeExpr = Union[Known, Of, Term]

UNKNOWN = Known(ANY)
WORK = 4096
"""More combinations than this are not tried: the result is any dtype."""
DEPTH = 12
"""Terms nested deeper than this are any dtype."""


def known(dtype: DType) -> Known:
    return Known(dtype.bit)


def exact(expr: DTypeExpr) -> DType | None:
    """The dtype, where it is one and known."""
    return single(expr.mask) if isinstance(expr, Known) else None


def symbols(expr: DTypeExpr) -> frozenset[Symbol]:
    """The symbols that an expression depends on."""
    match expr:
        case Known():
            return frozenset()
        case Of(symbol):
            return frozenset({symbol})
        case Term(_, inputs):
            return frozenset().union(*(symbols(i.dtype) for i in _flat(inputs)))
    raise AssertionError(expr)


def depth(expr: DTypeExpr) -> int:
    """How many rules are nested in an expression."""
    if isinstance(expr, Term):
        return 1 + max((depth(i.dtype) for i in _flat(expr.inputs)), default=0)
    return 0


def lift(rule: Concrete, inputs: tuple[Input | tuple[Input, ...] | None, ...]) -> DTypeExpr:
    """The rule over sets; a `Term` where an input is symbolic. An empty set: torch refuses every member."""
    flat = list(_flat(inputs))
    if all(isinstance(i.dtype, Known) for i in flat):
        return Known(_closed(rule, inputs))
    term = Term(rule, inputs)
    return simple(term) if depth(term) <= DEPTH else UNKNOWN


@lru_cache(maxsize=8192)
def simple(term: Term) -> DTypeExpr:
    """A term that is one dtype, or its symbol's own, whatever its only symbol may be (and torch takes)."""
    found = symbols(term)
    if len(found) != 1:
        return term
    (symbol,) = found
    bits = 0
    same = True
    for dtype in ALL:
        result = evaluate(term, {symbol: dtype})
        bits |= result
        same = same and result in (0, dtype.bit)
        if not same and single(bits) is None:
            return term
    return Of(symbol) if same and single(bits) is None else Known(bits) if bits else term


def evaluate(expr: DTypeExpr, given: Mapping[Symbol, DType]) -> DTypes:
    """The dtypes that an expression may have when its symbols have these dtypes (any, where not given)."""
    match expr:
        case Known(mask):
            return mask
        case Of(symbol):
            return given[symbol].bit if symbol in given else ANY
        case Term(rule, inputs):
            return _apply(rule, inputs, given)
    raise AssertionError(expr)


def _flat(inputs: tuple[Input | tuple[Input, ...] | None, ...]) -> Iterator[Input]:
    for item in inputs:
        if isinstance(item, tuple):
            yield from item
        elif item is not None:
            yield item


def _choices(item: Input, given: Mapping[Symbol, DType]) -> list[Operand]:
    return [Operand(d, r) for d in members(evaluate(item.dtype, given)) for r in sorted(item.ranks, key=_rank)]


@lru_cache(maxsize=65536)
def _closed(rule: Concrete, inputs: tuple[Input | tuple[Input, ...] | None, ...]) -> DTypes:
    """A rule over sets alone: the same sets come again and again."""
    return _apply(rule, inputs, {})


def _rank(rank: Rank) -> int:
    return rank.value


def _apply(
    rule: Concrete, inputs: tuple[Input | tuple[Input, ...] | None, ...], given: Mapping[Symbol, DType]
) -> DTypes:
    flat = [_choices(i, given) for i in _flat(inputs)]
    work = 1
    for options in flat:
        work *= len(options)
    if work > WORK:
        return ANY
    bits = 0
    for combination in product(*flat):
        parts = iter(combination)
        operands = [
            tuple(next(parts) for _ in item) if isinstance(item, tuple) else None if item is None else next(parts)
            for item in inputs
        ]
        result = rule(*operands)
        if result is not None:
            bits |= result.bit
    return bits


def describe(expr: DTypeExpr) -> str:
    """For readers: `int64`, `dtype of k`, `int32 or int64`."""
    match expr:
        case Known(mask):
            return show(mask)
        case Of(symbol):
            return f"dtype of {symbol.path}"
        case Term():
            names = sorted({s.path for s in symbols(expr)})
            return "depends on the dtype of " + ", ".join(names)
    raise AssertionError(expr)
