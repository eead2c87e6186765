"""`contracts`: what is printed about a small project, in each format, and what the formats have in common."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from dtypecheck.contracts.draft import TRITON
from dtypecheck.contracts.model import Kind, RulesFile
from dtypecheck.contracts.reader import read_text
from dtypecheck.core import dtypes as dt

Invoke = Callable[..., Result]

KERNELS = """\
import triton
import triton.language as tl
from elsewhere import magic


@triton.jit
def square(x):
    return x * x


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, bias_ptr, scale_ptr, K, N: tl.constexpr, SCALED: tl.constexpr):
    i = tl.arange(0, N)
    at = i[:, None] * N + i[None, :]
    acc = tl.zeros((N, N), dtype=tl.float32)
    for _ in range(0, K, N):
        acc += tl.dot(tl.load(a_ptr + at), tl.load(b_ptr + at))
    if bias_ptr is not None:
        acc += tl.load(bias_ptr + i)[None, :]
    if SCALED:
        acc *= tl.load(scale_ptr)
    tl.store(c_ptr + at, square(acc))


@triton.jit
def gathered(total_ptr, x_ptr, n):
    total = tl.load(total_ptr)
    for i in range(n):
        total |= tl.load(x_ptr + i)
    tl.store(total_ptr, total)


@triton.jit
def odd(x_ptr):
    magic(x_ptr)


@triton.jit
def longest(x_ptr, n: tl.int64):
    tl.store(x_ptr, n)
"""
HOST = """\
import torch
from .kernels import gathered, matmul


def product(a, b, scaled: bool, bias=None):
    c = torch.empty(64, 64)
    matmul[(1,)](a, b, c, bias, None, a.shape[0], N=64, SCALED=scaled)
    return c


def gather(x):
    total = torch.zeros(1, dtype=torch.int64)
    gathered[(1,)](total, x, x.numel())
    return total
"""
TABLE = """\
pkg/kernels.py:12 pkg.kernels.matmul  1 launch
  a_ptr      pointer          float8, int8, float16, bfloat16, float32
  b_ptr      pointer          float8, int8, float16, bfloat16, float32; same as a_ptr (float8 may be mixed)
  c_ptr      pointer          any
  bias_ptr   pointer or None  any
  scale_ptr  pointer          any; None unless SCALED
  K          scalar           bool, int
  N          constexpr
  SCALED     constexpr

pkg/kernels.py:26 pkg.kernels.gathered  1 launch
  total_ptr  pointer  any but floating; at least as wide as x_ptr
  x_ptr      pointer  any but floating, uint64
  n          scalar   bool, int

pkg/kernels.py:34 pkg.kernels.odd  no launches
  not decided: name: object of elsewhere.magic

pkg/kernels.py:39 pkg.kernels.longest  no launches
  x_ptr  pointer  any but float8
  n      scalar   any, taken as int64

