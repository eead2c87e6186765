"""Where a value's dtype was born and how it travelled: a chain that shares its tails.

Origins never take part in equality of values.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, unique

from .spans import Place

Choices = frozenset[tuple[Hashable, Hashable]]
"""What was chosen on a way: (what was chosen, which way)."""


@unique
class Move(Enum):
    """What happened to a value at one place."""

    BORN = "born"
    """A new buffer was made, or a caller we cannot see provides the value.

    A parent is the value of such a caller that the buffer takes its dtype from.
    """
    DERIVED = "derived"
    """A new buffer took its dtype from the one that the parent origin describes."""
    CAST = "cast"
    STORED = "stored"
    """Assigned to an attribute or a field."""
    RETURNED = "returned"
    PASSED = "passed"
    """Given as an argument."""
    GIVEN = "given"
    """A caller we cannot see provides something that may be a tensor or not."""
    LOST = "lost"
    """From here on nothing is known."""
    JOINED = "joined"
    """Ways met that agree on the dtype: the parent is the first of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """The last move of a value, and the origin before it. `note` is the code or name concerned.

    `dtype` is what the value has after the move, as the analysis has it; `ways` are those that were joined.
    """

    move: Move
    place: Place
    note: str
    parent: Origin | None = None
    dtype: object = None
    ways: tuple[tuple[Choices, Origin], ...] = ()

    def chain(self) -> Iterator[Origin]:
        """From this move back to the first."""
        at: Origin | None = self
        while at is not None:
            yield at
            at = at.parent


def joined(ways: Iterable[tuple[Choices, Origin | None]]) -> Origin | None:
    """One origin for values that are the same wherever they come from, each with what was chosen for it."""
    routes: dict[tuple[Place, ...], tuple[Origin, dict[Choices, None]]] = {}
    for choices, origin in _apart(ways):
        route = tuple(at.place for at in origin.chain())
        routes.setdefault(route, (origin, {}))[1].setdefault(choices)
    kept = list(routes.values())[:MOST]
    if len(kept) < 2:
        return kept[0][0] if kept else None
    first = kept[0][0]
    told = tuple((chosen, origin) for origin, choices in kept for chosen in _few(tuple(choices)))
    return Origin(Move.JOINED, first.place, first.note, first, first.dtype, told)


def _few(choices: tuple[Choices, ...]) -> tuple[Choices, ...]:
    """The choices that one way can come from; of very many only what they share."""
    return choices if len(choices) <= MOST else (frozenset.intersection(*choices),)


def _apart(ways: Iterable[tuple[Choices, Origin | None]]) -> Iterator[tuple[Choices, Origin]]:
    """The ways one by one, those that were joined before among them."""
    for choices, origin in ways:
        if origin is None:
            continue
        for before, way in origin.ways or ((frozenset(), origin),):
            both = choices | before
            if len({what for what, _ in both}) == len(both):
                yield both, way


MOST = 5
"""So many ways are remembered, and so many choices for each of them."""
