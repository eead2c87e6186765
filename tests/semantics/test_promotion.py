"""The promotion rule against torch itself, over every dtype and every rank."""

from __future__ import annotations

import itertools

import pytest

torch = pytest.importorskip("torch")

from dtypecheck.core.dtypes import ALL, BY_NAME, Kind  # noqa: E402
from dtypecheck.semantics.ops import Operand, Rank  # noqa: E402
from dtypecheck.semantics.promotion import promote, result_type  # noqa: E402

KNOWN = [d for d in ALL if hasattr(torch, d.name)]
TENSORS = [d for d in KNOWN if d.kind is not Kind.QUANTIZED]
OF_TORCH = {getattr(torch, d.name): d for d in KNOWN}
NUMBERS = {BY_NAME["bool"]: True, BY_NAME["int64"]: 1, BY_NAME["float64"]: 1.0, BY_NAME["complex128"]: 1j}


def _torch(function, *arguments):
    try:
        return OF_TORCH[function(*arguments)]
    except (RuntimeError, TypeError):
        return None


def _value(operand: Operand):
    if operand.rank is Rank.NUMBER:
        return NUMBERS[operand.dtype]
    shape = () if operand.rank is Rank.ZERO else (2,)
    return torch.empty(shape, dtype=getattr(torch, operand.dtype.name), device="meta")


def test_promote_is_torch_promote_types():
    for a, b in itertools.product(KNOWN, repeat=2):
        assert promote(a, b) == _torch(torch.promote_types, getattr(torch, a.name), getattr(torch, b.name)), (
            a,
            b,
        )


def test_promote_is_commutative_and_idempotent():
    for a, b in itertools.product(ALL, repeat=2):
        assert promote(a, b) is promote(b, a)
    assert all(promote(a, a) is a for a in ALL)


@pytest.mark.parametrize("default", ["float32", "float64", "float16", "bfloat16"])
def test_result_type_is_torch_result_type(default):
    before = torch.get_default_dtype()
    torch.set_default_dtype(getattr(torch, default))
    try:
        operands = [Operand(d, r) for r in (Rank.ZERO, Rank.DIMENSIONED) for d in TENSORS]
        operands += [Operand(d, Rank.NUMBER) for d in NUMBERS]
        cells = [(o, _value(o)) for o in operands]
        for (a, x), (b, y) in itertools.product(cells, repeat=2):
            assert result_type(a, b, default=BY_NAME[default]) == _torch(torch.result_type, x, y), (a, b)
    finally:
        torch.set_default_dtype(before)


def test_three_operands_agree_with_an_operation_of_three():
    names = ("bool", "uint8", "int32", "int64", "float16", "bfloat16", "float32", "complex64")
    operands = [Operand(BY_NAME[n], r) for n in names for r in (Rank.ZERO, Rank.DIMENSIONED)]
    for abc in itertools.product(operands, repeat=3):
        values = [_value(o) for o in abc]
        try:
            seen = (
                OF_TORCH[torch.cat([v.reshape(-1) for v in values]).dtype]
                if all(o.rank is Rank.DIMENSIONED for o in abc)
                else None
            )
        except RuntimeError:
            seen = None
        if seen is not None:
            assert result_type(*abc) is seen
