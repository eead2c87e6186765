"""Names of a module that kernels read, resolved as in a real program, against the installed Triton."""

from __future__ import annotations

import pytest

from dtypecheck.analysis.program import FunctionDef, Program
from dtypecheck.analysis.solve import Solver
from dtypecheck.analysis.store import Store
from dtypecheck.kernels.program_scope import scope_of
from dtypecheck.syntax.index import index
from dtypecheck.syntax.source import Source, decode

from .agreement_core import Comparison, compare, typed

HEAD = """import math
import os

import triton
import triton.language as tl
from triton.language.extra import libdevice

"""
EITHER = """
if os.environ.get("FAST", "0") == "1":
    @triton.jit
    def exponential(x): return {fast}
else:
    @triton.jit
    def exponential(x): return {slow}

"""
CHOSEN = """
fast = os.environ.get("FAST", "0") == "1"

@triton.jit
def at_once(x): return libdevice.fast_expf(x)

@triton.jit
def exactly(x): return tl.exp(x)

if fast:
    exponential = at_once
if not fast:
    exponential = exactly

"""
KERNEL = """
@triton.jit
def kernel(x_ptr, out_ptr):
    x = tl.load(x_ptr)
    tl.store(out_ptr, {value})
"""


def compared(triton, tmp_path, text: str, **signature: str) -> Comparison:
    oracle, version = triton
    path = tmp_path / "flat.py"
    path.write_text(text)
    source = decode(text.encode(), "flat.py")
    assert isinstance(source, Source)
    file = index(source, "flat", False)
    solver = Solver(Program([file]), Store(lambda _: source))
    (entry,) = (e for e in file.functions if e.qualname == "kernel")
    function = solver.store.function(FunctionDef(file, entry))
    answer = oracle.ask({"file": str(path), "kernel": "kernel", "signature": signature, "constexprs": {}})
    typing = typed(function, scope_of(solver, file), signature, {}, version, "cuda:90")
    return compare(function, typing, answer)


@pytest.mark.parametrize("x", ["*fp32", "*fp16", "*i32"])
@pytest.mark.parametrize(
    "names",
    [EITHER.format(fast="libdevice.fast_expf(x)", slow="tl.exp(x)"), CHOSEN],
    ids=["two definitions", "two values"],
)
def test_whichever_helper_it_is(triton, tmp_path, names: str, x: str) -> None:
    """A kernel is taken or refused with each of the helpers that a name may stand for."""
    text = HEAD + names + KERNEL.format(value="exponential(x)")
    assert compared(triton, tmp_path, text, x_ptr=x, out_ptr="*fp32").kind == "agree"


@pytest.mark.parametrize("number", ["pi", "e", "tau", "inf"])
@pytest.mark.parametrize("x", ["*fp32", "*fp16", "*i64"])
def test_numbers_of_math(triton, tmp_path, number: str, x: str) -> None:
    text = HEAD + KERNEL.format(value=f"tl.exp(x * math.{number})")
    assert compared(triton, tmp_path, text, x_ptr=x, out_ptr="*fp32").kind == "agree"
