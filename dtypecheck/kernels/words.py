"""Values of kernels in plain words: torch's names, scalars and blocks, pointers, compile-time constants."""

from __future__ import annotations

from ..core import dtypes as dt
from ..core.traces import Kind, Said
from ..semantics import triton_types
from .show import dims, whole
from .values import (
    Const,
    DescriptorType,
    KernelType,
    Plain,
    Pointer,
    PointerType,
    ScalarType,
    Shape,
    Symbol,
    Tensor,
    TypeOf,
    Unknown,
    Value,
)


TORCH = triton_types.ANY & dt.ANY


def in_words(value: Value) -> Said:
    """What a value is."""
    match value:
        case Tensor(element=Pointer() as pointer, shape=shape):
            return _typed(Kind.POINTER, pointer.target, f"{_many(shape, 'pointer', 'pointers')} to {{}}")
        case Tensor(element=int() as element, shape=shape):
            return _typed(Kind.TENSOR, element, _block(shape))
        case Const(value=Symbol()) | Plain(value=Symbol()):
            return Said(Kind.UNKNOWN, "a compile-time value that is not known", reason="constexpr")
        case Const(value=TypeOf(element=int() as element)) | Plain(value=TypeOf(element=int() as element)):
            return _typed(Kind.DTYPE, element, "{}, a dtype")
        case Const(value=None) | Plain(value=None):
            return Said(Kind.NONE, "None")
        case Const(value=constant) | Plain(value=constant):
            return Said(Kind.NUMBER, f"a compile-time constant: {constant!r}")
        case Unknown(reason=reason):
            return Said(Kind.UNKNOWN, f"unknown: {reason}", reason=reason)
    return Said(Kind.OBJECT, whole(value))


def _typed(kind: Kind, element: int, form: str) -> Said:
    names = _names(element)
    if not names:
        return Said(Kind.UNKNOWN, f"unknown: {form.format('any dtype')}", reason="several-dtypes")
    return Said(kind, form.format(" or ".join(names)), names)


def _names(element: int) -> tuple[str, ...]:
    """Torch's names of a set; none where it is any that torch has. `fp8e4b15` has none."""
    if element & TORCH == TORCH:
        return ()
    own = {d.bit: d.name for d in dt.ALL}
    return tuple(own.get(s.bit, s.name) for s in triton_types.members(element))


def names_of(declared: KernelType) -> tuple[str, ...]:
    """The dtypes of what a launch gives; none where it may be any, or is no tensor and no number."""
    match declared:
        case PointerType(element) | ScalarType(element) | DescriptorType(element):
            return _names(element)
    return ()


def _block(shape: Shape) -> str:
    if shape is None:
        return "{}"
    if shape == ():
        return "{}, a scalar"
    return "{}, a block" if not any(shape) else f"{{}}, a block of [{dims(shape)}]"


def _many(shape: Shape, one: str, several: str) -> str:
    return f"a {one}" if shape == () else f"a block of {several}"
