"""Creation and reshaping of blocks, casts, and the operations that move elements."""

from __future__ import annotations

from ..core.spans import Span
from ..semantics.triton_ops import Op
from ..semantics.triton_types import INT1, INT32, INTS, LANGUAGE, members
from . import conversion, merges, show
from .session import Session
from .shapes import broadcast, count
from .values import (
    Const,
    Element,
    Library,
    Plain,
    Pointer,
    Shape,
    Symbol,
    Tensor,
    Tup,
    TypeOf,
    Unknown,
    Value,
)


def integer(value: Value | None) -> int | None:
    """A compile-time integer, or None where it is not known."""
    v = value.value if isinstance(value, (Const, Plain)) else None
    return v if isinstance(v, int) else None


def dimensions(s: Session, value: Value) -> Shape:
    """A shape argument: a tuple of constexprs, or one of them."""
    items = value.items if isinstance(value, Tup) else (value,)
    if len(items) == 1 and isinstance(items[0], Tup):
        items = items[0].items
    if isinstance(value, Unknown):
        return None
    sizes: list[int | None] = []
    for at, item in enumerate(items):
        v = item.value if isinstance(item, (Const, Plain)) else item
        if isinstance(v, Symbol) or isinstance(v, Unknown):
            sizes.append(None)
        elif isinstance(v, bool) or not isinstance(v, int):
            s.refuse(
                "shape-elem",
                f"Shape element {at} must have type `constexpr[int]`, got {show.whole(item)}",
                item,
            )
        else:
            if v & (v - 1) or v <= 0:
                s.refuse("shape-elem", f"Shape element {at} must be a power of 2")
            sizes.append(v)
    return tuple(sizes)


def type_argument(s: Session, value: Value) -> Element | None:
    """A `dtype` argument; None where not known."""
    v = value.value if isinstance(value, (Const, Plain)) else value
    if isinstance(v, TypeOf):
        return v.element
    if isinstance(v, Library):
        scalar = LANGUAGE.get(v.name.rpartition(".")[2])
        return scalar.bit if scalar else None
    if isinstance(v, (Unknown, Symbol)):
        return None
    kind = "NoneType" if v is None else type(v).__name__
    s.refuse("dtype-not-dtype", f"'{kind}' object has no attribute 'scalar'", value)


