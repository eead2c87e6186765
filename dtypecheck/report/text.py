"""The report for people: a headline, the source line, then how the dtype travelled.

Without a width nothing is wrapped or cut.
"""

from __future__ import annotations

from pathlib import Path

from rich.text import Text

from ..core.diagnostics import Applicability, Certainty, Diagnostic, Report, Severity, State, Step
from .canvas import Canvas
from .formats import Options
from .frames import frame
from .rows import INDENT, Row, said, shown_place, table
from .sources import Sources, printable, shown_path
from .summary import summary

MOST_STEPS = 8
"""Longer traces lose their middle, unless all of it is asked for."""


def render(report: Report, options: Options) -> str:
    """Every finding, with blank lines between, and what the run saw."""
    canvas = Canvas(options.color, options.width)
    sources = Sources(Path(report.root))
    for finding in report.findings:
        _headline(canvas, finding, report, options)
        canvas.lines(frame(finding.primary, sources, canvas.width))
        rows = _rows(finding, report, options, sources)
        table(canvas, rows)
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


def _rows(f: Diagnostic, report: Report, options: Options, sources: Sources) -> list[Row]:
    steps = list(f.trace)
    if not steps and f.launch is not None and f.launch != f.primary:
        steps = [Step(f.launch, "launched", "", "")]
    hidden = len(steps) - MOST_STEPS
    whole = hidden <= 0 or options.verbosity > 0
    rows = []
    before = ""
    for index, step in enumerate(steps):
        if not whole and index == MOST_STEPS // 2:
            rows.append(Row("", f"({hidden} more {'step' if hidden == 1 else 'steps'}: -v)"))
        if not whole and MOST_STEPS // 2 <= index < MOST_STEPS // 2 + hidden:
            continue
        label = step.role if step.role != before else ""
        before = step.role
        rows.append(Row(label, shown_place(step.place, report.root, options.base), *said(step, sources)))
    return rows


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
