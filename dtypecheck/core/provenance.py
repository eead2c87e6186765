"""Where a value's dtype was born and how it travelled: a chain that shares its tails.

Origins never take part in equality of values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, unique

from .spans import Place


@unique
class Move(Enum):
    """What happened to a value at one place."""

    BORN = "born"
    """A new buffer was made, or a caller we cannot see provides the value."""
    DERIVED = "derived"
    """A new buffer took its dtype from the one that the parent origin describes."""
    CAST = "cast"
    STORED = "stored"
    """Assigned to an attribute or a field."""
    RETURNED = "returned"
    PASSED = "passed"
    """Given as an argument."""
    JOINED = "joined"
    """Ways met that agree on the dtype: the parent is one of them, `beside` are the others."""


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """The last move of a value, and the origin before it. `note` is the code or name concerned."""

    move: Move
    place: Place
    note: str
    parent: Origin | None = None
    beside: tuple[Origin, ...] = ()

    def chain(self) -> Iterator[Origin]:
        """From this move back to the first."""
        at: Origin | None = self
        while at is not None:
            yield at
            at = at.parent


def joined(origins: Iterable[Origin | None]) -> Origin | None:
    """One origin for values that are the same wherever they come from."""
    places: dict[Place, Origin] = {}
    for origin in origins:
        if origin is not None:
            places.setdefault(origin.place, origin)
    first, *others = places.values() or (None,)
    if first is None or not others:
        return first
    return Origin(Move.JOINED, first.place, first.note, first, tuple(o for o in others if o is not None)[:MOST])


MOST = 4
"""So many ways are remembered beside the first."""
