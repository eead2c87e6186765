"""Triton's binary operators on concrete operands (checked against Triton 3.6.0 and 3.9.0).

Sources: `TritonSemantic.computation_type_impl`, `integer_promote_impl`, `binary_op_type_checking_impl`,
`bitwise_op_type_checking_impl`, `to_tensor_type`. Rank never matters: an operand is a scalar type or a Python
number. Pointers are not known here (`triton_pointers`).
"""

from __future__ import annotations

import math
from typing import Union

from .triton_errors import Refusal
from .triton_types import BY_NAME, Scalar

Number = Union[bool, int, float]
Operand = Union[Scalar, bool, int, float]

MODERN = (3, 9)
"""The first version known with the newer rules; everything before follows 3.6."""

COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))
_BITWISE = frozenset(("&", "|", "^", "<<", ">>"))
_DIVISIONS = frozenset(("/", "//", "%", "fdiv"))
_EXTREMES = frozenset(("minimum", "maximum"))

_INT1, _INT32, _INT64 = BY_NAME["int1"], BY_NAME["int32"], BY_NAME["int64"]
_FP16, _BF16, _FP32, _FP64 = BY_NAME["fp16"], BY_NAME["bf16"], BY_NAME["fp32"], BY_NAME["fp64"]


class _No(Exception):
    """Carries the refusal out of nested rules."""


def _refuse(id: str, message: str) -> _No:
    return _No(Refusal(id, message))


def number_type(x: Number) -> Scalar | Refusal:
    """`to_tensor_type`: what a Python number becomes on its own."""
    if isinstance(x, bool):
        return _INT1
    if isinstance(x, int):
        for low, high, name in (
            (-(2**31), 2**31, "int32"),
            (0, 2**32, "uint32"),
            (-(2**63), 2**63, "int64"),
            (0, 2**64, "uint64"),
        ):
            if low <= x < high:
                return BY_NAME[name]
        return Refusal("nonrepresentable", f"Nonrepresentable integer {x}.")
    size = abs(x)
    single = math.isinf(size) or size == 0 or x != x or 2**-126 <= size <= (2 - 2**-23) * 2**127
    return _FP32 if single else _FP64


def integer_promote(a: Scalar, b: Scalar) -> Scalar:
    """`integer_promote_impl`: the wider wins, at equal width the unsigned."""
    if a.signed == b.signed:
        return a if a.bits > b.bits else b
    unsigned, signed = (b, a) if a.signed else (a, b)
    return unsigned if unsigned.bits >= signed.bits else signed


def _computation(
    a: Scalar, a_number: bool, b: Scalar, b_number: bool, division: bool, modern: bool
) -> Scalar:
    """`computation_type_impl`."""
    if a_number != b_number:
        number, tensor = (a, b) if a_number else (b, a)
        if number.rank <= tensor.rank:
            if not modern:
                return _FP32 if division and tensor in (_FP16, _BF16) else tensor
            a = b = tensor
    pair = (a, b)
    if _FP64 in pair:
        return _FP64
    floating = a.floating or b.floating
    if (floating and division and modern) or _FP32 in pair:
        return _FP32
    if _FP16 in pair:
        return _FP32 if division else _FP16
    if _BF16 in pair:
        return _BF16 if a is b and not division else _FP32
    if a.fp8 and b.fp8:
        return a if a is b else _FP16
    if floating:
        raise _refuse("binop-fp8-int", f"unexpected type {a} and {b}")
    if division and a.signed != b.signed:
        raise _refuse(
            "binop-signedness",
            f"Cannot use /, #, or % with {a!r} and {b!r} because they have different signedness;"
            "this is unlikely to result in a useful answer. Cast them to the same signedness.",
        )
    return integer_promote(a, b)


def _bounds(t: Scalar) -> tuple[int, int]:
    return (-(1 << t.bits - 1), (1 << t.bits - 1) - 1) if t.signed else (0, (1 << t.bits) - 1)


def materialise(x: Number, t: Scalar, modern: bool) -> Refusal | None:
    """`_cast_to_computation_type` of a Python number: why it cannot become a `t`, or None."""
    if t.kind in "bu" and x < 0:
        return Refusal(
            "unsigned-neg-literal",
            "Cannot perform a binary operation between an unsigned tensor and a negative scalar. "
            "Perform a explicit cast on one of them.",
        )
    if not t.floating:
        low, high = _bounds(t)
        if not low <= x <= high:
            return Refusal("literal-range", f"Scalar {x} is out of range for type {t}")
    if not modern and t.fp8 and x != 0:
        return Refusal("get-fp8", f"'triton._C.libtriton.ir.builder' object has no attribute 'get_{t}'")
    return None


