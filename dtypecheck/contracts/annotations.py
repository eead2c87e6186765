"""What an annotation on a parameter of a Triton kernel forces.

Triton 3.x believes some annotations without looking at the argument: `n: tl.int64` is typed i64, and
`p: "*fp32"` a pointer to fp32, whatever is passed. Annotations of helpers that kernels call force
nothing but constexpr: that is for the caller to know.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, unique

from ..core import dtypes as dt
from ..core.dtypes import DType


@unique
class Force(Enum):
    """How an annotation acts on the type of its parameter."""

    POINTER = "pointer"
    SCALAR = "scalar"
    CONSTEXPR = "constexpr"
    CONST = "const"
    """A pointer through which nothing is stored; its element type stays that of the argument."""


@dataclass(frozen=True, slots=True)
class Forced:
    """The type that an annotation forces.

    `triton` is the element or scalar type as a signature spells it ("" for constexpr and const), and
    `dtype` that type in torch, None where torch has none (`fp8e4b15`, `void`). `const` marks a pointer
    through which nothing is stored.
    """

    force: Force
    triton: str = ""
    dtype: DType | None = None
    const: bool = False


CANONICAL: dict[str, str] = {
    **{name: name for name in dt.BY_TRITON},
    **{d.name: d.triton for d in dt.ALL if d.triton is not None},
    **{"float" + t[2:]: t for t in dt.BY_TRITON if t.startswith("fp8")},
    "fp8e4b15": "fp8e4b15",
    "float8e4b15": "fp8e4b15",
    "void": "void",
    "int1": "u1",
    "uint1": "u1",
    "i1": "u1",
    "half": "fp16",
    "float": "fp32",
    "double": "fp64",
    "int": "i32",
}
"""Every type name that Triton reads in an annotation -> its name in a signature."""

_STRING = re.compile(r"""(?:"([^"\\]*)"|'([^'\\]*)')""")
_DOTTED = re.compile(r"(?:(\w+(?:\.\w+)*)\.)?(\w+)")
_POINTER_TYPE = re.compile(
    r"(?:\w+\.)*pointer_type\(\s*(?:element_ty\s*=\s*)?([\w.]+)\s*(?:,.*)?\)", re.DOTALL
)
_FOREIGN = re.compile(r"torch|np|numpy|jnp|jax|ctypes")


def forced(text: str, *, deferred: bool = False) -> Forced | None:
    """What the annotation with this source text forces; None where it forces nothing.

    `deferred` says that the module has `from __future__ import annotations`: Triton then sees the
    source text itself, in which a quoted name keeps its quotes and a call stays a call.
    """
    seen = text.strip() if deferred else _evaluated(text.strip())
    if seen is None:
        return None
    name = _normalized(seen)
    if "constexpr" in name:
        return Forced(Force.CONSTEXPR)
    prefix = "*k" if name.startswith("*k") else "*" if name.startswith("*") else ""
    element = name[len(prefix) :]
    if element in CANONICAL.values():
        force = Force.POINTER if prefix else Force.SCALAR
        return Forced(force, element, dt.BY_TRITON.get(element), prefix == "*k")
    if prefix == "*k" or "const" in name:
        return Forced(Force.CONST, const=True)
    return None


def _evaluated(text: str) -> str | None:
    """The words that Triton makes of the annotation's value; None where the value is not understood."""
    string = _STRING.fullmatch(text)
    if string is not None:
        return string[1] if string[1] is not None else string[2]
    pointer = _POINTER_TYPE.fullmatch(text)
    if pointer is not None:
        element = _evaluated(pointer[1])
        return None if element is None else "*" + element
    dotted = _DOTTED.fullmatch(text)
    if dotted is not None:
        return None if dotted[1] and _FOREIGN.match(dotted[1]) else dotted[2]
    return "constexpr" if "constexpr" in text else None


def _normalized(text: str) -> str:
    """A type in words, as Triton spells it in signatures."""
    text = text.strip()
    if text.startswith("const "):
        inner = _normalized(text.removeprefix("const"))
        return "*k" + inner[1:] if inner.startswith("*") else ""
    if text.endswith("*"):
        return "*" + _normalized(text[:-1])
    if text.startswith("*"):
        return "*" + _normalized(text[1:])
    if text.startswith("tl."):
        return _normalized(text.removeprefix("tl."))
    return CANONICAL.get(text.replace("_t", ""), text)
