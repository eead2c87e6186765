"""Triton's scalar types as bits of a set, with the names Triton prints.

The bits are those of `core.dtypes`; `fp8e4b15` has no torch dtype and takes the next free bit. `int1` is
torch's bool. Source: `triton.language.core.dtype` (3.6 to 3.9). Nothing here knows an operation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..core.dtypes import ALL, DTypes, Kind


@dataclass(frozen=True, slots=True)
class Scalar:
    """One scalar type. `name` as in messages (`int32`, `fp16`); `kind` is "b", "i", "u" or "f"."""

    name: str
    bit: DTypes
    kind: str
    bits: int

    @property
    def floating(self) -> bool:
        return self.kind == "f"

    @property
    def signed(self) -> bool:
        """Signed integer; `int1` counts as unsigned, as in `dtype.__init__`."""
        return self.kind == "i"

    @property
    def fp8(self) -> bool:
        return self.kind == "f" and self.bits == 8

    @property
    def rank(self) -> int:
        """`dtype.kind()`: boolean, integral, floating."""
        return {"b": 0, "f": 2}.get(self.kind, 1)

    def __repr__(self) -> str:
        """`dtype.__repr__`: an expression that evaluates to the type."""
        if self.name.startswith("fp"):
            return f"triton.language.float{self.name[2:]}"
        if self.name.startswith("bf"):
            return f"triton.language.bfloat{self.name[2:]}"
        return f"triton.language.{self.name}"

    def __str__(self) -> str:
        return self.name


def _scalars() -> Iterator[Scalar]:
    for d in ALL:
        if d.triton is None:
            continue
        if d.kind is Kind.BOOL:
            yield Scalar("int1", d.bit, "b", 1)
        elif d.kind is Kind.INTEGER:
            yield Scalar(d.name, d.bit, "i" if d.signed else "u", d.bits)
        else:
            yield Scalar(d.triton, d.bit, "f", d.bits)
    yield Scalar("fp8e4b15", 1 << len(ALL), "f", 8)


SCALARS: tuple[Scalar, ...] = tuple(_scalars())
"""Every scalar type that a block or pointer can hold, in bit order."""

BY_NAME: dict[str, Scalar] = {s.name: s for s in SCALARS}
BY_BIT: dict[DTypes, Scalar] = {s.bit: s for s in SCALARS}

SIGNATURE: dict[str, Scalar] = {
    **BY_NAME,
    **{("i1" if s.kind == "b" else s.kind + s.name.lstrip("uint")): s for s in SCALARS if s.kind != "f"},
    "u1": BY_NAME["int1"],
    "B": BY_NAME["int1"],
}
"""Names of a signature (`i32`, `u1`, `fp16`), as in `type_canonicalisation_dict`, and printed names."""

LANGUAGE: dict[str, Scalar] = {repr(s).rpartition(".")[2]: s for s in SCALARS}
"""Attributes of `triton.language`: `int1`, `float32`, `float8e4nv`."""


def bits_of(*names: str) -> DTypes:
    """The set of the scalars with these printed names."""
    return sum(BY_NAME[n].bit for n in names)


ANY: DTypes = sum(s.bit for s in SCALARS)
INT1: DTypes = bits_of("int1")
INT32: DTypes = bits_of("int32")
INT64: DTypes = bits_of("int64")
UINT32: DTypes = bits_of("uint32")
UINT64: DTypes = bits_of("uint64")
FP16: DTypes = bits_of("fp16")
FP32: DTypes = bits_of("fp32")
FP64: DTypes = bits_of("fp64")
FP8: DTypes = sum(s.bit for s in SCALARS if s.fp8)
FLOATS: DTypes = sum(s.bit for s in SCALARS if s.floating)
INTS: DTypes = sum(s.bit for s in SCALARS if not s.floating)
SIGNED_INTS: DTypes = sum(s.bit for s in SCALARS if s.signed)


def members(types: DTypes) -> Iterator[Scalar]:
    """The scalars of a set, in bit order; bits that Triton has no scalar for are skipped."""
    return (s for s in SCALARS if s.bit & types)


def single(types: DTypes) -> Scalar | None:
    """The one scalar of a set of one, else None."""
    return BY_BIT.get(types)


def show(types: DTypes) -> str:
    """The set as Triton would print its one member; alternatives are joined by "or"."""
    one = BY_BIT.get(types)
    if one is not None:
        return one.name
    return "any type" if types == ANY else " or ".join(s.name for s in members(types)) or "no type"
