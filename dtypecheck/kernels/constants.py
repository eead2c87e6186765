"""Arithmetic of compile-time values: Python's own, on values that we know; on symbols it builds keys.

Nothing of the analysed program is executed: only numbers, strings, types and None take part.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from .session import Session
from .values import Const, Symbol, TypeOf

BINARY: dict[str, Callable[..., object]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}

_FINITE = (bool, int, float, str, type(None), TypeOf)
_HUGE = 4096
"""Exponents and shifts above this are not computed."""

_COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))


def binary(s: Session, op: str, a: object, b: object) -> Const:
    """`a op b` of two Python values."""
    if isinstance(a, Symbol) or isinstance(b, Symbol):
        return Const(symbolic(op, a, b))
    if isinstance(a, TypeOf) and isinstance(b, TypeOf) and op in ("==", "!="):
        return Const(_types_equal(s, a, b, op))
    if not isinstance(a, _FINITE) or not isinstance(b, _FINITE):
        if op in ("==", "!="):
            return Const((a is b) == (op == "=="))
        return Const(Symbol((op, s.number(a), s.number(b))))
    if op in ("**", "<<") and isinstance(b, (int, float)) and abs(b) > _HUGE:
        return Const(Symbol((op, a, b), "int"))
    try:
        return Const(BINARY[op](a, b))
    except TypeError as error:
        s.refuse("const-pyop", str(error))
    except (ArithmeticError, ValueError) as error:
        s.refuse("zero-div", str(error))


def symbolic(op: str, a: object, b: object) -> object:
    """A symbol for `a op b` where one side is unknown, or the value where it does not matter."""
    if op == "!=":
        inner = symbolic("==", a, b)
        return Symbol(("not", inner), "bool") if isinstance(inner, Symbol) else not inner
    if op == "==" and isinstance(a, Symbol) and isinstance(b, Symbol) and a.key == b.key:
        return True
    kind = "bool" if op in _COMPARISONS else _kind(op, a, b)
    return Symbol((op, _key(a), _key(b)), kind)


def _kind(op: str, a: object, b: object) -> str:
    kinds = {x.kind if isinstance(x, Symbol) else type(x).__name__ for x in (a, b)}
    if "" in kinds:
        return "float" if op == "/" else ""
    if "float" in kinds or op == "/":
        return "float"
    return "int" if kinds <= {"int", "bool"} else ""


def _key(x: object) -> object:
    return x.key if isinstance(x, Symbol) else (type(x).__name__, str(x))


def _types_equal(s: Session, a: TypeOf, b: TypeOf, op: str) -> object:
    """Equality of two types, decided where the sets allow."""
    equal: object
    if a == b and _known(a):
        equal = True
    elif isinstance(a.element, int) and isinstance(b.element, int):
        possible = bool(a.element & b.element) and (a.shape == b.shape or None in (a.shape, b.shape))
        equal = Symbol(("type", a.element, b.element), "bool") if possible else False
    else:
        equal = Symbol(("type", s.number(a.element), s.number(b.element)), "bool") if a.element is b.element else False
        if a.element is b.element and not isinstance(a.element, int) and a.element.target.bit_count() == 1:
            equal = True
    if op == "==":
        return equal
    return Symbol(("not", equal), "bool") if isinstance(equal, Symbol) else not equal


def _known(t: TypeOf) -> bool:
    return (
        isinstance(t.element, int)
        and t.element.bit_count() == 1
        and (t.shape is not None and None not in t.shape)
    )


def truth(s: Session, value: object) -> bool:
    """The truth of a compile-time value; an unknown one is assumed, consistently."""
    if not isinstance(value, Symbol):
        return bool(value)
    key = value.key
    if key[0] == "not" and isinstance(key[1], Symbol):
        return not truth(s, key[1])
    return s.settle(key)


def negated(value: object) -> object:
    return Symbol(("not", value), "bool") if isinstance(value, Symbol) else not value
