"""What Triton says of the findings on the faulty sides of a folder of cases, and of their fixes.

    python -m tests.confirm.cases FOLDER [CASE...] [--python PYTHON] [-v]

A case is a folder with `bad.py` or `bad/`, and a `case.toml` that may name a `target`, or say `opt_in`: all
rules count. A fix holds where Triton takes the mended launch, and the mended text has the fault no more.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import tomllib

from dtypecheck.api import check, confirm
from dtypecheck.config.load import settings_for
from dtypecheck.config.settings import Settings
from dtypecheck.confirm.options import Options
from dtypecheck.core.diagnostics import Diagnostic, Edit, Severity, State

TAKEN = re.compile(r"with .* it compiles|not there with|mended, the call fits")
"""What verdicts say where Triton takes the mended launch."""


@dataclass(frozen=True)
class Row:
    """One finding of a case; `mended` is None where no fix is proposed."""

    case: str
    finding: Diagnostic
    mended: bool | None

    @property
    def is_confirmed(self) -> bool:
        return self.finding.verdict.state is State.CONFIRMED

    @property
    def is_proven(self) -> bool:
        """Confirmed, with the fix where there is one."""
        return self.is_confirmed and self.mended is not False

    def __str__(self) -> str:
        f = self.finding
        fix = {None: "", True: "fix holds", False: "FIX FAILS"}[self.mended]
        return f"{self.case:<42} {f.code} {f.parameter:<16} {f.verdict.state.value:<13} {fix}"


def rows(case: Path, python: str) -> Iterator[Row]:
    """Every finding of a case with its verdict, as its faulty side stands in a project of its own."""
    meta = tomllib.loads((case / "case.toml").read_text())
    given = {"select": ("ALL",)} if meta.get("opt_in") else {}
    given |= {"target": (meta["target"],)} if "target" in meta else {}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        bad = next(p for p in (case / "bad", case / "bad.py") if p.exists())
        (shutil.copytree if bad.is_dir() else shutil.copy)(bad, root / bad.name)
        (root / "pyproject.toml").write_text("[project]\nname = 'case'\nversion = '0'\n")
        settings = settings_for([str(root)], given, root=str(root))
        for finding in confirm([root], settings, Options(python=python, cache=None)).findings:
            mended = None if finding.fix is None else _holds(finding, root, settings)
            yield Row(case.name, finding, mended)


def _holds(finding: Diagnostic, root: Path, settings: Settings) -> bool:
    """Whether the mended text is free of the fault, and Triton took the mended launch."""
    assert finding.fix is not None
    if not finding.fix.edits:
        return TAKEN.search(finding.verdict.evidence) is not None
    before = {edit.place.path: (root / edit.place.path).read_text() for edit in finding.fix.edits}
    try:
        for edit in sorted(finding.fix.edits, key=lambda e: e.place, reverse=True):
            _apply(edit, root / edit.place.path)
        left = check([root], settings).findings
    finally:
        for path, text in before.items():
            (root / path).write_text(text)
    return TAKEN.search(finding.verdict.evidence) is not None and _which(finding) not in map(_which, left)


def _which(finding: Diagnostic) -> tuple[object, ...]:
    """What a finding shares with what is left of it: edits keep lines."""
    return finding.code, finding.kernel, finding.parameter, finding.primary.path, finding.primary.span.line


def _apply(edit: Edit, path: Path) -> None:
    lines, span = path.read_text().splitlines(keepends=True), edit.place.span
    head, tail = lines[span.line - 1][: span.column - 1], lines[span.end_line - 1][span.end_column - 1 :]
    lines[span.line - 1 : span.end_line] = [head + edit.text + tail]
    path.write_text("".join(lines))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.confirm.cases", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("cases", nargs="*", default=[""], help="how their names start")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("-v", "--verbose", action="store_true", help="what Triton said of every finding")
    given = parser.parse_args()
    found: list[Row] = []
    for case in sorted(p.parent for p in given.folder.glob("*/case.toml")):
        if case.name.startswith(tuple(given.cases)):
            for row in rows(case, given.python):
                found.append(row)
                print(row, flush=True)
                if given.verbose or not row.is_proven:
                    print("   ", row.finding.verdict.evidence)
    errors = [row for row in found if row.finding.severity is not Severity.WARNING]
    for title, some in (("errors", errors), ("findings", found)):
        print(f"{title} confirmed: {sum(row.is_confirmed for row in some)} of {len(some)}")
    fixes = [row.mended for row in found if row.mended is not None]
    print(f"fixes that hold: {sum(fixes)} of {len(fixes)}")
    return int(not all(row.is_proven for row in errors))


if __name__ == "__main__":
    sys.exit(main())
