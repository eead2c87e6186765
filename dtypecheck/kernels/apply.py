"""The rules that `semantics.triton_ops` names, collected from the modules that implement them."""

from __future__ import annotations

from collections.abc import Callable

from ..core.spans import Span
from ..semantics.triton_ops import Op
from . import (
    apply_descriptors,
    apply_dot,
    apply_host,
    apply_math,
    apply_memory,
    apply_random,
    apply_reduce,
    apply_shape,
)
from .apply_descriptors import descriptor_method
from .apply_math import libdevice, logical
from .conversion import to_tensor
from .session import Session
from .values import Value

Rule = Callable[[Session, Op, "dict[str, Value]", Span], Value]

RULES: dict[str, Rule] = {
    **apply_memory.RULES,
    **apply_math.RULES,
    **apply_shape.RULES,
    **apply_reduce.RULES,
    **apply_dot.RULES,
    **apply_descriptors.RULES,
    **apply_random.RULES,
    **apply_host.RULES,
}

TOLERANT = frozenset(
    ("nothing", "full", "range", "static_assert", "load", "store", "same", "cast", "isinstance")
)
"""Rules that can say something although an argument is not known."""

__all__ = ["RULES", "TOLERANT", "Rule", "descriptor_method", "libdevice", "logical", "to_tensor"]
