"""Random kernels over the dtype grammar: every verdict must be Triton's. `generate.py` runs more of them."""

from __future__ import annotations

from .generate import run


def test_generated_kernels(triton) -> None:
    oracle, version = triton
    table = run(400, 1, oracle, version, False)
    assert table.kinds == {"agree": 400}, table.show("generated")
    assert table.line == table.klass == table.agreed


def test_generated_kernels_36(triton_36) -> None:
    oracle, version = triton_36
    table = run(400, 2, oracle, version, False)
    assert table.kinds == {"agree": 400}, table.show("generated")
