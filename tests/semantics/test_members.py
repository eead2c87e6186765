"""What tells tensors and arrays apart, against the types themselves."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
numpy = pytest.importorskip("numpy")

from dtypecheck.semantics.members import OF_ARRAYS, OF_ARRAYS_ALONE  # noqa: E402


def test_all_attributes_of_arrays_are_named():
    assert {name for name in dir(numpy.ndarray) if not name.startswith("_")} <= OF_ARRAYS


def test_tensors_have_all_of_them_but_those_of_arrays_alone():
    assert {name for name in OF_ARRAYS if not hasattr(torch.Tensor, name)} == OF_ARRAYS_ALONE
