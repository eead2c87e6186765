"""Torch's type promotion for concrete operands (checked against torch 2.13).

Decides the common dtype of two dtypes (`promote`) and of operands of different ranks
(`result_type`), or that torch refuses. The rule is written over kinds and widths; no table. Knows
nothing of operations: what an operation does with the common dtype is in `rules`.
"""

from __future__ import annotations

from functools import cache

from ..core.dtypes import ALL, BY_NAME, DType, Kind
from .ops import Operand, Rank

FLOAT32 = BY_NAME["float32"]
"""The default dtype unless a program sets another."""

_PACKED = BY_NAME["float4_e2m1fn_x2"]


def _of(kind: Kind, bits: int) -> DType:
    """The signed dtype of a kind that promotion grows into; for floats of 16 bits that is float16."""
    return next(d for d in ALL if d.kind is kind and d.bits == bits and d.signed)


def complex_of(real: DType) -> DType:
    """The complex dtype whose parts hold the values of a floating dtype."""
    parts = 64 if real.name == "bfloat16" else 2 * real.bits
    return _of(Kind.COMPLEX, parts)


def real_of(dtype: DType) -> DType:
    """The dtype of the parts of a complex dtype; any other dtype itself."""
    return _of(Kind.FLOATING, dtype.bits // 2) if dtype.kind is Kind.COMPLEX else dtype


def is_wide_unsigned(dtype: DType) -> bool:
    """uint16, uint32 and uint64: torch promotes them with floats alone."""
    return dtype.kind is Kind.INTEGER and not dtype.signed and dtype.bits > 8


def _is_minifloat(dtype: DType) -> bool:
    return dtype.kind is Kind.FLOATING and dtype.bits <= 8


@cache
def promote(a: DType, b: DType) -> DType | None:
    """`torch.promote_types(a, b)`, or None where it raises."""
    if a is b:
        return a
    low, high = sorted((a, b), key=lambda d: (d.kind.value, d.bits))
    if high.kind is Kind.QUANTIZED:
        return None
    if is_wide_unsigned(low) or is_wide_unsigned(high):
        return high if high.kind is Kind.FLOATING and (high.bits > 8 or high is _PACKED) else None
    if _is_minifloat(low) or _is_minifloat(high):
        return None
    if high.kind is Kind.COMPLEX and low.kind in (Kind.FLOATING, Kind.COMPLEX):
        real = promote(real_of(low), real_of(high))
        return None if real is None else complex_of(real)
    if low.kind is not high.kind or (low.bits != high.bits and low.signed == high.signed):
        return high
    if high.kind is Kind.FLOATING:
        return FLOAT32
    signed = max((d.bits for d in (low, high) if d.signed), default=8)
    return _of(Kind.INTEGER, max(16, signed))


def _number(dtype: DType, default: DType) -> DType:
    """What a Python number of this kind counts as among numbers."""
    if dtype.kind is Kind.FLOATING:
        return default
    return complex_of(default) if dtype.kind is Kind.COMPLEX else dtype


class _Refused(Exception):
    pass


def _join(a: DType | None, b: DType | None) -> DType | None:
    """Promotion with None as its identity."""
    if a is None or b is None:
        return a or b
    joined = promote(a, b)
    if joined is None:
        raise _Refused
    return joined


def _outranked(higher: DType | None, lower: DType | None) -> DType | None:
    """`higher` decides, unless `lower` is of a higher kind."""
    if higher is None or lower is None:
        return higher or lower
    if higher.kind is Kind.COMPLEX:
        return higher
    if higher.kind is Kind.FLOATING:
        if lower.kind is Kind.COMPLEX and _is_minifloat(higher):
            raise _Refused
        return complex_of(higher) if lower.kind is Kind.COMPLEX else higher
    if lower.kind is Kind.COMPLEX:
        return lower
    return _join(higher, lower) if higher.kind is Kind.BOOL or lower.kind is Kind.FLOATING else higher


def result_type(*operands: Operand | None, default: DType = FLOAT32) -> DType | None:
    """`torch.result_type` of any number of operands; absent ones take no part. None where it raises.

    Dimensioned tensors decide; tensors without dimensions, and then Python numbers, only lift the kind.
    """
    of_rank: dict[Rank, DType | None] = dict.fromkeys(Rank)
    try:
        for operand in operands:
            if operand is not None:
                number = operand.rank is Rank.NUMBER
                dtype = _number(operand.dtype, default) if number else operand.dtype
                of_rank[operand.rank] = _join(of_rank[operand.rank], dtype)
        without_dims = _outranked(of_rank[Rank.ZERO], of_rank[Rank.NUMBER])
        return _outranked(of_rank[Rank.DIMENSIONED], without_dims)
    except _Refused:
        return None
