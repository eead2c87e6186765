"""Types as Triton prints them in its messages."""

from __future__ import annotations

from ..semantics.triton_types import show as show_set
from ..semantics.triton_types import single
from .values import (
    BlockPointer,
    Const,
    Descriptor,
    Element,
    Plain,
    Pointer,
    Shape,
    Symbol,
    Tensor,
    Tup,
    TypeOf,
    Value,
)


def element(e: Element) -> str:
    """`str(dtype)`: `int32`, `pointer<fp16>`."""
    if isinstance(e, Pointer):
        return f"{'const_' if e.const else ''}pointer<{show_set(e.target)}>"
    return show_set(e)


def quoted(e: Element) -> str:
    """`repr(dtype)`: `triton.language.int32`; pointers print as they are."""
    one = None if isinstance(e, Pointer) else single(e)
    return repr(one) if one is not None else element(e)


def dims(shape: Shape) -> str:
    if shape is None:
        return "?"
    return ", ".join("?" if d is None else str(d) for d in shape)


def type_of(e: Element, shape: Shape) -> str:
    """`str(type)`: `int32` for scalars, `<['16'], int32>` for blocks."""
    if shape == ():
        return element(e)
    sizes = ["?"] if shape is None else ["?" if d is None else str(d) for d in shape]
    return f"<{sizes}, {element(e)}>"


def value_type(value: Value) -> str:
    """`str(value.type)`."""
    match value:
        case Tensor(element=e, shape=s):
            return type_of(e, s)
        case BlockPointer(element=e, shape=s):
            return f"pointer<{type_of(e, s)}>"
        case Descriptor(element=e, shape=s):
            return f"tensor_descriptor<{type_of(e, s)}>"
        case Const(value=v) | Plain(value=v):
            return f"constexpr_type[{python(v)}]"
        case Tup(items=items):
            return f"[{','.join(value_type(i) for i in items)}]"
        case _:
            return type(value).__name__


def python(value: object) -> str:
    """A compile-time Python value."""
    if isinstance(value, Symbol):
        return "?"
    if isinstance(value, TypeOf):
        return type_of(value.element, value.shape)
    return str(value)


def whole(value: Value) -> str:
    """`str(value)`: `int32[]`, `fp32[16, 32]`, `constexpr[3]`."""
    match value:
        case Tensor(element=e, shape=s):
            sizes = "?" if s is None else ", ".join(f"constexpr[{'?' if d is None else d}]" for d in s)
            return f"{element(e)}[{sizes}]"
        case BlockPointer(element=e, shape=s):
            return f"pointer<{type_of(e, s)}>[]"
        case Const(value=v):
            return f"constexpr[{python(v)}]"
        case Plain(value=v):
            return python(v)
        case Tup(items=items):
            return str([whole(i) for i in items])
        case _:
            return value_type(value)


def class_name(v: object) -> str:
    """`type(v).__name__` of a compile-time Python value."""
    if isinstance(v, TypeOf):
        return (
            "block_type" if v.shape != () else "pointer_type" if isinstance(v.element, Pointer) else "dtype"
        )
    return "tuple" if isinstance(v, Tup) else type(v).__name__


def python_class(value: Value) -> str:
    """The Python class of a value, as `type(x)` prints it."""
    match value:
        case Tensor() | BlockPointer():
            return "<class 'triton.language.core.tensor'>"
        case Const():
            return "<class 'triton.language.core.constexpr'>"
        case Tup():
            return "<class 'triton.language.core.tuple'>"
        case Descriptor():
            return "<class 'triton.language.core.tensor_descriptor'>"
        case Plain(value=v):
            return f"<class '{type(v).__name__}'>"
        case _:
            return f"<class '{type(value).__name__}'>"
