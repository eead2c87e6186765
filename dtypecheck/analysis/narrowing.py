"""What the tests on the way leave of a dtype."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.dtypes import ANY, DType, DTypes, members
from .dtypexpr import DTypeExpr, Known, Of, Symbol, Term, evaluate, symbols
from .values import Guard

NOTHING: Mapping[Symbol, DType] = {}


def narrowed(expr: DTypeExpr, guard: Guard, given: Mapping[Symbol, DType] = NOTHING) -> DTypes:
    """The dtypes of an expression, given what the guard says of its symbols."""
    match expr:
        case Known(mask):
            return mask
        case Of(symbol):
            return given[symbol].bit if symbol in given else admitted(symbol, guard)
        case Term():
            free = [s for s in symbols(expr) if s not in given]
            if len(free) == 1 and admitted(free[0], guard) != ANY:
                bits = 0
                for dtype in members(admitted(free[0], guard)):
                    bits |= evaluate(expr, {**given, free[0]: dtype})
                return bits
            return evaluate(expr, given)
    raise AssertionError(expr)


def alike(symbol: Symbol, guard: Guard) -> frozenset[Symbol]:
    """The symbols whose dtype is one, by the tests on the way: `assert q.dtype == k.dtype`."""
    said = (key for key, way in guard if way is True and isinstance(key, tuple) and key[0] == "same")
    pairs = [(one, other) for _, one, other in said]
    found = {symbol}
    while any(len(found & {*pair}) == 1 for pair in pairs):
        found.update(other for pair in pairs if found & {*pair} for other in pair)
    return frozenset(found)


def admitted(symbol: Symbol, guard: Guard) -> DTypes:
    """The dtypes that the tests on the way leave to a symbol."""
    bits, same = ANY, alike(symbol, guard)
    for key, way in guard:
        match key:
            case ("dtype", other, mask) if other in same and isinstance(mask, int):
                bits &= mask if way else ANY & ~mask
    return bits
