"""Reductions, scans and sorts (`language.standard`, `core.reduce`, `core.associative_scan`)."""

from __future__ import annotations

from ..core.spans import Span
from ..semantics.triton_casts import extreme, summed
from ..semantics.triton_lift import mapped
from ..semantics.triton_ops import Op
from ..semantics.triton_types import BY_NAME, FP32, FP64, INT32, INTS, members
from . import apply_math, arithmetic, conversion
from .apply_shape import integer, type_argument
from .session import ReductionFact, Session
from .values import (
    Const,
    Element,
    Function,
    Library,
    Plain,
    Pointer,
    Shape,
    Tensor,
    Tup,
    Unknown,
    Value,
    is_none,
)

_BF16 = BY_NAME["bf16"].bit


def reduced(s: Session, shape: Shape, axis: Value, keep: Value) -> Shape:
    """The shape after a reduction over `axis`, all axes where it is None."""
    kept = keep.value if isinstance(keep, (Const, Plain)) else None
    if shape is None or kept not in (True, False):
        return None
    if is_none(axis):
        return (1,) * len(shape) if kept else ()
    at = integer(axis)
    if at is None:
        return (None,) * (len(shape) if kept else len(shape) - 1)
    if not -len(shape) <= at < len(shape):
        s.refuse("reduce-axis", f"invalid axis {at}. Expected {-len(shape)} <= axis < {len(shape)}")
    at %= len(shape)
    return (*shape[:at], *((1,) if kept else ()), *shape[at + 1 :])


def _block(s: Session, value: Value, word: str) -> Tensor | Unknown:
    if isinstance(value, Tensor):
        if isinstance(value.element, Pointer):
            return Unknown(f"{word} of pointers")
        return value
    if isinstance(value, Unknown):
        return value
    if isinstance(value, (Const, Plain)):
        s.refuse("dtype-not-dtype", f"'{type(value.value).__name__}' object has no attribute 'dtype'", value)
    return Unknown(f"{word} of a value")


def _noted(s: Session, word: str, element: Element, x: Tensor, span: Span) -> None:
    if isinstance(element, int):
        s.facts.append(ReductionFact(span, s.function, word, element, x))


def _require_integers(s: Session, x: Tensor, word: str) -> int:
    return s.require(x.element, INTS, "reduce-int", f"{word} only supported for integers", x)


