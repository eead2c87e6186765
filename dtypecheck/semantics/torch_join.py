"""Operations of torch that take a list of tensors."""

from __future__ import annotations

from . import rules
from .describe import computed, like, op, spell
from .ops import Each, ExactRank, Op, SameRank, Tensor, Tensors

_JOINED = computed(rules.common, "tensors")

OPS: tuple[Op, ...] = (
    op(
        spell("cat concat concatenate", "torch"),
        "tensors dim",
        Tensor(_JOINED, SameRank("tensors")),
        out=True,
    ),
    op("torch.stack", "tensors dim", Tensor(_JOINED, SameRank("tensors", 1)), out=True),
    op(spell("hstack vstack dstack column_stack row_stack", "torch"), "tensors", Tensor(_JOINED), out=True),
    op("torch.block_diag", "*tensors", Tensor(_JOINED, ExactRank(2))),
    op("torch.cartesian_prod", "*tensors", Tensor(computed(rules.alike, "tensors"))),
    op("torch.combinations", "input r", like("input", ExactRank(2))),
    op("torch.meshgrid", "*tensors indexing", Tensors(like("tensors", view=True))),
    op("torch.broadcast_tensors", "*tensors", Each("tensors")),
)
