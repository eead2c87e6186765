"""Which kernel values are statistics, running sums and totals, and how bodies read their parameters."""

from __future__ import annotations

import pytest

from dtypecheck.kernels.session import CarryFact, StoreFact
from dtypecheck.kernels.sums import accumulates, is_partial, is_statistic, totals
from dtypecheck.kernels.uses import only_compared

from .scopes import Module
from .test_typing import HEAD, verdict


def stores(body: str) -> list[StoreFact]:
    found = verdict(LOADS + body, x="*fp32", y="*fp32", out="*fp32", n="i32").facts
    return [f for f in found if isinstance(f, StoreFact)]


LOADS = "i = tl.arange(0, 16)\na = tl.load(x + i)\nb = tl.load(y + i)\n"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("tl.sum(a, 0)", True),
        ("tl.sum(a, 0) / n", True),
        ("1 / tl.sqrt(tl.sum((a - 1) * (a - 1), 0) + 0.1)", True),
        ("tl.max(a, 0) + tl.log(tl.sum(tl.exp(a - tl.max(a, 0)), 0))", True),
        ("tl.sum(a * 2, 0)", True),
        ("tl.max(a, 0)", False),
        ("tl.sum(a * b, 0)", False),
        ("tl.sum(a, 0) * tl.load(y)", False),
        ("n + 1.0", False),
    ],
)
def test_statistics(value: str, expected: bool) -> None:
    (store,) = stores(f"tl.store(out, {value})")
    assert is_statistic(store.value) is expected


def test_a_block_that_a_statistic_is_taken_from_is_none() -> None:
    (store,) = stores("tl.store(out + i, a - tl.sum(a, 0))")
    assert not is_statistic(store.value)


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ("acc += a", True),
        ("acc = acc * 0.5 + a", True),
        ("acc = acc * a", False),
        ("acc = tl.maximum(acc, a)", False),
    ],
)
def test_loops_that_add_up(turn: str, expected: bool) -> None:
    body = (
        f"{LOADS}acc = tl.zeros((16,), tl.float32)\nfor t in range(0, n):\n    {turn}\ntl.store(out + i, acc)"
    )
    found = verdict(body, x="*fp32", y="*fp32", out="*fp32", n="i32").facts
    (carry,) = [f for f in found if isinstance(f, CarryFact)]
    assert accumulates(carry) is expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("tl.store(out, tl.sum(a, 0))", {"x"}),
        ("tl.store(out, tl.sum(a, 0) / tl.sum(b, 0))", {"x", "y"}),
        ("tl.store(out, tl.sum(a * b, 0))", set()),
        ("tl.store(out + i, a - tl.sum(a, 0))", set()),
        ("tl.store(out, tl.sum(a, 0))\ntl.store(out + i, a)", set()),
    ],
)
def test_totals(body: str, expected: set[str]) -> None:
    assert totals(stores(body), []) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("tl.store(out, tl.sum(a, 0))", True),
        ("tl.store(out + i, tl.load(out + i) + a)", True),
        ("tl.store(out + i, tl.load(out + i) * a)", False),
        ("tl.store(out + i, a + b)", False),
    ],
)
def test_partial_sums(body: str, expected: bool) -> None:
    (store,) = stores(body)
    assert is_partial(store) is expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("tl.store(p + i, 0, mask=i < N)", True),
        ("m = (i < N)[None, :] & (N > i)[:, None]", True),
        ("tl.store(p + i * N, 0, mask=i < N)", False),
        ("x = 1 if N > 3 else 2", False),
        ("x = i < N + 1", False),
        ("x = i == N", False),
        ("x = N < M", False),
        ("pass", False),
    ],
)
def test_only_compared(body: str, expected: bool) -> None:
    head = f"{HEAD}def k(p, N: tl.constexpr, M: tl.constexpr):\n    i = tl.arange(0, 16)\n    {body}\n"
    assert only_compared(Module("m", "m.py", head).function("k"), "N") is expected
