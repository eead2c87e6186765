"""How much is known: launches found and resolved, their tensor arguments, and why the rest is not known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from ..core.diagnostics import Stats
from ..core.spans import Place
from .dtypexpr import exact, symbols
from .facts import LaunchFact, Unresolved
from .pointers import pointers
from .solve import Solver
from .values import Array, External, Nil, Unknown, Value


@dataclass(slots=True)
class Census:
    """Counts of one or more units; addable and picklable.

    `decided` is for those who judge launches to fill in.
    """

    launches: int = 0
    resolved: int = 0
    decided: int = 0
    tensors: int = 0
    known: int = 0
    symbolic: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    blinded: Counter[str] = field(default_factory=Counter)
    unresolved: Counter[str] = field(default_factory=Counter)

    def add(self, other: Census) -> None:
        for name in ("launches", "resolved", "decided", "tensors", "known", "symbolic"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.reasons.update(other.reasons)
        self.blinded.update(other.blinded)
        self.unresolved.update(other.unresolved)

    def stats(self, files: int, kernels: int) -> Stats:
        return Stats(
            files=files,
            kernels=kernels,
            launches=self.launches,
            launches_resolved=self.resolved,
            tensor_arguments=self.tensors,
            tensor_arguments_known=self.known,
            tensor_arguments_symbolic=self.symbolic,
            launches_decided=self.decided,
            unknown_reasons=_ranked(self.reasons),
            blinded_launches=_ranked(self.blinded),
            unresolved_launches=_ranked(self.unresolved),
        )


def _ranked(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def census(solver: Solver, facts: Iterable[LaunchFact | Unresolved]) -> Census:
    """The counts of some launches; an argument is known where it is in every context."""
    counts = Census()
    by_place: dict[Place, list[LaunchFact]] = {}
    for fact in facts:
        if isinstance(fact, Unresolved):
            counts.launches += 1
            counts.unresolved[fact.reason] += 1
        else:
            by_place.setdefault(fact.place, []).append(fact)
    for group in by_place.values():
        counts.launches += 1
        counts.resolved += 1
        states = [_argument(values) for values in _tensors(solver, group)]
        counts.tensors += len(states)
        counts.known += states.count("known")
        counts.symbolic += states.count("symbolic")
        reasons = [s for s in states if s not in ("known", "symbolic")]
        counts.reasons.update(reasons)
        counts.blinded.update(set(reasons))
    return counts


def _tensors(solver: Solver, group: list[LaunchFact]) -> Iterable[list[Value]]:
    """The values, over all contexts, of each parameter that gets a tensor."""
    names: dict[str, list[Value]] = {}
    addresses: set[str] = set()
    for fact in group:
        addresses |= pointers(solver.program, solver.store, fact.kernel)
        for name, given in fact.arguments.items():
            names.setdefault(name, []).append(given.value)
    for name, values in names.items():
        whats = [a.what for v in values for a in v]
        given = name in addresses and not all(isinstance(w, Nil) for w in whats)
        if given or any(isinstance(w, Array) for w in whats):
            yield values


def _argument(values: list[Value]) -> str:
    """Either "known", "symbolic", or the reason why neither."""
    state = "known"
    for value in values:
        if not value:
            return "no-value"
        for alt in value:
            match alt.what:
                case Array(dtype) if exact(dtype) is not None:
                    pass
                case Array(dtype) if symbols(dtype):
                    state = "symbolic"
                case Array():
                    return alt.what.reason or "several-dtypes"
                case External():
                    state = "symbolic"
                case Unknown(reason):
                    return reason
                case Nil():
                    pass
    return state
