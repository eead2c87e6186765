"""The report for people: a headline, the source line, then how the dtype travelled.

Rows are label, place, code and what happened there. Where they do not fit the width, code and remark go
below one another; without a width nothing is wrapped or cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from ..core.diagnostics import Applicability, Certainty, Diagnostic, Report, Severity, State, Step
from ..core.spans import Place
from .canvas import Canvas
from .formats import Options
from .frames import frame
from .sources import Sources, printable, shown_path
from .summary import summary

INDENT = 12
"""Where places and remarks start: two blanks, a label of up to eight, two blanks."""
CODE_WIDTH = 44
MOST_STEPS = 8
"""Longer traces lose their middle, unless all of it is asked for."""


@dataclass(frozen=True, slots=True)
class _Row:
    label: str
    place: str
    code: str
    remark: str


def render(report: Report, options: Options) -> str:
    """Every finding, with blank lines between, and what the run saw."""
    canvas = Canvas(options.color, options.width)
    sources = Sources(Path(report.root))
    for finding in report.findings:
        _headline(canvas, finding, report, options)
        canvas.lines(frame(finding.primary, sources, canvas.width))
        rows = _rows(finding, report, options, sources)
        _table(canvas, rows)
        for label, text, style in _remarks(finding):
            canvas.hanging(Text(f"  {label:<8}  ", style="dim"), Text(printable(text), style=style), INDENT)
        canvas.blank()
    if options.verbosity >= 0:
        for line in summary(report, options.verbosity):
            canvas.hanging(Text(), line, 0)
    return canvas.text()


def _headline(canvas: Canvas, f: Diagnostic, report: Report, options: Options) -> None:
    color = "bold red" if f.severity is Severity.ERROR else "bold yellow"
    path = printable(shown_path(f.primary.path, report.root, options.base))
    possible = " (possible)" if f.certainty is Certainty.POSSIBLE else ""
    head = Text.assemble(
        (f"{path}:{f.primary.span.line}:{f.primary.span.column}", "bold"),
        " ",
        (f.code, color),
        f" {f.slug}{possible}: ",
        (printable(f.message), "bold"),
    )
    canvas.hanging(Text(), head, 4)


def _rows(f: Diagnostic, report: Report, options: Options, sources: Sources) -> list[_Row]:
    steps = list(f.trace)
    if not steps and f.launch is not None and f.launch != f.primary:
        steps = [Step(f.launch, "launched", "", "")]
    hidden = len(steps) - MOST_STEPS
    whole = hidden <= 0 or options.verbosity > 0
    rows = []
    before = ""
    for index, step in enumerate(steps):
        if not whole and index == MOST_STEPS // 2:
            rows.append(_Row("", f"({hidden} more {'step' if hidden == 1 else 'steps'}: -v)", "", ""))
        if not whole and MOST_STEPS // 2 <= index < MOST_STEPS // 2 + hidden:
            continue
        label = step.role if step.role != before else ""
        before = step.role
        rows.append(_Row(label, _where(step.place, report, options), *_said(step, sources)))
    return rows


def _where(place: Place, report: Report, options: Options) -> str:
    return printable(f"{shown_path(place.path, report.root, options.base)}:{place.span.line}")


def _said(step: Step, sources: Sources) -> tuple[str, str]:
    """The code of a step and the remark on it; a note that names the dtype, or is the code, stands alone."""
    code = printable(sources.text(step.place))
    if cell_len(code) > CODE_WIDTH:
        code = set_cell_size(code, CODE_WIDTH - 3).rstrip() + "..."
    note = printable(step.note)
    if note == code:
        note = ""
    remark = note if step.dtype in note else f"{step.dtype}, {note}" if note else step.dtype
    return code, remark


def _table(canvas: Canvas, rows: list[_Row]) -> None:
    places = max((cell_len(r.place) for r in rows if r.code or r.remark), default=0) + 2
    codes = max((cell_len(r.code) for r in rows), default=0)
    codes = codes + 2 if codes else 0
    wide = INDENT + places + codes + max((cell_len(r.remark) for r in rows), default=0)
    for row in rows:
        label = Text(f"  {row.label:<8}  ", style="dim")
        place = Text(row.place, style="cyan")
        code = Text(row.code)
        remark = Text(row.remark, style="green")
        if canvas.width is None or wide <= canvas.width:
            place.pad_right(max(places - cell_len(row.place), 0))
            code.pad_right(codes - cell_len(row.code))
            canvas.line(Text.assemble(label, place, code, remark))
            continue
        canvas.line(Text.assemble(label, place))
        for cell in (code, remark):
            if cell:
                canvas.hanging(Text(" " * (INDENT + 2)), cell, INDENT + 2)


def _verdict(f: Diagnostic) -> str:
    """What Triton said, without words that stand above it."""
    told = ", ".join(filter(None, (f.verdict.state.value, f.verdict.by)))
    evidence = f.verdict.evidence.replace(f.triton_error or "\0", "refused in these words")
    return f"{told}: {evidence}" if evidence else told


def _remarks(f: Diagnostic) -> list[tuple[str, str, str]]:
    """What follows the trace, as label, text and style."""
    found = []
    if f.triton_error:
        found.append(("triton", f.triton_error, "red"))
    found += [(label, text, "") for label, text in f.notes]
    if f.verdict.state is not State.NOT_RUN:
        found.append(("verdict", _verdict(f), "bold"))
    if f.fix is not None:
        doubt = "" if f.fix.applicability is Applicability.SAFE else f"  ({f.fix.applicability.value})"
        found.append(("fix", f.fix.title + doubt, "bold green"))
    return found
