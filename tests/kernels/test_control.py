"""Control flow, calls and compile-time values against the installed Triton: types, words and lines."""

from __future__ import annotations

import pytest

from .cells import Sheet

SIGNATURE = {"p": "*fp32", "q": "*fp16", "n": "i32", "m": "i64", "f": "fp32", "b": "i1", "C": "constexpr"}

HELPERS = """@triton.jit
def h_lit(x):
    if x > 3:
        return 1
    return 1.0


@triton.jit
def h_zero(x):
    if x > 3:
        return 0
    return x


@triton.jit
def h_none(x):
    if x > 3:
        return
    return x


@triton.jit
def h_missing(x):
    if x > 3:
        return x


@triton.jit
def h_one():
    return 1.5


@triton.jit
def h_swap(x, y):
    if x > 3:
        return x, y
    return y, x


@triton.jit
def h_loop(x):
    for i in range(x):
        if i > 3:
            return i
    return x


@triton.jit
def h_default(x, y=1.0, C: tl.constexpr = 3):
    return x + y + C


@triton.jit
def h_float(a, b):
    return (a + b) * 1.0


@triton.jit
def h_optional(x, y):
    if y is None:
        return x
    return x + tl.load(y)
"""

BODIES = (
    "x = 0\nif n > 3:\n    x = 1\nrecord(x)",
    "x = 0\nif n > 3:\n    x = 1.0\nrecord(x)",
    "x = 0\nif n > 3:\n    x = m\nrecord(x)",
    "x = None\nif n > 3:\n    x = tl.load(p)\nrecord(x)",
    "x = 0.0\nif n > 3:\n    x = tl.load(q)\nrecord(x)",
    "x = False\nif n > 3:\n    x = n > 0\nrecord(x)",
    "if n > 3:\n    x = n\nelse:\n    x = m\nrecord(x)",
    "if n > 3:\n    x = 1\nelse:\n    x = 2\nrecord(x)",
    "if n > 3:\n    x = 1\nrecord(x)",
    "if n > 3:\n    x = tl.arange(0, 16)\nelse:\n    x = 0\nrecord(x)",
    "x = p\nif n > 3:\n    x = q\nrecord(x)",
    "x = p\nif n > 3:\n    x = p + 1\nrecord(x)",
    "if tl.arange(0, 16) > 3:\n    x = 1\nrecord(n)",
    "x = 1\nif f:\n    x = 2\nrecord(x)",
    "x = 1\nif not n:\n    x = 2\nrecord(x)",
    "x = 1\nif n and b:\n    x = 2\nrecord(x)",
    "x = 1\nif p is not None:\n    x = 2\nrecord(x)",
    "x = 1\nif p != None:\n    x = 2\nrecord(x)",
    "x = 1\nif n > 3:\n    x = 2.0\n    return\nrecord(x)",
    "if C:\n    return\nx = m\nrecord(x)",
    "record(1 if n > 3 else 1.0)",
    "record(n if n > 3 else m)",
    "record(p if n > 3 else None)",
    "record(1 if C > 3 else 2.0)",
    "acc = 0\nfor i in range(n):\n    acc += tl.load(p + i)\nrecord(acc)",
    "acc = 0.0\nfor i in range(n):\n    acc += tl.load(q + i)\nrecord(acc)",
    "acc = 0\nfor i in range(m):\n    acc += i\nrecord(acc)",
    "acc = n\nfor i in range(n):\n    acc = acc / 2\nrecord(acc)",
    "for i in range(n):\n    C = C + 1\nrecord(C)",
    "x: tl.constexpr = 4\nfor i in range(n):\n    x = 5\nrecord(x)",
    "x = 0\nfor i in range(n):\n    x = tl.arange(0, 16)\nrecord(x)",
    "x = None\nfor i in range(n):\n    x = tl.load(p + i)\nrecord(x)",
    "for i in range(n):\n    x = i\nrecord(x)",
    "for i in range(0, m, 4):\n    p += 1\nif b:\n    for i in range(n):\n        tl.store(p + i, 0.0)",
    "for i in range(0, n, f):\n    record(i)",
    "for i in tl.static_range(4):\n    record(i)",
    "for i in tl.static_range(n):\n    record(i)",
    "x = 0\nfor i in tl.static_range(2):\n    x = 1.0\nrecord(x)",
    "for i in range(n):\n    if i > 3:\n        break",
    "i = 0\nwhile i < n:\n    i += 1\nrecord(i)",
    "i = 0\nwhile i < m:\n    i += m\nrecord(i)",
    "record(h_lit(n))",
    "record(h_zero(n))",
    "record(h_zero(m))",
    "record(h_none(n))",
    "record(h_missing(n))",
    "record(h_one() * tl.load(q))",
    "record(h_swap(n, m))",
    "record(h_loop(n))",
    "record(h_default(n))",
    "record(h_default(tl.load(q), 2))",
    "record(h_optional(n, None))",
    "record(h_optional(tl.load(q), p))",
    "record(tl.reduce(tl.arange(0, 16), 0, h_float))",
    "x: tl.int64 = n\nrecord(x)",
    "x: tl.constexpr = 3\nrecord(x)",
    "x = 2.0\nrecord(x * tl.load(q))",
    "record(2.0 * tl.load(q))",
    "record(max(n, 0))",
    "record(min(n, m))",
    "record(max(C, 3))",
    "record(n ** 2)",
    "record(C ** 2)",
    "record(n << 40)",
    "x = (n, m)\nrecord(x[1])",
    "a, c = (n, m, f)\nrecord(a)",
    "record(0 < n < 3)",
    "record(n in (1, 2))",
    "n += f\nrecord(n)",
    "k = n > 0\nk &= n\nrecord(k)",
    "record(b // 2)",
    "x = tl.load(p + tl.arange(0, 16))\nrecord(x[0])",
    "x = tl.load(p + tl.arange(0, 16))\nrecord(x[:, None] + x[None, :])",
    "record(n[None])",
    "record(n[None, :])",
    "record(n[:, None])",
    "record(n[:, None] + tl.arange(0, 16)[None, :])",
    "record(tl.load(p, mask=tl.arange(0, 16) < 3))",
    "record(tl.load(p, other=0.0))",
    "record(tl.load(p, mask=n))",
    "tl.store(p, 1.0, mask=n)",
    "tl.store(p, tl.zeros((16,), tl.float32))",
    "record(tl.load(q).to(q.dtype.element_ty))",
    "record(n.to('float32'))",
    "record(tl.load(q).to(tl.float32, bitcast=True))",
    "record(tl.arange(0, 16).to(tl.int64)[None, :].shape)",
    "tl.static_assert(C == 4)\nrecord(C)",
    "tl.static_assert(p.dtype.element_ty == tl.float16)",
    "record(tl.cdiv(n, 4))",
    "record(undefined)",
    "record(tl.dot(tl.zeros((16, 16), tl.float16), tl.zeros((16, 16), tl.float16)))",
    "record(tl.zeros((16,), tl.float32) + tl.zeros((32,), tl.float32))",
)


@pytest.fixture(scope="module")
def sheet() -> Sheet:
    return Sheet(
        ", ".join(SIGNATURE).replace("C", "C: tl.constexpr"), {body: body for body in BODIES}, HELPERS
    )


def test_snippets(triton, sheet) -> None:
    oracle, version = triton
    _, found = sheet.differences(oracle, version, [(body, SIGNATURE, {"C": 4}) for body in BODIES])
    assert not found, "\n".join(found)


def test_snippets_36(triton_36, sheet) -> None:
    oracle, version = triton_36
    _, found = sheet.differences(oracle, version, [(body, SIGNATURE, {"C": 4}) for body in BODIES])
    assert not found, "\n".join(found)