def constant(x: Number, t: Scalar, modern: bool) -> Refusal | None:
    """`scalar_constant` (`tl.full`, `tl.cast`, returns): the constructor must take the Python value."""
    if not t.floating:
        low, high = _bounds(t)
        # `get_int1` takes anything that Python can turn into a bool.
        fits = x == 0 or t.kind == "b" or (isinstance(x, int) and low <= x <= high)
        if not fits:
            return Refusal("get-const", f"get_{t}(): incompatible function arguments.")
    elif not modern and t.fp8 and x != 0:
        return Refusal("get-fp8", f"'triton._C.libtriton.ir.builder' object has no attribute 'get_{t}'")
    return None


def _typed(x: Operand) -> Scalar:
    if isinstance(x, Scalar):
        return x
    found = number_type(x)
    if isinstance(found, Refusal):
        raise _No(found)
    return found


def _common(op: str, a: Operand, b: Operand, modern: bool) -> Scalar:
    """The type that both operands are cast to."""
    numbers = [not isinstance(x, Scalar) for x in (a, b)]
    left, right = _typed(a), _typed(b)
    if not modern and (op in COMPARISONS or op in _EXTREMES):
        # 3.6 turns the number into a tensor first (`to_tensor` in the wrappers).
        if op in _EXTREMES:
            left, right = (_FP32 if t is _BF16 else t for t in (left, right))
        return _computation(left, False, right, False, False, modern)
    found = _computation(left, numbers[0], right, numbers[1], op in _DIVISIONS, modern)
    for x, number in ((a, numbers[0]), (b, numbers[1])):
        refusal = materialise(x, found, modern) if number else None  # type: ignore[arg-type]
        if refusal is not None:
            raise _No(refusal)
    return found


def binary(op: str, a: Operand, b: Operand, version: tuple[int, int]) -> Scalar | Refusal:
    """The type of `a op b`; `op` is Python's token, or "minimum", "maximum", "fdiv", "where"."""
    modern = version >= MODERN
    if op == "fdiv" and not modern:
        return _fdiv_36(a, b)
    try:
        found = _common(op, a, b, modern)
    except _No as no:
        return no.args[0]
    if op in COMPARISONS:
        return _INT1
    if op in _BITWISE and found.floating:
        return Refusal("bitwise-float", f"invalid operands of type {found!r} and {found!r}")
    if op == "//" and found.floating:
        return Refusal("floordiv-float", f"unexpected type {found}")
    if op == "fdiv" and not found.floating:
        return Refusal("fdiv", "fdiv requires floating-point operands after type promotion")
    if op == "/" and not found.floating:
        return _FP32
    return found


def _fdiv_36(a: Operand, b: Operand) -> Scalar | Refusal:
    """`fdiv` of 3.6: two floating operands, no conversion; the first one's type.

    Operands of two types are left to the verifier, which refuses them.
    """
    left, right = (number_type(x) if not isinstance(x, Scalar) else x for x in (a, b))
    if isinstance(left, Refusal) or isinstance(right, Refusal):
        return left if isinstance(left, Refusal) else right
    if not left.floating or not right.floating:
        return Refusal("fdiv", "both operands of fdiv must have floating scalar type")
    return left


def ternary(operands: tuple[Operand, ...], version: tuple[int, int]) -> Scalar | Refusal:
    """`ternary_op_type_checking_impl` (3.9): tensors join, numbers join, then both."""
    try:
        tensors = [x for x in operands if isinstance(x, Scalar)]
        numbers = [_typed(x) for x in operands if not isinstance(x, Scalar)]
        tensor = _fold(tensors, False)
        number = _fold(numbers, True)
        if tensor is None or number is None:
            found = tensor or number
        else:
            found = _computation(tensor, False, number, True, False, True)
        assert found is not None
        for x in operands:
            refusal = None if isinstance(x, Scalar) else materialise(x, found, True)
            if refusal is not None:
                raise _No(refusal)
        return found
    except _No as no:
        return no.args[0]


def _fold(types: list[Scalar], number: bool) -> Scalar | None:
    found: Scalar | None = None
    for t in types:
        found = t if found is None else _computation(found, number, t, number, False, True)
    return found
