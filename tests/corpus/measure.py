"""What one cold run of dtypecheck says of a package, in a process of its own, at default levels."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import child

REPOSITORY = Path(__file__).resolve().parents[2]
TIMEOUT = 900.0
UNRESOLVED = "launches not resolved"
"""The heading of that table in what --statistics prints; the JSON has the other table."""


class RunFailed(RuntimeError):
    """dtypecheck ended in another way than with a report; the message holds what it said."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """A report of JSON version 1, and what the run cost."""

    findings: tuple[dict[str, Any], ...]
    stats: dict[str, Any]
    unresolved: dict[str, int]
    seconds: float
    cpu: float
    peak: int

    @property
    def codes(self) -> Counter[str]:
        return Counter(f["code"] for f in self.findings)


def measure(root: Path, paths: Sequence[Path] = (), flags: Sequence[str] = ()) -> Measurement:
    """Checks the project in `root`, and reports on `paths`, or on all of it."""
    shown = [str(p) for p in paths or (root,)]
    command = [sys.executable, "-m", "dtypecheck", "check", *shown, "--root", str(root), "--format", "json"]
    try:
        done = child.run([*command, "--statistics", *flags], root, _environment(), TIMEOUT)
    except subprocess.TimeoutExpired as error:
        raise RunFailed(str(error)) from None
    if done.status not in (0, 1) or "Traceback" in done.err:
        raise RunFailed(f"exit {done.status} from {' '.join(command)}\n{done.err[-4000:]}")
    report = json.loads(done.out)
    counts = any(f["severity"] == "error" for f in report["findings"])
    if done.status != int(counts):
        raise RunFailed(f"exit {done.status} with {len(report['findings'])} findings")
    unresolved = _table(done.err, UNRESOLVED)
    return Measurement(
        tuple(report["findings"]), report["stats"], unresolved, done.seconds, done.cpu, done.peak
    )


def _environment() -> dict[str, str]:
    """The checkout's dtypecheck, whichever is installed."""
    found = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(REPOSITORY), *([found] if found else [])])}


def _table(text: str, heading: str) -> dict[str, int]:
    """The rows under a heading of --statistics: a number and a reason each."""
    rows: dict[str, int] = {}
    lines = iter(text.splitlines())
    for line in lines:
        if line == f"{heading}:":
            break
    for line in lines:
        row = re.fullmatch(r" +(\d+)  (\S.*)", line)
        if row is None:
            break
        rows[row[2]] = int(row[1])
    return rows
