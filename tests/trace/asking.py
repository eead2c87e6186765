"""Small projects, and what is told of them, as short lines."""

from __future__ import annotations

import textwrap
from pathlib import Path

from dtypecheck import api
from dtypecheck.config.load import settings_for
from dtypecheck.core.traces import Condition, Trace, Traced, Way
from dtypecheck.report.sources import Sources

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


def project(root: Path, **files: str) -> Path:
    """A project of these modules, written below `root`."""
    (root / "pyproject.toml").write_text("[project]\nname = 'proj'\n", encoding="utf-8")
    for name, text in files.items():
        (root / f"{name}.py").write_text(textwrap.dedent(text), encoding="utf-8")
    return root


def line_of(file: Path, code: str, after: str = "") -> int:
    """The first line that holds `code`, at or after the one that holds `after`."""
    lines = file.read_text("utf-8").splitlines()
    start = next(n for n, text in enumerate(lines) if after in text)
    return next(n for n, text in enumerate(lines, 1) if n > start and code in text)


def trace(file: Path, line: int, name: str | None = None, root: Path | None = None) -> Trace:
    home = str(root or file.parent)
    return api.trace(file, line, name, settings_for([file], {"jobs": 1}, root=home))


def traced(
    file: Path, code: str, name: str | None = None, after: str = "", root: Path | None = None
) -> Traced:
    """What is told of the line that holds `code`, where one value is meant."""
    (value,) = trace(file, line_of(file, code, after), name, root).values
    return value


def texts(value: Traced) -> list[str]:
    return [way.said.text for way in value.ways]


def when(way: Way) -> list[str]:
    """The choices of a way, each list of them on one line."""
    return [" and ".join(map(_choice, choices)) for choices in way.when]


def _choice(choice: Condition) -> str:
    if choice.outcome is None:
        return choice.text
    return choice.text if choice.outcome else f"not ({choice.text})"


def callers(way: Way) -> list[str]:
    """Each chain of callers on one line, outermost first."""
    return [" > ".join(f"{c.function}:{c.place.span.line}" for c in chain) for chain in way.callers]


def steps(way: Way, root: Path) -> list[str]:
    """`role module:line code -> dtype (note)` for each station."""
    sources = Sources(root)
    found = []
    for step in way.steps:
        where = f"{Path(step.place.path).stem}:{step.place.span.line}"
        dtype = f" -> {step.dtype}" if step.dtype else ""
        note = f" ({step.note})" if step.note else ""
        found.append(f"{step.role} {where} {sources.text(step.place)}{dtype}{note}")
    return found
