"""Requests of a worker, as JSON: slices and the arguments of launches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core import claims as c
from .slices import Slice

BLOCK = 64
"""A side of the block of a tensor descriptor, which no launch tells."""


def request(
    do: str,
    slice_: Slice,
    target: str,
    arguments: Mapping[str, c.Argument],
    guesses: Mapping[str, c.Argument],
) -> dict[str, Any]:
    """A request about one launch of a slice's kernel."""
    return {
        "do": do,
        "target": target,
        "slice": _packed(slice_),
        "arguments": {n: described(a) for n, a in arguments.items()},
        "guesses": {n: described(a) for n, a in guesses.items()},
    }


def _packed(slice_: Slice) -> dict[str, Any]:
    """A slice as JSON."""
    return {
        "digest": slice_.digest,
        "text": slice_.text,
        "starts": list(slice_.starts),
        "kernel": slice_.kernel,
        "configs": list(slice_.configs),
        "heuristics": list(slice_.heuristics),
    }


def described(argument: c.Argument) -> Any:
    """One argument as JSON: numbers, text and None are themselves."""
    match argument:
        case c.Tensor((dtype, *_)):
            return {"tensor": dtype}
        case c.Descriptor((dtype, *_), rank):
            sides = [1] * (rank - 2) + [BLOCK] * min(rank or 2, 2)
            return {"descriptor": dtype, "block": sides}
        case c.Number("double", _):
            return {"double": 0.5}
        case c.Number(_, float() as value):
            return {"float": repr(value)}
        case c.Number(_, value):
            return value
        case c.Nothing():
            return None
        case c.TritonType(name):
            return {"type": name}
        case c.Items(items, fields):
            return {"items": [described(i) for i in items], "fields": list(fields)}
        case c.Object(kind):
            return {"object": kind}
        case c.Function():
            return {"object": "function"}
    return 16
