"""What a store loses, against the conversion that Triton's front end puts before it."""

from __future__ import annotations

import re

import pytest

from dtypecheck.kernels import loss
from dtypecheck.kernels.flow import buffer
from dtypecheck.kernels.session import CastFact, StoreFact
from dtypecheck.kernels.typing import KernelTyping, type_kernel
from dtypecheck.kernels.values import Pointer

from .agreement_core import parameter
from .scopes import Module

HEAD = "import triton\nimport triton.language as tl\n\n@triton.jit\n"
HELPERS = """
@triton.jit
def twice(x):
    return x + x

"""


def source(body: str, types: dict[str, str]) -> str:
    inner = "\n    ".join(["i = tl.arange(0, 16)", *body.splitlines()])
    return f"{HEAD[:-13]}{HELPERS}\n@triton.jit\ndef k({', '.join(types)}):\n    {inner}\n"


def typing(body: str, types: dict[str, str]) -> KernelTyping:
    module = Module("m", "m.py", source(body, types))
    return type_kernel(module.function("k"), {n: parameter(t) for n, t in types.items()}, module)


def last_store(body: str, types: dict[str, str]) -> tuple[StoreFact, loss.Constants]:
    facts = typing(body, types).facts
    return [f for f in facts if isinstance(f, StoreFact)][-1], loss.constants(facts)


LOAD = {"p": "*fp32", "out": "*i32", "n": "i32", "f": "fp32"}
FRACTIONAL = [
    ("tl.store(out + i, tl.load(p + i))", True),
    ("tl.store(out + i, tl.load(p + i) * 0.5)", True),
    ("tl.store(out + i, tl.sum(tl.load(p + i)) / n)", True),
    ("tl.store(out + i, tl.exp(tl.load(p + i)) + 1)", True),
    ("tl.store(out + i, i * 1.5)", True),
    ("x = 0.0\nfor j in range(n):\n    x += tl.load(p + j)\ntl.store(out, x)", True),
    ("tl.store(out + i, twice(tl.load(p + i)))", True),
    ("tl.atomic_add(out + i, tl.load(p + i))", True),
    ("tl.store(out + i, tl.load(p + i).to(tl.float16))", True),
    ("tl.store(out + i, tl.floor(tl.load(p + i)) + 1)", False),
    ("tl.store(out + i, tl.load(p + i) + 0.5)", False),
    ("x = tl.load(p + i)\ntl.store(out + i, tl.clamp(tl.where(x < 0, x - 0.5, x + 0.5), -8.0, 7.0))", False),
    ("x = tl.load(p + i)\ntl.store(out + i, x + tl.where(x < 0, -0.5, 0.5))", False),
    ("tl.store(out + i, tl.sum((tl.load(p + i) > 0).to(tl.float32)))", False),
    ("tl.store(out + i, i.to(tl.float32) * 2)", False),
    ("tl.store(out + i, f)", False),
    ("tl.store(out + i, tl.where(i < n, 1.0, 0.0))", False),
]


@pytest.mark.parametrize(("body", "fractional"), FRACTIONAL, ids=[b for b, _ in FRACTIONAL])
def test_fractions(triton, tmp_path, body: str, fractional: bool) -> None:
    store, known = last_store(body, LOAD)
    assert loss.is_fractional(store.value, known) is fractional
    assert "arith.fptosi" in ir_of(triton, tmp_path, body, LOAD)


def test_what_a_helper_gave_before_proves_nothing() -> None:
    """The value of a second call of one signature has the first call's arguments behind it."""
    body = "x = twice(tl.load(p + i))\ntl.store(out + i, twice(tl.floor(tl.load(p + i))))"
    store, known = last_store(body, LOAD)
    assert not loss.is_fractional(store.value, known)


WIDE = {"p": "*i64", "q": "*i64", "r": "*i32", "x": "*fp32", "out": "*i32", "n": "i32"}
COMBINED = [
    ("tl.store(out + i, tl.load(p + i) + tl.load(q))", True),
    ("tl.store(out + i, tl.load(p + i) + tl.load(r))", True),
    ("tl.store(out + i, tl.load(p + i) * tl.load(q))", True),
    ("tl.store(out + i, tl.where(i < n, tl.load(p + i) + tl.load(q) + 1, 0))", True),
    ("tl.store(out + i, tl.load(p + i))", False),
    ("tl.store(out + i, tl.load(p + i) + 1)", False),
    ("tl.store(out + i, tl.load(p + i) + n)", False),
    ("tl.store(out + i, tl.load(p + i) - tl.load(q))", False),
    ("tl.store(out + i, tl.minimum(tl.load(p + i) + tl.load(q), n))", False),
    ("tl.store(out + i, (tl.load(p + i) + tl.load(q)) % n)", False),
    ("tl.store(out + i, tl.load(r + i).to(tl.int64) + tl.load(r))", False),
    ("tl.store(out, tl.program_id(0).to(tl.int64) * 16 + tl.argmax(tl.load(x + i), axis=0))", False),
    ("x = tl.load(p + i)\ntl.store(out + i, twice(x))", False),
]


