"""The solver: evaluates value-graph nodes under frames, on demand, once each.

It knows the joins (gates, choices, cycles) and hands every other node to the module that knows its
kind. Work is bounded: what exceeds a bound is `Unknown("budget")`, and counted like any other reason.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ..contracts.matching import Contracts
from ..core.provenance import Move
from ..core.spans import NOWHERE, Place, Span
from . import attributes, calls, containers, contexts, externals, names, objects, operators, truth
from . import graph as g
from .dtypexpr import Known
from .frames import Frame
from .moves import along, begun, moved
from .program import ClassDef, FunctionDef, Program
from .store import Store
from .values import (
    ALWAYS, Alternative, Array, Dictionary, Given, Guard, Instance, Many, Number, Sequence, Thunk, Value, agree,
    collapse, just, under, union, unknown,
)  # fmt: skip

RESERVE = 40_000
"""Demands beyond its own that the first launch of a file may make."""
DEPTH = 160
"""Nested demands; deeper ones are cut."""
TURNS = 4
"""How often a loop is walked before its variable becomes ignorance."""
TEST = 400
"""Demands that one test may make."""
NUMBER = 200
"""Demands that may be made for the value of what is declared a plain number."""
GUARDS = 16
NEVER = 1 << 30
Key = Hashable
T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Solver:
    """The handle that every part of the host analysis is given first."""

    program: Program
    store: Store
    contracts: Contracts = field(default_factory=Contracts)
    """What rules files say of parameters that no known caller binds."""
    fuel: int = 0
    memo: dict[Key, Any] = field(default_factory=dict)
    provisional: dict[Key, tuple[Any, int]] = field(default_factory=dict)
    """Results that rest on something still being evaluated, with the stack position of the oldest such thing."""
    active: dict[Key, int] = field(default_factory=dict)
    low: int = NEVER
    scope: int = NEVER
    """The stack position of the innermost test: what is cut in it for want of fuel rests on it."""
    cut: bool = False
    """Whether something was cut in the innermost test."""
    cycles: dict[Key, Value] = field(default_factory=dict)
    reserve: int = RESERVE
    """The fuel that launches have left for those after them."""
    sites: dict[ClassDef, list[Instance]] = field(default_factory=dict)
    links: dict[FunctionDef, list[contexts.Link]] = field(default_factory=dict)
    scopes: dict[str, object] = field(default_factory=dict)
    joins: dict[Place, Value] = field(default_factory=dict)
    """Where paths met and gave one value different dtypes."""

    def demand(self, thunk: Thunk | Given) -> Value:
        """The value of a slot, with the moves of the container that it came in."""
        if isinstance(thunk, Given):
            return thunk.value
        return along(self.force(thunk.node, thunk.frame), thunk.via)

    def force(self, node: g.Node, frame: Frame) -> Value:
        """The value of a node in a frame."""
        key = (node, frame)
        found = self.memo.get(key)
        if found is not None:
            return found
        if key in self.cycles:
            self.low = min(self.low, self.active[key])
            return self.cycles[key]
        if self.store.watch:
            place = frame.place(node.span)
            return self.once(key, lambda: begun(self._evaluate(node, frame), place), node.span)
        return self.once(key, lambda: self._evaluate(node, frame), node.span)

    def once(self, key: Key, compute: Callable[[], T], span: Span = NOWHERE) -> T | Value:
        """The result of `compute`, remembered under `key`; while it is being computed, what is certain of it.

        What rests on an unfinished result is remembered only until that is finished.
        """
        found = self.memo.get(key)
        if found is not None:
            return found
        known = self.provisional.get(key)
        if known is not None:
            self.low = min(self.low, known[1])
            return known[0]
        at = self.active.get(key)
        if at is not None:
            self.low = min(self.low, at)
            return self.cycles.get(key, ())
        mine = len(self.active)
        if mine >= DEPTH or self.fuel <= 0:
            self.low, self.cut = min(self.low, self.scope), True
            return unknown("budget", span)
        self.fuel -= 1
        outer, self.low = self.low, NEVER
        self.active[key] = mine
        try:
            value = compute()
        finally:
            del self.active[key]
            low, self.low = self.low, min(outer, self.low if self.low < mine else NEVER)
        if low < mine:
            self.provisional[key] = (value, low)
        else:
            self.memo[key] = value
            if low == mine:
                self._forget(mine)
        return value

    def within(self, limit: int, compute: Callable[[], T], otherwise: Callable[[], T]) -> T:
        """The result of `compute` if so many demands are enough for it; part of what `once` is working on.

        What is cut on the way is forgotten with it.
        """
        outer = self.scope, self.cut
        kept = max(0, self.fuel - limit)
        self.fuel -= kept
        self.scope, self.cut = len(self.active) - 1, False
        found = compute()
        if self.cut:
            found = otherwise()
        self.scope, self.cut = outer
        self.fuel += kept
        return found

    def number(self, kind: str, compute: Callable[[], Value]) -> Value:
        """What is declared a plain number: where its value takes too much to find, any number of that kind."""
        declared = just(Number(kind))
        return self.within(NUMBER, lambda: compute() or declared, lambda: declared)

    def assume(self, key: Key, value: Value) -> None:
        """Holds a part of what is being computed under `key` for certain; what rested on less is forgotten."""
        self.cycles[key] = value
        self._forget(self.active[key])

    def _forget(self, depth: int) -> None:
        """What rested on something unfinished at this depth is to be worked out anew."""
        for key in [key for key, (_, low) in self.provisional.items() if low >= depth]:
            del self.provisional[key]

    def _evaluate(self, node: g.Node, frame: Frame) -> Value:
        match node:
            case g.Literal():
                return just(containers.literal(node.value))
            case g.Apply():
                return calls.apply(self, node, frame)
            case g.Get():
                return attributes.get(self, node, frame)
            case g.Kept():
                return objects.kept(self, node, frame)
            case g.Formal():
                return self._formal(node, frame)
            case g.Free():
                return names.free(self, node, frame)
            case g.Imported():
                return names.imported(self, node, frame)
            case g.Gate():
                return self._gate(node, frame)
            case g.Choice():
                return self._choice(node, frame)
            case g.Cycle():
                return self._cycle(node, frame)
            case g.Operate():
                return operators.operate(self, node, frame)
            case g.Closure() | g.LocalClass():
                return names.local(self, node, frame)
            case g.Annotated():
                return externals.annotated(self, node, frame)
            case g.Text():
                return containers.text(self, node, frame)
            case g.Opaque(reason):
                return unknown(reason, node.span)
            case g.Elsewhere(value, home):
                return self.force(value, home)
            case g.Entered():
                return calls.entered(self, node, frame)
            case _:
                return containers.evaluate(self, node, frame)

    def _formal(self, node: g.Formal, frame: Frame) -> Value:
        given = frame.bound.get(node.name)
        if given is None:
            return externals.formal(self, node, frame)
        kind = frame.summary.numbers.get(node.name)
        if kind is not None and isinstance(given, Thunk):
            return self.number(kind, lambda: self.demand(given))
        value = self.demand(given)
        place = _passed_at(frame, given)
        return value if place is None else moved(value, Move.PASSED, place, f"{node.name} of {frame.name}")

    # -- joins -----------------------------------------------------------------------------------

    def outcomes(self, test: g.Node, frame: Frame) -> truth.Outcomes:
        """How a test can come out, and under which guards; one that costs too much may come out either way."""
        key = ("outcomes", test, frame)
        found = self.memo.get(key)
        if found is not None:
            return found
        if len(self.active) >= DEPTH or self.fuel <= 0:
            self.low, self.cut = min(self.low, self.scope), True
            return truth.either_way(test, frame)
        return self.once(
            key, lambda: self.within(TEST, lambda: truth.outcomes(self, test, frame), lambda: truth.either_way(test, frame))
        )

    def guards(self, path: g.Path, frame: Frame) -> tuple[Guard, ...]:
        """The guards under which a path is taken; none where it cannot be."""
        guards: tuple[Guard, ...] = (ALWAYS,)
        for test, wanted in path:
            ways = [guard for guard, outcome in self.outcomes(test, frame) if outcome is wanted]
            merged = {agree(a, b): None for a in guards for b in ways}
            merged.pop(None, None)
            guards = tuple(guard for guard in merged if guard is not None)
            if not guards:
                return ()
            if len(guards) > GUARDS:
                return (frozenset({(("path", frame, test), wanted)}),)
        return guards

    def _gate(self, node: g.Gate, frame: Frame) -> Value:
        if node.test is None:
            key = ("join", frame, node.span)
            ways: tuple[tuple[Guard, bool], ...] = ((frozenset({(key, True)}), True), (frozenset({(key, False)}), False))
        else:
            ways = self.outcomes(node.test, frame)
        return self._joined(
            [under(guard, self.force(node.then if outcome else node.otherwise, frame)) for guard, outcome in ways],
            frame.place(node.span),
        )

    def _joined(self, parts: list[Value], place: Place) -> Value:
        """The union of what paths give, noting where they differ in dtype."""
        value = union(parts)
        if len(value) > 1:
            found = {a.what.dtype for a in value if isinstance(a.what, Array) and isinstance(a.what.dtype, Known)}
            if len(found) > 1:
                self.joins.setdefault(place, value)
        return value

    def _choice(self, node: g.Choice, frame: Frame) -> Value:
        """Options exclude each other, also where their paths do not say so."""
        parts: list[Value] = []
        for number, (path, option) in enumerate(node.options):
            for guard in self.guards(path, frame):
                chosen = agree(guard, frozenset({(("option", frame, node), number)}))
                if chosen is not None:
                    parts.append(under(chosen, self.force(option, frame)))
        return self._joined(parts, frame.place(node.span))

    def _cycle(self, node: g.Cycle, frame: Frame) -> Value:
        """The least value that holds the start and what a turn makes of it."""
        start = value = self.force(node.start, frame)
        if node.step is None or node.step is node:
            return value
        key = (node, frame)
        for _ in range(TURNS):
            self.assume(key, value)
            turned = union((value, self.force(node.step, frame)))
            if _whats(turned) <= _whats(value):
                break
            value = turned
        else:
            value = _first_or_later(start, value, ("later turn", frame, node.span))
        del self.cycles[key]
        return _widen(value)


def _passed_at(frame: Frame, given: Thunk | Given) -> Place | None:
    """Where a parameter's argument is written; None for a receiver, and for a default."""
    if frame.site is None or frame.caller is None:
        return None
    if isinstance(given, Given):
        collected = any(isinstance(alt.what, (Sequence, Many, Dictionary)) for alt in given.value)
        return frame.caller.place(frame.site.span) if collected else None
    if any(given.node is default for default in frame.summary.defaults.values()):
        return None
    span = next((arg.span for arg in frame.site.args if arg.value is given.node), frame.site.span)
    return frame.caller.place(span)


def _whats(value: Value) -> set[object]:
    return {alt.what for alt in value}


def _first_or_later(start: Value, value: Value, later: Hashable) -> Value:
    """What a variable is in the first turn of a loop, and ignorance of what it is in later ones.

    `later` is the choice between them, the same for all variables of one loop.
    """
    others = collapse(tuple(alt for alt in value if alt not in start))
    whats = [alt.what for alt in (*others, *start)]
    arrays = [what.dtype for what in whats if isinstance(what, Array)]
    if len(others) != 1 or len(arrays) < len(whats) or arrays[0] in arrays[1:]:
        return collapse(value)
    return under(frozenset({(later, False)}), start) + under(frozenset({(later, True)}), others)


def _widen(value: Value) -> Value:
    """A counter takes many values: what matters is its kind."""
    numbers = [alt.what for alt in value if isinstance(alt.what, Number)]
    if len(numbers) > 1 and len(numbers) == len(value) and len({n.kind for n in numbers}) == 1:
        return (Alternative(ALWAYS, Number(numbers[0].kind)),)
    return value
