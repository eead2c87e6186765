"""The fault that started it, put back into released vLLM: one dtype keyword less, found at its line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from .faults import copy, replace
from .fetch import FetchError, fetch
from .measure import Measurement, measure
from .mutate import Mutation, apply, mutations
from .packages import package
from .reviewed import FILE as REVIEWED
from .reviewed import read, unreviewed

FILE = "vllm/v1/worker/gpu/spec_decode/probabilistic_rejection_sampler_utils.py"
NAME = "num_sampled"


NEEDED = (
    "pyproject.toml",
    "vllm/config",
    "vllm/triton_utils",
    "vllm/utils",
    "vllm/v1/outputs.py",
    "vllm/v1/sample",
    "vllm/v1/spec_decode",
    "vllm/v1/worker",
)
"""The part of the project that the fault lies in: what a hook is run on must not take the whole of it."""


def _faulty(root: Path, parts: Sequence[str] = ("",)) -> int:
    """Makes a copy of vLLM with the fault in `root`, and tells the line where it stands."""
    try:
        original = fetch(package("vllm-0.20.0"))
    except FetchError as error:
        pytest.fail(str(error), pytrace=False)
    copy(original, root, parts)
    before = (original / FILE).read_bytes()
    mutation = _dropped(before)
    replace(root / FILE, apply(before, mutation))
    assert (original / FILE).read_bytes() == before
    return mutation.line


def _dropped(text: bytes) -> Mutation:
    (only,) = [m for m in mutations(text) if m.target == NAME and m.replacement is None]
    assert only.dtype == "torch.int32"
    return only


def test_the_lost_keyword_is_found_at_its_line_and_nothing_else(tmp_path: Path) -> None:
    line = _faulty(tmp_path / "vllm")
    run = measure(tmp_path / "vllm", flags=["--rules", "vllm"])
    _expect(run, line)
    assert {f["code"] for f in run.findings if _is_fault(f, line)} == {"DT102", "DT201"}
    (refused,) = [f for f in run.findings if f["code"] == "DT201"]
    assert refused["parameter"] == "num_rejected_ptr"
    assert refused["kernel"].endswith("._prepare_eagle_inputs_kernel")
    journey = [(step["path"].rpartition("/")[2], step["note"]) for step in refused["trace"]]
    assert journey[:4] == [
        ("probabilistic_rejection_sampler_utils.py", "int64, inherited"),
        ("rejection_sampler.py", "SamplerOutput.num_sampled"),
        ("input_batch.py", "int64"),
        ("speculator.py", "_prepare_eagle_inputs_kernel"),
    ]
    entries = [e for e in read(REVIEWED.read_text("utf-8")) if e.package == "vllm-0.20.0"]
    others = [f for f in run.findings if (f["path"], f["line"]) != (FILE, line)]
    assert not list(unreviewed(entries, [f for f in others if not _follows(f)]))


def _follows(finding: dict[str, Any]) -> bool:
    """Whether a finding tells what the fault leads to: lengths of int32 to which int64 counts are added."""
    kernel = "vllm.v1.worker.gpu.input_batch._post_update_kernel"
    return (finding["code"], finding["kernel"], finding["parameter"]) == ("DT301", kernel, "total_len_ptr")


def test_a_hook_that_is_given_the_changed_file_finds_it(tmp_path: Path) -> None:
    root = tmp_path / "vllm"
    line = _faulty(root, NEEDED)
    run = measure(root, [root / FILE], ["--rules", "vllm"])
    _expect(run, line)


def _expect(run: Measurement, line: int) -> None:
    found = [f for f in run.findings if _is_fault(f, line)]
    assert found, _told(run)
    assert all((f["severity"], f["certainty"], f["actual"]) == ("error", "proven", ["int64"]) for f in found)
    assert all(f["birth"] == {"path": FILE, "line": line, "column": f["column"]} for f in found)


def _is_fault(finding: dict[str, Any], line: int) -> bool:
    expected = {"DT102": ["int32"], "DT201": ["int32"]}
    return (
        finding["code"] in expected
        and (finding["path"], finding["line"]) == (FILE, line)
        and finding["expected"] == expected[finding["code"]]
    )


def _told(run: Measurement) -> str:
    lines = [f"{f['path']}:{f['line']} {f['code']} {f['message']}" for f in run.findings]
    return "\n".join(["found only:", *lines])