@pytest.mark.parametrize(("body", "combined"), COMBINED, ids=[b for b, _ in COMBINED])
def test_sums_of_64_bits(triton, tmp_path, body: str, combined: bool) -> None:
    store, _ = last_store(body, WIDE)
    assert loss.is_combined(store.value) is combined
    assert "arith.trunci" in ir_of(triton, tmp_path, body, WIDE)


FLAGS = {"p": "*i1", "b": "*u8", "out": "*u8", "n": "i32"}
COUNTS = [
    ("tl.store(out, tl.sum(tl.load(p + i).to(tl.int32)))", True),
    ("tl.store(out, tl.sum((i < n).to(tl.int32)))", True),
    ("tl.store(out, tl.sum(tl.load(b + i)))", True),
    ("t = 0\nfor j in range(n):\n    t += tl.sum(tl.load(b + i).to(tl.int32))\ntl.store(out, t)", True),
    ("tl.store(out + i, tl.cumsum(tl.load(b + i).to(tl.int32)))", True),
    ("tl.store(out, tl.sum(tl.load(b + i).to(tl.int32) << i))", False),
    ("tl.store(out, tl.sum(tl.where(i == n, tl.load(b + i).to(tl.int32), 0)))", False),
    ("tl.store(out + i, tl.load(b + i).to(tl.int32) + 1)", False),
]


@pytest.mark.parametrize(("body", "count"), COUNTS, ids=[b for b, _ in COUNTS])
def test_counts(triton, tmp_path, body: str, count: bool) -> None:
    store, _ = last_store(body, FLAGS)
    assert loss.is_count(store.value) is count
    assert "arith.trunci" in ir_of(triton, tmp_path, body, FLAGS)


QUANTITIES = [
    ("tl.store(out + i, i)", True),
    ("tl.store(out, tl.argmax(tl.load(p + i), axis=0))", True),
    ("tl.store(out + i, (tl.load(p + i) > 0).to(tl.int32))", False),
    ("tl.store(out + i, tl.where(i < n, 1, 0))", False),
]


@pytest.mark.parametrize(("body", "quantity"), QUANTITIES, ids=[b for b, _ in QUANTITIES])
def test_quantities(triton, tmp_path, body: str, quantity: bool) -> None:
    types = {"p": "*fp32", "out": "*fp16", "n": "i32"}
    store, _ = last_store(body, types)
    assert loss.is_quantity(store.value) is quantity
    assert "arith.sitofp" in ir_of(triton, tmp_path, body, types)


# -- buffers and pointers that are looked at otherwise -------------------------------------------------


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("tl.store(out + i, 1)", "out"),
        ("q = out + 16\nfor j in range(n):\n    tl.store(q + i, 1)\n    q += 16", "out"),
        ("q = p\nif n > 0:\n    q = out\ntl.store(q + i, 1)", ""),
        ("tl.store(out.to(tl.pointer_type(tl.int32)) + i, 1)", ""),
        ("tl.store(tl.load(a).to(tl.pointer_type(tl.int32)) + i, 1)", ""),
        ("d = tl.make_tensor_descriptor(out, [16], [1], [16])\nd.store([0], i.to(tl.float32))", "out"),
    ],
)
def test_the_buffer_of_a_store(body: str, name: str) -> None:
    store, _ = last_store(body, {"p": "*fp32", "out": "*fp32", "a": "*i64", "n": "i32"})
    assert buffer(store.pointer) == name


def test_casts_of_pointers_are_noted(triton, tmp_path) -> None:
    body = "tl.store(out + i, tl.load(p.to(tl.pointer_type(tl.float32)) + i))"
    types = {"p": "*fp16", "out": "*fp32"}
    casts = [f for f in typing(body, types).facts if isinstance(f, CastFact)]
    assert [isinstance(f.target, Pointer) and f.source.op for f in casts] == ["param p"]
    assert "tt.bitcast" in ir_of(triton, tmp_path, body, types)


@pytest.mark.parametrize(("given", "kept"), [("bfloat16", "float16"), ("float16", "bfloat16")])
def test_a_value_passes_through_one_half_into_the_other(triton, tmp_path, given: str, kept: str) -> None:
    short = {"bfloat16": "bf16", "float16": "fp16"}
    body, types = (
        f"tl.store(out + i, tl.load(p + i).to(tl.{given}))",
        {"p": "*fp32", "out": f"*{short[kept]}"},
    )
    store, _ = last_store(body, types)
    assert store.value.op == "cast"
    made = re.findall(r"(?:to|->) tensor<16x(b?f16)>", ir_of(triton, tmp_path, body, types))
    assert made == [short[given].replace("fp", "f"), short[kept].replace("fp", "f")]


def ir_of(triton, folder, body: str, types: dict[str, str]) -> str:
    """The TTIR of a kernel."""
    oracle, _ = triton
    path = folder / "kernel.py"
    path.write_text(source(body, types))
    answer = oracle.ask({"file": str(path), "kernel": "k", "signature": types, "ir": True})
    assert answer.get("ok"), answer
    return answer["ir"]
