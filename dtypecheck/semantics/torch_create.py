"""Operations of torch that make a tensor: of a size, of data, like another tensor, at random.

Where a dtype keyword names the dtype, that; else the default, the data's, or the other tensor's.
"""

from __future__ import annotations

from ..core.dtypes import named
from . import rules
from .describe import INT64, computed, fixed, given, inplace, like, op, same, spell
from .ops import (
    BroadcastRank,
    DataRank,
    Default,
    ExactRank,
    FromData,
    Like,
    Op,
    SameRank,
    SizeRank,
    Tensor,
    Test,
    When,
)

_LEGACY = {
    "Float": "float",
    "Double": "double",
    "Half": "half",
    "BFloat16": "bfloat16",
    "Byte": "uint8",
    "Char": "int8",
    "Short": "short",
    "Int": "int",
    "Long": "long",
    "Bool": "bool",
}

_SIZED = Tensor(given(Default()), SizeRank("size"))
_RANGE = "start end step * dtype"
_LIKE = Tensor(given(Like("input")), SameRank("input"))
_NEW = Tensor(given(Like("self")), SizeRank("size"))

OPS: tuple[Op, ...] = (
    op("torch.empty", "*size dtype", _SIZED, out=True),
    op("torch.zeros", "*size dtype", _SIZED, out=True),
    op("torch.ones", "*size dtype", _SIZED, out=True),
    op("torch.rand", "*size dtype", _SIZED, out=True),
    op("torch.randn", "*size dtype", _SIZED, out=True),
    op("torch.empty_strided", "size stride * dtype", _SIZED),
    op("torch.empty_permuted", "size physical_layout * dtype", _SIZED),
    op(
        "torch.full",
        "size fill_value * dtype",
        Tensor(given(FromData("fill_value")), SizeRank("size")),
        out=True,
    ),
    op(
        "torch.arange",
        _RANGE,
        Tensor(given(computed(rules.ranged, "start end step")), ExactRank(1)),
        out=True,
    ),
    op("torch.range", _RANGE, Tensor(given(Default()), ExactRank(1)), out=True),
    op(
        spell("linspace logspace", "torch"),
        "start end steps * dtype",
        Tensor(given(Default()), ExactRank(1)),
        out=True,
    ),
    op("torch.eye", "n m * dtype", Tensor(given(Default()), ExactRank(2)), out=True),
    op("torch.tensor", "data * dtype", Tensor(given(FromData("data")), DataRank("data"))),
    op("torch.as_tensor", "data dtype", Tensor(given(FromData("data")), DataRank("data"))),
    op("torch.asarray", "obj * dtype", Tensor(given(FromData("obj")), DataRank("obj"))),
    op("torch.scalar_tensor", "s * dtype", Tensor(given(Default()), ExactRank(0))),
    op("torch.from_numpy", "ndarray", same("ndarray")),
    op("torch.from_dlpack", "ext_tensor", same("ext_tensor")),
    op("torch.frombuffer", "buffer * dtype", Tensor(given(Default()), ExactRank(1))),
    op("torch.Tensor", "*data", Tensor(Default())),
    *(op(f"torch.{p}Tensor torch.cuda.{p}Tensor", "*data", fixed(named(n))) for p, n in _LEGACY.items()),
    op("torch.nn.Parameter torch.nn.parameter.Parameter torch.nn.Buffer", "data", same("data")),
    op(
        "torch.randint",
        "low high size * dtype",
        When(
            "size",
            Tensor(given(INT64), SizeRank("size")),
            Tensor(given(INT64), SizeRank("high")),
        ),
        out=True,
    ),
    op("torch.randperm", "n * dtype", Tensor(given(INT64), ExactRank(1)), out=True),
    op(
        "torch.normal",
        "mean std size * dtype",
        When(
            "mean",
            Tensor(computed(rules.inexact_first, "mean"), BroadcastRank(("mean", "std"))),
            When("std", Tensor(computed(rules.floating, "std"), SameRank("std")), _SIZED, Test.TENSOR),
            Test.TENSOR,
        ),
        out=True,
    ),
    op("torch.bernoulli Tensor.bernoulli", "input p", like("input", SameRank("input")), out=True),
    op("torch.poisson", "input", like("input", SameRank("input"))),
    op(
        "torch.multinomial Tensor.multinomial",
        "input num_samples",
        Tensor(INT64, SameRank("input")),
        out=True,
    ),
    op(spell("empty_like zeros_like ones_like rand_like randn_like", "torch"), "input * dtype", _LIKE),
    op("torch.full_like", "input fill_value * dtype", _LIKE),
    op("torch.randint_like", "input low high * dtype", _LIKE),
    op(spell("new_empty new_zeros new_ones", "Tensor"), "self *size dtype", _NEW),
    op("Tensor.new_full", "self size fill_value * dtype", _NEW),
    op("Tensor.new_empty_strided", "self size stride * dtype", _NEW),
    op("Tensor.new_tensor", "self data * dtype", Tensor(given(Like("self")), DataRank("data"))),
    op("Tensor.new", "self *data", like("self")),
    op(
        spell("tril_indices triu_indices", "torch"),
        "row col offset * dtype",
        Tensor(given(INT64), ExactRank(2)),
    ),
    op(
        "torch.complex",
        "real imag",
        Tensor(computed(rules.paired, "real imag"), BroadcastRank(("real", "imag"))),
        out=True,
    ),
    op(
        "torch.polar",
        "abs angle",
        Tensor(computed(rules.paired, "abs angle"), BroadcastRank(("abs", "angle"))),
        out=True,
    ),
    op(
        spell("hann_window hamming_window blackman_window bartlett_window kaiser_window", "torch"),
        "window_length periodic * dtype",
        Tensor(given(Default()), ExactRank(1)),
    ),
    *inplace("bernoulli_", "input p"),
    *inplace("uniform_ normal_ random_ exponential_ cauchy_ geometric_ log_normal_", "self"),
)