def reduction(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    """`sum`, `xor_sum`, `reduce_or`."""
    word = str(op.detail)
    x = _block(s, a["input"], word)
    if not isinstance(x, Tensor):
        return x
    assert isinstance(x.element, int)
    if word != "sum":
        element = _require_integers(s, x, word)
    elif (wanted := _given(s, a["dtype"])) is not None:
        element = wanted if isinstance(wanted, int) else x.element
        conversion.cast(s, x, element, explicit=True)
    else:
        element = mapped(summed, x.element)
    _noted(s, word, element, x, span)
    return Tensor(element, reduced(s, x.shape, a["axis"], a["keep_dims"]), word, span, (x,))


def _given(s: Session, value: Value) -> Element | None:
    return None if is_none(value) else type_argument(s, value)


def _widened(s: Session, element: int) -> int:
    """3.6: `_promote_bfloat16_to_float32`."""
    return element & ~_BF16 | FP32 if element & _BF16 and not s.modern else element


def extremum(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    """`max` and `min`, with indices or without."""
    x = _block(s, a["input"], op.name)
    if not isinstance(x, Tensor):
        return x
    assert isinstance(x.element, int)
    wants = a["return_indices"]
    indices = wants.value if isinstance(wants, (Const, Plain)) else None
    shape = reduced(s, x.shape, a["axis"], a["keep_dims"])
    if indices not in (True, False):
        return Unknown("return_indices of unknown truth")
    if indices:
        value = Tensor(_widened(s, x.element), shape, op.name, span, (x,))
        return Tup((value, Tensor(INT32, shape, op.name, span)))
    element = mapped(extreme, x.element)
    _noted(s, op.name, element, x, span)
    return Tensor(element, shape, op.name, span, (x,))


def argument(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x = _block(s, a["input"], op.name)
    if not isinstance(x, Tensor):
        return x
    return Tensor(INT32, reduced(s, x.shape, a["axis"], a["keep_dims"]), op.name, span, (x,))


def cumulative(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    """`cumsum`, `cumprod`; 3.6 widens bf16, and integers in `cumsum` alone."""
    x = _block(s, a["input"], op.name)
    if not isinstance(x, Tensor):
        return x
    assert isinstance(x.element, int)
    wanted = _given(s, a["dtype"])
    element = _widened(s, x.element)
    if isinstance(wanted, int):
        conversion.cast(s, x, wanted, explicit=True)
        element = wanted
    elif s.modern or op.detail == "sum":
        element = mapped(summed, element)
    _noted(s, op.name, element, x, span)
    return Tensor(element, x.shape, op.name, span, (x,))


def _combined(s: Session, combine: Value, inputs: tuple[Tensor, ...], span: Span) -> None:
    """The combine function is typed on two scalars of each input's type and must give those types back."""
    from .calls import dispatch

    if isinstance(combine, Library):
        return
    scalars: list[Value] = [Tensor(x.element, (), "reduce", span, (x,)) for x in (*inputs, *inputs)]
    found = dispatch(s, combine, scalars, {}, span)
    results = found.items if isinstance(found, Tup) else (found,)
    s.span = span
    if any(isinstance(r, Unknown) for r in results) or len(results) != len(inputs):
        return
    for x, r in zip(inputs, results):
        if not isinstance(r, Tensor) or not _storage(x.element, r.element):
            s.refuse("combine-type", "", x, r)


def _storage(a: Element, b: Element) -> bool:
    """One MLIR type: signedness does not count."""
    if isinstance(a, Pointer) or isinstance(b, Pointer):
        return a is b
    pairs = ((p, q) for p in members(a) for q in members(b))
    return any(p is q or (p.bits == q.bits and not p.floating and not q.floating) for p, q in pairs)


def _inputs(value: Value) -> tuple[Tensor, ...] | None:
    items = value.items if isinstance(value, Tup) else (value,)
    found = tuple(i for i in items if isinstance(i, Tensor))
    return found if len(found) == len(items) and found else None


def reduce(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    inputs, combine = _inputs(a["input"]), _callee(a["combine_fn"])
    if inputs is None or combine is None:
        return Unknown("reduce")
    _combined(s, combine, inputs, span)
    shapes = [reduced(s, x.shape, a["axis"], a["keep_dims"]) for x in inputs]
    results = [Tensor(x.element, shape, "reduce", span, (x,)) for x, shape in zip(inputs, shapes)]
    return results[0] if isinstance(a["input"], Tensor) else Tup(tuple(results))


def scan(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    inputs, combine = _inputs(a["input"]), _callee(a["combine_fn"])
    if inputs is None or combine is None:
        return Unknown("associative_scan")
    _combined(s, combine, inputs, span)
    results = [Tensor(x.element, x.shape, "scan", span, (x,)) for x in inputs]
    return results[0] if isinstance(a["input"], Tensor) else Tup(tuple(results))


def _callee(value: Value) -> Value | None:
    if isinstance(value, (Const, Plain)) and isinstance(value.value, (Function, Library)):
        value = value.value
    return value if isinstance(value, (Function, Library)) else None


def softmax(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    """`x - max(x)`, `exp`, `sum`, `fdiv`."""
    x = _block(s, a["x"], "softmax")
    if not isinstance(x, Tensor):
        return x
    assert isinstance(x.element, int)
    top = Tensor(mapped(extreme, x.element), x.shape, "max", span, (x,))
    z = arithmetic.binary(s, "-", x, top, span)
    apply_math.check_dtype(s, [z], FP32 | FP64)
    return Tensor(z.element, x.shape, "softmax", span, (x,)) if isinstance(z, Tensor) else z


def sort(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    """`sort`, `flip`, `bitonic_merge` keep the type; they go through an integer of the same width."""
    x = _block(s, a["x"], op.name)
    if not isinstance(x, Tensor):
        return x
    if op.name == "tl.flip" and is_none(a["dim"]) and not s.modern:
        s.refuse("flip-36", "'<=' not supported between instances of 'int' and 'NoneType'", x)
    return Tensor(x.element, x.shape, op.name, span, (x,))


def topk(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x, k = _block(s, a["x"], "topk"), integer(a["k"])
    if not isinstance(x, Tensor):
        return x
    assert isinstance(x.element, int)
    if x.shape is None or not x.shape:
        return Unknown("topk")
    shape = (*x.shape[:-1], k)
    if k is None or x.shape[-1] is None:
        narrow = sum(m.bit for m in members(x.element) if m.bits < 32)
        return Unknown("topk of unknown size") if narrow else Tensor(x.element, shape, "topk", span, (x,))
    element = x.element if k == x.shape[-1] else mapped(extreme, x.element)
    return Tensor(element, shape, "topk", span, (x,))


RULES = {
    "reduction": reduction,
    "extremum": extremum,
    "argument": argument,
    "cumulative": cumulative,
    "reduce": reduce,
    "scan": scan,
    "softmax": softmax,
    "sort": sort,
    "topk": topk,
}
