"""One line a finding, for editors and for grep."""

from __future__ import annotations

from ..core.diagnostics import Report
from .formats import Options
from .sources import printable, shown_path


def render(report: Report, options: Options) -> str:
    """`path:line:column: CODE slug message`, one line each; nothing else."""
    lines = []
    for f in report.findings:
        path = shown_path(f.primary.path, report.root, options.base)
        place = f"{path}:{f.primary.span.line}:{f.primary.span.column}"
        lines.append(printable(f"{place}: {f.code} {f.slug} {f.message}") + "\n")
    return "".join(lines)
