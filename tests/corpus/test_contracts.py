"""What the kernels of a released package are found to accept, against Triton and their own launches."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kernels.accepting import Tally, compare, subjects
from tests.kernels.conftest import triton  # noqa: F401

from .fetch import FetchError, fetch
from .packages import package

SAMPLE = 12
"""Kernels that Triton is asked about."""


@pytest.fixture(scope="module")
def folder() -> Path:
    """A small package, where it lies."""
    try:
        return fetch(package("conch-triton-kernels"))
    except FetchError as error:
        pytest.fail(str(error), pytrace=False)


def dtypecheck(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dtypecheck", *args], capture_output=True, text=True, check=False
    )


def test_triton_agrees(triton, folder: Path, tmp_path: Path) -> None:  # noqa: F811
    oracle, version = triton
    tally = Tally()
    for number, (subject, types) in enumerate(subjects(folder, tmp_path)):
        if number < SAMPLE:
            compare(subject, oracle, version, types, tally, most=2)
    assert not tally.wrong, "\n".join(tally.wrong[:10])
    assert tally.counts["accepted"] > 100 and tally.counts["refused"] > 100, tally


def test_no_launch_breaks_what_its_kernel_accepts(folder: Path, tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    made = dtypecheck(
        "contracts", str(folder), "--root", str(folder), "-o", f"toml:{rules}", "--format", "json"
    )
    assert made.returncode == 0, made.stderr
    kernels = json.loads(made.stdout)["kernels"]
    assert len(kernels) > 20 and sum(k["decided"] for k in kernels) > 15
    assert dtypecheck("rules", "validate", str(rules)).returncode == 0
    checked = dtypecheck(
        "check", str(folder), "--root", str(folder), "--rules", str(rules), "--format", "json"
    )
    found = [f for f in json.loads(checked.stdout)["findings"] if f["code"] in ("DT101", "DT004")]
    assert not found, found[:3]
