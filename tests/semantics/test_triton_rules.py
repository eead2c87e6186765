"""Operators and library functions against the installed Triton, over all its dtypes."""

from __future__ import annotations

from itertools import product

import pytest

from tests.kernels.cells import SQUARE, Sheet, X, Y
from tests.kernels.conftest import triton, triton_36  # noqa: F401

DTYPES = (
    "i1",
    "i8",
    "i16",
    "i32",
    "i64",
    "u8",
    "u16",
    "u32",
    "u64",
    "fp16",
    "bf16",
    "fp32",
    "fp64",
    "fp8e5",
    "fp8e4nv",
)
SHORT = {"i": "int", "u": "uint", "fp": "float", "bf": "bfloat", "fp8e": "float8e"}


def language(name: str) -> str:
    """`i32` as `int32`, the attribute of `triton.language`."""
    head = next(h for h in ("fp8e", "fp", "bf", "i", "u") if name.startswith(h))
    return SHORT[head] + name[len(head) :]


OPERATORS = {
    "+": "a + b",
    "/": "a / b",
    "//": "a // b",
    "%": "a % b",
    "&": "a & b",
    "<": "a < b",
    "and": "a and b",
    "where": "tl.where(True, a, b)",
    "minimum": "tl.minimum(a, b)",
    "fdiv": "tl.fdiv(a, b)",
    "cdiv": "tl.cdiv(a, b)",
}
SAMPLE = DTYPES[::2]
LITERALS = (True, 1, -1, 200, 70000, 2**31, 1.0, 1e300)
SOME = ("+", "/", "//", "&", "<", "minimum")

ONE = {
    "load other 0": "record(tl.load(a + tl.arange(0, 16), mask=tl.arange(0, 16) < 3, other=0))",
    "load other 0.0": "record(tl.load(a + tl.arange(0, 16), mask=tl.arange(0, 16) < 3, other=0.0))",
    "where condition": f"record(tl.where({X}, 1.0, 0.0))",
    "negative": f"record(-{X})",
    "invert": f"record(~{X})",
    "not": f"record(not {X})",
    "if": "x = tl.load(a)\ny = 1\nif x:\n    y = 2\nrecord(y)",
    "while": "x = tl.load(a)\ny = 1\nwhile x > 0:\n    y += 1\nrecord(y)",
    "range": "for i in range(tl.load(a)):\n    record(i)",
    "pointer offset": f"record(a + {X})",
    "sum": f"record(tl.sum({X}))",
    "sum axis": f"record(tl.sum({SQUARE.format('a')}, axis=1))",
    "max": f"record(tl.max({X}, axis=0))",
    "max indices": f"record(tl.max({X}, axis=0, return_indices=True))",
    "argmax": f"record(tl.argmax({X}, axis=0))",
    "xor_sum": f"record(tl.xor_sum({X}, axis=0))",
    "cumsum": f"record(tl.cumsum({X}, 0))",
    "cumprod": f"record(tl.cumprod({X}, 0))",
    "sort": f"record(tl.sort({X}))",
    "softmax": f"record(tl.softmax({X}))",
    "sigmoid": f"record(tl.sigmoid({X}))",
    "exp": f"record(tl.exp({X}))",
    "sqrt_rn": f"record(tl.sqrt_rn({X}))",
    "abs": f"record(tl.abs({X}))",
    "umulhi": f"record(tl.umulhi({X}, {X}))",
    "fma": f"record(tl.fma({X}, {X}, 1.0))",
    "clamp": f"record(tl.clamp({X}, 0.0, 1.0))",
    "histogram": f"record(tl.histogram({X}, 16))",
    "gather": f"record(tl.gather(tl.arange(0, 16), {X}, 0))",
    "atomic_add": "record(tl.atomic_add(a, 1))",
    "atomic_max": "record(tl.atomic_max(a, 1))",
    "atomic_xchg": "record(tl.atomic_xchg(a, 1))",
    "atomic_cas": "record(tl.atomic_cas(a, 0, 1))",
    "dot accumulator": f"x = {SQUARE.format('a')}\nrecord(tl.dot(x, x, tl.zeros((32, 32), tl.float32)))",
    "store mask": f"tl.store(a + tl.arange(0, 16), 1, mask={X})",
    "descriptor": "record(tl.make_tensor_descriptor(a, [64, 64], [64, 1], [16, 64]).load([0, 0]))",
    "libdevice tanh": f"record(libdevice.tanh({X}))",
    "libdevice pow": f"record(libdevice.pow({X}, {X}))",
    "libdevice isnan": f"record(libdevice.isnan({X}))",
    "libdevice clz": f"record(libdevice.clz({X}))",
    "rand": f"record(tl.rand(0, {X}))",
}
TWO = {
    "store": f"tl.store(a + tl.arange(0, 16), {Y})",
    "dot": f"record(tl.dot({SQUARE.format('a')}, {SQUARE.format('b')}))",
    "join": f"record(tl.join({X}, {Y}))",
    "if": "x = tl.load(a)\nif tl.program_id(0) > 3:\n    x = tl.load(b)\nrecord(x)",
    "ternary": "record(tl.load(a) if tl.program_id(0) > 3 else tl.load(b))",
    "loop": "x = tl.load(a)\nfor i in range(4):\n    x += tl.load(b)\nrecord(x)",
    "helper": "record(two_ret(tl.load(a), tl.load(b)))",
}
HELPER = """@triton.jit
def two_ret(x, y):
    if tl.program_id(0) > 3:
        return x
    else:
        return y
"""


