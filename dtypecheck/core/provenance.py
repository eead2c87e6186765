"""Where a value's dtype was born and how it travelled: a chain that shares its tails.

Origins never take part in equality of values.
"""

from __future__ import annotations

from collections.abc import Iterator
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


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """The last move of a value, and the origin before it. `note` is the code or name concerned."""

    move: Move
    place: Place
    note: str
    parent: Origin | None = None

    def chain(self) -> Iterator[Origin]:
        """From this move back to the first."""
        at: Origin | None = self
        while at is not None:
            yield at
            at = at.parent

    @property
    def birth(self) -> Origin:
        """The move that fixed the dtype: the newest birth, derivation or cast."""
        for origin in self.chain():
            if origin.move in (Move.BORN, Move.DERIVED, Move.CAST):
                return origin
        return self
