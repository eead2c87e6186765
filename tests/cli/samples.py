"""Findings made by hand, and the command line as a process."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from dtypecheck import api
from dtypecheck.core.diagnostics import Certainty, Diagnostic, Severity
from dtypecheck.core.spans import Place, Span

ERROR = Diagnostic(
    "DT101",
    "declared-argument",
    Severity.ERROR,
    Certainty.PROVEN,
    "`p` of `k` gets int64, declared int32",
    Place("a.py", Span(1, 1, 1, 2)),
)
WARNING = replace(ERROR, code="DT301", slug="narrowing-store", severity=Severity.WARNING, message="narrows")
POSSIBLE = replace(ERROR, certainty=Certainty.POSSIBLE, message="may get int64")


def process(*args: str, cwd: Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """The command line as a process of its own."""
    source = str(Path(api.__file__).parents[1])
    env = {**os.environ, "PYTHONPATH": source, "PYTHONDONTWRITEBYTECODE": "1", **options.pop("env", {})}
    command = [sys.executable, "-m", "dtypecheck", *args]
    return subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, encoding="utf-8", timeout=60, check=False, **options
    )
