"""What mends a launch, as verdicts tell it: the likeliest dtype, or the kernel's text with the fix in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dtypecheck.analysis.solve import Solver
from dtypecheck.api import confirm
from dtypecheck.config.load import settings_for
from dtypecheck.config.progress import silent
from dtypecheck.confirm.mends import alike, mends
from dtypecheck.confirm.options import Options
from dtypecheck.confirm.run import bench, confirmed
from dtypecheck.core.claims import Claim, Nothing, Number, Tensor
from dtypecheck.core.diagnostics import Diagnostic, State
from dtypecheck.core.spans import NOWHERE, Place

from .cases import rows
from .conftest import solver, written
from .test_confirm import run

SIX = ("int32", "uint32", "int64", "uint64", "float32", "float64")


def about(was: tuple[str, ...], *, mended: tuple[str, ...]) -> Claim:
    return Claim(Place("a.py", NOWHERE), (("x", Tensor(was)),), (("x", Tensor(mended)),))


@pytest.mark.parametrize(
    ("was", "first"),
    [
        ("float16", "float32"),
        ("float64", "float32"),
        ("int8", "int32"),
        ("uint8", "uint32"),
        ("complex64", "float64"),
    ],
)
def test_the_nearest_dtype_comes_first(was: str, first: str) -> None:
    among = tuple(d for d in SIX if d != was)
    ((_, tried),), *others = mends(about((was,), mended=among))
    assert tried == Tensor((first,))
    assert len(others) == len(among) - 1


def test_of_many_dtypes_the_nearest_are_tried_before_what_is_usual() -> None:
    many = ("bool", "int8", "int16", "float16", *SIX)
    claim = about(("bfloat16",), mended=many)
    assert list(mends(claim)) == [
        (("x", Tensor(("float16",))),),
        (("x", Tensor(("float32",))),),
        claim.mended,
    ]
    assert list(mends(about(("int8", "bool"), mended=many))) == [(("x", Tensor(many)),)]


def test_one_mistake_is_mended_wherever_it_was_made() -> None:
    claim = Claim(Place("a.py", NOWHERE), (("a", Nothing()), ("b", Nothing()), ("c", Number("int", 1))))
    assert alike(claim, (("a", Number("int", 2)),)) == (("a", Number("int", 2)), ("b", Number("int", 2)))


OFFSET = """
import torch

@triton.jit
def copy(x_ptr, out_ptr, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + row * stride + i, tl.load(x_ptr + row * stride + i, mask=i < n), mask=i < n)

def host(x: torch.Tensor):
    x = torch.empty(70000, 70000, dtype=torch.float16)
    copy[(70000,)](x, torch.empty_like(x), x.stride(0), 70000, BLOCK=1024)
"""


@pytest.fixture
def overflow(triton: None, tmp_path: Path) -> tuple[Solver, Diagnostic]:
    """A fault that a fix in the kernel's text mends."""
    written(tmp_path, {"a.py": OFFSET})
    settings = settings_for([str(tmp_path)], {"select": ("DT303",)}, root=str(tmp_path))
    found = confirm([tmp_path], settings, Options(cache=None)).findings[0]
    assert found.fix is not None
    return solver(tmp_path), found


def test_a_fix_of_the_kernel_is_compiled(overflow: tuple[Solver, Diagnostic]) -> None:
    _, found = overflow
    assert found.verdict.state is State.CONFIRMED
    assert "arith.muli : i32 (a.py:10); not there with the fix" in found.verdict.evidence


def test_a_fix_that_helps_nothing_is_told(overflow: tuple[Solver, Diagnostic]) -> None:
    at_home, found = overflow
    assert found.fix is not None
    wrongs = {"tl.program_id(0)": ", with the fix too", "tl.none()": "; the mended launch is refused: "}
    for text, told in wrongs.items():
        wrong = replace(found.fix, edits=tuple(replace(e, text=text) for e in found.fix.edits))
        with bench(at_home, Options(cache=None)) as at:
            (judged,) = confirmed(at, [replace(found, fix=wrong)], silent)
        assert judged.verdict.state is State.CONFIRMED
        assert f"arith.muli : i32 (a.py:10){told}" in judged.verdict.evidence


def test_what_the_verifier_refuses_is_told_in_its_words(triton: None, tmp_path: Path) -> None:
    text = """
import torch

@triton.jit
def locked(lock_ptr):
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass

def host():
    locked[(1,)](torch.zeros(1, dtype=torch.int64))
"""
    written(tmp_path, {"a.py": text})
    (found,) = run(tmp_path)
    said = "'tt.atomic_cas' op failed to verify that ptr type matches cmp type (a.py:8); with "
    assert found.verdict.evidence.startswith(said)


def test_the_harness_for_cases_applies_what_is_proposed(triton: None, tmp_path: Path) -> None:
    (tmp_path / "wraps").mkdir()
    written(tmp_path / "wraps", {"bad.py": OFFSET})
    (tmp_path / "wraps" / "case.toml").write_text("opt_in = true\n")
    found = [row for row in rows(tmp_path / "wraps", Options().python) if row.finding.code == "DT303"]
    assert [row.is_proven and row.mended for row in found] == [True] * len(found) != []
