"""The findings on released code that a person has judged to be true: `reviewed.toml`, and how it is held.

A finding that no entry covers, and an entry that covers no finding, are both mistakes of ours.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .packages import package

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE = Path(__file__).with_name("reviewed.toml")
FIELDS = ("package", "code", "path", "kernel", "parameter", "verdict")


@dataclass(frozen=True, slots=True)
class Reviewed:
    """`kernel` and `parameter` are "" where the finding has none; `verdict` says why it is true."""

    package: str
    code: str
    path: str
    kernel: str
    parameter: str
    verdict: str

    def covers(self, finding: dict[str, Any]) -> bool:
        """Whether this is the fault that was judged, wherever in its file it stands now."""
        return all(finding[name] == getattr(self, name) for name in ("code", "path", "kernel", "parameter"))


def read(text: str) -> tuple[Reviewed, ...]:
    """The entries; raises ValueError for one that is not complete or names no package of the corpus."""
    document = tomllib.loads(text)
    entries = document.pop("finding", [])
    if document:
        raise ValueError(f"unknown: {', '.join(document)}; an entry is a [[finding]]")
    return tuple(_entry(number, entry) for number, entry in enumerate(entries, 1))


def _entry(number: int, entry: dict[str, Any]) -> Reviewed:
    if set(entry) != set(FIELDS) or not all(isinstance(value, str) for value in entry.values()):
        raise ValueError(
            f"entry {number}: needs just {', '.join(FIELDS)}, each a string; has {', '.join(entry)}"
        )
    for name in ("code", "path", "verdict"):
        if not entry[name].strip():
            raise ValueError(f"entry {number}: `{name}` is empty")
    if package(entry["package"]).key != entry["package"]:
        raise ValueError(f"entry {number}: {entry['package']} names no one release")
    return Reviewed(**entry)


def unreviewed(entries: Iterable[Reviewed], findings: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The findings that no entry covers, a line each."""
    judged = list(entries)
    for f in findings:
        if not any(entry.covers(f) for entry in judged):
            where = f"{f['path']}:{f['line']}:{f['column']}"
            yield f"{where} {f['code']} {f['kernel']}({f['parameter']}): {f['message']}"


def stale(entries: Iterable[Reviewed], findings: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The entries that cover no finding, a line each."""
    found = list(findings)
    for entry in entries:
        if not any(entry.covers(f) for f in found):
            yield f"{entry.path} {entry.code} {entry.kernel}({entry.parameter}): reviewed, but not found now"
