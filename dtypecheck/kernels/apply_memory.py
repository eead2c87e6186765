"""Loads, stores and atomics (`TritonSemantic.load`, `store`, `_atomic_typechecking_impl`, ...)."""

from __future__ import annotations

from ..core.spans import Span
from ..semantics.triton_errors import Refusal
from ..semantics.triton_ops import Op
from ..semantics.triton_types import FLOATS, FP8, FP16, INT1, bits_of, members
from . import conversion, show
from .session import LoadFact, Session, StoreFact
from .shapes import broadcast
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


def _pointer(s: Session, value: Value, op: str) -> Tensor | Unknown | BlockPointer:
    """The address operand; what is no tensor fails on `.type`."""
    short = op.rpartition(".")[2]
    match value:
        case Tensor(element=Pointer()):
            return value
        case Tensor():
            if short.startswith("atomic") and not s.modern:
                message = f"Pointer argument of store instruction is {show.value_type(value)}"
            else:
                message = f"Unsupported ptr type {_repr(value)} in `tl.{short}`"
            s.refuse("ptr-type", message, value)
        case Unknown() | BlockPointer():
            return value
        case Const(value=v) | Plain(value=v):
            kind = "NoneType" if v is None else type(v).__name__
            word = "scalar" if s.modern else "is_ptr"
            message = (
                f"'{'constexpr_type' if isinstance(value, Const) else kind}' object has no attribute '{word}'"
            )
            s.refuse("none-pointer" if v is None else "dtype-not-dtype", message, value)
        case Descriptor():
            s.refuse("ptr-type", f"Unsupported ptr type in `tl.{short}`", value)
    return Unknown("pointer operand")


def _repr(x: Tensor) -> str:
    return show.quoted(x.element) if x.shape == () else show.type_of(x.element, x.shape)


def _optional(s: Session, value: Value, span: Span) -> Tensor | Unknown | None:
    """A mask or other: None is absent, numbers become tensors."""
    if is_none(value):
        return None
    found = conversion.to_tensor(s, value, span)
    return found if isinstance(found, (Tensor, Unknown)) else Unknown("mask")


_INT8 = bits_of("int8")


