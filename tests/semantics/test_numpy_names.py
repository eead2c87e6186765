"""How numpy's dtypes are written, against numpy itself."""

from __future__ import annotations

import pytest

numpy = pytest.importorskip("numpy")

from dtypecheck.core.dtypes import named  # noqa: E402
from dtypecheck.semantics.numpy_rules import KNOWN, NAMES, scalar, spelled  # noqa: E402

CODES = [*"?bBhHiIlLqQefdFD", *(f"{kind}{size}" for kind in "biufc" for size in (1, 2, 4, 8, 16))]


def _numpy(what: object) -> str | None:
    try:
        return numpy.dtype(what).name
    except TypeError:
        return None


def test_scalar_types() -> None:
    """Every scalar type of numpy that is a dtype of ours is known by its name, and no other thing is."""
    ours = {d.name for d in KNOWN}
    for word in dir(numpy):
        there = getattr(numpy, word)
        concrete = isinstance(there, type) and issubclass(there, numpy.generic) and not there.__subclasses__()
        kind = _numpy(there) if concrete else None
        found = scalar(word)
        assert (found.name if found is not None else None) == (kind if kind in ours else None), word
    assert all(hasattr(numpy, word) for word in NAMES)


TEXTS = [*CODES, *(f"<{code}" for code in CODES), *NAMES, "float32", "V", "x9", ">", ""]


@pytest.mark.parametrize("text", TEXTS)
def test_texts(text: str) -> None:
    there = _numpy(text) if text else None
    known = there if there is not None and named(there) in KNOWN else None
    found = spelled(text)
    assert (found.name if found is not None else None) == known
