"""JSON of version 1: every key always present, nothing that differs between two runs but `seconds`."""

from __future__ import annotations

import json
from typing import Any

from .. import __version__
from ..core.diagnostics import Diagnostic, Fix, Report, Stats
from ..core.spans import Place
from .formats import Options


def render(report: Report, options: Options) -> str:
    """The report as indented JSON."""
    return json.dumps(document(report), indent=2, ensure_ascii=False) + "\n"


def document(report: Report) -> dict[str, Any]:
    """The report as plain values."""
    return {
        "version": 1,
        "tool": {"name": "dtypecheck", "version": __version__},
        "findings": [_finding(f) for f in report.findings],
        "stats": _stats(report.stats),
    }


def _finding(f: Diagnostic) -> dict[str, Any]:
    span = f.primary.span
    return {
        "code": f.code,
        "slug": f.slug,
        "severity": f.severity.value,
        "certainty": f.certainty.value,
        "message": f.message,
        "path": f.primary.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "kernel": f.kernel,
        "parameter": f.parameter,
        "actual": list(f.actual),
        "expected": list(f.expected),
        "birth": _place(f.birth),
        "launch": _place(f.launch),
        "kernel_site": _place(f.kernel_site),
        "trace": [{**_start(s.place), "dtype": s.dtype, "note": s.note} for s in f.trace],
        "triton_error": f.triton_error,
        "fix": _fix(f.fix),
        "verdict": {"state": f.verdict.state.value, "by": f.verdict.by, "evidence": f.verdict.evidence},
    }


def _start(place: Place) -> dict[str, Any]:
    return {"path": place.path, "line": place.span.line, "column": place.span.column}


def _place(place: Place | None) -> dict[str, Any] | None:
    return None if place is None else _start(place)


def _fix(fix: Fix | None) -> dict[str, Any] | None:
    if fix is None:
        return None
    edits = [
        {
            "path": e.place.path,
            "start": [e.place.span.line, e.place.span.column],
            "end": [e.place.span.end_line, e.place.span.end_column],
            "text": e.text,
        }
        for e in fix.edits
    ]
    return {"applicability": fix.applicability.value, "title": fix.title, "edits": edits}


def _stats(s: Stats) -> dict[str, Any]:
    return {
        "files": s.files,
        "kernels": s.kernels,
        "launches": s.launches,
        "launches_resolved": s.launches_resolved,
        "tensor_arguments": s.tensor_arguments,
        "tensor_arguments_known": s.tensor_arguments_known,
        "tensor_arguments_symbolic": s.tensor_arguments_symbolic,
        "launches_decided": s.launches_decided,
        "unknown_reasons": dict(sorted(s.unknown_reasons.items())),
        "seconds": round(s.seconds, 3),
    }
