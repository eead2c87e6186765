"""Findings and what Triton says of them, from the paths to the report."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dtypecheck.analysis.facts import LaunchFact
from dtypecheck.api import confirm
from dtypecheck.checks import rules
from dtypecheck.checks.judge import Case, finding
from dtypecheck.config.load import settings_for
from dtypecheck.confirm import process
from dtypecheck.confirm.options import Options
from dtypecheck.core.diagnostics import Diagnostic, Severity, State
from dtypecheck.core.dtypes import only

from .conftest import written

pytestmark = pytest.mark.usefixtures("triton")

TOTAL = """
import torch

@triton.jit
def {name}(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    count = 0
    for i in range(0, n):
        count += tl.load(x_ptr + i)
    tl.store(out_ptr, count)

def {name}_of(x: torch.Tensor):
    x = torch.zeros(4, dtype=torch.{dtype})
    {name}[(1,)](x, torch.zeros(1, dtype=torch.int32), 4, BLOCK=16)
"""
TAKEN = TOTAL.replace("count = 0", "count = tl.load(x_ptr)")


def run(root: Path, rules_file: str = "", **options: object) -> tuple[Diagnostic, ...]:
    """The findings for a folder, with their verdicts; Triton is asked anew unless a cache is given."""
    given = {"rules": (str(root / rules_file),)} if rules_file else {}
    (root / "pyproject.toml").write_text("[project]\nname = 'case'\n")
    settings = settings_for([str(root)], given, root=str(root))
    return confirm([str(root)], settings, replace(Options(cache=None), **options)).findings


def test_a_refusal_that_the_mend_takes_away(tmp_path: Path) -> None:
    written(tmp_path, {"a.py": TOTAL.format(name="total", dtype="int64")})
    (found,) = run(tmp_path)
    assert (found.code, found.severity, found.verdict.state) == ("DT201", Severity.ERROR, State.CONFIRMED)
    assert found.verdict.by.startswith("triton ") and found.verdict.by.endswith(" cuda:90")
    assert found.triton_error and found.verdict.evidence.startswith(found.triton_error)
    assert f"(a.py:{found.kernel_site.span.line})" in found.verdict.evidence if found.kernel_site else False
    assert "with `x_ptr` of int32 it compiles" in found.verdict.evidence


def test_a_contract_that_triton_does_not_know(tmp_path: Path) -> None:
    """What a rules file forbids may compile: that is no proof against the contract."""
    written(tmp_path, {"a.py": TAKEN.format(name="total", dtype="int64")})
    (tmp_path / "rules.toml").write_text('[kernels."a.total"]\nx_ptr = "int32"\n')
    (found,) = run(tmp_path, "rules.toml")
    assert (found.code, found.verdict.state) == ("DT101", State.INCONCLUSIVE)
    assert found.verdict.evidence == "a declared contract; Triton takes it"


def test_a_contract_that_triton_shares(tmp_path: Path) -> None:
    written(tmp_path, {"a.py": TOTAL.format(name="total", dtype="int64")})
    (tmp_path / "rules.toml").write_text('[kernels."a.total"]\nx_ptr = "int32"\n')
    found = {f.code: f for f in run(tmp_path, "rules.toml")}
    assert found["DT101"].verdict.state is State.CONFIRMED


@pytest.fixture
def wrong_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that claims of every launch that Triton refuses int64."""

    def claims(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
        given = fact.arguments["x_ptr"]
        message = "x_ptr gets int64"
        yield finding(
            case, "DT201", message, place=given.place, alternative=given.value[0], value=given.value, launch=fact,
            parameter="x_ptr", actual=only("int64"), expected=only("int32"),
        )  # fmt: skip

    monkeypatch.setitem(rules.CHECKS, LaunchFact, (("DT2", claims),))


@pytest.mark.usefixtures("wrong_rule")
def test_a_finding_that_is_wrong_counts_no_more(tmp_path: Path) -> None:
    written(tmp_path, {"a.py": TAKEN.format(name="total", dtype="int64")})
    (found,) = run(tmp_path)
    assert (found.severity, found.verdict.state) == (Severity.NOTE, State.REFUTED)
    assert found.verdict.evidence == "Triton takes the launch"


def test_another_release_has_no_say(tmp_path: Path) -> None:
    from dtypecheck.analysis.solve import Solver
    from dtypecheck.config.progress import silent
    from dtypecheck.confirm.run import bench, confirmed

    from .conftest import solver

    written(tmp_path, {"a.py": TOTAL.format(name="total", dtype="int64")})
    (found,) = run(tmp_path)
    assert found.claim is not None
    about = replace(found, claim=replace(found.claim, releases=("3.5",)))
    at_home: Solver = solver(tmp_path)
    with bench(at_home, Options(cache=None)) as at:
        (judged,) = confirmed(at, [about], silent)
        assert judged.verdict.evidence == f"it is about Triton 3.5, and {at.machine.triton} is asked"
    assert judged.verdict.state is State.INCONCLUSIVE


WORKER = """
import os, sys, time, types
package = types.ModuleType("dtypecheck_worker")
package.__path__ = [{real!r}]
sys.modules["dtypecheck_worker"] = package
from dtypecheck_worker import bench, serve
real = bench.Bench.answer
def answer(self, request):
    text = request.get("slice", {{}}).get("text", "")
    if "def hangs(" in text:
        time.sleep(60)
    if "def crashes(" in text:
        os.kill(os.getpid(), 11)
    return real(self, request)
bench.Bench.answer = answer
serve.main()
"""


def test_what_hangs_or_crashes_triton_costs_one_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "worker"
    folder.mkdir()
    (folder / "__main__.py").write_text(WORKER.format(real=str(process.FOLDER)))
    monkeypatch.setattr(process, "FOLDER", folder)
    monkeypatch.setattr(process, "STARTING", 20.0)
    names = ("before", "hangs", "between", "crashes", "last")
    root = tmp_path / "project"
    written(root, {f"{i}.py": TOTAL.format(name=name, dtype="int64") for i, name in enumerate(names)})
    states = {f.kernel.rpartition(".")[2]: f.verdict for f in run(root, timeout=1.0)}
    assert {n: v.state for n, v in states.items()} == {
        "before": State.CONFIRMED, "hangs": State.INCONCLUSIVE, "between": State.CONFIRMED,
        "crashes": State.INCONCLUSIVE, "last": State.CONFIRMED,
    }  # fmt: skip
    assert states["hangs"].evidence == "Triton gave no answer: it took longer than 1 s"
    assert states["crashes"].evidence == "Triton gave no answer: the process died of signal 11"


@pytest.mark.parametrize("target", ["cuda:80", "cuda:100", "hip:gfx942"])
def test_each_target_is_asked_of_its_backend(tmp_path: Path, target: str) -> None:
    (found,) = on(tmp_path, target)
    assert (found.verdict.state, found.verdict.by.split()[-1]) == (State.CONFIRMED, target)
    assert "with `x_ptr` of int32 it compiles" in found.verdict.evidence


def test_a_target_without_a_backend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Triton ships its backends as packages beside it, and may lack one."""
    folder = tmp_path / "worker"
    folder.mkdir()
    (folder / "__main__.py").write_text(ONE_BACKEND.format(real=str(process.FOLDER)))
    monkeypatch.setattr(process, "FOLDER", folder)
    (found,) = on(tmp_path / "project", "hip:gfx942")
    assert (found.severity, found.verdict.state) == (Severity.ERROR, State.INCONCLUSIVE)
    assert found.verdict.evidence.startswith(
        "no backend for hip:gfx942: 0 compatible backends for target (hip)"
    )
    (found,) = on(tmp_path / "project", "cuda:80")
    assert found.verdict.state is State.CONFIRMED


ONE_BACKEND = """
import sys, types
package = types.ModuleType("dtypecheck_worker")
package.__path__ = [{real!r}]
sys.modules["dtypecheck_worker"] = package
import triton.backends
del triton.backends.backends["amd"]
from dtypecheck_worker import serve
serve.main()
"""


def on(root: Path, target: str) -> tuple[Diagnostic, ...]:
    """The findings for one target, with their verdicts."""
    written(root, {"a.py": TOTAL.format(name="total", dtype="int64")})
    settings = settings_for([str(root)], {"target": (target,)}, root=str(root))
    return confirm([str(root)], settings, Options(cache=None)).findings


def test_answers_are_kept_and_a_broken_cache_is_no_reason_to_fail(tmp_path: Path) -> None:
    root, cache = tmp_path / "project", tmp_path / "cache"
    written(root, {"a.py": TOTAL.format(name="total", dtype="int64")})
    first = run(root, cache=cache)
    kept = sorted(cache.rglob("*.json"))
    assert len(kept) == 2
    assert run(root, cache=cache) == first
    for file in kept:
        file.write_bytes(os.urandom(64))
    assert run(root, cache=cache) == first


def test_values_differ_where_a_launch_is_wrong(tmp_path: Path) -> None:
    """Launched in Triton's interpreter, which stands for a GPU."""
    pytest.importorskip("torch")
    text = """
import torch

@triton.jit
def means(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr, tl.sum(tl.load(x_ptr + i, mask=i < n, other=0), axis=0) / n)

def host():
    means[(1,)](torch.zeros(4), torch.zeros(1, dtype=torch.int32), 4, BLOCK=16)
"""
    written(tmp_path, {"a.py": text})
    (found,) = run(tmp_path, device="cpu")
    assert (found.code, found.verdict.state) == ("DT301", State.CONFIRMED)
    assert found.verdict.by.endswith("Triton's interpreter")
    assert "arith.fptosi : f32 to i32 (a.py:9); not there with `out_ptr` of float32" in found.verdict.evidence
    assert "launched, `out_ptr[0]` is unchanged, and 0." in found.verdict.evidence
