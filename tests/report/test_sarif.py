"""SARIF 2.1.0: what the standard and GitHub ask for; regions fit the file in columns and in bytes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from dtypecheck.checks.registry import RULES
from dtypecheck.cli.main import cli
from dtypecheck.core.diagnostics import Applicability, Diagnostic, Edit, Fix, Severity, State, Verdict
from dtypecheck.core.spans import NOWHERE, Place, Span
from dtypecheck.report.formats import Options, Rule, render

from .samples import BARE, LAUNCH, TRITON, UNSTABLE, project, report


def _object(required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": required.split(), "properties": properties}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


TEXT = _object("text", text={"type": "string", "minLength": 1})
POSITIVE, NATURAL = {"type": "integer", "minimum": 1}, {"type": "integer", "minimum": 0}
REGION = _object(
    "startLine",
    **dict.fromkeys(("startLine", "startColumn", "endLine", "endColumn"), POSITIVE),
    **dict.fromkeys(("byteOffset", "byteLength"), NATURAL),
)
URI = {"type": "string", "pattern": r"^(?!/)[\w./%~-]+$"}
ARTIFACT = _object("uri", uri=URI, uriBaseId={"const": "SRCROOT"})
LOCATION = _object(
    "physicalLocation",
    id=NATURAL,
    message=TEXT,
    physicalLocation=_object("artifactLocation region", artifactLocation=ARTIFACT, region=REGION),
)
LEVEL = {"enum": ["none", "note", "warning", "error"]}
RESULT = _object(
    "ruleId ruleIndex level message locations partialFingerprints suppressions properties",
    ruleIndex=NATURAL,
    level=LEVEL,
    message=TEXT,
    locations={**_list(LOCATION), "minItems": 1, "maxItems": 1},
    relatedLocations=_list(LOCATION),
    codeFlows=_list(_object("threadFlows", threadFlows=_list(_object("locations", locations=_list(
        _object("location", location=LOCATION, state={"type": "object", "additionalProperties": TEXT})
    ))))),
    fixes=_list(_object("artifactChanges", description=TEXT, artifactChanges=_list(_object(
        "artifactLocation replacements",
        artifactLocation=ARTIFACT,
        replacements=_list(_object("deletedRegion", deletedRegion=REGION, insertedContent=TEXT)),
    )))),
    suppressions=_list(_object("kind justification", kind={"const": "external"})),
)  # fmt: skip
RULE = _object(
    "id name defaultConfiguration",
    shortDescription=TEXT,
    help=_object("text markdown"),
    defaultConfiguration=_object("enabled level", level=LEVEL),
)
RUN = _object(
    "tool columnKind results",
    tool=_object("driver", driver=_object("name version rules", rules=_list(RULE))),
    columnKind={"const": "utf16CodeUnits"},
    results=_list(RESULT),
)
ESSENTIALS = _object(
    "$schema version runs", version={"const": "2.1.0"}, runs={**_list(RUN), "minItems": 1, "maxItems": 1}
)
"""The standard's schema, as far as this format goes, and what GitHub adds."""


def run(root: Path, *findings: Diagnostic, rules: tuple[Rule, ...] = ()) -> dict[str, Any]:
    """The one run of a report's log, which fits the essentials."""
    document = json.loads(render("sarif", report(root, *findings), Options(rules=lambda: rules)))
    jsonschema.Draft202012Validator(ESSENTIALS).validate(document)
    only: dict[str, Any] = document["runs"][0]
    for found in only["results"]:
        assert only["tool"]["driver"]["rules"][found["ruleIndex"]]["id"] == found["ruleId"]
    return only


