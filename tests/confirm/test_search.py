"""What a launch leaves open is found by trial where no usual choice compiles."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dtypecheck.analysis.pointers import pointers
from dtypecheck.api import confirm
from dtypecheck.config.load import settings_for
from dtypecheck.confirm.bench import Bench, Experiment
from dtypecheck.confirm.options import Options
from dtypecheck.confirm.search import searched
from dtypecheck.confirm.usual import DRAWS
from dtypecheck.core import claims as c
from dtypecheck.core.diagnostics import State, Verdict

from .conftest import solver, written

pytestmark = pytest.mark.usefixtures("triton")

SIZES = """
import torch

@triton.jit
def rows(x_ptr, out_ptr, n, WIDTH: tl.constexpr, HALF: tl.constexpr, MODE: tl.constexpr):
    tl.static_assert(WIDTH == 8 * HALF)
    tl.static_assert({test})
    i = tl.arange(0, WIDTH)
    count = 0
    for k in range(0, n):
        count += tl.load(x_ptr + k)
    tl.store(out_ptr + i, count + tl.reshape(i, (8, HALF)).sum())

def host(width, half, mode):
    x = torch.zeros(4, dtype=torch.int64)
    rows[(1,)](x, torch.zeros(512, dtype=torch.int32), 4, WIDTH=width, HALF=half, MODE=mode)
"""


def verdict(root: Path, text: str, code: str) -> Verdict:
    written(root, {"a.py": text})
    settings = settings_for([str(root)], {"select": (code,)}, root=str(root))
    (found,) = confirm([root], settings, Options(cache=None)).findings
    return found.verdict


def test_sizes_that_must_fit_are_found(tmp_path: Path) -> None:
    made = verdict(tmp_path, SIZES.format(test="MODE % 3 == 0"), "DT201")
    assert made.state is State.CONFIRMED
    assert "with `x_ptr` of int32 it compiles; assuming WIDTH=64, HALF=8, MODE=3" in made.evidence


def test_what_no_trial_finds_stays_in_doubt(tmp_path: Path) -> None:
    made = verdict(tmp_path, SIZES.format(test="MODE * 7 == 539"), "DT201")
    assert made.state is State.INCONCLUSIVE
    assert "CompileTimeAssertionFailure" in made.evidence


GATHER = """
import torch

@triton.jit
def gather(x_ptr, rows, out_ptr, n, BLOCK: tl.constexpr, QUARTER: tl.constexpr):
    i = tl.arange(0, BLOCK)
    at = tl.reshape(tl.load(rows + i), (QUARTER, 4))
    tl.store(out_ptr + at, tl.load(x_ptr + at) * 0.5)

def host(x, rows, block, quarter):
    out = torch.zeros(64, dtype=torch.int32)
    gather[(1,)](x, rows, out, 4, BLOCK=block, QUARTER=quarter)
"""


def test_silent_faults_are_searched_too(tmp_path: Path) -> None:
    made = verdict(tmp_path, GATHER, "DT301")
    assert made.state is State.CONFIRMED
    assert "(a.py:10); not there with `out_ptr` of float" in made.evidence
    assert "BLOCK=256, QUARTER=64" in made.evidence


CHOSEN = """
import torch

@triton.jit
def either(a, b, c, d, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    pid = tl.program_id(0)
    if pid == 0:
        picked = a
    elif pid == 1:
        picked = b
    else:
        picked = tl.where(pid < n, c, d)
    count = 0
    for k in range(0, n):
        count += tl.load(picked + k)
    tl.store(out_ptr + i, count)

def host(a, b, c, d):
    either[(1,)](a, b, c, d, torch.zeros(16, dtype=torch.int32), 4, BLOCK=16)
"""


def test_parameters_that_a_pointer_is_chosen_from_are_pointers(tmp_path: Path) -> None:
    """By a test, or by `tl.where`: the kernel takes no numbers for them."""
    at = solver(written(tmp_path, {"a.py": CHOSEN}))
    (kernel,) = (f for f in at.program.functions() if f.entry.name == "either")
    assert pointers(at.program, at.store, kernel) == {"a", "b", "c", "d", "out_ptr"}


def test_tensors_of_one_dtype_change_together(asked: Bench, tmp_path: Path) -> None:
    """A table of indices that another tensor shares its dtype with."""
    text = """
@triton.jit
def pick(x_ptr, a, b, out_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    at = tl.load(a + i) & tl.load(b + i)
    tl.store(out_ptr + i, tl.load(x_ptr + at))
"""
    at = solver(written(tmp_path / "other", {"a.py": text}))
    bench = replace(asked, solver=at)
    (kernel,) = at.program.functions()
    open_ = c.Tensor(("float16", "int32"), "x")
    half = c.Tensor(("float16",))
    arguments = {"x_ptr": half, "a": open_, "b": open_, "out_ptr": half}
    claim = c.Claim(kernel.place, tuple(arguments.items()))
    experiment = bench.experiment(claim, DRAWS[0], ())
    assert isinstance(experiment, Experiment)
    wrong = dict.fromkeys(("a", "b"), half)
    started = replace(experiment.choice, arguments={**experiment.choice.arguments, **wrong})
    started = replace(started, assumed={**started.assumed, "a": "", "b": ""})
    found = searched(replace(experiment, choice=started), arguments)
    assert found is not None
    assert [found.choice.arguments[n] for n in ("a", "b")] == [c.Tensor(("int32",))] * 2
    blamed = replace(experiment, choice=started, wrong={"a": half, "b": half})
    assert searched(blamed, arguments) is None
