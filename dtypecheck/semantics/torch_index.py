"""Operations of torch that read or write at indices or under a mask: the written tensor keeps its dtype."""

from __future__ import annotations

from collections.abc import Iterator

from .describe import either, inplace, like, op
from .ops import BroadcastRank, ExactRank, Op, SameRank, When

_WRITES = (
    ("scatter", "input dim index src * value reduce"),
    ("scatter_add", "input dim index src"),
    ("scatter_reduce", "input dim index src reduce * include_self"),
    ("index_add", "input dim index source * alpha"),
    ("index_copy", "input dim index source"),
    ("index_fill", "input dim index value"),
    ("index_reduce", "input dim index source reduce * include_self"),
    ("index_put", "input indices values accumulate"),
    ("masked_scatter", "input mask source"),
    ("put", "input index source accumulate"),
)
_WITHOUT_OUT = frozenset(("index_fill", "index_put", "masked_scatter", "put"))
_SLICES = (
    ("select_scatter", "input src dim index"),
    ("slice_scatter", "input src dim start end step"),
    ("diagonal_scatter", "input src offset dim1 dim2"),
)


def _writes() -> Iterator[Op]:
    for word, params in _WRITES:
        yield op(either(word), params, like("input", SameRank("input")), out=word not in _WITHOUT_OUT)
        yield from inplace(f"{word}_", params)
    for word, params in _SLICES:
        yield op(either(word), params, like("input", SameRank("input")), out=word == "slice_scatter")


OPS: tuple[Op, ...] = (
    *_writes(),
    op(either("masked_fill"), "input mask value", like("input", BroadcastRank(("input", "mask")))),
    op(either("index_select"), "input dim index", like("input", SameRank("input")), out=True),
    op(either("gather"), "input dim index", like("input", SameRank("input")), out=True),
    op(
        either("take_along_dim"),
        "input indices dim",
        When("dim", like("input", SameRank("input")), like("input", ExactRank(1))),
        out=True,
    ),
    op(either("take"), "input index", like("input", SameRank("index")), out=True),
    op(either("masked_select"), "input mask", like("input", ExactRank(1)), out=True),
    op("Tensor.__getitem__", "self index", like("self", view=True)),
    op("torch.fill", "input value", like("input", SameRank("input"))),
    *inplace("fill_", "self value"),
    *inplace("masked_fill_", "self mask value"),
    *inplace("zero_", "self"),
    *inplace("fill_diagonal_", "self fill_value wrap"),
)
