"""Short forms for the families of descriptions: one line per family of alike operations.

Nothing here decides a dtype; a constructor only puts names, parameters and a rule together.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..core.dtypes import BY_NAME, DType
from .ops import (
    AnyRank,
    BroadcastRank,
    Computed,
    Concrete,
    Dims,
    Fixed,
    Given,
    Like,
    Op,
    Outcome,
    ReducedRank,
    Result,
    SameRank,
    Tensor,
)

BOOL = Fixed(BY_NAME["bool"])
INT32 = Fixed(BY_NAME["int32"])
INT64 = Fixed(BY_NAME["int64"])
UNKNOWN = AnyRank()


def op(names: str, params: str, outcome: Outcome, **flags: bool) -> Op:
    """An operation; names and parameters are written with spaces between them."""
    return Op(tuple(names.split()), tuple(params.split()), outcome, **flags)


def spell(words: str, *places: str) -> str:
    """Each word in each place: `spell("exp", "torch", "Tensor")` is "torch.exp Tensor.exp"."""
    return " ".join(f"{place}.{word}" for word in words.split() for place in places)


def either(words: str) -> str:
    """Each word as a function of torch and as a method of Tensor."""
    return spell(words, "torch", "Tensor")


def computed(rule: Concrete, operands: str) -> Computed:
    """`rule` of these parameters, written with spaces between them."""
    return Computed(rule, tuple(operands.split()))


def given(otherwise: Result, param: str = "dtype") -> Given:
    """The dtype that the argument `dtype` names, else `otherwise`."""
    return Given(param, otherwise)


def fixed(dtype: DType, dims: Dims = UNKNOWN, view: bool = False) -> Tensor:
    """A tensor of this dtype."""
    return Tensor(Fixed(dtype), dims, view)


def like(param: str, dims: Dims = UNKNOWN, view: bool = False) -> Tensor:
    """A tensor of the dtype of `param`."""
    return Tensor(Like(param), dims, view)


def same(param: str = "input") -> Tensor:
    """The tensor `param`, or its data, with as many dimensions."""
    return Tensor(Like(param), SameRank(param), view=True)


def inplace(words: str, params: str) -> Iterator[Op]:
    """In-place methods: they keep the dtype and the data of their tensor."""
    for word in words.split():
        yield op(f"Tensor.{word}", params, same(params.split()[0]), inplace=True)


def elementwise(words: str, rule: Concrete, params: str = "input", operands: str = "") -> Iterator[Op]:
    """Functions and methods whose result promotes `operands` by `rule` and broadcasts them.

    `operands` are all the positional parameters where left out.
    """
    tensors = tuple((operands or params.split("*")[0]).split())
    outcome = Tensor(Computed(rule, tensors), BroadcastRank(tensors))
    for word in words.split():
        yield op(either(word), params, outcome, out=True)


def reduction(words: str, dtype: Result, params: str = "input dim keepdim", **flags: bool) -> Iterator[Op]:
    """Functions and methods that reduce the dimensions `dim`, or all."""
    for word in words.split():
        yield op(either(word), params, Tensor(dtype, ReducedRank("input")), **flags)
