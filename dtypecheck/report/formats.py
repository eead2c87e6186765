"""The output formats. A new one is a module here with `render(report, options) -> str`, and one row below."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core.diagnostics import Report

FORMATS: dict[str, str] = {
    "text": "text",
    "concise": "concise",
    "json": "json_format",
    "sarif": "sarif",
}
"""Format name -> module of this package, imported when it is asked for."""

FOR_READERS = frozenset({"text", "concise"})
"""Formats for people: their paths follow the working directory, and colours are theirs alone."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What a format may tell of a rule; `level` is "error", "warning" or "off", `page` is Markdown."""

    code: str
    slug: str
    level: str
    summary: str
    page: str


@dataclass(frozen=True, slots=True)
class Options:
    """How to render. `width` of None never wraps; `base` is the folder that readers see paths from.

    `rules` gives all rules there are, for formats that tell of them.
    """

    color: bool = False
    width: int | None = None
    base: Path | None = None
    verbosity: int = 0
    """-1 quiet: findings only; 1: whole traces, and why launches stayed undecided."""
    rules: Callable[[], Sequence[Rule]] = tuple


def render(name: str, report: Report, options: Options = Options()) -> str:
    """The report in the format of this name; ends in a line feed unless it is empty."""
    text: str = importlib.import_module(f".{FORMATS[name]}", __package__).render(report, options)
    return text
