"""NumPy's promotion for concrete operands, and the named rules of its operations (checked against numpy 2.4).

Arrays promote alike whatever their dimensions; a Python number takes part by kind alone. Rules have the
form that `ops` asks for; the default dtype of torch plays no part.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from ..core.dtypes import ALL, BY_NAME, DType, Kind
from .ops import Operand, Rank
from .promotion import FLOAT32
from .rules import BOOL, FLOAT64, INT64, Argument, is_inexact, is_integral

KNOWN = frozenset(
    d
    for d in ALL
    if d.kind in (Kind.BOOL, Kind.INTEGER)
    or d.name in ("float16", "float32", "float64", "complex64", "complex128")
)
"""The dtypes that numpy has."""

NAMES = {
    "bool": "bool", "bool_": "bool", "byte": "int8", "ubyte": "uint8", "short": "int16", "ushort": "uint16",
    "intc": "int32", "uintc": "uint32", "int_": "int64", "uint": "uint64", "long": "int64", "ulong": "uint64",
    "longlong": "int64", "ulonglong": "uint64", "intp": "int64", "uintp": "uint64", "half": "float16",
    "single": "float32", "double": "float64", "csingle": "complex64", "cdouble": "complex128",
}  # fmt: skip
"""Scalar types of numpy that have another name than their dtype, on 64-bit Linux (numpy/_core/numerictypes.py)."""

_LETTERS = {
    "?": "bool", "b": "int8", "B": "uint8", "h": "int16", "H": "uint16", "i": "int32", "I": "uint32", "l": "int64",
    "L": "uint64", "q": "int64", "Q": "uint64", "e": "float16", "f": "float32", "d": "float64", "F": "complex64",
    "D": "complex128",
}  # fmt: skip
_SORTS = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex"}


def scalar(word: str) -> DType | None:
    """The dtype of the scalar type `numpy.<word>`, or None."""
    found = BY_NAME.get(NAMES.get(word, word))
    return found if found in KNOWN else None


def spelled(text: str) -> DType | None:
    """The dtype of a string such as "f4", "<i8", "e" or "intp" (numpy's "Data type objects"), or None."""
    code = text.lstrip("<=|") if len(text) > 1 else text
    sized = _SORTS.get(code[:1], "") + str(8 * int(code[1:])) if code[1:].isdigit() else ""
    return scalar(_LETTERS.get(code) or {"bool8": "bool"}.get(sized, sized) or text)


def _sized(kind: Kind, bits: int, signed: bool = True) -> DType:
    return next(d for d in ALL if d in KNOWN and d.kind is kind and d.bits == bits and d.signed is signed)


def _real(dtype: DType) -> DType:
    """The smallest floating dtype that holds this one, or its parts."""
    if dtype.kind is Kind.FLOATING:
        return dtype
    if dtype.kind is Kind.COMPLEX:
        return _sized(Kind.FLOATING, dtype.bits // 2)
    return _sized(Kind.FLOATING, min(64, max(16, 2 * dtype.bits)))


def promote(a: DType, b: DType) -> DType | None:
    """`numpy.promote_types(a, b)`, or None where one is no dtype of numpy's."""
    if a not in KNOWN or b not in KNOWN:
        return None
    low, high = sorted((a, b), key=lambda d: (d.kind.value, d.bits))
    if low is high or low.kind is Kind.BOOL:
        return high
    if is_inexact(high):
        part = max(_real(low), _real(high), key=lambda d: d.bits)
        return part if high.kind is Kind.FLOATING else _sized(Kind.COMPLEX, max(64, 2 * part.bits))
    if low.signed == high.signed or (high.signed and high.bits > low.bits):
        return high
    unsigned = max(d.bits for d in (low, high) if not d.signed)
    return FLOAT64 if unsigned == 64 else _sized(Kind.INTEGER, 2 * unsigned)


def _each(arguments: tuple[Argument, ...]) -> Iterator[Operand]:
    for argument in arguments:
        if isinstance(argument, tuple):
            yield from argument
        elif argument is not None:
            yield argument


def _lifted(array: DType, number: DType) -> DType:
    """An array's dtype, after a number of perhaps a higher kind."""
    if number.kind.value <= array.kind.value:
        return array
    if number.kind is Kind.COMPLEX:
        return _sized(Kind.COMPLEX, max(64, 2 * _real(array).bits)) if is_inexact(array) else number
    return number


def common(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """`numpy.result_type`: arithmetic, `concatenate`, `where`."""
    operands = list(_each(arguments))
    arrays = [o.dtype for o in operands if o.rank is not Rank.NUMBER]
    numbers = [o.dtype for o in operands if o.rank is Rank.NUMBER]
    if not all(dtype in KNOWN for dtype in arrays):
        return None
    if not arrays:
        return max(numbers, key=lambda d: d.kind.value) if numbers else None
    joined = reduce(lambda a, b: a and promote(a, b), arrays)
    return reduce(_lifted, numbers, joined) if joined else None


def arithmetic(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Promotion where bool is refused: subtraction, negation."""
    dtype = common(*arguments)
    return None if dtype is BOOL else dtype


def counted(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Promotion of reals where bool counts as int8: floor division, remainders, powers."""
    dtype = common(*arguments)
    return BY_NAME["int8"] if dtype is BOOL else None if dtype and dtype.kind is Kind.COMPLEX else dtype


def raised(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Promotion where bool counts as int8: `power`, `square`."""
    dtype = common(*arguments)
    return BY_NAME["int8"] if dtype is BOOL else dtype


def integral(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Promotion of integers and bools only: bitwise operations."""
    dtype = common(*arguments)
    return dtype if dtype is not None and is_integral(dtype) else None


def shifted(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """As `integral`, with bool as int8: shifts."""
    dtype = integral(*arguments)
    return BY_NAME["int8"] if dtype is BOOL else dtype


def divided(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Promotion, and integers become float64: true division, `mean`."""
    dtype = common(*arguments)
    return FLOAT64 if dtype is not None and is_integral(dtype) else dtype


def floated(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Promotion, and integers become the smallest float that holds them: `exp`."""
    dtype = common(*arguments)
    return _real(dtype) if dtype is not None and is_integral(dtype) else dtype


def truth(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """bool, of any operands that numpy knows: comparisons."""
    return None if common(*arguments) is None else BOOL


def summed(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Integers add up in 64 bits of their sign: `sum`, `cumsum`, `prod`."""
    dtype = common(*arguments)
    if dtype is None or not is_integral(dtype):
        return dtype
    return BY_NAME["uint64"] if dtype.kind is Kind.INTEGER and not dtype.signed else INT64


def magnitude(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """The real dtype of the operand: `abs`, `real`."""
    dtype = common(*arguments)
    return _real(dtype) if dtype is not None and dtype.kind is Kind.COMPLEX else dtype


def spread(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """The real dtype of the operand, float64 for integers: `std`, `var`."""
    dtype = divided(*arguments)
    return None if dtype is None else _real(dtype)


def ranged(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """int64 of Python integers, float64 of floats; arrays promote: `arange`."""
    dtype = common(*arguments)
    return INT64 if dtype is BOOL else dtype


def rounded(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Promotion where complex is refused: `floor`, `ceil`."""
    dtype = common(*arguments)
    return None if dtype is not None and dtype.kind is Kind.COMPLEX else dtype