def test_a_finding_with_all_that_leads_to_it(tmp_path: Path) -> None:
    (found,) = run(project(tmp_path), UNSTABLE)["results"]
    assert (found["ruleId"], found["level"], found["message"]["text"]) == ("DT201", "error", UNSTABLE.message)
    where = found["locations"][0]["physicalLocation"]
    assert where["artifactLocation"]["uri"] == "sampler.py"
    assert where["region"] == {"startLine": 2, "startColumn": 19, "endLine": 2, "endColumn": 46}
    steps = found["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [s["location"]["message"]["text"] for s in steps] == [
        "born: int64, inherited from `sampled`",
        "flows: int64",
        "launched: int64",
        "kernel: int32 - int64 -> int64",
    ]
    assert {s["state"]["num_rejected_ptr"]["text"] for s in steps} == {"int64"}
    uris = [r["physicalLocation"]["artifactLocation"]["uri"] for r in found["relatedLocations"]]
    assert uris == ["batch.py", "pkg/eagle.py", "pkg/kernel.py"]
    assert [r["id"] for r in found["relatedLocations"]] == [1, 2, 3]
    assert found["properties"] == {
        "certainty": "proven",
        "kernel": "pkg.kernel._prepare",
        "parameter": "num_rejected_ptr",
        "actual": ["int64"],
        "expected": ["int32"],
        "tritonError": TRITON,
        "notes": ["siblings: strict_rejection_sample and synthetic_rejection_sample return int32 here"],
        "fix": {"title": "sampled.new_empty(num_reqs, dtype=torch.int32)", "applicability": "safe"},
    }


def test_rules_are_told_where_they_are_known(tmp_path: Path) -> None:
    (bare,) = run(tmp_path, UNSTABLE)["tool"]["driver"]["rules"]
    assert bare == {
        "id": "DT201", "name": "unstable-type", "defaultConfiguration": {"enabled": True, "level": "error"}
    }  # fmt: skip
    known = (Rule("DT303", "offset-overflow", "off", "an offset", "# Page\n"),)
    off, other = run(tmp_path, UNSTABLE, rules=known)["tool"]["driver"]["rules"]
    assert off["shortDescription"] == {"text": "an offset"}
    assert off["help"] == {"text": "# Page\n", "markdown": "# Page\n"}
    assert off["defaultConfiguration"] == {"enabled": False, "level": "warning"}
    assert other == bare


def test_what_triton_refutes_is_suppressed(tmp_path: Path) -> None:
    verdict = Verdict(State.REFUTED, "triton 3.9.0 cuda:90", "Triton takes the launch")
    refuted = replace(UNSTABLE, verdict=verdict, severity=Severity.NOTE)
    one, other = run(tmp_path, refuted, BARE)["results"]
    assert one["level"] == "note"
    assert one["suppressions"] == [{
        "kind": "external", "status": "accepted",
        "justification": "refuted by triton 3.9.0 cuda:90: Triton takes the launch",
    }]  # fmt: skip
    assert one["properties"]["verdict"]["state"] == "refuted"
    assert other["suppressions"] == []
    assert other["properties"]["verdict"] == {
        "state": "confirmed", "by": "triton 3.9.0 cuda:90", "evidence": "..."
    }  # fmt: skip


LINE = 'x = "\N{GRINNING FACE}\N{LATIN SMALL LETTER E WITH ACUTE}", new(n)'


@pytest.mark.parametrize(
    ("before", "encoding", "end"),
    [
        ("", "utf-8", "\n"),
        ("# first\n", "utf-8-sig", "\r\n"),
        ("", "utf-8-sig", "\r"),
        ("# coding: latin-1\n", "latin-1", "\r\n"),
        ("# coding: euc-jp\n\u3042 = 1\n", "euc-jp", "\n"),
    ],
)
def test_replacements_fit_the_file_in_columns_and_in_bytes(
    tmp_path: Path, before: str, encoding: str, end: str
) -> None:
    line = LINE if encoding.startswith("utf") else LINE.replace("\N{GRINNING FACE}", "").replace("\xe9", "e")
    text = f"{before}{line}\nlast = 1\n".replace("\n", end)
    (tmp_path / "a.py").write_bytes(text.encode(encoding))
    number, column = before.count("\n") + 1, line.index("n)") + 1
    edits = (
        Edit(Place("a.py", Span(number, column, number, column + 1)), "m, dtype=torch.int32"),
        Edit(Place("a.py", Span(number, 1, number, 5)), ""),
    )
    fixed = replace(UNSTABLE, fix=Fix(Applicability.SAFE, "mend it", edits))
    (found,) = run(tmp_path, fixed)["results"]
    (change,) = found["fixes"][0]["artifactChanges"]
    wanted = text.replace("n)", "m, dtype=torch.int32)").replace("x = ", "", 1)
    assert _by_bytes((tmp_path / "a.py").read_bytes(), change["replacements"], encoding) == wanted.encode(
        encoding
    )
    assert _by_columns(text, change["replacements"], end) == wanted


