"""What a kernel expression can be, as the front end sees it: types of run-time values, and compile-time
values.

A `Tensor` object stands for one SSA value: the front end merges variables whose *values* differ, so identity
matters and a tensor is never copied or changed. Element sets are masks of `semantics.triton_types`; a set of
one is a known type. Compile-time values hold Python objects or a `Symbol` that stands for one we do not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Union

from ..core import ir
from ..core.spans import NOWHERE, Span

# -- types -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Pointer:
    """A pointer to elements of a set; interned by `pointer`, so equality is identity."""

    target: int
    const: bool


_POINTERS: dict[tuple[int, bool], Pointer] = {}


def pointer(target: int, const: bool = False) -> Pointer:
    """The pointer type with this target."""
    key = (target, const)
    found = _POINTERS.get(key)
    if found is None:
        found = _POINTERS[key] = Pointer(target, const)
    return found


Element = Union[int, Pointer]
"""A set of scalars, or a pointer."""

Shape = Union["tuple[int | None, ...]", None]
"""Dimensions, `()` for a scalar, None where not even the rank is known; a dimension may be None."""


@dataclass(frozen=True, slots=True)
class TypeOf:
    """A Triton type as a value: `tl.float32`, `x.dtype`, `x.type`, `tl.pointer_type(...)`.

    `source` is the parameter that it was given to, "" where the kernel itself names it.
    """

    element: Element
    shape: Shape = ()
    source: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Symbol:
    """A compile-time value that is not known. Equal keys are equal values. `kind` is a Python type name
    or ""."""

    key: tuple[object, ...]
    kind: str = ""


# -- values ----------------------------------------------------------------------------------------


class Tensor:
    """A run-time value: scalar, block, pointer, or block of pointers.

    `op` and `inputs` tell how it arose, `span` where; `op` is "param NAME" for a parameter.
    """

    __slots__ = ("element", "inputs", "op", "shape", "span")

    def __init__(
        self,
        element: Element,
        shape: Shape,
        op: str = "",
        span: Span = NOWHERE,
        inputs: tuple[Tensor, ...] = (),
    ) -> None:
        self.element = element
        self.shape = shape
        self.op = op
        self.span = span
        self.inputs = inputs

    def __repr__(self) -> str:
        return f"Tensor({self.element}, {self.shape})"


class BlockPointer:
    """`tl.make_block_ptr` of Triton 3.6: a pointer to a block; `base` is the pointer that it was made from."""

    __slots__ = ("base", "element", "shape", "span")

    def __init__(self, element: int, shape: Shape, span: Span, base: Tensor | None = None) -> None:
        self.element = element
        self.shape = shape
        self.span = span
        self.base = base


class Descriptor:
    """A tensor descriptor over blocks of `shape`; `base` is the pointer that it was made from in the kernel."""

    __slots__ = ("base", "element", "shape", "span")

    def __init__(
        self, element: int, shape: Shape, span: Span = NOWHERE, base: Tensor | None = None
    ) -> None:
        self.base = base
        self.element = element
        self.shape = shape
        self.span = span


class Const:
    """`tl.constexpr`: a number, bool, string, None, `TypeOf`, function, or `Symbol`."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"constexpr[{self.value}]"


class Plain:
    """A compile-time Python object that is not wrapped: None after `x = None`, a dtype, a string."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value


class Tup:
    """`tl.tuple`; `fields` names its items where it is a named tuple."""

    __slots__ = ("fields", "items")

    def __init__(self, items: tuple[Value, ...], fields: tuple[str, ...] | None = None) -> None:
        self.items = items
        self.fields = fields


class SliceOf:
    """`a:b:c` inside a subscript."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Value | None, Value | None, Value | None]) -> None:
        self.parts = parts

    @property
    def full(self) -> bool:
        return all(p is None for p in self.parts)


class Function:
    """A jit function that a kernel may call, and the scope that its free names resolve in."""

    __slots__ = ("node", "scope")

    def __init__(self, node: ir.Function, scope: object) -> None:
        self.node = node
        self.scope = scope


class Library:
    """A name of Triton's library or of Python's builtins, dotted and normalised: "tl.load",
    "libdevice.exp"."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class Method:
    """`owner.name`, not yet called."""

    __slots__ = ("name", "owner")

    def __init__(self, owner: Value, name: str) -> None:
        self.owner = owner
        self.name = name


class Range:
    """`range(...)`, `tl.range(...)` or `tl.static_range(...)` as a loop sees it."""

    __slots__ = ("bounds", "static")

    def __init__(self, bounds: tuple[Value, Value, Value], static: bool) -> None:
        self.bounds = bounds
        self.static = static


class Unknown:
    """Not modelled; absorbs what is done to it. The reason is counted."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason


Value = Union[
    Tensor, BlockPointer, Descriptor, Const, Plain, Tup, SliceOf, Function, Library, Method, Range, Unknown
]

# -- what a signature says of one parameter ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ScalarType:
    """A run-time number."""

    element: int


@dataclass(frozen=True, slots=True)
class PointerType:
    """A tensor argument; `const` for `*k...`."""

    element: int
    const: bool = False


@dataclass(frozen=True, slots=True)
class ConstexprType:
    """A compile-time argument, None and specialised ones included; `known` is False where the value is
    not."""

    value: object = None
    known: bool = True
    kind: str = ""


@dataclass(frozen=True, slots=True)
class TupleType:
    items: tuple[KernelType, ...]
    fields: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class DescriptorType:
    element: int
    shape: tuple[int | None, ...] | None = None


@dataclass(frozen=True, slots=True)
class UnknownType:
    """Nothing is known of the argument."""

    reason: str


KernelType = Union[ScalarType, PointerType, ConstexprType, TupleType, DescriptorType, UnknownType]
Signature = Mapping[str, KernelType]


def bind(name: str, declared: KernelType, span: Span = NOWHERE) -> Value:
    """The value that a parameter has on entry."""
    match declared:
        case ScalarType(element):
            return Tensor(element, (), f"param {name}", span)
        case PointerType(element, const):
            return Tensor(pointer(element, const), (), f"param {name}", span)
        case ConstexprType(value, known, kind):
            if isinstance(value, TypeOf):
                value = replace(value, source=name)
            return constant(value) if known else Const(Symbol(("param", name), kind))
        case TupleType(items, fields):
            return Tup(tuple(bind(f"{name}[{i}]", t, span) for i, t in enumerate(items)), fields)
        case DescriptorType(element, shape):
            return Descriptor(element, shape, span)
        case UnknownType(reason):
            return Unknown(reason)


def constant(value: object) -> Value:
    """`normalize_value`: constexpr of a Python value, tuples item by item."""
    if isinstance(value, tuple):
        return Tup(tuple(constant(v) for v in value), getattr(value, "_fields", None))
    return Const(value)


def unwrap(value: Value) -> object:
    """The Python object of a compile-time value; run-time values are themselves."""
    return value.value if isinstance(value, (Const, Plain)) else value


def is_none(value: Value | None) -> bool:
    return value is None or (isinstance(value, (Const, Plain)) and value.value is None)
