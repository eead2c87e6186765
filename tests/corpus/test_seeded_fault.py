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

FILE = "vllm/v1/worker/gpu/spec_decode/probabilistic_rejection_sampler_utils.py"
NAME = "num_sampled"


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """A copy of vLLM with the fault, and the line where it stands."""
    try:
        original = fetch(package("vllm-0.20.0"))
    except FetchError as error:
        pytest.fail(str(error), pytrace=False)
    root = copy(original, tmp_path_factory.mktemp("seeded") / "vllm-0.20.0")
    before = (original / FILE).read_bytes()
    mutation = _dropped(before)
    replace(root / FILE, apply(before, mutation))
    assert (original / FILE).read_bytes() == before
    return root, mutation.line


def _dropped(text: bytes) -> Mutation:
    (only,) = [m for m in mutations(text) if m.target == NAME and m.replacement is None]
    assert only.dtype == "torch.int32"
    return only


@pytest.mark.parametrize("paths", [(), (FILE,)], ids=["whole-project", "changed-file-only"])
def test_the_lost_keyword_is_found_at_its_line(faulty: tuple[Path, int], paths: Sequence[str]) -> None:
    root, line = faulty
    run = measure(root, [root / p for p in paths], ["--rules", "vllm"])
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
