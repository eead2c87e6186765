"""What becomes of a value's origin when the value moves: as an argument, as a result, or into an attribute.

What is in a container moves with it, and is told so when it is asked for.
"""

from __future__ import annotations

from dataclasses import replace

from ..core.provenance import Move, Origin
from ..core.spans import Place
from .dtypexpr import Of
from .values import (
    Abstract,
    Alternative,
    Array,
    Dictionary,
    External,
    Given,
    Instance,
    Many,
    Sequence,
    Station,
    Thunk,
    Unknown,
    Value,
)

MOVERS = (Array, External, Unknown, Sequence, Many, Dictionary, Instance)


def moved(value: Value, move: Move, place: Place, note: str) -> Value:
    """The same value after one more move, and with it whatever it holds."""
    if not any(isinstance(alt.what, MOVERS) for alt in value):
        return value
    station = Station(move, place, note)
    return tuple(Alternative(alt.guard, _moved(alt.what, station)) for alt in value)


def along(value: Value, via: tuple[Station, ...]) -> Value:
    """A value that came in something that made these moves."""
    for at in via:
        value = moved(value, at.move, at.place, at.note)
    return value


def begun(value: Value, place: Place) -> Value:
    """A value as it is at `place`: what may be a tensor or not, and has no origin yet, begins there."""
    return tuple(Alternative(alt.guard, _begun(alt.what, place)) for alt in value)


def _begun(what: Abstract, place: Place) -> Abstract:
    match what:
        case Unknown(reason, origin=None):
            return replace(what, origin=Origin(Move.LOST, place, reason))
        case External(symbol, None):
            note = f"parameter `{symbol.path}` of {symbol.function}"
            return External(symbol, Origin(Move.GIVEN, place, note, dtype=Of(symbol)))
        case Many(kind, elements):
            slots = (Given(begun(e.value, place)) if isinstance(e, Given) else e for e in elements)
            return Many(kind, tuple(slots))
    return what


def _moved(what: Abstract, at: Station) -> Abstract:
    match what:
        case Array(dtype, origin=Origin() as origin):
            return replace(what, origin=Origin(at.move, at.place, at.note, origin, dtype))
        case External(symbol, origin=Origin() as origin):
            return replace(what, origin=Origin(at.move, at.place, at.note, origin, Of(symbol)))
        case Unknown(origin=Origin() as origin):
            return replace(what, origin=Origin(at.move, at.place, at.note, origin))
        case Sequence(kind, items, names):
            return Sequence(kind, _all(items, at), names)
        case Many(kind, elements):
            return Many(kind, _all(elements, at))
        case Dictionary(items, rest):
            return Dictionary(tuple((key, _with(slot, at)) for key, slot in items), _all(rest, at))
        case Instance() if what.made is not None:
            return replace(what, via=(*what.via, at))
    return what


def _all(slots: tuple[Thunk | Given, ...], at: Station) -> tuple[Thunk | Given, ...]:
    return tuple(_with(slot, at) for slot in slots)


def _with(slot: Thunk | Given, at: Station) -> Thunk | Given:
    if isinstance(slot, Given):
        return Given(moved(slot.value, at.move, at.place, at.note))
    return Thunk(slot.node, slot.frame, (*slot.via, at))