def _by_bytes(data: bytes, replacements: list[dict[str, Any]], encoding: str) -> bytes:
    encoding = encoding.removesuffix("-sig")
    for one in sorted(replacements, key=lambda r: -r["deletedRegion"]["byteOffset"]):
        start = one["deletedRegion"]["byteOffset"]
        text = one.get("insertedContent", {"text": ""})["text"]
        data = data[:start] + text.encode(encoding) + data[start + one["deletedRegion"]["byteLength"] :]
    return data


def _by_columns(text: str, replacements: list[dict[str, Any]], end: str) -> str:
    lines = [line.encode("utf-16-le") for line in text.split(end)]
    for one in sorted(replacements, key=lambda r: -r["deletedRegion"]["startColumn"]):
        region, new = one["deletedRegion"], one.get("insertedContent", {"text": ""})["text"]
        line = lines[region["startLine"] - 1]
        head, tail = line[: 2 * region["startColumn"] - 2], line[2 * region["endColumn"] - 2 :]
        lines[region["startLine"] - 1] = head + new.encode("utf-16-le") + tail
    return end.join(line.decode("utf-16-le") for line in lines)


def test_what_is_meant_to_be_read_is_no_replacement(tmp_path: Path) -> None:
    shown = replace(UNSTABLE.fix, applicability=Applicability.DISPLAY) if UNSTABLE.fix else None
    for found in run(project(tmp_path), replace(UNSTABLE, fix=shown), BARE)["results"]:
        assert "fixes" not in found
        assert found["properties"]["fix"]["title"]


def test_fingerprints_stay_while_lines_move(tmp_path: Path) -> None:
    def prints(*findings: Diagnostic) -> list[str]:
        return [r["partialFingerprints"]["dtypecheck/v1"] for r in run(tmp_path, *findings)["results"]]

    project(tmp_path)
    one, twin, other = prints(UNSTABLE, UNSTABLE, replace(UNSTABLE, parameter="other"))
    assert len({one, twin, other}) == 3
    (tmp_path / "sampler.py").write_text("\n" + (tmp_path / "sampler.py").read_text())
    span = UNSTABLE.primary.span
    moved = Place("sampler.py", replace(span, line=span.line + 1, end_line=span.line + 1))
    assert prints(replace(UNSTABLE, primary=moved, message="in other words")) == [one]


def test_paths_are_uris_and_code_that_was_not_written_has_a_line(tmp_path: Path) -> None:
    odd = replace(BARE, primary=Place("a b/ü#1.py", NOWHERE))
    (found,) = run(tmp_path, odd)["results"]
    where = found["locations"][0]["physicalLocation"]
    assert where["artifactLocation"]["uri"] == "a%20b/%C3%BC%231.py"
    assert where["region"] == {"startLine": 1}
    assert LAUNCH.path not in json.dumps(found)


def test_the_command_writes_every_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'case'\n")
    (tmp_path / "a.py").write_text("x = (\n")
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(cli, ["check", ".", "-o", "sarif:a.sarif"]).exit_code == 1
    document = json.loads((tmp_path / "a.sarif").read_text("utf-8"))
    jsonschema.Draft202012Validator(ESSENTIALS).validate(document)
    (only,) = document["runs"]
    rules = only["tool"]["driver"]["rules"]
    assert [r["id"] for r in rules] == [r.code for r in RULES]
    assert all(r["shortDescription"]["text"] and r["help"]["markdown"].startswith("# DT") for r in rules)
    assert [r["ruleId"] for r in only["results"]] == ["DT002"]
