"""Every finding on the fixtures, as Triton sees it, and the record of that."""

from __future__ import annotations

from pathlib import Path

import pytest

from dtypecheck.api import check, confirm
from dtypecheck.config.load import settings_for
from dtypecheck.confirm.options import Options
from dtypecheck.confirm.record import disagreements
from dtypecheck.core.diagnostics import Severity, State

ROOT = Path(__file__).resolve().parents[2] / "fixtures"
RENEW = "dtypecheck confirm fixtures --root fixtures --record fixtures/"
RECORDS = {
    "verdicts.json": f"{RENEW}verdicts.json",
    "verdicts.h200.json": f"on an H200: {RENEW}verdicts.h200.json --launch --no-cache",
}
"""The records, one without a GPU and one with launches, and how each is made."""


@pytest.mark.parametrize("name", RECORDS)
def test_the_record_holds(name: str) -> None:
    """Findings and their sources are those that the verdicts were recorded for."""
    report = check([ROOT], settings_for([str(ROOT)], {}, root=str(ROOT)))
    wrong = list(disagreements((ROOT / name).read_text("utf-8"), report.findings, ROOT))
    assert not wrong, "\n".join([*wrong, f"to record anew: {RECORDS[name]}"])


@pytest.mark.usefixtures("triton")
def test_triton_confirms_every_error_and_refutes_nothing() -> None:
    report = confirm([ROOT], settings_for([str(ROOT)], {}, root=str(ROOT)), Options(cache=None))
    states = {f: f.verdict.state for f in report.findings}
    assert len(states) >= 60
    assert not [f"{f.primary}: {f.verdict}" for f, state in states.items() if state is State.REFUTED]
    errors = {f: state for f, state in states.items() if f.severity is Severity.ERROR}
    assert not [f"{f.primary}: {f.verdict}" for f, state in errors.items() if state is not State.CONFIRMED]
