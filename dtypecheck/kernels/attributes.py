"""Attributes of kernel values: `x.dtype`, `x.shape`, `p.dtype.element_ty`, methods, names of modules.

Source: `get_Attribute`, `language.core.tensor`, `dtype`, `pointer_type`, `block_type`.
"""

from __future__ import annotations

import math

from ..semantics.triton_ops import DESCRIPTOR_METHODS, NOT_MODELLED, TENSOR_METHODS, operations
from ..semantics.triton_types import FLOATS, FP8, INT1, INTS, LANGUAGE, SIGNED_INTS, members, single
from . import show
from .names import MATH, canonical
from .session import Session
from .shapes import count
from .values import (
    BlockPointer,
    Const,
    Descriptor,
    Library,
    Method,
    Plain,
    Pointer,
    Symbol,
    Tensor,
    Tup,
    TypeOf,
    Unknown,
    Value,
    pointer,
)  # fmt: skip


def attribute(s: Session, value: Value, name: str) -> Value:
    """`value.name`."""
    match value:
        case Tensor():
            return _tensor(s, value, name)
        case Library(name=owner):
            return named(s, f"{owner}.{name}")
        case Plain(value=TypeOf() as t) | Const(value=TypeOf() as t):
            return Plain(t) if name == "value" else type_attribute(s, t, name)
        case Const(value=v) | Plain(value=v):
            return _constant(s, v, name)
        case Tup():
            return _tuple(s, value, name)
        case Descriptor():
            return _descriptor(s, value, name)
        case Unknown():
            return value
        case BlockPointer() if name == "dtype":
            return Plain(TypeOf(pointer(value.element)))
        case BlockPointer() if name in ("load", "store", "advance"):
            return Method(value, name)
    return Unknown(f"attribute {name}")


def named(s: Session, dotted: str) -> Value:
    """A library name: a type where it names one; what the module does not have is an AttributeError."""
    key = (dotted, s.version)
    known = _NAMED.get(key)
    if known is None:
        known = _NAMED[key] = _named(s, dotted)
    return known


_NAMED: dict[tuple[str, tuple[int, int]], Value] = {}


def _named(s: Session, dotted: str) -> Value:
    name = canonical(dotted)
    owner, _, last = name.rpartition(".")
    if owner == "tl":
        scalar = LANGUAGE.get(last)
        if scalar is not None:
            return Plain(TypeOf(scalar.bit))
        direct = dotted in (f"tl.{last}", f"triton.language.{last}")
        if direct and last not in NOT_MODELLED and name not in operations(s.version):
            s.refuse("tl-attr", f"module 'triton.language' has no attribute '{last}'")
    elif owner == "tl.math" and last not in MATH:
        s.refuse("tl-attr", f"module 'triton.language.math' has no attribute '{last}'")
    elif owner == "math" and isinstance(number := getattr(math, last, None), float):
        return Const(number)
    return Library(name)


def sizes(s: Session, shape: tuple[int | None, ...] | None) -> Value:
    """`x.shape`."""
    if shape is None:
        return Unknown("shape of a block")
    dims = (Symbol(("dim", s.number(shape), i), "int") if d is None else d for i, d in enumerate(shape))
    return Tup(tuple(Const(d) for d in dims))


def _tensor(s: Session, x: Tensor, name: str) -> Value:
    if name == "dtype":
        return Plain(TypeOf(x.element))
    if name in TENSOR_METHODS:
        return Method(x, name)
    if name == "type":
        return Plain(TypeOf(x.element, x.shape))
    if name == "shape":
        return sizes(s, x.shape)
    if name == "numel":
        total = count(x.shape)
        return Const(Symbol(("numel", x.shape), "int") if total is None else total)
    if name == "T":
        if x.shape is not None and len(x.shape) != 2:
            s.refuse(
                "permute",
                f"permute dims must have the same length as input shape, got {len(x.shape)} and 2",
                x,
            )
        return Tensor(x.element, x.shape and x.shape[::-1], "T", s.span, (x,))
    if name.startswith("_") or name == "handle":
        return Unknown(f"attribute {name}")
    id = "desc-noattr" if name in DESCRIPTOR_METHODS else "tensor-attr"
    s.refuse(id, f"'tensor' object has no attribute '{name}'", x)


