"""The faults that are put into packages are the ones that are meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from .faults import copy, replace
from .mutate import apply, mutations, on_the_way

CASES = {
    "a = torch.zeros(n, dtype=torch.int32)": ["a = torch.zeros(n)", "a = torch.zeros(n, dtype=torch.int64)"],
    "a = torch.zeros(n, dtype=torch.int32, device=d)": [
        "a = torch.zeros(n, device=d)",
        "a = torch.zeros(n, dtype=torch.int64, device=d)",
    ],
    "a = x.new_empty(\n    (n,),  # é\n    dtype=x.dtype,\n)": ["a = x.new_empty(\n    (n,),  # é\n    \n)"],
    "a = torch.empty_like(x, dtype=(torch.half))": [
        "a = torch.empty_like(x)",
        "a = torch.empty_like(x, dtype=(torch.bfloat16))",
    ],
    "a = torch.empty(dtype=torch.bool)": ["a = torch.empty()", "a = torch.empty(dtype=torch.float32)"],
    "a = torch.empty(n)": [],
    "a = x.to(dtype=torch.int32)": [],
}


@pytest.mark.parametrize("source", CASES)
def test_a_keyword_is_dropped_and_changed(source: str) -> None:
    text = source.encode()
    assert [apply(text, m).decode() for m in mutations(text)] == CASES[source]


def test_targets_and_order() -> None:
    text = b"f(torch.ones(1, dtype=torch.int8))\nself.x: T = torch.zeros(torch.ones(2, dtype=k), dtype=k)\n"
    found = [(m.line, m.constructor, m.target, m.dtype) for m in mutations(text) if m.replacement is None]
    assert found == [
        (1, "ones", "", "torch.int8"),
        (2, "zeros", "self.x", "k"),
        (2, "ones", "", "k"),
    ]


PROGRAM = """
@triton.jit
def kernel(x): ...

def launch(x):
    kernel[(1,)](x, torch.ones(1, dtype=a))

class Buffers:
    def __init__(self):
        self.x = torch.ones(1, dtype=b)

def outer():
    launch(Buffers().x)

def far():
    return outer(), torch.ones(1, dtype=c)

def elsewhere():
    return torch.ones(1, dtype=d)
"""


@pytest.mark.parametrize(("limit", "expected"), [(0, "a"), (1, "a"), (2, "abc")])
def test_only_functions_on_the_way_to_a_launch(tmp_path: Path, limit: int, expected: str) -> None:
    (tmp_path / "m.py").write_text(PROGRAM)
    (tmp_path / "broken.py").write_text("def (")
    assert [m.dtype for _, _, m in on_the_way(tmp_path, limit)] == list(expected)


def test_a_copy_can_be_changed_without_its_original(tmp_path: Path) -> None:
    (tmp_path / "a" / "p").mkdir(parents=True)
    original = tmp_path / "a" / "p" / "m.py"
    original.write_bytes(b"old")
    replace(copy(tmp_path / "a", tmp_path / "b") / "p" / "m.py", b"new")
    assert (original.read_bytes(), (tmp_path / "b" / "p" / "m.py").read_bytes()) == (b"old", b"new")
