"""From what the host analysis knows of an argument to what a signature says of it.

Alternatives that cannot be told apart under a guard are merged: dtypes to a set, numbers to their kind. Where a
tensor and None compete, no one signature speaks for both, and the caller takes the guards apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..analysis.dtypexpr import Symbol
from ..analysis.narrowing import admitted, narrowed
from ..analysis.values import (
    Alternative, Array, External, Given, Guard, Library, Nil, Number, Sequence, Thunk, Unknown, Value, agree,
)  # fmt: skip
from ..core.dtypes import ANY, DType, DTypes, triton_named
from .signatures import (
    AnyArgument, Argument, ConstantArgument, NoneArgument, NumberArgument, ObjectArgument, TensorArgument,
    TupleArgument,
)  # fmt: skip
from .values import TypeOf


@dataclass(frozen=True, slots=True)
class Mixed:
    """A tensor here, None or a number there: `guards` tell them apart."""

    guards: tuple[Guard, ...]


def under_guard(value: Value, guard: Guard) -> Value:
    """The alternatives that can be met under a guard."""
    return tuple(alt for alt in value if agree(alt.guard, guard) is not None)


def argument(
    value: Value, guard: Guard, address: bool, given: Mapping[Symbol, DType]
) -> Argument | Mixed:
    """One parameter's argument; `address` says that the kernel takes it for one."""
    met = under_guard(value, guard)
    if not met:
        return AnyArgument("no-value")
    kinds = {_kind(alt, address) for alt in met}
    if len(kinds) > 1:
        return Mixed(tuple(alt.guard for alt in met))
    match kinds.pop():
        case "tensor":
            bits = 0
            for alt in met:
                bits |= _dtypes(alt, guard, given)
            return TensorArgument(bits) if bits else AnyArgument("no-dtype")
        case "none":
            return NoneArgument()
        case "number":
            return _number(met)
    return _other(met[0]) if len(met) == 1 else AnyArgument("several-kinds")


def _kind(alt: Alternative, address: bool) -> str:
    match alt.what:
        case Array(numpy=False):
            return "tensor"
        case Nil():
            return "none"
        case Number(kind) if kind in ("bool", "int", "float"):
            return "number"
        case External() | Unknown() if address:
            return "tensor"
    return "other"


def _dtypes(alt: Alternative, guard: Guard, given: Mapping[Symbol, DType]) -> DTypes:
    match alt.what:
        case Array(dtype):
            return narrowed(dtype, agree(alt.guard, guard) or guard, given)
        case External(symbol):
            return given[symbol].bit if symbol in given else admitted(symbol, agree(alt.guard, guard) or guard)
    return ANY


def _number(met: Value) -> Argument:
    numbers = [alt.what for alt in met if isinstance(alt.what, Number)]
    first = numbers[0]
    if all(n == first for n in numbers) and first.known:
        literal = first.literal
        return NumberArgument(first.kind, literal if isinstance(literal, (int, float)) else None)
    kinds = {n.kind for n in numbers}
    return NumberArgument(kinds.pop()) if len(kinds) == 1 else AnyArgument("several-numbers")


def _other(alt: Alternative) -> Argument:
    match alt.what:
        case Number("str", literal, known):
            return ConstantArgument(literal, known, "str")
        case Number():
            return AnyArgument("number")
        case Library(name) if name.startswith("triton.language."):
            dtype = triton_named(name.rpartition(".")[2])
            return ConstantArgument(TypeOf(dtype.bit)) if dtype is not None else AnyArgument("library-object")
        case Sequence(_, items, names):
            parts = tuple(_item(item) for item in items)
            return TupleArgument(parts, names or None)
        case Unknown(reason):
            return AnyArgument(reason)
    return AnyArgument(type(alt.what).__name__.lower())


def _item(slot: Thunk | Given) -> Argument:
    """Items of a tuple argument are looked at only where they are already there."""
    if isinstance(slot, Given) and len(slot.value) == 1:
        found = argument(slot.value, frozenset(), False, {})
        return found if not isinstance(found, Mixed) else AnyArgument("several-kinds")
    return AnyArgument("tuple-item")


__all__ = ["Mixed", "ObjectArgument", "argument", "under_guard"]
