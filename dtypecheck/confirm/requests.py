"""From a claim to a request: every argument as JSON, what is not known chosen by a draw, and told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..core import claims as c
from ..syntax.model import FunctionEntry, ParamEntry
from . import usual
from .slices import Slice
from .usual import Draw


@dataclass(frozen=True, slots=True)
class Kernel:
    """What is known of a kernel apart from its launches; `addresses` are the parameters used as pointers."""

    entry: FunctionEntry
    slice: Slice
    addresses: frozenset[str]


@dataclass(slots=True)
class Written:
    """The arguments of one launch as JSON; `assumed` says what was chosen."""

    arguments: dict[str, Any] = field(default_factory=dict)
    guesses: dict[str, Any] = field(default_factory=dict)
    assumed: list[str] = field(default_factory=list)


def write(claim: c.Claim, kernel: Kernel, draw: Draw, changed: c.Arguments = ()) -> Written:
    """The launch of a claim, with some arguments changed."""
    made = Written()
    alike: dict[str, str] = {}
    given = {**dict(claim.arguments), **dict(changed)}
    for param in kernel.entry.params:
        argument = given.get(param.name)
        if argument is None or argument == c.Anything():
            made.guesses[param.name] = _guess(param, kernel, draw)
        else:
            made.arguments[param.name] = _value(param.name, argument, param, draw, alike, made.assumed)
    return made


def _value(
    name: str, argument: c.Argument, param: ParamEntry, draw: Draw, alike: dict[str, str], assumed: list[str]
) -> Any:
    constexpr = "constexpr" in param.annotation
    match argument:
        case c.Tensor(dtypes, like):
            chosen = alike.get(like) if like else None
            if chosen not in dtypes:
                chosen = dtypes[0] if len(dtypes) == 1 else usual.dtype(name, dtypes, draw)
                alike.setdefault(like, chosen)
            if len(dtypes) != 1:
                assumed.append(f"{name} of {chosen}")
            return {"tensor": chosen}
        case c.Number(kind, None):
            value = usual.constant(name, kind, draw) if constexpr else usual.number(name, kind, draw)
            if constexpr:
                assumed.append(f"{name}={value!r}")
            return value
        case c.Number(kind, value):
            return {"float": repr(value)} if isinstance(value, float) else value
        case c.Nothing():
            return None
        case c.TritonType(type_):
            return {"type": type_}
        case c.Items(items, fields):
            inner = [_value(name, i, param, draw, alike, assumed) for i in items]
            return {"items": inner, "fields": list(fields)}
        case c.Descriptor(dtypes):
            return {"descriptor": usual.dtype(name, dtypes, draw), "block": [draw.block, draw.block]}
        case c.Function(place):
            return {"object": "function", "place": str(place)}
        case c.Object(kind):
            return {"object": kind}
        case c.Anything():
            return 16
    raise AssertionError(argument)


def _guess(param: ParamEntry, kernel: Kernel, draw: Draw) -> Any:
    """What a parameter gets of which nothing is known."""
    if "constexpr" in param.annotation:
        return usual.constant(param.name, "", draw)
    if param.name in kernel.addresses:
        return {"tensor": usual.dtype(param.name, (*draw.floating, *draw.integer, "bool"), draw)}
    return 0.5 if usual.is_real(param.name) else 16


def packed(slice_: Slice) -> Mapping[str, Any]:
    """A slice as JSON."""
    return {
        "digest": slice_.digest,
        "text": slice_.text,
        "starts": list(slice_.starts),
        "kernel": slice_.kernel,
        "configs": list(slice_.configs),
        "heuristics": list(slice_.heuristics),
    }
