"""Element types, sets of them as bit masks, and their names in torch and in Triton.

A `DTypes` value is an `int`: bit `i` stands for `ALL[i]`. Ignorance is a set with more than one
member; `ANY` is the full set. Names follow torch 2.13 (`torch.<name>`) and the signature strings
of Triton 3.6 to 3.9 (`triton.runtime.jit.type_canonicalisation_dict`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, unique

DTypes = int
"""A set of dtypes: bit `DType.bit` is set for each member."""


@unique
class Kind(Enum):
    """What sort of numbers a dtype holds; the order is torch's category order."""

    BOOL = 0
    INTEGER = 1
    FLOATING = 2
    COMPLEX = 3
    QUANTIZED = 4


@dataclass(frozen=True, slots=True)
class DType:
    """One torch element type.

    `name` is the torch name; `triton` the name in a Triton signature (without `*`), or None where
    Triton has no pointer type for it; `bits` is the width of one element in bits.
    """

    name: str = field(hash=False)
    index: int
    kind: Kind = field(hash=False)
    bits: int = field(hash=False)
    signed: bool = field(hash=False)
    triton: str | None = field(hash=False)

    @property
    def bit(self) -> DTypes:
        """The set that holds this dtype alone."""
        return 1 << self.index

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return self.name


_ROWS: tuple[tuple[str, Kind, int, bool, str | None], ...] = (
    ("bool", Kind.BOOL, 1, False, "u1"),
    ("uint8", Kind.INTEGER, 8, False, "u8"),
    ("uint16", Kind.INTEGER, 16, False, "u16"),
    ("uint32", Kind.INTEGER, 32, False, "u32"),
    ("uint64", Kind.INTEGER, 64, False, "u64"),
    ("int8", Kind.INTEGER, 8, True, "i8"),
    ("int16", Kind.INTEGER, 16, True, "i16"),
    ("int32", Kind.INTEGER, 32, True, "i32"),
    ("int64", Kind.INTEGER, 64, True, "i64"),
    ("float16", Kind.FLOATING, 16, True, "fp16"),
    ("bfloat16", Kind.FLOATING, 16, True, "bf16"),
    ("float32", Kind.FLOATING, 32, True, "fp32"),
    ("float64", Kind.FLOATING, 64, True, "fp64"),
    ("float8_e4m3fn", Kind.FLOATING, 8, True, "fp8e4nv"),
    ("float8_e5m2", Kind.FLOATING, 8, True, "fp8e5"),
    ("float8_e4m3fnuz", Kind.FLOATING, 8, True, "fp8e4b8"),
    ("float8_e5m2fnuz", Kind.FLOATING, 8, True, "fp8e5b16"),
    ("float8_e8m0fnu", Kind.FLOATING, 8, False, None),
    ("float4_e2m1fn_x2", Kind.FLOATING, 8, True, None),
    ("complex32", Kind.COMPLEX, 32, True, None),
    ("complex64", Kind.COMPLEX, 64, True, None),
    ("complex128", Kind.COMPLEX, 128, True, None),
    ("qint8", Kind.QUANTIZED, 8, True, None),
    ("quint8", Kind.QUANTIZED, 8, False, None),
    ("qint32", Kind.QUANTIZED, 32, True, None),
)

ALL: tuple[DType, ...] = tuple(DType(n, i, k, b, s, t) for i, (n, k, b, s, t) in enumerate(_ROWS))
"""Every dtype known, in bit order."""

BY_NAME: dict[str, DType] = {d.name: d for d in ALL}
"""torch name -> dtype, canonical names only; see `named` for aliases."""

BY_TRITON: dict[str, DType] = {d.triton: d for d in ALL if d.triton}
"""Triton signature name -> dtype."""

_ALIASES = {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "short": "int16",
    "int": "int32",
    "long": "int64",
    "cfloat": "complex64",
    "cdouble": "complex128",
    "chalf": "complex32",
}

_TRITON_LANGUAGE = {"int1": "bool", **{d.triton: d.name for d in ALL if d.triton and d.triton[0] not in "iu"}}


def named(name: str) -> DType | None:
    """The dtype of a torch attribute name (`int32`, or an alias such as `half`), or None."""
    return BY_NAME.get(_ALIASES.get(name, name))


def triton_named(name: str) -> DType | None:
    """The dtype of a `triton.language` attribute (`int1`, `int64`, `float32`, `float8e4nv`), or None."""
    if name in _TRITON_LANGUAGE:
        return BY_NAME[_TRITON_LANGUAGE[name]]
    if name.startswith("float8e"):
        return BY_TRITON.get("fp8" + name[len("float8") :])
    found = BY_NAME.get(name)
    return found if found is not None and found.triton and found.kind is not Kind.BOOL else None


def only(*names: str) -> DTypes:
    """The set of the dtypes with these torch names."""
    return mask(BY_NAME[n] for n in names)


def mask(dtypes: Iterable[DType]) -> DTypes:
    """The set of these dtypes."""
    bits = 0
    for d in dtypes:
        bits |= d.bit
    return bits


def members(dtypes: DTypes) -> Iterator[DType]:
    """The dtypes of a set, in bit order."""
    while dtypes:
        low = dtypes & -dtypes
        yield ALL[low.bit_length() - 1]
        dtypes ^= low


def single(dtypes: DTypes) -> DType | None:
    """The one member of a set of one; None for the empty set and for larger sets."""
    if dtypes and dtypes & (dtypes - 1) == 0:
        return ALL[dtypes.bit_length() - 1]
    return None


ANY: DTypes = mask(ALL)
BOOL: DTypes = only("bool")
SIGNED: DTypes = mask(d for d in ALL if d.kind is Kind.INTEGER and d.signed)
UNSIGNED: DTypes = mask(d for d in ALL if d.kind is Kind.INTEGER and not d.signed)
INTEGER: DTypes = SIGNED | UNSIGNED
FLOATING: DTypes = mask(d for d in ALL if d.kind is Kind.FLOATING)
COMPLEX: DTypes = mask(d for d in ALL if d.kind is Kind.COMPLEX)
INDEX: DTypes = only("int32", "int64")
"""What torch and Triton code index with."""
ORDINARY: DTypes = only("float16", "bfloat16", "float32", "int32", "int64")
"""What a caller may well pass where nothing is said: a symbol refused for one of these is worth telling."""


def show(dtypes: DTypes) -> str:
    """A set as a reader wants it: `int32`, `int32 or int64`, `any dtype`, `integer`."""
    for bits, word in ((ANY, "any dtype"), (INTEGER, "any integer"), (FLOATING, "any floating")):
        if dtypes == bits:
            return word
    names = [d.name for d in members(dtypes)]
    return " or ".join(names) if names else "nothing"
