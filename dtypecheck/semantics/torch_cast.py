"""Casts, moves between devices and copies of a torch tensor: the same values, perhaps in another dtype."""

from __future__ import annotations

from ..core.dtypes import named
from . import rules
from .describe import computed, fixed, given, inplace, like, op, same
from .ops import Given, Like, Op, SameRank, Scalar, SizeRank, Tensor, Test, When

_CASTS = {
    "float": "float",
    "double": "double",
    "half": "half",
    "bfloat16": "bfloat16",
    "int": "int",
    "long": "long",
    "short": "short",
    "char": "int8",
    "byte": "uint8",
    "bool": "bool",
    "cfloat": "cfloat",
    "cdouble": "cdouble",
    "chalf": "chalf",
}

_RETYPED = Tensor(given(Like("self")), SameRank("self"), view=True)

OPS: tuple[Op, ...] = (
    op(
        "Tensor.to",
        "self first second third * dtype tensor",
        Tensor(
            Given("dtype", Given("tensor", Given("first", Given("second", Like("self"))))),
            SameRank("self"),
            view=True,
        ),
    ),
    op("Tensor.type", "self dtype", When("dtype", _RETYPED, Scalar("str"))),
    op("Tensor.type_as", "self other", Tensor(Given("other", Like("self")), SameRank("self"), view=True)),
    *(op(f"Tensor.{word}", "self", fixed(named(n), SameRank("self"), True)) for word, n in _CASTS.items()),
    op(
        "Tensor.view",
        "self *size dtype",
        When(
            "dtype",
            _RETYPED,
            When(
                "size",
                Tensor(Given("size", Like("self")), SameRank("self"), view=True),
                like("self", SizeRank("size"), view=True),
                Test.DTYPE,
            ),
        ),
    ),
    op(
        "torch.view_as_real", "input", Tensor(computed(rules.parts, "input"), SameRank("input", 1), view=True)
    ),
    op(
        "torch.view_as_complex",
        "input",
        Tensor(computed(rules.paired, "input"), SameRank("input", -1), view=True),
    ),
    op("Tensor.cpu Tensor.cuda Tensor.xpu", "self device", same("self")),
    op("Tensor.pin_memory Tensor.share_memory_", "self", same("self")),
    op("torch.clone Tensor.clone torch.detach Tensor.detach", "input", same()),
    op("Tensor.contiguous", "self", same("self")),
    op("Tensor.requires_grad_ Tensor.detach_", "self", same("self"), inplace=True),
    op("torch.conj Tensor.conj", "input", same()),
    op("torch.resolve_conj Tensor.resolve_conj torch.resolve_neg Tensor.resolve_neg", "input", same()),
    op("Tensor.numpy", "self", Tensor(Like("self"), SameRank("self"), view=True, array=True)),
    op("Tensor.to_dense", "self", same("self")),
    op("torch.dequantize Tensor.dequantize", "input", fixed(named("float"), SameRank("input"), True)),
    *inplace("copy_", "self src"),
    op("Tensor.resize_", "self *sizes", like("self", SizeRank("sizes"), view=True), inplace=True),
    op("Tensor.resize_as_", "self other", like("self", SameRank("other"), view=True), inplace=True),
    op("Tensor.set_", "self source", like("self", view=True), inplace=True),
)
