"""Reductions, scans, sorting and counting in torch."""

from __future__ import annotations

from collections.abc import Iterator

from . import rules
from .describe import BOOL, INT32, INT64, computed, either, given, inplace, like, op, reduction
from .ops import (
    BroadcastRank,
    Dims,
    ExactRank,
    Like,
    Op,
    Outcome,
    ReducedRank,
    Result,
    SameRank,
    Several,
    Tensor,
    Tensors,
    Test,
    When,
)

_REDUCED = ReducedRank("input")
_KEPT = SameRank("input")
_LAST = SameRank("input", -1)
_PROMOTED = computed(rules.real, "input other")


def _ranked(dims: Dims) -> Several:
    """Values and where they were found."""
    return Several((like("input", dims), Tensor(INT64, dims)), ("values", "indices"))


def _extreme(words: str) -> Iterator[Op]:
    """`max` and `min`: of all, along a dimension, or of two tensors."""
    pair = BroadcastRank(("input", "other"))
    along = When("dim", _ranked(_REDUCED), like("input", ExactRank(0)))
    positional = Tensor(computed(rules.real, "input dim"), BroadcastRank(("input", "dim")))
    outcome = When("other", Tensor(_PROMOTED, pair), When("dim", positional, along, Test.TENSOR))
    for word in words.split():
        yield op(either(word), "input dim keepdim * other", outcome, out=True)


def _optional(flags: dict[str, Outcome], main: Outcome) -> Outcome:
    """`main` alone, or a tuple of it and what each true flag adds."""

    def choose(left: list[tuple[str, Outcome]], taken: tuple[Outcome, ...]) -> Outcome:
        if not left:
            return taken[0] if len(taken) == 1 else Several(taken)
        (flag, extra), *rest = left
        return When(flag, choose(rest, (*taken, extra)), choose(rest, taken), Test.TRUE)

    return choose(list(flags.items()), (main,))


def _scan(words: str, dtype: Result, params: str) -> Iterator[Op]:
    for word in words.split():
        yield op(either(word), params, Tensor(dtype, _KEPT), out=True)


_COUNTED = {"return_inverse": Tensor(INT64), "return_counts": Tensor(INT64, ExactRank(1))}
_SUMMED = given(computed(rules.summed, "input"))
_SPREAD = computed(rules.inexact_magnitude, "input")
_POSITION = {
    params: When("out_int32", Tensor(INT32, SameRank(of)), Tensor(INT64, SameRank(of)), Test.TRUE)
    for params, of in (("sorted_sequence input", "input"), ("input boundaries", "input"))
}

OPS: tuple[Op, ...] = (
    *reduction("sum", _SUMMED, "input dim keepdim * dtype", out=True),
    *reduction("nansum", given(computed(rules.real_summed, "input")), "input dim keepdim * dtype", out=True),
    *reduction("nanmean", given(computed(rules.floating, "input")), "input dim keepdim * dtype", out=True),
    *reduction("prod", _SUMMED, "input dim keepdim * dtype", out=True),
    *reduction("mean", given(computed(rules.inexact, "input")), "input dim keepdim * dtype", out=True),
    *reduction("amax amin", Like("input"), out=True),
    *reduction("argmax argmin", INT64, out=True),
    *reduction("any all", computed(rules.flagged, "input"), out=True),
    *reduction("count_nonzero", INT64, "input dim"),
    *reduction("logsumexp", computed(rules.floated, "input"), out=True),
    *reduction("std var", _SPREAD, "input dim unbiased keepdim * correction", out=True),
    *(
        op(
            f"torch.{word}",
            "input dim unbiased keepdim * correction",
            Several((Tensor(_SPREAD, _REDUCED), Tensor(computed(rules.inexact, "input"), _REDUCED))),
        )
        for word in ("std_mean", "var_mean")
    ),
    op(either("norm"), "input p dim keepdim * dtype", Tensor(given(_SPREAD), _REDUCED), out=True),
    op(
        "torch.linalg.norm torch.linalg.vector_norm torch.linalg.matrix_norm",
        "A ord dim keepdim * dtype",
        Tensor(given(computed(rules.inexact_magnitude, "A"))),
        out=True,
    ),
    *_extreme("max min"),
    *(
        op(either(word), "input dim keepdim", When("dim", _ranked(_REDUCED), like("input", ExactRank(0))))
        for word in ("median", "nanmedian")
    ),
    op(either("mode"), "input dim keepdim", When("dim", _ranked(_REDUCED), _ranked(_LAST))),
    op(either("kthvalue"), "input k dim keepdim", When("dim", _ranked(_REDUCED), _ranked(_LAST))),
    op(either("aminmax"), "input * dim keepdim", Several((like("input", _REDUCED),) * 2, ("min", "max"))),
    op(either("cummax cummin"), "input dim", _ranked(_KEPT)),
    op(either("topk"), "input k dim largest sorted", _ranked(_KEPT)),
    op(either("sort"), "input dim descending stable", _ranked(_KEPT)),
    op(either("argsort"), "input dim descending stable", Tensor(INT64, _KEPT)),
    op(either("msort"), "input", like("input", _KEPT), out=True),
    *_scan("cumsum cumprod", _SUMMED, "input dim * dtype"),
    *_scan("logcumsumexp", Like("input"), "input dim"),
    *_scan("diff", Like("input"), "input n dim prepend append"),
    op(either("softmax log_softmax"), "input dim dtype", Tensor(given(Like("input")), _KEPT), out=True),
    op(
        "torch.special.softmax torch.special.log_softmax",
        "input dim * dtype",
        Tensor(given(Like("input")), _KEPT),
    ),
    op(either("quantile nanquantile"), "input q dim keepdim", like("input"), out=True),
    op(
        either("nonzero"),
        "input * as_tuple",
        When("as_tuple", Tensors(Tensor(INT64, ExactRank(1))), Tensor(INT64, ExactRank(2)), Test.TRUE),
        out=True,
    ),
    op(either("argwhere"), "input", Tensor(INT64, ExactRank(2))),
    op(
        either("unique"),
        "input sorted return_inverse return_counts dim",
        _optional(_COUNTED, like("input")),
    ),
    op(
        either("unique_consecutive"),
        "input return_inverse return_counts dim",
        _optional(_COUNTED, like("input")),
    ),
    op(
        either("bincount"),
        "input weights minlength",
        Tensor(computed(rules.weighted, "input weights"), ExactRank(1)),
    ),
    op(either("histc"), "input bins min max", like("input", ExactRank(1)), out=True),
    op(
        "torch.searchsorted",
        "sorted_sequence input * out_int32",
        _POSITION["sorted_sequence input"],
        out=True,
    ),
    op("torch.bucketize", "input boundaries * out_int32", _POSITION["input boundaries"], out=True),
    op("torch.isin", "elements test_elements", Tensor(BOOL, SameRank("elements")), out=True),
    *inplace("cumsum_ cumprod_", "self dim"),
)
