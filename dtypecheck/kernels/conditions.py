"""Compile-time conditions in words: what a choice of flags asks of the constexpr parameters."""

from __future__ import annotations

from .constants import BINARY
from .typing import Flags
from .values import Symbol

UNNAMED = "some compile-time conditions hold"


def differing(base: Flags, other: Flags) -> str | None:
    """The conditions that hold under `base` and not under `other`; None where the two do not differ."""
    ways = dict(other)
    differ = [(key, way) for key, way in base if ways.get(key, way) != way]
    if not differ:
        return None
    return " and ".join(dict.fromkeys(_condition(key, way) or UNNAMED for key, way in differ))


def asks_types(flags: Flags) -> bool:
    """Whether some condition is about types that are not known: then it does not hold for all of them."""
    return any(_asks_types(key) for key, _ in flags)


def _asks_types(key: object) -> bool:
    """Keys of `attributes.type_attribute` and of `constants.symbolic`."""
    match key:
        case ("type", *_):
            return True
        case (str(name), int()):
            return name != "dim"
        case tuple():
            return any(_asks_types(part) for part in key)
        case Symbol(inner):
            return _asks_types(inner)
    return False


def _condition(key: object, way: bool) -> str:
    """`USE_BIAS`, `not USE_BIAS`, `MODE == 0`; "" where it has no words."""
    match key:
        case ("==", a, b) if not way:
            return _operation("!=", a, b)
        case (str(op), a, b) if op in BINARY:
            said = _operation(op, a, b)
            return said if way or not said else f"not ({said})"
    said = _operand(key)
    return said if way or not said else f"not {said}"


def _operation(op: str, a: object, b: object) -> str:
    left, right = _operand(a), _operand(b)
    return f"{left} {op} {right}" if left and right else ""


def _operand(key: object) -> str:
    match key:
        case ("param", str(name)):
            return name
        case ("str", str(text)):
            return repr(text)
        case ("int" | "float" | "bool" | "NoneType", str(text)):
            return text
        case ("not", Symbol(inner)):
            said = _operand(inner)
            return f"not {said}" if said else ""
        case (str(op), a, b) if op in BINARY:
            said = _operation(op, a, b)
            return f"({said})" if said else ""
    return ""
