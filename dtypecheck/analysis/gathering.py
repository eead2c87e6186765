"""Ways of a value, gathered: what comes about in the same way is told once, with all that leads to it.

Choices that lead to every way tell none apart, and are not told; nor is a choice of which both outcomes do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..core.diagnostics import Step
from ..core.spans import Place
from ..core.traces import Call, Condition, Said, Traced, Way
from .choices import Choices
from .values import Guard

MOST = 40
"""So many ways are told of one value."""


@dataclass(slots=True)
class _Found:
    """What leads to one way; dicts keep the order."""

    callers: dict[tuple[Call, ...], None] = field(default_factory=dict)
    guards: dict[Guard, None] = field(default_factory=dict)


@dataclass(slots=True)
class Gathering:
    """The ways of one value. `cut`: there may be more than are kept."""

    choices: Choices
    found: dict[tuple[Said, tuple[Step, ...]], _Found] = field(default_factory=dict)
    cut: bool = False

    def add(self, said: Said, steps: tuple[Step, ...], callers: tuple[Call, ...], guard: Guard) -> None:
        """One way, in one context and under one guard."""
        if (said, steps) not in self.found and len(self.found) == MOST:
            self.cut = True
            return
        here = self.found.setdefault((said, steps), _Found())
        here.callers.setdefault(callers)
        here.guards.setdefault(guard)

    def told(self, name: str, place: Place) -> Traced:
        """All of them, each with its stations up to the place that was asked about."""
        guards = {key: simplified(one.guards) for key, one in self.found.items()}
        every = [guard for some in guards.values() for guard in some]
        common = frozenset.intersection(*every) if every else frozenset()
        ways = []
        for (said, came), one in self.found.items():
            chains = tuple(chain for chain in one.callers if chain)
            when = self._when(guard - common for guard in guards[said, came])
            ways.append(Way(said, chains, when, _to(place, said, came)))
        return Traced.of(name, place, ways, self.cut)

    def _when(self, guards: Iterable[Guard]) -> tuple[tuple[Condition, ...], ...]:
        """The choices in words; none where one of the guards has none."""
        told = dict.fromkeys(self.choices.conditions(guard) for guard in guards)
        return () if () in told else tuple(told)


def simplified(guards: Iterable[Guard]) -> tuple[Guard, ...]:
    """Guards any of which suffices, without choices of which either outcome does."""
    left = dict.fromkeys(guards)
    pending = list(left)
    while pending:
        guard = pending.pop()
        for key, way in guard if guard in left else ():
            other = guard - {(key, way)} | {(key, not way)}
            if isinstance(way, bool) and other in left:
                del left[guard], left[other]
                left.setdefault(guard - {(key, way)})
                pending.append(guard - {(key, way)})
                break
    return tuple(guard for guard in left if not any(weaker < guard for weaker in left))


def _to(place: Place, said: Said, came: tuple[Step, ...]) -> tuple[Step, ...]:
    """The stations up to the place that was asked about, which is one more where none stands on its line."""
    last = came[-1] if came else None
    if last is None or (last.place.path, last.place.span.line) == (place.path, place.span.line):
        return came
    return (*came, Step(place, "here", " or ".join(said.dtypes) or last.dtype, ""))
