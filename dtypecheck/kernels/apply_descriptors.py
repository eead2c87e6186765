"""Tensor descriptors and 3.6's block pointers (`make_tensor_descriptor`, `descriptor_load`,
`make_block_ptr`)."""

from __future__ import annotations

from ..core.spans import Span
from ..semantics.triton_ops import Op
from ..semantics.triton_types import FLOATS, INT1, INT64, INTS, bits_of, members
from . import conversion, show
from .apply_shape import dimensions, integer
from .session import Session, StoreFact
from .values import (
    BlockPointer,
    Const,
    Descriptor,
    Plain,
    Pointer,
    Symbol,
    Tensor,
    Tup,
    Unknown,
    Value,
    is_none,
)


def offsets(s: Session, value: Value, *, wide: bool = False) -> None:
    """`_convert_elem_to_ir_value`: scalar integers; not int64 where 32 bits are wanted."""
    for item in value.items if isinstance(value, Tup) else (value,):
        if isinstance(item, (Const, Plain)):
            v = item.value
            if isinstance(v, int) and not wide and not -(2**31) <= v < 2**31:
                message = f"Expected a signed 32-bit integer, but {v} is out of range"
                s.refuse("offs-range", message, item)
            if not isinstance(v, (int, Symbol)):
                s.refuse("offs-kind", "Unsupported element type in shape/strides/offsets", item)
        elif isinstance(item, Tensor):
            _offset(s, item, wide)


_WIDE = "Expected a 32-bit integer; add a `.to(tl.int32)` to convert the value"
_WIDE_36 = (
    "Block pointers only support 32 bit `offsets/block_shape`, add a `.to(tl.int32)` or use regular indexing for 64 "
    "bit support"
)


def _offset(s: Session, item: Tensor, wide: bool) -> None:
    if item.shape and any(d != 1 for d in item.shape):
        s.refuse("offs-kind", "Expected a scalar in shape/strides/offsets", item)
    if not isinstance(item.element, int) or not item.element & INTS:
        s.refuse("offs-nonint", "Expected an integer scalar type in shape/strides/offsets", item)
    if wide:
        return
    if item.element == INT64:
        s.refuse("offs-i64", _WIDE if s.modern else _WIDE_36, item)
    if not any(m.bits == 32 for m in members(item.element)):
        s.verify("mlir-offset", item)


