"""Operations of torch on one tensor, element by element."""

from __future__ import annotations

from collections.abc import Iterator

from . import rules
from .describe import BOOL, computed, either, elementwise, inplace, op, spell
from .ops import Like, Op, Result, SameRank, Tensor


def _unary(
    words: str,
    dtype: Result,
    symbols: str = "",
    params: str = "input",
    places: str = "torch Tensor",
    out: bool = True,
) -> Iterator[Op]:
    """One operation for each word; `symbols` are further names of the first."""
    for i, word in enumerate(words.split()):
        names = f"{spell(word, *places.split())} {'' if i else symbols}"
        yield op(names, params, Tensor(dtype, SameRank("input")), out=out)


_FLOATED = (
    "exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin cos tan asin acos atan arcsin arccos "
    "arctan sinh cosh tanh asinh acosh atanh arcsinh arccosh arctanh sigmoid sinc erf erfc erfinv "
    "lgamma digamma i0"
)
_SPECIAL = (
    "erf erfc erfinv exp2 expm1 expit log1p digamma psi gammaln i0 i0e i1 i1e ndtri sinc log_ndtr ndtr "
    "bessel_j0 bessel_j1 erfcx entr"
)
_KEPT = "sign sgn floor ceil trunc fix frac conj_physical"

OPS: tuple[Op, ...] = (
    *_unary(_FLOATED, computed(rules.floated, "input")),
    *_unary("deg2rad rad2deg", computed(rules.real_floated, "input")),
    *_unary("logit", computed(rules.floated, "input"), params="input eps"),
    *_unary(_SPECIAL, computed(rules.floated, "input"), places="torch.special"),
    *_unary("neg negative", computed(rules.arithmetic, "input"), "operator.neg"),
    *_unary("positive", computed(rules.arithmetic, "input"), "operator.pos", out=False),
    *_unary("abs absolute", computed(rules.magnitude, "input"), "operator.abs"),
    *_unary("bitwise_not", Like("input"), "operator.invert"),
    *_unary("square", computed(rules.unsquashed, "input")),
    *_unary("angle", computed(rules.angular, "input")),
    *_unary(_KEPT, Like("input")),
    *_unary("round", Like("input"), params="input * decimals"),
    *_unary("relu", Like("input"), out=False),
    *_unary("nan_to_num", Like("input"), params="input nan posinf neginf"),
    *_unary("logical_not isposinf isneginf signbit", BOOL),
    *_unary("isnan isinf isreal isfinite", BOOL, out=False),
    op(
        either("real imag"), "input", Tensor(computed(rules.magnitude, "input"), SameRank("input"), view=True)
    ),
    *elementwise("clamp clip", rules.clamped, "input min max"),
    *elementwise("clamp_min", rules.real, "input min"),
    *elementwise("clamp_max", rules.real, "input max"),
    *inplace(" ".join(f"{word}_" for word in _FLOATED.split()), "self"),
    *inplace(" ".join(f"{word}_" for word in _KEPT.split()), "self"),
    *inplace(
        "relu_ neg_ negative_ abs_ absolute_ bitwise_not_ square_ deg2rad_ rad2deg_ logical_not_", "self"
    ),
    *inplace("logit_ nan_to_num_ round_", "self"),
    *inplace("clamp_ clip_", "self min max"),
    *inplace("clamp_min_ clamp_max_", "self bound"),
)
