"""JSON of version 1, against its schema and key by key."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import dtypecheck
from dtypecheck.core.diagnostics import Diagnostic
from dtypecheck.report.formats import FORMATS, Options, render

from .samples import BARE, TRITON, UNSTABLE, report

SCHEMA = json.loads((Path(dtypecheck.__file__).parent / "report" / "json_v1.schema.json").read_text("utf-8"))


def rendered(root: Path, *findings: Diagnostic) -> dict:
    document = json.loads(render("json", report(root, *findings)))
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    return document


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_a_finding_says_everything(tmp_path: Path) -> None:
    (found,) = rendered(tmp_path, UNSTABLE)["findings"]
    assert found == {
        "code": "DT201",
        "slug": "unstable-type",
        "severity": "error",
        "certainty": "proven",
        "message": "`num_rejected_ptr` of `_prepare` gets int64; it compiles only with int32",
        "path": "sampler.py",
        "line": 2,
        "column": 19,
        "end_line": 2,
        "end_column": 46,
        "kernel": "pkg.kernel._prepare",
        "parameter": "num_rejected_ptr",
        "actual": ["int64"],
        "expected": ["int32"],
        "birth": {"path": "sampler.py", "line": 2, "column": 19},
        "launch": {"path": "pkg/eagle.py", "line": 2, "column": 20},
        "kernel_site": {"path": "pkg/kernel.py", "line": 3, "column": 5},
        "trace": [
            {
                "path": "sampler.py",
                "line": 2,
                "column": 19,
                "dtype": "int64",
                "note": "inherited from `sampled`",
            },
            {"path": "batch.py", "line": 2, "column": 12, "dtype": "int64", "note": ""},
            {"path": "pkg/eagle.py", "line": 2, "column": 20, "dtype": "int64", "note": ""},
            {
                "path": "pkg/kernel.py",
                "line": 3,
                "column": 5,
                "dtype": "int64",
                "note": "int32 - int64 -> int64",
            },
        ],
        "triton_error": TRITON,
        "fix": {
            "applicability": "safe",
            "title": "sampled.new_empty(num_reqs, dtype=torch.int32)",
            "edits": [
                {"path": "sampler.py", "start": [2, 45], "end": [2, 45], "text": ", dtype=torch.int32"}
            ],
        },
        "verdict": {"state": "not-run", "by": "", "evidence": ""},
    }


def test_what_is_not_known_is_null_or_empty_and_never_left_out(tmp_path: Path) -> None:
    (found,) = rendered(tmp_path, BARE)["findings"]
    assert found["birth"] is found["launch"] is found["kernel_site"] is found["triton_error"] is None
    assert found["trace"] == found["actual"] == found["expected"] == []
    assert found["verdict"] == {"state": "confirmed", "by": "triton 3.9.0 cuda:90", "evidence": "..."}


def test_statistics_have_these_keys_and_no_others(tmp_path: Path) -> None:
    document = rendered(tmp_path)
    assert document["tool"] == {"name": "dtypecheck", "version": dtypecheck.__version__}
    assert document["stats"] == {
        "files": 4,
        "kernels": 1,
        "launches": 3,
        "launches_resolved": 2,
        "tensor_arguments": 8,
        "tensor_arguments_known": 5,
        "tensor_arguments_symbolic": 1,
        "launches_decided": 1,
        "unknown_reasons": {"dynamic attribute": 4, "no model of torch.foo": 3},
        "seconds": 0.25,
    }


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"text", "concise"}))
def test_formats_for_tools_ignore_colour_width_and_directory(tmp_path: Path, name: str) -> None:
    plain = report(tmp_path, UNSTABLE, BARE)
    dressed = Options(color=True, width=20, base=tmp_path.parent, verbosity=1)
    assert render(name, plain, dressed) == render(name, plain)
