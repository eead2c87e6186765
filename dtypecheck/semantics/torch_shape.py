"""Operations of torch that show or arrange the values of one tensor otherwise: all keep its dtype."""

from __future__ import annotations

from collections.abc import Iterator

from .describe import either, inplace, like, op, same, spell
from .ops import AnyRank, Dims, Each, ExactRank, Op, SameRank, SizeRank, Tensors, When


def _views(words: str, params: str = "input", shift: int = 0) -> Iterator[Op]:
    """Views with as many dimensions, plus `shift`."""
    for word in words.split():
        yield op(either(word), params, like("input", SameRank("input", shift), view=True))


def _moved(words: str, params: str = "input", dims: Dims | None = None, out: bool = False) -> Iterator[Op]:
    """The values of `input` in a tensor of their own."""
    for word in words.split():
        yield op(either(word), params, like("input", dims or SameRank("input")), out=out)


def _pieces(words: str, params: str, shift: int = 0) -> Iterator[Op]:
    """Views of parts of `input`."""
    for word in words.split():
        yield op(either(word), params, Tensors(like("input", SameRank("input", shift), view=True)))


OPS: tuple[Op, ...] = (
    op("torch.reshape", "input shape", like("input", SizeRank("shape"), view=True)),
    op("Tensor.reshape", "self *shape", like("self", SizeRank("shape"), view=True)),
    op(
        spell("view_as reshape_as expand_as", "Tensor"),
        "self other",
        like("self", SameRank("other"), view=True),
    ),
    op("Tensor.expand", "self *size", like("self", SizeRank("size"), view=True)),
    op(either("broadcast_to"), "input size", like("input", SizeRank("size"), view=True)),
    op(either("squeeze"), "input dim", like("input", view=True)),
    *_views("unsqueeze", "input dim", 1),
    op(
        either("flatten"),
        "input start_dim end_dim",
        When("start_dim", like("input", view=True), like("input", ExactRank(1), view=True)),
    ),
    op(either("ravel"), "input", like("input", ExactRank(1), view=True)),
    op("torch.unflatten Tensor.unflatten", "input dim sizes", like("input", view=True)),
    *_views("t adjoint"),
    *_views("transpose swapaxes swapdims", "input dim0 dim1"),
    *_views("movedim moveaxis", "input source destination"),
    op("torch.permute", "input dims", same()),
    op("Tensor.permute", "self *dims", same("self")),
    *_views("narrow", "input dim start length"),
    *_views("select", "input dim index", -1),
    *_views("diagonal", "input offset dim1 dim2", -1),
    op(either("as_strided"), "input size stride storage_offset", like("input", SizeRank("size"), view=True)),
    op("Tensor.unfold", "self dimension size step", like("self", SameRank("self", 1), view=True)),
    *_pieces("chunk", "input chunks dim"),
    op("torch.split", "tensor split_size_or_sections dim", Tensors(same("tensor"))),
    op("Tensor.split", "self split_size dim", Tensors(same("self"))),
    *_pieces("tensor_split", "input indices_or_sections dim"),
    *_pieces("split_with_sizes", "input split_sizes dim"),
    *_pieces("hsplit vsplit dsplit", "input indices_or_sections"),
    *_pieces("unbind", "input dim", -1),
    op("torch.atleast_1d torch.atleast_2d torch.atleast_3d", "*tensors", Each("tensors")),
    *_moved("flip", "input dims"),
    *_moved("fliplr flipud"),
    *_moved("roll", "input shifts dims"),
    *_moved("rot90", "input k dims"),
    *_moved("tril triu", "input diagonal", out=True),
    *_moved("diag", "input diagonal", AnyRank(), out=True),
    *_moved("diag_embed", "input offset dim1 dim2", SameRank("input", 1)),
    *_moved("diagflat", "input offset", ExactRank(2)),
    op("Tensor.repeat", "self *repeats", like("self", SizeRank("repeats"))),
    op("torch.tile", "input dims", like("input")),
    op("Tensor.tile", "self *dims", like("self")),
    op(
        either("repeat_interleave"),
        "input repeats dim",
        When("dim", like("input", SameRank("input")), like("input", ExactRank(1))),
    ),
    op("torch.constant_pad_nd", "input pad value", like("input", SameRank("input"))),
    *inplace("tril_ triu_", "self diagonal"),
    *(
        op(spell(words, "Tensor"), params, like("self", view=True), inplace=True)
        for words, params in (
            ("squeeze_", "self dim"),
            ("unsqueeze_", "self dim"),
            ("t_", "self"),
            ("transpose_ swapaxes_ swapdims_", "self dim0 dim1"),
            ("as_strided_", "self size stride"),
        )
    ),
)
