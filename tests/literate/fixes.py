"""`NAME.fixed.py` beside `NAME.py` is that file with the fixes of its findings applied."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dtypecheck.core.diagnostics import Applicability, Edit

from .projects import Fixture


def wrong_fixes(fixture: Fixture) -> Iterator[str]:
    """The files whose fixed text is not the one beside them."""
    for file in fixture.files:
        beside = file.with_name(f"{file.stem}.fixed.py")
        if beside.is_file() and applied(file, _edits(fixture, file)) != beside.read_text("utf-8"):
            yield f"{file}: its fixes do not give {beside.name}"


def _edits(fixture: Fixture, file: Path) -> list[Edit]:
    """Safe edits; with the flag `unsafe-fixes`, the others too, but none that is only shown."""
    wanted = {Applicability.SAFE}
    if "unsafe-fixes" in fixture.words["flags"]:
        wanted.add(Applicability.UNSAFE)
    fixes = [f.fix for f in fixture.report.findings if f.fix is not None and f.fix.applicability in wanted]
    path = fixture.relative(file)
    return list(dict.fromkeys(e for fix in fixes for e in fix.edits if e.place.path == path))


def applied(file: Path, edits: list[Edit]) -> str:
    """The text after all edits, the last one first; twins count once."""
    lines = file.read_text("utf-8").splitlines(keepends=True)
    for edit in sorted(edits, key=lambda e: e.place.span, reverse=True):
        span = edit.place.span
        before = lines[span.line - 1][: span.column - 1]
        after = lines[span.end_line - 1][span.end_column - 1 :]
        lines[span.line - 1 : span.end_line] = [before + edit.text + after]
    return "".join(lines)
