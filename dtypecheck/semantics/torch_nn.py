"""torch.nn.functional."""

from __future__ import annotations

from collections.abc import Iterator

from . import rules
from .describe import INT64, computed, given, like, op
from .ops import Concrete, Like, Op, Result, SameRank, Tensor

_F = "torch.nn.functional"


def _mapped(words: str, params: str, dtype: Result | None = None, out: bool = False) -> Iterator[Op]:
    """Functions that keep the dtype and the dimensions of their input."""
    for word in words.split():
        yield op(f"{_F}.{word}", params, Tensor(dtype or Like("input"), SameRank("input")), out=out)


def _losses(words: str, rule: Concrete) -> Iterator[Op]:
    """Losses of an input and a target."""
    for word in words.split():
        yield op(f"{_F}.{word}", "input target weight", Tensor(computed(rule, "input target")))


OPS: tuple[Op, ...] = (
    *_mapped("silu mish relu6 hardtanh hardswish hardsigmoid selu celu elu leaky_relu", "input"),
    *_mapped("glu rrelu threshold relu", "input"),
    *_mapped("gelu softshrink softplus logsigmoid", "input", out=True),
    *_mapped("sigmoid tanh softsign", "input", computed(rules.floated, "input")),
    *_mapped("hardshrink", "input", computed(rules.unsquashed, "input"), out=True),
    op(
        f"{_F}.softmax {_F}.log_softmax {_F}.softmin",
        "input dim _stacklevel dtype",
        Tensor(given(Like("input")), SameRank("input")),
    ),
    *_mapped("dropout dropout1d dropout2d dropout3d alpha_dropout", "input p training inplace"),
    *_mapped("layer_norm", "input normalized_shape weight bias eps"),
    *_mapped("rms_norm", "input normalized_shape weight eps"),
    *_mapped("group_norm", "input num_groups weight bias eps"),
    *_mapped("batch_norm", "input running_mean running_var weight bias"),
    *_mapped("normalize", "input p dim eps", out=True),
    *_mapped("pad", "input pad mode value"),
    *_mapped("interpolate", "input size scale_factor mode"),
    *_mapped("avg_pool1d", "input kernel_size stride padding"),
    *_mapped("avg_pool2d", "input kernel_size stride padding", out=True),
    *_mapped("pixel_shuffle pixel_unshuffle", "input factor"),
    op(f"{_F}.embedding", "input weight", like("weight", SameRank("input", 1))),
    op(f"{_F}.one_hot", "tensor num_classes", Tensor(INT64, SameRank("tensor", 1))),
    op(
        f"{_F}.linear",
        "input weight bias",
        Tensor(computed(rules.alike, "input weight bias"), SameRank("input")),
        out=True,
    ),
    op(
        f"{_F}.bilinear",
        "input1 input2 weight bias",
        Tensor(computed(rules.alike, "input1 input2 weight bias")),
    ),
    *(
        op(
            f"{names}",
            "input weight bias",
            Tensor(computed(rules.alike, "input weight bias"), SameRank("input")),
        )
        for names in (
            f"{_F}.conv1d torch.conv1d",
            f"{_F}.conv2d torch.conv2d",
            f"{_F}.conv3d torch.conv3d",
            f"{_F}.conv_transpose1d torch.conv_transpose1d",
            f"{_F}.conv_transpose2d torch.conv_transpose2d",
        )
    ),
    op(
        f"{_F}.scaled_dot_product_attention",
        "query key value",
        Tensor(computed(rules.inexact_alike, "query key value"), SameRank("query")),
    ),
    *_losses("cross_entropy nll_loss", rules.inexact_first),
    *_losses("mse_loss", rules.common),
    *_losses("l1_loss", rules.mean_difference),
    *_losses("smooth_l1_loss", rules.inexact),
    *_losses("kl_div", rules.floating_common),
    *_losses("binary_cross_entropy", rules.inexact_alike),
    op(
        f"{_F}.cosine_similarity torch.cosine_similarity",
        "x1 x2 dim eps",
        Tensor(computed(rules.floating, "x1 x2")),
    ),
    op(f"{_F}.unfold {_F}.fold", "input", like("input")),
    op("torch.dropout", "input p train", like("input", SameRank("input"))),
    op("torch.layer_norm", "input normalized_shape weight bias eps", like("input", SameRank("input"))),
    op("torch.rms_norm", "input normalized_shape weight eps", like("input", SameRank("input"))),
    op("torch.embedding", "weight indices", like("weight", SameRank("indices", 1))),
    op("torch.selu torch.celu", "input", like("input", SameRank("input"))),
)