def fixed(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    assert isinstance(op.detail, int)
    return Tensor(op.detail, (), op.name, span)


def arange(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    ends = [a["start"], a["end"]]
    values = [e.value if isinstance(e, (Const, Plain)) else e for e in ends]
    if any(isinstance(v, (Symbol, Unknown)) for v in values):
        return Tensor(INT32, (None,), "arange", span)
    if not all(isinstance(v, int) for v in values):
        s.refuse("arange", "arange's arguments must be of type tl.constexpr", *ends)
    start, end = values
    size = end - start  # type: ignore[operator]
    if start >> 32 or end >> 32:  # type: ignore[operator]
        s.refuse("arange", "arange must fit in int32")
    if size <= 0:
        s.refuse("arange", "arange's end argument must be greater than the start argument")
    if size & (size - 1):
        s.refuse("arange", "arange's range must be a power of 2")
    return Tensor(INT32, (size,), "arange", span)


def full(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    shape = dimensions(s, a["shape"])
    given = a.get("value", Const(0))
    v = given.value if isinstance(given, (Const, Plain)) else given
    wanted = a["dtype"]
    if isinstance(wanted, (Const, Plain)) and wanted.value is None and not isinstance(v, Tensor):
        s.refuse("dtype-not-dtype", "dtype must be specified when value is not a tensor")
    element = type_argument(s, wanted)
    if element is None:
        return Unknown("dtype argument")
    if isinstance(v, Tensor):
        conversion.cast(s, v, element, explicit=True)
    else:
        conversion.scalar_constant(s, v, element)
    return Tensor(element, shape, "full", span, (v,) if isinstance(v, Tensor) else ())


def like(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x = a["input"]
    if not isinstance(x, Tensor):
        return Unknown("zeros_like of a value")
    return Tensor(x.element, x.shape, "zeros_like", span, (x,))


def cast(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x = conversion.to_tensor(s, a["input"], span)
    s.span = span
    element = type_argument(s, a["dtype"])
    if element is None:
        return Unknown("dtype argument")
    if not isinstance(x, Tensor):
        return x
    bits, rounding = a["bitcast"], a["fp_downcast_rounding"]
    reinterpret = bits.value if isinstance(bits, (Const, Plain)) else True
    if isinstance(reinterpret, Symbol):
        return Unknown("bitcast of unknown truth")
    if reinterpret:
        made = conversion.bitcast(s, x, element)
        return x if made == x.element else Tensor(made, x.shape, "bitcast", span, (x,))
    word = rounding.value if isinstance(rounding, (Const, Plain)) else None
    mode = word if isinstance(word, str) else None
    if element == x.element:
        return x
    made = conversion.cast(s, x, element, explicit=True, rounding=mode)
    return Tensor(made, x.shape, f"cast {_named_by(a['dtype'])}".rstrip(), span, (x,))


def _named_by(wanted: Value) -> str:
    """The parameter that a type was given to, or ""."""
    v = wanted.value if isinstance(wanted, (Const, Plain)) else None
    return v.source if isinstance(v, TypeOf) else ""


def reshape(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x = a["input"]
    if not isinstance(x, Tensor):
        return Unknown("reshape of a value")
    shape = dimensions(s, a["shape"])
    before, after = count(x.shape), count(shape)
    if before is not None and after is not None and before != after:
        s.refuse("reshape", "reshape() cannot change total number of elements in tensor", x)
    return Tensor(x.element, shape, "reshape", span, (x,))


def ravel(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x = a["x"]
    return (
        Tensor(x.element, (count(x.shape),), "ravel", span, (x,))
        if isinstance(x, Tensor)
        else Unknown("ravel")
    )


def broadcast_to(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x = a["input"]
    if not isinstance(x, Tensor):
        return Unknown("broadcast_to of a value")
    shape = dimensions(s, a["shape"])
    if x.shape and shape is not None:
        if len(x.shape) != len(shape):
            message = f"Cannot broadcast, rank mismatch: [{show.dims(x.shape)}], [{show.dims(shape)}]"
            s.refuse("broadcast", message, x)
        for i, (have, want) in enumerate(zip(x.shape, shape)):
            if None not in (have, want) and have not in (want, 1):
                s.refuse(
                    "broadcast",
                    f"Cannot broadcast, the expanded size of the tensor ({want}) "
                    f"must match the existing size ({have}) "
                    f"at non-singleton dimension {i}: [{show.dims(x.shape)}], [{show.dims(shape)}]",
                    x,
                )
    return Tensor(x.element, shape, "broadcast", span, (x,))


def broadcast_pair(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x, y = a["input"], a["other"]
    if not isinstance(x, Tensor) or not isinstance(y, Tensor):
        return Unknown("broadcast of a value")
    shape = broadcast(s, x.shape, y.shape, x, y)
    return Tup(
        (Tensor(x.element, shape, "broadcast", span, (x,)), Tensor(y.element, shape, "broadcast", span, (y,)))
    )


def expand_dims(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    name = "input" if "input" in a else "x"
    x = conversion.to_tensor(s, a[name], span)
    axis = a["axis"] if "axis" in a else a["dim"]
    if not isinstance(x, Tensor):
        return x
    axes = [integer(i) for i in axis.items] if isinstance(axis, Tup) else [integer(axis)]
    if x.shape is None or any(i is None for i in axes):
        return Tensor(x.element, None, "expand_dims", span, (x,))
    rank = len(x.shape) + len(axes)
    dims = list(x.shape)
    for i in sorted(i + rank if i < 0 else i for i in axes if i is not None):
        if not 0 <= i < rank:
            s.refuse("index", f"invalid axis {i}. Expected {-rank} <= axis < {rank}", x)
        dims.insert(i, 1)
    return Tensor(x.element, tuple(dims), "expand_dims", span, (x,))


def permute(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x, given = a["input"], a["dims"]
    if not isinstance(x, Tensor):
        return Unknown("permute of a value")
    order = given.items if isinstance(given, Tup) else (given,)
    if len(order) == 1 and isinstance(order[0], Tup):
        order = order[0].items
    if x.shape is None:
        return Tensor(x.element, None, "permute", span, (x,))
    if not order and op.name == "tl.trans":
        if len(x.shape) < 2:
            s.refuse("permute", "tl.trans invoked with a 0- or 1-dimensional tensor", x)
        return Tensor(x.element, (*x.shape[:-2], x.shape[-1], x.shape[-2]), "trans", span, (x,))
    places = [integer(i) for i in order]
    if len(places) != len(x.shape):
        s.refuse(
            "permute",
            f"permute dims must have the same length as input shape, got {len(x.shape)} and {len(places)}",
            x,
        )
    if any(p is None for p in places):
        return Tensor(x.element, (None,) * len(places), "permute", span, (x,))
    if sorted(places) != list(range(len(places))):  # type: ignore[type-var]
        s.refuse("permute", f"permute dims must be a permutation of 0, 1, ..., n-1, but were {places}", x)
    return Tensor(x.element, tuple(x.shape[p] for p in places), "permute", span, (x,))  # type: ignore[index]


def squeeze(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x, at = a["x"], integer(a["dim"])
    if not isinstance(x, Tensor) or x.shape is None or at is None or not -len(x.shape) <= at < len(x.shape):
        return Unknown("squeeze")
    at %= len(x.shape)
    return Tensor(x.element, x.shape[:at] + x.shape[at + 1 :], "squeeze", span, (x,))


def _same_elements(s: Session, x: Tensor, y: Tensor) -> None:
    """`join`, `cat`: one MLIR element type, signedness aside."""
    if isinstance(x.element, Pointer) or isinstance(y.element, Pointer):
        if merges.common(x.element, y.element) is None:
            s.verify("mlir-join", x, y)
        return
    pairs = [(p, q) for p in members(x.element) for q in members(y.element)]
    if not any(p is q or (p.bits == q.bits and not p.floating and not q.floating) for p, q in pairs):
        s.verify("mlir-join", x, y)


def join(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x, y = a["a"], a["b"]
    if not isinstance(x, Tensor) or not isinstance(y, Tensor):
        return Unknown("join of a value")
    _same_elements(s, x, y)
    shape = broadcast(s, x.shape, y.shape, x, y)
    if op.rule == "interleave" and shape:
        last = shape[-1]
        shape = (*shape[:-1], None if last is None else 2 * last)
    else:
        shape = None if shape is None else (*shape, 2)
    return Tensor(x.element, shape, op.rule, span, (x, y))


def split(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x = a["a"]
    if not isinstance(x, Tensor):
        return Unknown("split of a value")
    if x.shape is not None:
        if not x.shape:
            s.refuse("split", "split requires a non-scalar tensor", x)
        if x.shape[-1] not in (2, None):
            s.refuse("split", f"expected last dimension to be 2 for split, got {x.shape[-1]}", x)
    shape = None if x.shape is None else x.shape[:-1]
    return Tup(tuple(Tensor(x.element, shape, "split", span, (x,)) for _ in range(2)))


def cat(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x, y = a["input"], a["other"]
    if not isinstance(x, Tensor) or not isinstance(y, Tensor):
        return Unknown("cat of a value")
    reorder = a["can_reorder"]
    if not s.modern and isinstance(reorder, Const) and not reorder.value:
        s.refuse("cat", "current implementation of `cat` always may reorder elements", x)
    _same_elements(s, x, y)
    if x.shape is None or y.shape is None or len(x.shape) != 1 or len(y.shape) != 1:
        return Tensor(x.element, None if not x.shape else (None,) * len(x.shape), "cat", span, (x, y))
    sizes = (x.shape[0], y.shape[0])
    total = None if None in sizes else sizes[0] + sizes[1]  # type: ignore[operator]
    return Tensor(x.element, (total,), "cat", span, (x, y))


def item(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x = a["input"]
    return Tensor(x.element, (), "item", span, (x,)) if isinstance(x, Tensor) else Unknown("item")


def same(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    """Hints give back their first argument, the same value."""
    return next(iter(a.values()))


def to_tensor(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    return conversion.to_tensor(s, a["x"], span)


def gather(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x, index = a["src"], a["index"]
    if not isinstance(x, Tensor) or not isinstance(index, Tensor):
        return Unknown("gather of a value")
    s.require(index.element, INTS, "gather-index", "index must be an integer tensor", index)
    return Tensor(x.element, index.shape, "gather", span, (x,))


def histogram(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x, bins = a["input"], integer(a["num_bins"])
    if not isinstance(x, Tensor):
        return Unknown("histogram of a value")
    accepted = sum(m.bit for m in members(INTS) if m.bits == 32) if s.modern else INTS
    wide = f"histogram only supports 32-bit integer input, but got {show.element(x.element)}"
    message = wide if s.modern else "histogram only supports integer input"
    s.require(x.element, accepted, "histogram", message, x)
    mask = a["mask"]
    if isinstance(mask, Tensor):
        s.require(mask.element, INT1, "mask-not-bool", "Mask must have boolean scalar type", mask)
    return Tensor(INT32, (bins,), "histogram", span, (x,))


RULES = {
    "fixed": fixed,
    "arange": arange,
    "full": full,
    "like": like,
    "cast": cast,
    "reshape": reshape,
    "ravel": ravel,
    "broadcast": broadcast_pair,
    "broadcast_to": broadcast_to,
    "expand_dims": expand_dims,
    "permute": permute,
    "squeeze": squeeze,
    "join": join,
    "interleave": join,
    "split": split,
    "cat": cat,
    "item": item,
    "same": same,
    "to_tensor": to_tensor,
    "gather": gather,
    "histogram": histogram,
}
