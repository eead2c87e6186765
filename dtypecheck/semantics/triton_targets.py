"""What targets take: the fp8 types of each architecture (`supported_fp8_dtypes` of the backends' options)."""

from __future__ import annotations

from functools import cache

from .triton_types import ANY, FP8, bits_of, members


@cache
def supported(target: str) -> int:
    """The scalar types of a target such as "cuda:90" or "hip:gfx942"; any other name takes all."""
    kind, _, architecture = target.partition(":")
    if kind == "cuda" and architecture.isdigit():
        fp8 = bits_of("fp8e5", "fp8e4b15") | (bits_of("fp8e4nv") if int(architecture) >= 89 else 0)
        return ANY & ~FP8 | fp8
    if kind == "hip" and architecture in ("gfx942", "gfx950"):
        return ANY & ~bits_of("fp8e4b15")
    return ANY


@cache
def refusal_text(types: int, target: str) -> str:
    """The message for a type that the target does not have."""
    names = tuple(sorted(m.name for m in members(supported(target) & FP8)))
    first = next(members(types & ~supported(target)))
    return f"type {first} not supported in this architecture. The supported fp8 dtypes are {names}"
