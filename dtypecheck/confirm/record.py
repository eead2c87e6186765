"""Verdicts in a file, each with the digest of the source that it is about, to be held against that source."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from .. import __version__
from ..core.diagnostics import Diagnostic, Report, State

VERSION = 1
KEYS = ("code", "path", "line", "kernel", "parameter", "message")
"""What tells one finding from another."""


def render(report: Report, date: datetime.date) -> str:
    """The record of a report as JSON, sorted as the report is."""
    findings = [_finding(f, Path(report.root)) for f in report.findings]
    document = {"version": VERSION, "dtypecheck": __version__, "date": date.isoformat(), "findings": findings}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def disagreements(text: str, findings: Iterable[Diagnostic], root: Path) -> Iterator[str]:
    """What of a record does not hold for these findings: missing, gone, of changed source, or refuted."""
    try:
        document = json.loads(text)
        recorded = {tuple(one[k] for k in KEYS): one for one in document["findings"]}
    except (ValueError, KeyError, TypeError):
        yield "the record cannot be read"
        return
    for finding in findings:
        now = _finding(finding, root)
        one = recorded.pop(tuple(now[k] for k in KEYS), None)
        place = f"{now['path']}:{now['line']}: {now['code']}"
        if one is None:
            yield f"{place} is not in the record"
        elif one["source"] != now["source"]:
            yield f"{place}: its source has changed since"
        elif one["state"] == State.REFUTED.value:
            yield f"{place} is refuted: {one['evidence']}"
    for one in recorded.values():
        yield f"{one['path']}:{one['line']}: {one['code']} is recorded, and no longer found"


def _finding(f: Diagnostic, root: Path) -> Mapping[str, Any]:
    return {
        "code": f.code,
        "path": f.primary.path,
        "line": f.primary.span.line,
        "kernel": f.kernel,
        "parameter": f.parameter,
        "message": f.message,
        "state": f.verdict.state.value,
        "by": f.verdict.by,
        "evidence": f.verdict.evidence,
        "source": _digest(f, root),
    }


def _digest(f: Diagnostic, root: Path) -> str:
    """Of all files that a finding names, its kernel's included."""
    places = [f.primary, f.birth, f.launch, f.kernel_site, *(s.place for s in f.trace)]
    places += [f.claim.kernel] if f.claim is not None else []
    digest = hashlib.sha256()
    for path in sorted({p.path for p in places if p is not None}):
        digest.update(path.encode() + b"\0")
        digest.update((root / path).read_bytes() if (root / path).is_file() else b"")
    return digest.hexdigest()