def make(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    base = a["base"]
    if not isinstance(base, Tensor):
        return Unknown("descriptor of a value")
    if not isinstance(base.element, Pointer):
        s.refuse("desc-base", f"base must be a pointer type, got {show.element(base.element)}", base)
    shape = dimensions(s, a["block_shape"])
    element = base.element.target
    if shape:
        _sixteen_bytes(s, element, shape[-1], base)
        _strides(s, element, a["strides"])
    for word in ("shape", "strides"):
        for item in a[word].items if isinstance(a[word], Tup) else ():  # type: ignore[union-attr]
            wanted = bits_of("int32" if word == "shape" else "int64")
            if isinstance(item, (Const, Plain)) and isinstance(item.value, float):
                conversion.scalar_constant(s, item.value, wanted)
            elif is_none(item):
                s.refuse(
                    "get-const",
                    f"get_int{32 if word == 'shape' else 64}(): incompatible function arguments.",
                    item,
                )
            elif isinstance(item, Tensor):
                conversion.cast(s, item, wanted, explicit=False)
    padding = a["padding_option"]
    if isinstance(padding, Const) and padding.value == "nan" and not element & FLOATS:
        s.refuse("pad-nan-int", "Padding option `nan` is not supported for integer blocks", base)
    return Descriptor(element, shape, span, base)


def _sixteen_bytes(s: Session, element: int, last: int | None, base: Tensor) -> None:
    if last is None:
        return
    short = [m for m in members(element) if last * (m.bits // 8) < 16]
    if short:
        size = short[0].bits // 8
        message = (
            "Descriptor block shape must have at least 16 bytes in the last dimension, "
            f"but got {last} * {size} = {last * size} bytes"
        )
        s.require(element, element & ~sum(m.bit for m in short), "desc-16b", message, base)


def _strides(s: Session, element: int, value: Value) -> None:
    if not isinstance(value, Tup) or not value.items:
        return
    last = value.items[-1]
    v = last.value if isinstance(last, (Const, Plain)) else last
    if not isinstance(v, (Symbol, Unknown)) and v != 1:
        shown = v if isinstance(v, int) else show.whole(last)
        s.refuse("desc-stride", f"Tensor descriptor last dim must be 1 but got {shown}", last)
    for stride in value.items[:-1] if s.modern else ():
        n = integer(stride)
        if n is not None:
            askew = sum(m.bit for m in members(element) if n * (m.bits // 8) % 16)
            message = f"Tensor descriptor strides must be 16-byte aligned, but got a stride of {n}"
            s.require(element, element & ~askew, "desc-stride", message, stride)


def _loaded(s: Session, d: Descriptor, offset: Value, span: Span) -> Value:
    offsets(s, offset)
    return Tensor(d.element, d.shape, "load", span)


def load(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    d = a["desc"]
    return _loaded(s, d, a["offsets"], span) if isinstance(d, Descriptor) else _expected(s, d)


def store(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    d = a["desc"]
    if not isinstance(d, Descriptor):
        return _expected(s, d)
    return _stored(s, d, a["offsets"], a["value"], "store", span)


def _expected(s: Session, d: Value) -> Value:
    if isinstance(d, Tensor):
        s.refuse("desc-expected", "expected a tensor descriptor, got tensor", d)
    return Unknown("descriptor")


_ADD = bits_of("uint32", "int32", "uint64", "fp32", "fp16", "bf16")
_MINMAX = bits_of("uint32", "int32", "uint64", "int64", "fp16", "bf16")
_BITS = bits_of("uint32", "int32", "uint64", "int64")
_REDUCTIONS = {"atomic_add": _ADD, "atomic_min": _MINMAX, "atomic_max": _MINMAX}


def _stored(s: Session, d: Descriptor, offset: Value, value: Value, name: str, span: Span) -> Value:
    if isinstance(value, Tensor):
        if name == "store":
            conversion.cast(s, value, d.element, explicit=False)
            s.facts.append(StoreFact(span, s.function, value, d.element, d, name, False))
        elif not d.element & _REDUCTIONS.get(name, _BITS):
            s.refuse("desc-dtype", "Unsupported dtype", value)
    offsets(s, offset)
    return Const(None)


def descriptor_method(
    s: Session, d: Descriptor, name: str, args: list[Value], kw: dict[str, Value], span: Span
) -> Value:
    """`desc.load(offsets)`, `desc.store(offsets, value)`, `desc.gather(...)`, atomics."""
    s.span = span
    offset = args[0] if args else kw.get("offsets", Unknown("offsets"))
    if name == "load":
        return _loaded(s, d, offset, span)
    if name == "gather" and args and isinstance(args[0], Tensor):
        rows = args[0].shape[0] if args[0].shape else None
        return Tensor(d.element, (rows, d.shape[-1] if d.shape else None), "gather", span)
    if name in ("gather", "scatter"):
        return Unknown(f"descriptor {name}") if name == "gather" else Const(None)
    value = args[1] if len(args) > 1 else kw.get("value", Unknown("value"))
    return _stored(s, d, offset, value, name, span)


def block_pointer(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    """3.6: `make_block_ptr`."""
    base = a["base"]
    if isinstance(base, (Const, Plain)):
        s.refuse("none-pointer", "'constexpr_type' object has no attribute 'is_ptr'", base)
    if not isinstance(base, Tensor):
        return Unknown("block pointer of a value")
    if not isinstance(base.element, Pointer) or base.shape:
        s.refuse(
            "blockptr-base",
            "Expected `base` to be a pointer type (but not a block pointer type or others)",
            base,
        )
    offsets(s, a["offsets"])
    offsets(s, a["shape"], wide=True)
    offsets(s, a["strides"], wide=True)
    element = base.element.target
    if element & INT1:
        element = element & ~INT1 | bits_of("int8")
    return BlockPointer(element, dimensions(s, a["block_shape"]), span, base)


def advance(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    base = a["base"]
    if not isinstance(base, BlockPointer):
        return Unknown("advance of a value")
    offsets(s, a["offsets"])
    return BlockPointer(base.element, base.shape, span, base.base)


RULES = {
    "descriptor": make,
    "descriptor_load": load,
    "descriptor_store": store,
    "block_pointer": block_pointer,
    "advance": advance,
}
