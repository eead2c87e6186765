"""Variables of kernels, under what the program's launches give."""

from __future__ import annotations

from pathlib import Path

import pytest

from dtypecheck.config.errors import ConfigError
from dtypecheck.core.traces import Kind

from .asking import callers, line_of, project, steps, texts, trace, traced, when

KERNEL = """
    import torch
    import triton
    import triton.language as tl

    @triton.jit
    def twice(x):
        y = x + x
        return y

    @triton.jit
    def copy(x_ptr, out_ptr, n, scale, WIDE: tl.constexpr, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + i, mask=i < n)
        p = out_ptr + i
        if WIDE:
            x = twice(x).to(tl.float32)
        s = scale
        tl.store(p, x)
    """
HOST = """
    import torch
    from kernel import copy

    def halves(n: int, wide: bool):
        x = torch.empty(n, dtype=torch.float16)
        copy[(1,)](x, x, n, 2.0, WIDE=True, BLOCK=64)

    def ints(n: int):
        x = torch.empty(n, dtype=torch.int32)
        copy[(1,)](x, x, n, 2, WIDE=False, BLOCK=64)
    """


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return project(tmp_path, kernel=KERNEL, host=HOST)


def test_each_signature_is_a_way_with_its_launch(root: Path) -> None:
    value = traced(root / "kernel.py", "x = tl.load")
    assert texts(value) == ["float16, a block of [64]", "int32, a block of [64]"]
    assert [callers(way) for way in value.ways] == [["halves:7"], ["ints:11"]]
    assert steps(value.ways[0], root) == [
        "launched host:7 x -> float16 (`x_ptr` of copy)",
        "kernel kernel:14 tl.load(x_ptr + i, mask=i < n) (fp16, loaded from `x_ptr`)",
    ]


def test_a_name_is_told_before_or_after_its_statement(root: Path) -> None:
    assert texts(traced(root / "kernel.py", "tl.store(p", "x")) == [
        "float32, a block of [64]",
        "int32, a block of [64]",
    ]
    file = root / "kernel.py"
    line = line_of(file, "x = twice(x)")
    (stored,) = trace(file, line).values
    assert texts(stored) == [
        "float32, a block of [64]",
        "unknown: this line is not compiled for these arguments",
    ]


def test_pointers_scalars_and_constants(root: Path) -> None:
    file = root / "kernel.py"
    assert texts(traced(file, "p = out_ptr")) == [
        "a block of pointers to float16",
        "a block of pointers to int32",
    ]
    assert {way.said.kind for way in traced(file, "p = out_ptr").ways} == {Kind.POINTER}
    assert texts(traced(file, "s = scale")) == ["float32, a scalar", "int32, a scalar"]
    assert texts(traced(file, "def copy", "BLOCK")) == ["a compile-time constant: 64"]
    assert texts(traced(file, "def copy", "WIDE")) == [
        "a compile-time constant: True",
        "a compile-time constant: False",
    ]


def test_a_device_function_is_told_where_kernels_call_it(root: Path) -> None:
    value = traced(root / "kernel.py", "y = x + x")
    assert texts(value) == [
        "float16, a block of [64]",
        "unknown: this line is not compiled for these arguments",
    ]
    assert callers(value.ways[0]) == ["halves:7"]
    assert steps(value.ways[0], root)[-1] == "kernel kernel:8 x + x (fp16 + fp16 -> fp16)"


def test_the_choices_that_decide_an_argument_are_told(tmp_path: Path) -> None:
    host = """
        import torch
        from kernel import copy

        def run(n: int, small: bool, other: bool):
            x = torch.empty(n, dtype=torch.float16 if small else torch.float32)
            out = torch.empty(n, dtype=torch.float16 if other else torch.float32)
            copy[(1,)](x, out, n, 2.0, WIDE=False, BLOCK=64)
        """
    root = project(tmp_path, kernel=KERNEL, host=host)
    value = traced(root / "kernel.py", "x = tl.load")
    assert {way.said.text: when(way) for way in value.ways} == {
        "float16, a block of [64]": ["small"],
        "float32, a block of [64]": ["not (small)"],
    }


def test_what_triton_refuses_is_said(tmp_path: Path) -> None:
    kernel = """
        import torch
        import triton
        import triton.language as tl

        @triton.jit
        def shift(x_ptr):
            x = tl.load(x_ptr)
            y = x << 1
            z = y

        def run(n: int):
            shift[(1,)](torch.empty(n))
        """
    root = project(tmp_path, kernel=kernel)
    words = "invalid operands of type triton.language.float32 and triton.language.float32"
    refused = [f"unknown: Triton refuses the kernel: {words}"]
    assert texts(traced(root / "kernel.py", "y = x << 1")) == refused
    assert texts(traced(root / "kernel.py", "z = y")) == refused
    assert texts(traced(root / "kernel.py", "y = x << 1", "x")) == ["float32, a scalar"]


def test_what_callers_outside_give_is_not_known(tmp_path: Path) -> None:
    host = """
        from kernel import copy

        def run(x, out, n: int):
            copy[(1,)](x, out, n, 2.0, WIDE=False, BLOCK=64)
        """
    root = project(tmp_path, kernel=KERNEL, host=host)
    (way,) = traced(root / "kernel.py", "x = tl.load").ways
    assert (way.said.kind, way.said.text) == (Kind.UNKNOWN, "unknown: any dtype, a block of [64]")
    assert steps(way, root) == [
        "launched host:5 x -> what callers of run give for `x` (`x_ptr` of copy)",
        "kernel kernel:14 tl.load(x_ptr + i, mask=i < n) (one of 17 types, loaded from `x_ptr`)",
    ]


def test_a_kernel_without_launches_says_so(tmp_path: Path) -> None:
    root = project(tmp_path, kernel=KERNEL)
    with pytest.raises(
        ConfigError, match=r"kernel.py:14 is in the kernel `copy`, of which no launch is found"
    ):
        traced(root / "kernel.py", "x = tl.load")


@pytest.mark.parametrize(
    ("code", "name", "message"),
    [
        ("tl.store(p", None, "the statement at kernel.py:19 gives no value: name one of p, x"),
        ("x = tl.load", "mask", "no `mask` at kernel.py:14; there: i, n, x, x_ptr"),
        (
            "x = tl.load",
            "x_prt",
            r"no `x_prt` at kernel.py:14; did you mean `x_ptr`\?; there: i, n, x, x_ptr",
        ),
        ("def copy", None, "the statement at kernel.py:12 gives no value: name one of BLOCK, WIDE, n"),
    ],
)
def test_names_of_kernels_are_looked_for_on_the_line(
    root: Path, code: str, name: str | None, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        traced(root / "kernel.py", code, name)
