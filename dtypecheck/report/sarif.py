"""SARIF 2.1.0, and what GitHub asks for beyond: one run, relative URIs, lines from 1, stable fingerprints.

Columns are in UTF-16 code units, the standard's own; what a fix replaces is told in bytes too. Verdicts of
`confirm` are properties, and a finding that Triton refutes is suppressed.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .. import __version__
from ..core.diagnostics import Applicability, Diagnostic, Fix, Report, State
from ..core.spans import Place
from .formats import Options, Rule
from .sources import Sources

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT = "dtypecheck/v1"
ROOT = "SRCROOT"
"""The base of all URIs: the project's root, wherever the reader has it."""

Json = dict[str, Any]


def render(report: Report, options: Options) -> str:
    """The report as one indented SARIF log."""
    return json.dumps(document(report, options.rules()), indent=2, ensure_ascii=False) + "\n"


def document(report: Report, rules: Iterable[Rule] = ()) -> Json:
    """The report as plain values; rules that are not given are told by code and slug."""
    known = {r.code: r for r in rules}
    for f in report.findings:
        known.setdefault(f.code, Rule(f.code, f.slug, f.severity.value, "", ""))
    places = {code: index for index, code in enumerate(known)}
    sources, twins = Sources(Path(report.root)), Counter[str]()
    results = [_result(f, places[f.code], sources, twins) for f in report.findings]
    driver = {"name": "dtypecheck", "version": __version__, "rules": [_rule(r) for r in known.values()]}
    notifications = [{"level": "warning", "message": {"text": said}} for said in report.notices]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notifications}],
                "columnKind": "utf16CodeUnits",
                "results": results,
            }
        ],
    }


def _rule(rule: Rule) -> Json:
    told: Json = {"id": rule.code, "name": rule.slug}
    if rule.summary:
        told["shortDescription"] = {"text": rule.summary}
    if rule.page:
        told["help"] = {"text": rule.page, "markdown": rule.page}
    is_off = rule.level == "off"
    told["defaultConfiguration"] = {"enabled": not is_off, "level": "warning" if is_off else rule.level}
    return told


def _result(f: Diagnostic, index: int, sources: Sources, twins: Counter[str]) -> Json:
    told: Json = {
        "ruleId": f.code,
        "ruleIndex": index,
        "level": f.severity.value,
        "message": {"text": f.message},
        "locations": [_location(f.primary, sources)],
        "partialFingerprints": {FINGERPRINT: _fingerprint(f, sources, twins)},
        "suppressions": list(_suppressions(f)),
        "properties": _properties(f),
    }
    related = list(_related(f, sources))
    if related:
        told["relatedLocations"] = related
    if f.trace:
        told["codeFlows"] = [{"threadFlows": [{"locations": list(_steps(f, sources))}]}]
    if f.fix is not None and f.fix.edits and f.fix.applicability is not Applicability.DISPLAY:
        told["fixes"] = [_fix(f.fix, sources)]
    return told


# -- places --------------------------------------------------------------------------------------


def _location(place: Place, sources: Sources, message: str = "", number: int | None = None) -> Json:
    told: Json = {} if number is None else {"id": number}
    told["physicalLocation"] = {"artifactLocation": _artifact(place.path), "region": _region(place, sources)}
    if message:
        told["message"] = {"text": message}
    return told


def _artifact(path: str) -> Json:
    return {"uri": quote(path), "uriBaseId": ROOT}


def _region(place: Place, sources: Sources) -> Json:
    """The region of a place; code that was not written is told at its file's first line."""
    span = place.span
    if span.line < 1:
        return {"startLine": 1}
    return {
        "startLine": span.line,
        "startColumn": sources.utf16(place.path, span.line, span.column),
        "endLine": span.end_line,
        "endColumn": sources.utf16(place.path, span.end_line, span.end_column),
    }


def _related(f: Diagnostic, sources: Sources) -> Iterator[Json]:
    """The stations of a finding that its location does not show, each place once."""
    named = [(f.birth, "born here"), (f.launch, "launched here"), (f.kernel_site, "in the kernel")]
    told: dict[Place, str] = {}
    for place, words in (*((s.place, _said(s.role, s.dtype, s.note)) for s in f.trace), *named):
        if place is not None and place != f.primary:
            told.setdefault(place, words)
    for number, (place, words) in enumerate(told.items(), 1):
        yield _location(place, sources, words, number)


def _steps(f: Diagnostic, sources: Sources) -> Iterator[Json]:
    """The journey, step by step; the state is the dtype."""
    for step in f.trace:
        told: Json = {"location": _location(step.place, sources, _said(step.role, step.dtype, step.note))}
        if step.dtype:
            told["state"] = {f.parameter or "dtype": {"text": step.dtype}}
        yield told


def _said(role: str, dtype: str, note: str) -> str:
    remark = note if dtype in note else f"{dtype}, {note}" if note else dtype
    return f"{role}: {remark}" if remark else role


# -- what is known beside ------------------------------------------------------------------------


def _fix(fix: Fix, sources: Sources) -> Json:
    changes: dict[str, list[Json]] = {}
    for edit in fix.edits:
        path, span = edit.place.path, edit.place.span
        start = sources.byte(path, span.line, span.column)
        end = sources.byte(path, span.end_line, span.end_column)
        region = {**_region(edit.place, sources), "byteOffset": start, "byteLength": end - start}
        inserted = {"insertedContent": {"text": edit.text}} if edit.text else {}
        changes.setdefault(path, []).append({"deletedRegion": region, **inserted})
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {"artifactLocation": _artifact(path), "replacements": made} for path, made in changes.items()
        ],
        "properties": {"applicability": fix.applicability.value},
    }


def _suppressions(f: Diagnostic) -> Iterator[Json]:
    """What Triton refutes is suppressed. The standard wants the list in all results or in none."""
    if f.verdict.state is State.REFUTED:
        said = f"refuted by {f.verdict.by}: {f.verdict.evidence}"
        yield {"kind": "external", "status": "accepted", "justification": said}


def _properties(f: Diagnostic) -> Json:
    told: Json = {"certainty": f.certainty.value}
    for key, value in (
        ("kernel", f.kernel),
        ("parameter", f.parameter),
        ("actual", list(f.actual)),
        ("expected", list(f.expected)),
        ("tritonError", f.triton_error),
        ("notes", [f"{label}: {text}" for label, text in f.notes]),
        ("fix", {"title": f.fix.title, "applicability": f.fix.applicability.value} if f.fix else None),
    ):
        if value:
            told[key] = value
    if f.verdict.state is not State.NOT_RUN:
        state, by, evidence = f.verdict.state.value, f.verdict.by, f.verdict.evidence
        told["verdict"] = {"state": state, "by": by, "evidence": evidence}
    return told


def _fingerprint(f: Diagnostic, sources: Sources, twins: Counter[str]) -> str:
    """What stays the same while lines move: the rule, the file, the kernel, the code; twins are counted."""
    parts = (f.code, f.primary.path, f.kernel, f.parameter, sources.text(f.primary))
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    twins[digest] += 1
    return f"{digest}:{twins[digest]}"
