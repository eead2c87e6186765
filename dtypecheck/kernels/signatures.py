"""From a launch argument to the type that a kernel parameter has.

Sources: `native_specialize_impl`, `KernelParam.annotation_type`, `type_canonicalisation_dict` (identical
in Triton 3.6.0 and 3.9.0). A parameter's annotation wins over the argument, unchecked; an integer 1
becomes a constant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from ..core import ir
from ..core.dtypes import DTypes
from ..semantics.triton_errors import Refusal
from ..semantics.triton_types import ANY, BY_NAME, LANGUAGE, SIGNATURE, UINT64
from .semantics import is_constexpr
from .values import ConstexprType, DescriptorType, KernelType, PointerType, ScalarType, TupleType, UnknownType

# -- what is known of an argument --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TensorArgument:
    """A tensor, 0-dimensional ones too; a set of torch dtypes."""

    dtypes: DTypes


@dataclass(frozen=True, slots=True)
class NumberArgument:
    """A Python number: `kind` is "int", "float" or "bool"; `value` is None where it is not known."""

    kind: str
    value: int | float | None = None


@dataclass(frozen=True, slots=True)
class NoneArgument:
    pass


@dataclass(frozen=True, slots=True)
class ConstantArgument:
    """A compile-time object: what a constexpr parameter gets, or a `tl.constexpr`."""

    value: object = None
    known: bool = True
    kind: str = ""


@dataclass(frozen=True, slots=True)
class TupleArgument:
    items: tuple[Argument, ...]
    fields: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class DescriptorArgument:
    """A host `TensorDescriptor`."""

    dtypes: DTypes
    shape: tuple[int | None, ...] | None = None


@dataclass(frozen=True, slots=True)
class ObjectArgument:
    """Anything else: a string, list, dict, dtype; `kind` is its class name."""

    kind: str
    value: object = None


@dataclass(frozen=True, slots=True)
class AnyArgument:
    """Nothing is known."""

    reason: str


Argument = Union[
    TensorArgument, NumberArgument, NoneArgument, ConstantArgument, TupleArgument, DescriptorArgument,
    ObjectArgument, AnyArgument,
]  # fmt: skip

_INT32, _INT64, _FP32, _BOOL = (BY_NAME[n].bit for n in ("int32", "int64", "fp32", "int1"))


def parameter_type(param: ir.Param, argument: Argument, specialised: bool = True) -> KernelType | Refusal:
    """The type of one parameter; `specialised` is False where `do_not_specialize` lists it."""
    if is_constexpr(param.annotation):
        return _constant(argument)
    forced = annotated(param.annotation)
    if forced is not None:
        return forced
    return argument_type(argument, specialised, const=_const(param.annotation))


def argument_type(argument: Argument, specialised: bool = True, const: bool = False) -> KernelType | Refusal:
    """`native_specialize_impl`."""
    match argument:
        case TensorArgument(dtypes):
            known = dtypes & ANY
            if not known:
                return Refusal("spec-dtype", "tensor dtype without a Triton type", "launch")
            return PointerType(known, const)
        case NumberArgument():
            return _number(argument, specialised)
        case NoneArgument():
            return ConstexprType(None)
        case ConstantArgument(value, known, kind):
            return ConstexprType(value, known, kind)
        case TupleArgument(items, fields):
            types = [argument_type(i, specialised) for i in items]
            refused = next((t for t in types if isinstance(t, Refusal)), None)
            return refused or TupleType(tuple(t for t in types if not isinstance(t, Refusal)), fields)
        case DescriptorArgument(dtypes, shape):
            return DescriptorType(dtypes & ANY, shape)
        case ObjectArgument(kind):
            return Refusal("spec-unsupported", f"failed to specialize argument of type: {kind}", "launch")
        case AnyArgument(reason):
            return UnknownType(reason)


def _number(argument: NumberArgument, specialised: bool) -> KernelType | Refusal:
    if argument.kind == "bool":
        return ScalarType(_BOOL)
    if argument.kind == "float":
        return ScalarType(_FP32)
    value = argument.value
    if not isinstance(value, int):
        return ScalarType(_INT32)
    if value == 1 and specialised:
        return ConstexprType(1)
    if -(2**31) <= value < 2**31:
        return ScalarType(_INT32)
    if -(2**63) <= value < 2**63:
        return ScalarType(_INT64)
    if 0 <= value < 2**64:
        return ScalarType(UINT64)
    return Refusal("spec-overflow", "integer to be specialized too large to represent", "launch")


def _constant(argument: Argument) -> KernelType:
    """A constexpr parameter takes whatever it is given."""
    match argument:
        case NumberArgument(kind, value):
            return ConstexprType(value, value is not None, kind)
        case NoneArgument():
            return ConstexprType(None)
        case ConstantArgument(value, known, kind):
            return ConstexprType(value, known, kind)
        case ObjectArgument(kind, value):
            return ConstexprType(value, value is not None, kind)
        case TupleArgument(items, fields):
            return TupleType(tuple(_constant(i) for i in items), fields)
    return ConstexprType(None, False)


# -- annotations -------------------------------------------------------------------------------------

_PYTHON = {"int": "i32", "float": "fp32", "bool": "u1"}


def annotated(annotation: ir.Expr | None) -> KernelType | None:
    """The type that an annotation forces, or None where it says nothing of the type."""
    match annotation:
        case ir.Const(value=str(text)):
            return _named(text.strip())
        case ir.Name(id=name):
            return _named(name)
        case ir.Attribute(attr=name):
            return _scalar(name)
        case ir.Call(
            func=ir.Attribute(attr="pointer_type") | ir.Name(id="pointer_type"),
            args=(ir.Arg(value=inner), *_),
        ):
            target = annotated(inner)
            return PointerType(target.element) if isinstance(target, ScalarType) else None
    return None


def _named(text: str) -> KernelType | None:
    """`_normalize_ty` of a string: `i64`, `*fp32`, `*ki8`, `tl.int64`, `int`."""
    if text.startswith("*"):
        const = text.startswith("*k")
        target = _named(text[2:] if const else text[1:])
        return PointerType(target.element, const) if isinstance(target, ScalarType) else None
    name = text.removeprefix("tl.").removeprefix("triton.language.")
    name = _PYTHON.get(name, name)
    if name in SIGNATURE:
        return ScalarType(SIGNATURE[name].bit)
    return _scalar(name)


def _scalar(name: str) -> KernelType | None:
    found = LANGUAGE.get(name)
    return None if found is None else ScalarType(found.bit)


def _const(annotation: ir.Expr | None) -> bool:
    """`tl.const`: the pointer may not be stored through."""
    match annotation:
        case ir.Attribute(attr="const") | ir.Name(id="const"):
            return True
        case ir.Const(value=str(text)):
            return text.endswith("const") or text.startswith("*k")
    return False
