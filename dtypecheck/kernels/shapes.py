"""Shapes of blocks: what broadcasts to what. A dimension or a rank may be unknown; then nothing is
refused."""

from __future__ import annotations

from .session import Session
from .values import Shape, Value


def broadcast(s: Session, a: Shape, b: Shape, *values: Value) -> Shape:
    """`broadcast_impl_value`: missing leading axes are added, ones stretch."""
    if a is b or b == ():
        return a
    if a == ():
        return b
    if a is None or b is None:
        return None
    if len(a) < len(b):
        a = (1,) * (len(b) - len(a)) + a
    elif len(b) < len(a):
        b = (1,) * (len(a) - len(b)) + b
    if a == b:
        return a
    return tuple(_dimension(s, i, x, y, values) for i, (x, y) in enumerate(zip(a, b)))


def _dimension(s: Session, index: int, a: int | None, b: int | None, values: tuple[Value, ...]) -> int | None:
    if a == b:
        return a
    if a == 1:
        return b
    if b == 1:
        return a
    if a is None or b is None:
        return a if b is None else b
    s.refuse(
        "broadcast",
        f"Cannot make_shape_compatible: incompatible dimensions at index {index}: {a} and {b}",
        *values,
    )


def same(a: Shape, b: Shape) -> bool:
    """Whether two shapes can be the same shape."""
    if a is None or b is None:
        return (a != () and b != ()) or a is b
    return len(a) == len(b) and all(x == y or x is None or y is None for x, y in zip(a, b))


def merged(a: Shape, b: Shape) -> Shape:
    """The more precise of two shapes that are the same shape."""
    if a is None or b is None:
        return b if a is None else a
    return tuple(y if x is None else x for x, y in zip(a, b))


def count(shape: Shape) -> int | None:
    """The number of elements."""
    if shape is None:
        return None
    total = 1
    for d in shape:
        if d is None:
            return None
        total *= d
    return total


def scalar(shape: Shape) -> bool | None:
    """Whether it is a scalar; None where not known."""
    return None if shape is None else shape == ()