def test_operators_on_blocks(triton) -> None:  # noqa: F811
    _operators(*triton)


def test_operators_on_blocks_36(triton_36) -> None:  # noqa: F811
    _operators(*triton_36)


def _operators(oracle, version) -> None:
    bodies = {op: f"a = {X}\nb = {Y}\nrecord({text})" for op, text in OPERATORS.items()}
    pairs = [(op, {"a": f"*{x}", "b": f"*{y}"}, {}) for op in bodies for x, y in product(DTYPES, SAMPLE)]
    count, found = Sheet("a, b", bodies).differences(oracle, version, pairs)
    assert count == len(bodies) * len(DTYPES) * len(SAMPLE)
    assert not found, found[:10]


@pytest.mark.parametrize("side", ["left", "right"])
def test_operators_with_numbers(triton, side) -> None:  # noqa: F811
    oracle, version = triton
    texts = {op: OPERATORS[op] for op in SOME}
    bodies = {op: f"record({t})" for op, t in texts.items()}
    cells = []
    for op, dtype, number in product(bodies, DTYPES, LITERALS):
        signature = {"a": "constexpr", "b": dtype} if side == "left" else {"a": dtype, "b": "constexpr"}
        cells.append((op, signature, {"a" if side == "left" else "b": number}))
    _, found = Sheet("a, b", bodies).differences(oracle, version, cells)
    assert not found, found[:10]


def test_functions_of_one_dtype(triton) -> None:  # noqa: F811
    _one(*triton)


def test_functions_of_one_dtype_36(triton_36) -> None:  # noqa: F811
    _one(*triton_36)


def _one(oracle, version) -> None:
    cells = [(label, {"a": f"*{d}"}, {}) for label in ONE for d in DTYPES]
    _, found = Sheet("a", ONE).differences(oracle, version, cells)
    assert not found, found[:10]


def test_constructs_of_two_dtypes(triton) -> None:  # noqa: F811
    oracle, version = triton
    cells = [
        (label, {"a": f"*{x}", "b": f"*{y}"}, {}) for label in TWO for x, y in product(DTYPES, DTYPES[::2])
    ]
    _, found = Sheet("a, b", TWO, HELPER).differences(oracle, version, cells)
    assert not found, found[:10]


@pytest.mark.parametrize("bitcast", [False, True])
def test_casts(triton, bitcast) -> None:  # noqa: F811
    oracle, version = triton
    extra = ", bitcast=True" if bitcast else ""
    bodies = {d: f"record({X}.to(tl.{language(d)}{extra}))" for d in DTYPES}
    cells = [(target, {"a": f"*{source}"}, {}) for target in DTYPES for source in DTYPES]
    _, found = Sheet("a", bodies).differences(oracle, version, cells)
    assert not found, found[:10]


def test_libdevice_table_is_the_installed_one(triton) -> None:  # noqa: F811
    from dtypecheck.semantics.triton_libdevice import ROWS
    from tests.kernels.generate_libdevice import rows

    assert {s: names.split() for s, names in ROWS} == rows()


def test_hip_has_what_the_table_says(triton) -> None:  # noqa: F811
    from dtypecheck.semantics.triton_libdevice import HIP, signatures
    from tests.kernels.generate_libdevice import rows

    there = {name: text for text, names in rows("hip").items() for name in names}
    assert there.keys() >= HIP
    for name in HIP:
        found = signatures(name, "hip:gfx942") or {}
        assert {f"{','.join(given)}>{result}" for given, result in found.items()} == set(
            there[name].split("; ")
        )
