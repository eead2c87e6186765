"""Conditions of findings in words: what a caller has to provide for the launch to fail."""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.dtypexpr import Symbol
from ..analysis.facts import LaunchFact
from ..analysis.narrowing import admitted
from ..analysis.values import Guard
from ..core.dtypes import ORDINARY, DTypes, Kind, members
from .evidence import listed


def named(symbol: Symbol, fact: LaunchFact) -> str:
    """What a caller provides; with the function that it is given to, where another one launches."""
    function = symbol.function.rpartition(".")[2]
    far = fact.chain and function != fact.chain[-1].rpartition(".")[2]
    return f"`{symbol.path}` of `{function}`" if far else f"`{symbol.path}`"


def either(dtypes: DTypes) -> str:
    """`float16`, `float16 or int32`, `float16, bfloat16 or int32`: floats come first."""
    first = sorted(members(dtypes), key=lambda d: d.kind is not Kind.FLOATING)
    return listed((d.name for d in first), "or") if first else "nothing"


def condition(guard: Guard, fact: LaunchFact) -> str:
    """What the tests on a way ask of dtypes that a caller provides, and which parameters it leaves out."""
    said = dict.fromkeys(_asked(guard, fact))
    return listed(said) if said else ""


def _asked(guard: Guard, fact: LaunchFact) -> Iterator[str]:
    for key, way in sorted(guard, key=str):
        match key:
            case ("dtype", Symbol() as symbol, _):
                left = admitted(symbol, guard)
                yield f"{named(symbol, fact)} is {either(left & ORDINARY or left)}"
            case ("none", Symbol(function=function) as symbol) if way is True and function != "platform":
                yield f"{named(symbol, fact)} is None"
