"""Casts and bitcasts between Triton scalar types (checked against 3.6.0 and 3.9.0).

Sources: `TritonSemantic.cast` and `bitcast`. Both say only whether a conversion path exists.
"""

from __future__ import annotations

from .triton_types import Scalar


def castable(source: Scalar, target: Scalar) -> bool:
    """Whether `cast` has a path: everything but integers (int1 too) against fp8, either way."""
    return source is target or not (
        (source.fp8 and not target.floating) or (target.fp8 and not source.floating)
    )


def bitcastable(source: Scalar, target: Scalar) -> bool:
    """Whether `bitcast` has one: equal widths, int1 being one bit wide."""
    return source.bits == target.bits


def narrows(source: Scalar, target: Scalar) -> bool:
    """A conversion downwards: float to narrower float. `fp_downcast_rounding` is for these only."""
    return source.floating and target.floating and target.bits < source.bits


def summed(t: Scalar) -> str:
    """`_pick_sum_dtype`: what `sum`, `cumsum` (and 3.9's `cumprod`) reduce in."""
    if t.floating or t.bits >= 32:
        return t.name
    return "int32" if t.signed else "uint32"


def extreme(t: Scalar) -> str:
    """What `max` and `min` without indices reduce in; also 3.6's `cumprod`-free widening of bf16."""
    if t.bits >= 32:
        return t.name
    return "fp32" if t.floating else "int32"