def load(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    pointer = a["pointer"]
    _check_policy(s, op, a)
    mask, other = _optional(s, a["mask"], span), _optional(s, a["other"], span)
    s.span = span
    address = _pointer(s, pointer, op.name)
    if isinstance(address, BlockPointer):
        return _load_block(s, address, mask, other, span)
    if isinstance(address, Unknown):
        return address
    assert isinstance(address.element, Pointer)
    _no_boundary(s, a, address)
    if mask is None and other is not None:
        s.refuse("other-no-mask", "`other` cannot be provided without `mask`", other)
    shape = address.shape
    for extra, word in ((mask, "Mask"), (other, "Other")):
        if isinstance(extra, Tensor):
            if shape == ():
                if extra.shape:
                    s.refuse(
                        "mask-block-scalar-ptr",
                        f"{word} argument cannot be block type if pointer argument is not a block",
                        extra,
                    )
            else:
                shape = broadcast(s, shape, extra.shape, address, extra)
    element = address.element.target
    if isinstance(other, Tensor):
        stored = element if element != INT1 else _INT8
        conversion.cast(s, other, stored, explicit=False, block=shape)
    if isinstance(mask, Tensor):
        s.expect(mask.element, INT1, "mlir-mask", mask)
    result = Tensor(element, shape, "load", span, (address,))
    s.facts.append(LoadFact(span, s.function, address, result, mask if isinstance(mask, Tensor) else None))
    return result


def _no_boundary(s: Session, a: dict[str, Value], address: Tensor) -> None:
    """3.6: `boundary_check` and `padding_option` are for block pointers."""
    for word in ("boundary_check", "padding_option"):
        given = a.get(word)
        empty = (
            given is None
            or (isinstance(given, Tup) and not given.items)
            or (isinstance(given, Const) and not given.value)
        )
        if not empty:
            s.refuse(
                "load-boundary",
                "`padding_option` or `boundary_check` argument is not supported for loading a tensor of"
                "pointers or loading a scalar. Because the compiler does not know the boundary; please "
                "use block pointers (defined by `make_block_ptr`) instead",
                address,
            )


_POLICIES = {
    "tl.load": {"cache_modifier": ("", ".ca", ".cg", ".cs", ".cv")},
    "tl.store": {"cache_modifier": ("", ".wb", ".cg", ".cs", ".wt")},
}


def _check_policy(s: Session, op: Op, a: dict[str, Value]) -> None:
    """`_normalize_cache_policy`, `_str_to_load_cache_modifier`: known words only."""
    for word, allowed in _POLICIES[op.name].items():
        given = a[word]
        if not isinstance(given, Const) or isinstance(given.value, Symbol):
            continue
        if not isinstance(given.value, str):
            if given.value is None or (not s.modern and not given.value):
                continue
            s.refuse("cache-policy", f"{word} must be a string")
        if given.value not in allowed:
            s.refuse("cache-policy", f"Cache modifier {given.value} not supported")


def _load_block(
    s: Session, address: BlockPointer, mask: Value | None, other: Value | None, span: Span
) -> Value:
    if mask is not None or other is not None:
        s.refuse(
            "blockptr-mask", "`mask` and `other` arguments cannot be specified for loading block pointers"
        )
    result = Tensor(address.element, address.shape, "load", span, ())
    s.facts.append(LoadFact(span, s.function, address, result))
    return result


def store(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    value = conversion.to_tensor(s, a["value"], span)
    mask = _optional(s, a["mask"], span)
    s.span = span
    _check_policy(s, op, a)
    address = _pointer(s, a["pointer"], op.name)
    if isinstance(address, BlockPointer):
        return _store_block(s, address, value)
    if isinstance(address, Unknown) or isinstance(value, Unknown):
        return Const(None)
    assert isinstance(address.element, Pointer) and isinstance(value, Tensor)
    if address.element.const:
        s.refuse("const-ptr-store", "Cannot store to a constant pointer", address)
    _same_block(s, address, value, mask)
    element = address.element.target
    # 3.6 turns a pointer to int1 into one to int8 before it casts, 3.9 after.
    conversion.cast(
        s, value, _INT8 if element == INT1 and not s.modern else element, explicit=False, block=address.shape
    )
    if isinstance(mask, Tensor):
        _boolean(s, mask)
    _note(s, value, address, element, "store", a["value"], mask)
    return Const(None)


def _store_block(s: Session, address: BlockPointer, value: Value) -> Value:
    if isinstance(value, Tensor) and isinstance(value.element, int) and not value.element & address.element:
        s.refuse(
            "blockptr-elt",
            f"Block element type({show.element(address.element)}) and value element type"
            f"({show.element(value.element)}) mismatch",
            value,
        )
    if isinstance(value, Tensor):
        s.facts.append(StoreFact(s.span, s.function, value, address.element, address, "store", False))
    return Const(None)


def _note(
    s: Session, value: Tensor, address: Value, element: int, op: str, given: Value, mask: Value | None = None
) -> None:
    under = mask if isinstance(mask, Tensor) else None
    s.facts.append(StoreFact(s.span, s.function, value, element, address, op, isinstance(given, Const), under))


def _same_block(s: Session, address: Tensor, value: Tensor | None, mask: Tensor | Unknown | None) -> None:
    """Value and mask must broadcast to the pointer's block, and not beyond it."""
    shape = address.shape
    for extra, word in ((value, "Value"), (mask, "Mask")):
        if not isinstance(extra, Tensor):
            continue
        if address.shape == ():
            if extra.shape:
                s.refuse(
                    "mask-block-scalar-ptr",
                    f"{word} argument cannot be block type if pointer argument is not a block",
                    extra,
                )
        else:
            shape = broadcast(s, shape, extra.shape, address, extra)
    known = (
        shape is not None and address.shape is not None and None not in shape and None not in address.shape
    )
    if known and shape != address.shape:
        s.refuse(
            "ptr-shape",
            f"Expected pointer argument to have shape [{show.dims(shape)}] "
            f"but got [{show.dims(address.shape)}]",
            address,
        )


def _boolean(s: Session, mask: Tensor) -> None:
    s.require(mask.element, INT1, "mask-not-bool", "Mask must have boolean scalar type", mask)


# -- atomics -----------------------------------------------------------------------------------------

_NARROW = bits_of("int1", "int8", "uint8", "int16", "uint16") | FP8
_HALVES = FP16 | bits_of("bf16")
_MINMAX_FLOATS = bits_of("fp32", "fp64")


def atomic(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    """`atom_red_typechecking_impl`: the value is cast to the element type."""
    kind = str(op.detail)
    value = conversion.to_tensor(s, a["val"], span)
    mask = _optional(s, a["mask"], span)
    s.span = span
    address = _pointer(s, a["pointer"], op.name)
    if isinstance(address, (Unknown, BlockPointer)) or isinstance(value, Unknown):
        return address if isinstance(address, Unknown) else Unknown("atomic operand")
    assert isinstance(address.element, Pointer) and isinstance(value, Tensor)
    if address.element.const:
        s.refuse("const-ptr-store", "Cannot store to a constant pointer", address)
    element = address.element.target
    if not s.modern:
        element = _supported(s, address, element, kind)
    _same_block(s, address, value, mask)
    conversion.cast(s, value, element, explicit=False, block=address.shape)
    if isinstance(mask, Tensor):
        _mask(s, mask)
    if s.modern and kind != "store":
        element = _supported(s, address, element, kind)
    _note(s, value, address, element, f"atomic_{kind}", a["val"], mask)
    if kind == "store":
        return Const(None)
    return Tensor(element, address.shape, f"atomic_{kind}", span, (address,))


def _mask(s: Session, mask: Tensor) -> None:
    if s.modern:
        _boolean(s, mask)
    else:
        s.expect(mask.element, INT1, "mlir-mask", mask)


def _supported(s: Session, address: Tensor, element: int, kind: str) -> int:
    """The element types that this atomic takes."""
    refused = _NARROW if kind == "add" else _NARROW | _HALVES
    floats = kind in ("max", "min")
    left = element & ~refused
    if not left or left != element:
        first = next(members(element & refused))
        refusal = Refusal("atomic-dtype", f"atomic_{kind} does not support {first}")
        if not left:
            s.refuse(refusal.id, refusal.message, address)
        s.doubt(refusal, address)
    if floats and left & FLOATS:
        wrong = left & FLOATS & ~_MINMAX_FLOATS
        message = f"atomic_{kind} not supported for dtype {show.element(wrong or left)}"
        left = s.require(left, ~wrong, "atomic-minmax-dtype", message, address)
    return left


def atomic_cas(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    """`atomic_cas` casts nothing: `cmp` and `val` must have the element type, or the verifier refuses."""
    compared, value = (conversion.to_tensor(s, a[n], span) for n in ("cmp", "val"))
    s.span = span
    address = _pointer_cas(s, a["pointer"])
    if not isinstance(address, Tensor) or not isinstance(compared, Tensor) or not isinstance(value, Tensor):
        return Unknown("atomic operand")
    assert isinstance(address.element, Pointer)
    element = address.element.target
    wide = sum(m.bit for m in members(element) if m.bits in (16, 32, 64))
    if not wide:
        s.refuse("atomic-cas-width", "atomic_cas only supports elements with width {16, 32, 64}", address)
    for given in (compared, value):
        if not _same_storage(given, element):
            s.verify("mlir-cas", address, given)
    return Tensor(value.element, value.shape, "atomic_cas", span, (value,))


def _pointer_cas(s: Session, value: Value) -> Value:
    if isinstance(value, Tensor) and not isinstance(value.element, Pointer):
        s.refuse("dtype-not-dtype", "'dtype' object has no attribute 'element_ty'", value)
    return _pointer(s, value, "tl.atomic_cas")


def _same_storage(x: Tensor, element: int) -> bool:
    """MLIR types carry no signedness: int32 and uint32 are one."""
    if isinstance(x.element, Pointer):
        return False
    pairs = ((a, b) for a in members(x.element) for b in members(element))
    return any(a is b or (a.bits == b.bits and not a.floating and not b.floating) for a, b in pairs)


def atomic_load(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    mask = _optional(s, a["mask"], span)
    s.span = span
    address = _pointer(s, a["pointer"], op.name)
    if not isinstance(address, Tensor):
        return Unknown("atomic operand")
    assert isinstance(address.element, Pointer)
    shape = address.shape
    if isinstance(mask, Tensor):
        _boolean(s, mask)
        shape = broadcast(s, shape, mask.shape, address, mask)
    return Tensor(address.element.target, shape, "atomic_load", span, (address,))


def atomic_poll(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    expected = conversion.to_tensor(s, a["expected_value"], span)
    s.span = span
    address = _pointer(s, a["pointer"], op.name)
    if not isinstance(address, Tensor) or not isinstance(expected, Tensor):
        return Unknown("atomic operand")
    assert isinstance(address.element, Pointer)
    allowed = sum(m.bit for m in members(address.element.target) if not m.floating and m.bits in (16, 32, 64))
    if not allowed:
        s.refuse("atomic-poll", "atomic_poll only supports integer elements with width {16, 32, 64}", address)
    conversion.cast(s, expected, allowed, explicit=False)
    return Tensor(INT1, address.shape, "atomic_poll", span, (address,))


RULES = {
    "load": load,
    "store": store,
    "atomic": atomic,
    "atomic_cas": atomic_cas,
    "atomic_load": atomic_load,
    "atomic_poll": atomic_poll,
}
