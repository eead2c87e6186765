"""The answer of `dtypecheck trace` for people: what a value is and, for each way, when and whence.

Nothing is left out: a chain is shown in full, however long it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rich.text import Text

from ..core.diagnostics import Step
from ..core.spans import NOWHERE, Place
from ..core.traces import Call, Condition, Trace, Traced, Way
from .canvas import Canvas
from .formats import Options
from .frames import frame
from .rows import Row, said, shortened, shown_place, table
from .sources import Sources, printable, shown_path


def render(trace: Trace, options: Options) -> str:
    """Every value that was asked about, with blank lines between.

    Quiet: what it is, and no more; verbose: all code in full.
    """
    canvas = Canvas(options.color, options.width)
    drawing = _Drawing(trace.root, options, Sources(Path(trace.root)))
    for number, value in enumerate(trace.values):
        if number:
            canvas.blank()
        _headline(canvas, value, trace, options)
        if options.verbosity < 0:
            continue
        canvas.lines(frame(value.place, drawing.sources, canvas.width))
        for way in value.ways:
            canvas.blank()
            canvas.hanging(Text(), Text(printable(way.said.text), style="bold green"), 4)
            table(canvas, list(drawing.rows(way)))
        if value.cut:
            canvas.blank()
            canvas.hanging(Text(), Text("There are more ways than are told here."), 4)
    return canvas.text()


def _headline(canvas: Canvas, value: Traced, trace: Trace, options: Options) -> None:
    path = printable(shown_path(value.place.path, trace.root, options.base))
    place = f"{path}:{value.place.span.line}:{value.place.span.column}"
    name = f" {value.name}" if value.name else ""
    canvas.hanging(Text(), Text.assemble((place, "bold"), name, ": ", (_summary(value), "bold")), 4)


def _summary(value: Traced) -> str:
    """All that the value can be, in one line."""
    texts = list(dict.fromkeys(printable(way.said.text) for way in value.ways))
    if not texts:
        return "nothing: no way that is known leads here"
    return texts[0] if len(texts) == 1 else f"one of {len(texts)}: {'; '.join(texts)}"


NO_PLACE = Place("", NOWHERE)


@dataclass(frozen=True, slots=True)
class _Drawing:
    """One answer on its way to the canvas."""

    root: str
    options: Options
    sources: Sources

    @property
    def whole(self) -> bool:
        return self.options.verbosity > 0

    def rows(self, way: Way) -> Iterator[Row]:
        """Who calls, which choices, and the stations; a dtype that takes words is told where it is new."""
        for number, chain in enumerate(way.callers):
            yield from _labelled("or" if number else "called", map(self._call, chain))
        for number, choices in enumerate(way.when):
            yield from _labelled("or" if number else "when", map(self._condition, choices))
        before = Step(NO_PLACE, "", "", "")
        for step in way.steps:
            label = step.role if step.role != before.role else ""
            again = step.dtype == before.dtype and " " in step.dtype
            code, remark = said(replace(step, dtype="") if again else step, self.sources, self.whole)
            yield Row(label, self._place(step.place), code, remark)
            before = step

    def _call(self, call: Call) -> Row:
        code = self._code(self.sources.text(call.place))
        return Row("", self._place(call.place), code, printable(f"in {call.function}"))

    def _condition(self, choice: Condition) -> Row:
        """A test with its outcome, or words."""
        if choice.place is None:
            return Row("", printable(choice.text))
        outcome = {True: "is true", False: "is false", None: ""}[choice.outcome]
        return Row("", self._place(choice.place), self._code(choice.text), outcome)

    def _code(self, text: str) -> str:
        return printable(text) if self.whole else shortened(printable(text))

    def _place(self, place: Place) -> str:
        return shown_place(place, self.root, self.options.base)


def _labelled(label: str, rows: Iterable[Row]) -> Iterator[Row]:
    for number, row in enumerate(rows):
        yield Row("" if number else label, row.place, row.code, row.remark)