4 kernels, 1 not decided, 13 parameters.
"""


@pytest.fixture
def kernels(project: Path) -> Path:
    (project / "pkg" / "__init__.py").write_text("")
    (project / "pkg" / "kernels.py").write_text(KERNELS)
    (project / "pkg" / "host.py").write_text(HOST)
    return project


def document(result: Result) -> dict[str, dict[str, Any]]:
    """Kernel -> parameter -> what the JSON says of it."""
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["version"] == 1
    return {k["kernel"]: {p["name"]: p for p in k["parameters"]} for k in found["kernels"]}


def test_a_table_for_each_kernel_and_none_for_device_functions(kernels: Path, invoke: Invoke) -> None:
    result = invoke("contracts", ".")
    assert (result.exit_code, result.stdout, result.stderr) == (0, TABLE, "")


def test_why_the_rest_is_refused_and_what_launches_give(kernels: Path, invoke: Invoke) -> None:
    shown = invoke("contracts", ".", "-v").stdout
    assert "not unsigned, bool, int16, int32, int64: pkg/kernels.py:17 Unsupported lhs dtype int32\n" in shown
    assert "not float64: pkg/kernels.py:16 Loop-carried variable acc has initial type" in shown
    assert "    gets int64\n" in shown
    assert "    None: tested on line 18\n" in shown


def test_quiet_is_the_table_alone(kernels: Path, invoke: Invoke) -> None:
    assert invoke("contracts", ".", "-q").stdout == TABLE[: TABLE.index("4 kernels")]


def test_json_has_words_and_place_of_every_refusal(kernels: Path, invoke: Invoke) -> None:
    found = document(invoke("contracts", ".", "--format", "json"))
    a, b = (found["pkg.kernels.matmul"][n] for n in ("a_ptr", "b_ptr"))
    assert a["accepts"] == [
        d.name for d in dt.members(TRITON) if d.name not in {r["dtype"] for r in a["refused"]}
    ]
    refusal = next(r for r in b["refused"] if r["dtype"] == "int64")
    assert (refusal["path"], refusal["line"], refusal["where"]) == ("pkg/kernels.py", 17, None)
    assert refusal["triton_error"] == "Unsupported rhs dtype int64"
    assert (b["same_as"], b["mixed_float8"], b["any"]) == ("a_ptr", True, False)
    scale = found["pkg.kernels.matmul"]["scale_ptr"]
    assert (scale["any"], scale["optional"], scale["unless"]) == (True, True, "SCALED")
    assert found["pkg.kernels.longest"]["n"]["annotation"] == "int64"
    assert found["pkg.kernels.gathered"]["total_ptr"]["gets"] == ["int64"]


def test_toml_is_a_rules_file_that_says_what_json_says(kernels: Path, invoke: Invoke) -> None:
    result = invoke("contracts", ".", "--format", "toml", "-o", "json:all.json")
    rules = read_text(result.stdout, "r.toml", name="r")
    assert isinstance(rules, RulesFile), rules
    assert "#   pkg.kernels.odd: name: object of elsewhere.magic\n" in result.stdout
    listed = json.loads(Path("all.json").read_text())["kernels"]
    assert {k.pattern for k in rules.kernels} == {k["kernel"] for k in listed if k["decided"]}
    for kernel in listed:
        said = {p.name: p for k in rules.kernels if k.pattern == kernel["kernel"] for p in k.parameters}
        for p in kernel["parameters"]:
            contract = said[p["name"]]
            if p["kind"] == "pointer":
                assert contract.dtypes & TRITON == dt.only(*p["accepts"])
            assert contract.kind is (Kind(p["kind"]) if p["strictly"] else Kind.VALUE)
            assert (contract.same_as, contract.at_least) == (p["same_as"], p["at_least"])
            assert (contract.optional, contract.mixed_float8) == (p["optional"], p["mixed_float8"])


def test_the_project_keeps_its_own_contracts(kernels: Path, invoke: Invoke) -> None:
    Path("own.toml").write_text(invoke("contracts", ".", "--format", "toml").stdout)
    assert invoke("rules", "validate", "own.toml").stdout == "own.toml: ok\n"
    result = invoke("check", ".", "--rules", "own.toml", "--format", "concise")
    assert (result.exit_code, result.stdout) == (0, "")
    host = HOST.replace("torch.zeros(1, dtype=torch.int64)", "torch.zeros(1)")
    (kernels / "pkg" / "host.py").write_text(host)
    found = invoke("check", ".", "--rules", "own.toml", "--format", "concise", "--select", "DT101").stdout
    assert "`total_ptr` of `gathered` gets float32; the rules declare a pointer" in found


def test_what_the_launches_give_counts(kernels: Path, invoke: Invoke) -> None:
    """`total_ptr` is int64 there: so `x_ptr` may not be uint64, which int64 does not hold."""
    known = document(invoke("contracts", ".", "--format", "json"))["pkg.kernels.gathered"]["x_ptr"]
    (kernels / "pkg" / "host.py").unlink()
    free = document(invoke("contracts", ".", "--format", "json"))["pkg.kernels.gathered"]["x_ptr"]
    assert set(free["accepts"]) - set(known["accepts"]) == {"uint64"}


def test_equal_names_are_told_apart(kernels: Path, invoke: Invoke) -> None:
    (kernels / "pkg" / "more.py").write_text(KERNELS)
    found = document(invoke("contracts", "pkg", "--format", "json"))
    assert {"pkg.kernels.matmul", "pkg.more.matmul"} <= found.keys()
    assert document(invoke("contracts", "pkg/more.py", "--format", "json")).keys() == {
        f"pkg.more.{name}" for name in ("matmul", "gathered", "odd", "longest")
    }


def test_a_module_that_no_rules_file_can_name_is_named_by_a_pattern(kernels: Path, invoke: Invoke) -> None:
    (kernels / "pkg" / "01-add.py").write_text(KERNELS)
    toml = invoke("contracts", "pkg/01-add.py", "--format", "toml").stdout
    assert '[kernels."pkg.*1-add.matmul"]' in toml
    Path("own.toml").write_text(toml)
    assert invoke("check", ".", "--rules", "own.toml", "--format", "concise").stdout == ""


def test_targets_and_releases(kernels: Path, invoke: Invoke) -> None:
    found = document(invoke("contracts", ".", "--format", "json", "--target", "cuda:80", "--triton", "3.9"))
    a = found["pkg.kernels.matmul"]["a_ptr"]
    assert "float8_e5m2" in a["accepts"] and "float8_e4m3fn" not in a["accepts"]
    message = next(r["triton_error"] for r in a["refused"] if r["dtype"] == "float8_e4m3fn")
    assert message.startswith("type fp8e4nv not supported in this architecture")


def test_processes_change_nothing(kernels: Path, invoke: Invoke) -> None:
    for number in range(45):
        (kernels / "pkg" / f"m{number}.py").write_text("x = 1\n")
    one, two = (invoke("contracts", ".", "--format", "json", "--jobs", n).stdout for n in "12")
    assert re.sub(r'"seconds": .*', "", one) == re.sub(r'"seconds": .*', "", two)


def test_a_path_that_is_not_there(kernels: Path, invoke: Invoke) -> None:
    result = invoke("contracts", "pgk")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "error: pgk: no such file or directory\n"


@pytest.mark.parametrize("text", ["text", "json", "toml"])
def test_a_path_without_kernels(kernels: Path, invoke: Invoke, text: str) -> None:
    result = invoke("contracts", "pkg/host.py", "--format", text)
    assert (result.exit_code, result.stderr) == (0, "notice: no Triton kernels in pkg/host.py\n")
    if text == "text":
        assert result.stdout == ""


def test_an_empty_folder_says_what_check_says(kernels: Path, invoke: Invoke) -> None:
    Path("empty").mkdir()
    mine, theirs = invoke("contracts", "empty"), invoke("check", "empty")
    assert (mine.exit_code, mine.stderr) == (theirs.exit_code, theirs.stderr)


def test_a_wrong_format_is_told(kernels: Path, invoke: Invoke) -> None:
    assert "text, json, toml" in invoke("contracts", ".", "-o", "yaml:x").stderr
    assert invoke("contracts", ".", "--target", "cuda90").exit_code == 2
