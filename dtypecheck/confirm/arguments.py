"""Arguments of claims, as the kernel's typing has them and as people read them."""

from __future__ import annotations

from collections.abc import Iterator

from ..core import claims as c
from ..core.dtypes import BY_NAME as DTYPES
from ..kernels import signatures as s
from ..kernels.values import KernelType, ScalarType, TypeOf
from ..semantics.triton_types import BY_NAME
from . import usual
from .usual import Draw


def described(argument: c.Argument) -> s.Argument | None:
    """An argument as typing describes it; None where nothing is known of it."""
    match argument:
        case c.Tensor(dtypes):
            return s.TensorArgument(sum(DTYPES[d].bit for d in dtypes))
        case c.Descriptor(dtypes):
            return s.DescriptorArgument(sum(DTYPES[d].bit for d in dtypes))
        case c.Number("str", value):
            return s.ConstantArgument(value, value is not None, "str")
        case c.Number(kind, value):
            return s.NumberArgument(kind, value if isinstance(value, (int, float)) else None)
        case c.Nothing():
            return s.NoneArgument()
        case c.TritonType(name):
            return s.ConstantArgument(TypeOf(BY_NAME[name].bit))
        case c.Items(items, fields):
            inner = tuple(described(i) or s.AnyArgument("open") for i in items)
            return s.TupleArgument(inner, fields or None)
    return None


def likely(name: str, declared: KernelType, bits: int, draw: Draw) -> Iterator[int]:
    """The types of this set that a parameter of this name most often has, likeliest first."""
    if isinstance(declared, ScalarType):
        first = "fp32" if usual.is_real(name) else "int32"
        yield from (BY_NAME[n].bit for n in (first, "int32", "fp32") if BY_NAME[n].bit & bits)
        return
    names = tuple(d.name for d in DTYPES.values() if d.bit & bits)
    yield from (DTYPES[chosen].bit for chosen in usual.dtypes(name, names, draw))


def shown(name: str, argument: c.Argument) -> str:
    """What was chosen for a parameter, in words."""
    match argument:
        case c.Tensor((dtype,)) | c.Descriptor((dtype,)):
            return f"{name} of {dtype}"
        case c.Number(_, value):
            return f"{name}={value!r}"
        case c.TritonType(type_):
            return f"{name}=tl.{type_}"
    return f"{name} of some kind"
