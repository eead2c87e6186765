"""Random numbers (`language.random`): Philox on 32-bit counters, uniform and normal floats."""

from __future__ import annotations

from ..core.spans import Span
from ..semantics.triton_errors import Refusal
from ..semantics.triton_ops import Op
from ..semantics.triton_types import ANY, FP32, FP64, INTS, UINT32, UINT64, members
from . import conversion
from .session import Session
from .shapes import broadcast
from .values import Const, Plain, Pointer, Shape, Tensor, Tup, Unknown, Value

_DOUBLES = "invalid operands of type triton.language.float64 and triton.language.float64"


def _seed(s: Session, value: Value, span: Span) -> Tensor | Unknown:
    """`tl.static_assert(seed.dtype.is_int())`."""
    t = conversion.to_tensor(s, value, span)
    s.span = span
    if isinstance(t, Tensor) and (isinstance(t.element, Pointer) or not t.element & INTS):
        s.refuse("philox-seed", "", t)
    if isinstance(t, Tensor) and isinstance(t.element, int) and t.element & ~INTS:
        s.doubt(Refusal("philox-seed", ""), t)
    return t if isinstance(t, (Tensor, Unknown)) else Unknown("seed")


def random(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    """`randint`, `rand`, `randn` and their four-fold forms."""
    offset = a["offset"] if "offset" in a else a["offsets"]
    if isinstance(offset, (Const, Plain)):
        s.refuse("dtype-not-dtype", f"'{type(offset.value).__name__}' object has no attribute 'to'", offset)
    if not isinstance(offset, Tensor):
        return Unknown("offset of random numbers")
    conversion.cast(s, offset, UINT32, explicit=False)
    s.require(offset.element, ANY & ~FP64, "bitwise-float", _DOUBLES, offset)
    seed = _seed(s, a["seed"], span)
    if not isinstance(seed, Tensor):
        return seed
    shape = broadcast(s, seed.shape, offset.shape, seed, offset)
    kind = str(op.detail)
    element = UINT32 if kind.startswith("randint") else FP32
    return _results(element, shape, 4 if kind.endswith("4x") else 1, op.name, span, (offset,))


def _results(
    element: int, shape: Shape, count: int, name: str, span: Span, inputs: tuple[Tensor, ...]
) -> Value:
    made = tuple(Tensor(element, shape, name, span, inputs) for _ in range(count))
    return made[0] if count == 1 else Tup(made)


def philox(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    seed = _seed(s, a["seed"], span)
    counters = [conversion.to_tensor(s, a[f"c{i}"], span) for i in range(4)]
    if not isinstance(seed, Tensor) or not all(isinstance(c, Tensor) for c in counters):
        return Unknown("philox")
    shape = seed.shape
    for c in counters:
        assert isinstance(c, Tensor)
        shape = broadcast(s, shape, c.shape, c)
    first = counters[0]
    assert isinstance(first, Tensor) and isinstance(first.element, int)
    widths = {m.bits for m in members(first.element)}
    if widths == {32}:
        return _results(UINT32, shape, 4, "philox", span, ())
    return (
        _results(UINT64, shape, 4, "philox", span, ())
        if widths == {64} and shape
        else Unknown("philox counters")
    )


def uniform(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x = a["x"]
    if not isinstance(x, Tensor) or not isinstance(x.element, int):
        return Unknown("uint_to_uniform_float of a value")
    wide = sum(m.bit for m in members(ANY) if not m.floating and m.bits in (32, 64))
    s.require(x.element, wide, "static-assert", "", x)
    return Tensor(FP32, x.shape, "uniform", span, (x,))


def normal(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x, y = a["u1"], a["u2"]
    if isinstance(x, Tensor) and isinstance(y, Tensor) and x.element == y.element == FP32:
        shape = broadcast(s, x.shape, y.shape, x, y)
        return _results(FP32, shape, 2, "normal", span, (x, y))
    return Unknown("pair_uniform_to_normal")


RULES = {"random": random, "philox": philox, "uniform": uniform, "normal": normal}
