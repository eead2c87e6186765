"""The fault of the speculative-decoding fixture, as a user meets it: with rules, without, and from a hook."""

from __future__ import annotations

from pathlib import Path

import pytest

from dtypecheck import check
from dtypecheck.config.load import settings_for
from dtypecheck.core.diagnostics import Diagnostic

ROOT = Path(__file__).parents[1] / "fixtures"
FILE = "spec_decode/probabilistic_rejection_sampler.py"
LINE = "num_sampled = sampled.new_empty(num_reqs)"


def found(*paths: str, **flags: object) -> tuple[Diagnostic, ...]:
    """The findings for paths below the fixtures, which are the root."""
    named = [ROOT / p for p in paths]
    return check(named, settings_for(named, flags, root=str(ROOT))).findings


@pytest.fixture(scope="module")
def unruled() -> Diagnostic:
    """The one finding that needs no rules file."""
    (only,) = found("spec_decode")
    return only


def test_no_rules_file_is_needed(unruled: Diagnostic) -> None:
    assert (unruled.code, unruled.parameter) == ("DT201", "num_rejected_ptr")
    assert unruled.primary.path == FILE
    assert (ROOT / FILE).read_text().splitlines()[unruled.primary.span.line - 1].strip() == LINE
    assert (unruled.actual, unruled.expected) == (("int64",), ("int32",))
    assert unruled.triton_error == "initial value for `i` is of type int64[], but the then block redefines it as int32[]"


def test_the_trace_goes_from_the_birth_to_the_kernel(unruled: Diagnostic) -> None:
    assert [step.role for step in unruled.trace][:4] == ["born", "flows", "flows", "launched"]
    assert {step.place.path for step in unruled.trace if step.role == "flows"} == {
        "spec_decode/rejection_sampler.py",
        "spec_decode/input_batch.py",
    }
    assert unruled.trace[-1].role == "kernel"
    siblings = dict(unruled.notes)["siblings"]
    assert "strict_rejection_sample" in siblings
    assert "synthetic_rejection_sample" in siblings


def test_a_hook_that_passes_one_file_reports_the_fault() -> None:
    """The file of the birth, of the launch and of the kernel each show it; others do not."""
    for path in (FILE, "spec_decode/eagle.py"):
        assert [f.code for f in found(path)] == ["DT201"]
    assert not found("spec_decode/buffers.py")


def test_rules_show_the_return_and_the_field() -> None:
    rules = (str(ROOT / "spec_decode.rules.toml"),)
    codes = {f.code for f in found("spec_decode", rules=rules) if f.primary.path == FILE}
    assert codes == {"DT101", "DT102", "DT103", "DT201"}


def test_the_join_is_told_on_request() -> None:
    (only,) = found("spec_decode", select=("DT110",))
    assert only.primary.path == "spec_decode/rejection_sampler.py"
