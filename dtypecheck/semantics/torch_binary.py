"""Operations of torch on two or more operands, element by element, and Python's operators.

Augmented operators are not here: they keep the dtype of their left side, as the in-place forms do.
"""

from __future__ import annotations

from collections.abc import Iterator

from . import rules
from .describe import BOOL, either, elementwise, inplace, op
from .ops import BroadcastRank, Computed, Concrete, Op, SameRank, Scalar, Tensor, When

_PAIR = ("input", "other")


def _outcome(rule: Concrete, operands: tuple[str, ...] = _PAIR) -> Tensor:
    return Tensor(Computed(rule, operands), BroadcastRank(operands))


def _binary(words: str, rule: Concrete, operators: str = "", params: str = "input other") -> Iterator[Op]:
    """Functions and methods of two operands, with their in-place forms; `operators` are further names."""
    operands = tuple(params.split("*")[0].split())
    symbols = " ".join(f"operator.{symbol}" for symbol in operators.split())
    yield op(f"{either(words)} {symbols}", params, _outcome(rule, operands), out=True)
    yield from inplace(" ".join(f"{word}_" for word in words.split()), params)


_CHOSEN = Tensor(Computed(rules.common, _PAIR), BroadcastRank(("condition", *_PAIR)))

OPS: tuple[Op, ...] = (
    *_binary("add", rules.common, "+", "input other * alpha"),
    *_binary("sub subtract", rules.arithmetic, "-", "input other * alpha"),
    *_binary("mul multiply", rules.common, "*"),
    op("operator./ torch.true_divide Tensor.true_divide", "input other", _outcome(rules.floated), out=True),
    op(
        either("div divide"),
        "input other * rounding_mode",
        When("rounding_mode", _outcome(rules.real), _outcome(rules.floated)),
        out=True,
    ),
    *inplace("div_ divide_", "input other * rounding_mode"),
    *inplace("true_divide_", "input other"),
    *_binary("floor_divide", rules.real, "//"),
    *_binary("remainder", rules.real, "%"),
    *_binary("fmod", rules.real),
    *_binary("pow", rules.raised, "**", "input exponent"),
    *_binary("bitwise_and", rules.integral, "&"),
    *_binary("bitwise_or", rules.integral, "|"),
    *_binary("bitwise_xor", rules.integral, "^"),
    *_binary("bitwise_left_shift", rules.integral, "<<"),
    *_binary("bitwise_right_shift", rules.integral, ">>"),
    *_binary("eq", rules.truth, "=="),
    *_binary("ne not_equal", rules.truth, "!="),
    *_binary("lt less", rules.ordering, "<"),
    *_binary("le less_equal", rules.ordering, "<="),
    *_binary("gt greater", rules.ordering, ">"),
    *_binary("ge greater_equal", rules.ordering, ">="),
    *elementwise("maximum minimum", rules.real, "input other"),
    *elementwise("fmax fmin", rules.real, "input other"),
    *_binary("logical_and", rules.truth),
    *_binary("logical_or", rules.truth),
    *_binary("logical_xor", rules.truth),
    *_binary("atan2 arctan2", rules.real_floated),
    *_binary("gcd", rules.integral),
    *_binary("lcm", rules.integral),
    *_binary("hypot", rules.floating),
    *_binary("nextafter", rules.floating),
    *_binary("copysign", rules.real_floated),
    *_binary("xlogy", rules.real_floated),
    *elementwise("logaddexp logaddexp2", rules.inexact, "input other"),
    *_binary("heaviside", rules.real_alike, params="input values"),
    op("torch.rsub", "input other * alpha", _outcome(rules.arithmetic)),
    op(
        "torch.float_power Tensor.float_power",
        "input exponent",
        _outcome(rules.doubled, ("input", "exponent")),
        out=True,
    ),
    op(
        "torch.isclose Tensor.isclose",
        "input other rtol atol equal_nan",
        Tensor(BOOL, BroadcastRank(_PAIR)),
    ),
    op("torch.equal Tensor.equal", "input other", Scalar("bool")),
    op("torch.allclose Tensor.allclose", "input other rtol atol equal_nan", Scalar("bool")),
    op(
        either("lerp"),
        "input end weight",
        Tensor(Computed(rules.blended, ("input", "end", "weight")), SameRank("input")),
        out=True,
    ),
    *inplace("lerp_", "input end weight"),
    *_binary("addcmul", rules.common, params="input tensor1 tensor2 * value"),
    *_binary("addcdiv", rules.quotient_added, params="input tensor1 tensor2 * value"),
    op("torch.where", "condition input other", _CHOSEN, out=True),
    op("Tensor.where", "input condition other", _CHOSEN),
)
