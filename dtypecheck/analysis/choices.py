"""The choices that a guard holds, as a reader of the program sees them: tests with their outcomes.

A choice is known by what it asks. The tests that asked it are found among those that were evaluated; what no
test asked is told in words of its own, and what a reader sees elsewhere is not told.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from ..core import ir
from ..core.dtypes import show as spelled
from ..core.spans import NOWHERE, Place, Span
from ..core.traces import Condition
from . import graph as g
from . import truth
from .dtypexpr import Symbol
from .frames import Frame
from .values import Guard
from .words import function_name, path_words

if TYPE_CHECKING:
    from .solve import Solver


NO_PLACE = Place("", NOWHERE)


@dataclass(slots=True)
class Choices:
    """What each choice is, for one solver: `tests` has a test that asks it, and whether both come out alike.

    What was evaluated since the last question is read before the next.
    """

    solver: Solver
    tests: dict[Hashable, tuple[g.Node, Frame, bool]] = field(default_factory=dict)
    read: int = 0

    def conditions(self, guard: Guard) -> tuple[Condition, ...]:
        """The choices of a guard, in the order of their places; those without one come last."""
        self._read()
        found = {one for key, way in guard if (one := self._condition(key, way)) is not None}
        return tuple(sorted(found, key=lambda c: (c.place is None, c.place or NO_PLACE, c.text)))

    # -- tests -----------------------------------------------------------------------------------

    def _read(self) -> None:
        """Notes the tests that were evaluated since the last time."""
        new = list(islice(self.solver.memo, self.read, None))
        self.read += len(new)
        for key in new:
            match key:
                case ("outcomes", test, Frame() as frame):
                    self._note(test, frame)  # type: ignore[arg-type]

    def _note(self, test: g.Node, frame: Frame) -> None:
        """The parts of a test before the whole: what they decide is not its own."""
        match test:
            case g.Operate("not" | "and" | "or", operands):
                for operand in operands:
                    self._note(operand, frame)
                return
        self.tests.setdefault(("test", frame, truth.asked(test)), (test, frame, True))
        ways = dict(truth.outcomes(self.solver, test, frame))
        for guard, outcome in ways.items():
            for key, way in guard:
                if way is True and ways.get(guard - {(key, True)} | {(key, False)}) is (not outcome):
                    self.tests.setdefault(key, (test, frame, outcome))

    def _source(self, test: g.Node, frame: Frame) -> tuple[str, Place]:
        """The code of a test, where it is tested: a variable's node stands where it got its value."""
        read = (s.span for s in frame.summary.sightings if s.node is test and not s.stored)
        tests = _tests(frame.summary.function)
        place = frame.place(next((at for at in read if any(at.within(t) for t in tests)), test.span))
        return " ".join(self.solver.store.text(place.path, place.span).split()), place

    # -- words -----------------------------------------------------------------------------------

    def _condition(self, key: Hashable, way: Hashable) -> Condition | None:
        asked = self.tests.get(key)
        if asked is not None and isinstance(way, bool):
            text, place = self._source(*asked[:2])
            if text:
                return Condition(text, way is asked[2], place)
        match key:
            case ("path", Frame() as frame, test):
                text, place = self._source(test, frame)  # type: ignore[arg-type]
                return Condition(text, bool(way), place)
            case ("join", Frame() as frame, Span() as span):
                return Condition(f"a way through the {_statement(frame, span)}", None, frame.place(span))
            case ("later turn", Frame() as frame, Span() as span):
                turns = "a later turn" if way else "the first turn"
                return Condition(f"{turns} of the {_statement(frame, span)}", None, frame.place(span))
            case ("option", Frame() as frame, g.Choice() as node) if isinstance(way, int):
                return self._return(frame, node, way)
            case ("element", g.Each() as node) if isinstance(way, int):
                return self._element(node, way)
            case (str() as kind, Symbol() as symbol, *rest):
                text = _of_symbol(kind, f"`{path_words(symbol)}`{self._whose(symbol)}", bool(way), rest)
                return Condition(text) if text else None
        return None

    def _return(self, frame: Frame, node: g.Choice, number: int) -> Condition | None:
        """Which `return` it is, where no test tells."""
        if node.options[number][0] or node is not frame.summary.result:
            return None
        return Condition("this return", None, frame.place(frame.summary.returns[number][2]))

    def _element(self, node: g.Each, number: int) -> Condition | None:
        """Which element of an iterable it is; the frame is any in which it was evaluated."""
        for key in self.solver.memo:
            match key:
                case (g.Each() as other, Frame() as frame) if other is node:
                    text, place = self._source(node.value, frame)
                    return Condition(f"element {number + 1} of `{text}`", None, place)
        return None

    def _whose(self, symbol: Symbol) -> str:
        if symbol.function == "platform":
            return ""
        return f" of {function_name(self.solver.program, symbol.function)}"


def _of_symbol(kind: str, what: str, way: bool, rest: list[object]) -> str:
    """What is chosen of something that a caller provides."""
    no = "" if way else "not "
    match kind, rest:
        case "default", []:
            return f"{what} is {'left at its default' if way else 'given'}"
        case "none", []:
            return f"{what} is {no}None"
        case "truth", []:
            return f"{what} is {'true' if way else 'false'}"
        case "equal", [value]:
            return f"{what} is {no}{value!r}"
        case "same", [Symbol() as other]:
            return f"the dtype of {what} is {no}that of `{path_words(other)}`"
        case "dtype", [int() as mask]:
            return f"the dtype of {what} is {no}{spelled(mask)}"
        case "isinstance", [_]:
            return f"{what} is {no}of the class that is asked for"
    return ""


def _tests(function: ir.Function) -> list[Span]:
    asking = (ir.If, ir.While, ir.Conditional, ir.Assert)
    return [node.test.span for node in ir.walk(function.body) if isinstance(node, asking)]


def _statement(frame: Frame, span: Span) -> str:
    """The kind of the statement at a span."""
    for node in ir.walk(frame.summary.function.body):
        if isinstance(node, (ir.For, ir.While, ir.Try)) and node.span == span:
            return "`try`" if isinstance(node, ir.Try) else "loop"
    return "statement"
