"""Short forms for descriptions of numpy's operations: their results are arrays."""

from __future__ import annotations

from .describe import UNKNOWN, given
from .ops import DataRank, Dims, FromData, Like, Result, SameRank, Tensor


def array(dtype: Result, dims: Dims = UNKNOWN, view: bool = False) -> Tensor:
    """An array."""
    return Tensor(dtype, dims, view, array=True)


def kept(param: str = "a", dims: Dims | None = None, view: bool = False) -> Tensor:
    """An array of the dtype of `param`, with as many dimensions unless said otherwise."""
    return array(Like(param), dims or SameRank(param), view)


def data(param: str) -> Tensor:
    """An array of Python data or of another array."""
    return array(given(FromData(param, True)), DataRank(param))