_PREDICATES: dict[str, int] = {
    "is_floating": FLOATS,
    "is_int": INTS,
    "is_int_signed": SIGNED_INTS,
    "is_int_unsigned": INTS & ~SIGNED_INTS,
    "is_fp8": FP8,
    "is_bool": INT1,
    "is_standard_floating": FLOATS & ~FP8,
}
_WIDTHS = ("primitive_bitwidth", "int_bitwidth", "itemsize")


def type_attribute(s: Session, t: TypeOf, name: str) -> Value:
    """An attribute of a type; predicates are methods and are answered when called."""
    e = t.element
    if name == "scalar":
        return Plain(TypeOf(e))
    if name == "element_ty":
        if t.shape != ():
            return Plain(TypeOf(e))
        if isinstance(e, Pointer):
            return Plain(TypeOf(e.target))
        s.refuse("dtype-not-dtype", "'dtype' object has no attribute 'element_ty'")
    if name == "shape" and t.shape != ():
        return sizes(s, t.shape)
    if name == "numel" and t.shape != ():
        return Const(count(t.shape) or Symbol(("numel", t.shape), "int"))
    if name in _WIDTHS and isinstance(e, int):
        widths = {m.bits for m in members(e)}
        return Const(widths.pop()) if len(widths) == 1 else Const(Symbol((name, e), "int"))
    if name == "name":
        return (
            Const(show.type_of(e, t.shape))
            if isinstance(e, Pointer) or single(e)
            else Const(Symbol((name, e), "str"))
        )
    if name.startswith(("is_", "get_int", "with_", "kind", "codegen")):
        return Method(Plain(t), name)
    return Unknown(f"type attribute {name}")


def type_method(t: TypeOf, name: str, args: tuple[Value, ...]) -> Value:
    """`t.is_floating()` and its like."""
    e = t.element
    if name == "is_ptr":
        return Const(isinstance(e, Pointer) and t.shape == ())
    if name == "is_block":
        return Const(t.shape != ())
    if name == "is_const":
        return Const(isinstance(e, Pointer) and e.const)
    if isinstance(e, Pointer):
        return Const(False) if name.startswith("is_") else Unknown(f"type method {name}")
    if name in _PREDICATES:
        return _belongs(e if t.shape == () else 0, _PREDICATES[name], name)
    if name.startswith("is_"):
        named = sum(m.bit for m in members(e) if m.name == name[3:])
        return _belongs(e, named, name) if t.shape == () else Const(False)
    return Unknown(f"type method {name}")


def _belongs(types: int, wanted: int, name: str) -> Value:
    if not types & wanted:
        return Const(False)
    return Const(True) if not types & ~wanted else Const(Symbol((name, types), "bool"))


def _constant(s: Session, v: object, name: str) -> Value:
    if name == "value":
        return Const(v)
    if isinstance(v, Symbol):
        return Unknown("attribute of an unknown constexpr")
    if name in ("type", "T"):
        return Unknown("type of a constexpr")
    kind = "NoneType" if v is None else type(v).__name__
    if v is None or (isinstance(v, (bool, int, float)) and not hasattr(v, name)):
        id = "none-pointer" if v is None else "dtype-not-dtype"
        s.refuse(id, f"'{kind}' object has no attribute '{name}'")
    if isinstance(v, str):
        return Method(Const(v), name)
    return Unknown(f"attribute {name} of a {kind}")


def _tuple(s: Session, value: Tup, name: str) -> Value:
    if value.fields is not None and name in value.fields:
        return value.items[value.fields.index(name)]
    if name == "values":
        return value
    if name in ("type", "_fields", "index", "count"):
        return Unknown(f"tuple attribute {name}")
    s.refuse("tuple-attr", f"'tuple' object has no attribute {name}")


def _descriptor(s: Session, d: Descriptor, name: str) -> Value:
    if name in DESCRIPTOR_METHODS:
        return Method(d, name)
    if name == "dtype":
        return Plain(TypeOf(d.element))
    if name in ("block_type",):
        return Plain(TypeOf(d.element, d.shape))
    if name == "block_shape":
        return sizes(s, d.shape)
    return Unknown(f"descriptor attribute {name}")
