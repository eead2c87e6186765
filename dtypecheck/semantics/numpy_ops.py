"""Operations of numpy on arrays, and methods and attributes of ndarray.

Operators on arrays have the names "numpy.operator.+" and so on.
"""

from __future__ import annotations

from collections.abc import Iterator

from . import numpy_rules as rules
from .describe import BOOL, INT64, computed, given, op, spell
from .numpy_describe import array, kept
from .ops import (
    AnyRank,
    BroadcastRank,
    Computed,
    Concrete,
    DTypeOf,
    ExactRank,
    Given,
    Item,
    Like,
    Nothing,
    Op,
    Other,
    ReducedRank,
    Result,
    SameRank,
    Scalar,
    SizeRank,
    Sizes,
    Tensors,
    When,
)

_REDUCED = ReducedRank("a", "axis", "keepdims")
_OVER = "a axis * keepdims"


def _unary(words: str, rule: Concrete, symbols: str = "") -> Iterator[Op]:
    """Universal functions of one array; `symbols` are further names of the first."""
    outcome = array(Computed(rule, ("x",)), SameRank("x"))
    for i, word in enumerate(words.split()):
        yield op(f"numpy.{word} {spell('' if i else symbols, 'numpy.operator')}", "x", outcome, out=True)


def _binary(words: str, rule: Concrete, symbols: str = "") -> Iterator[Op]:
    """Universal functions of two arrays."""
    outcome = array(Computed(rule, ("x1", "x2")), BroadcastRank(("x1", "x2")))
    yield op(f"{spell(words, 'numpy')} {spell(symbols, 'numpy.operator')}", "x1 x2", outcome, out=True)


def _reduction(words: str, dtype: Result, params: str = _OVER) -> Iterator[Op]:
    """Reductions, as functions and as methods."""
    for word in words.split():
        yield op(spell(word, "numpy", "ndarray"), params, array(dtype, _REDUCED))


_SUMMED = given(computed(rules.summed, "a"))
_TYPED = "a axis dtype * keepdims"

OPS: tuple[Op, ...] = (
    *_unary("negative", rules.arithmetic, "neg"),
    *_unary("absolute abs", rules.magnitude, "abs"),
    *_unary("invert bitwise_not", rules.integral, "invert"),
    *_unary("positive sign", rules.arithmetic),
    *_unary("square", rules.raised),
    *_unary(
        "exp exp2 expm1 log log2 log10 log1p sqrt sin cos tan sinh cosh tanh arcsin arccos arctan rint",
        rules.floated,
    ),
    *_unary("sinc", rules.divided),
    *_unary("floor ceil trunc", rules.rounded),
    *_unary("isnan isinf isfinite logical_not", rules.truth),
    *_binary("add", rules.common, "+"),
    *_binary("subtract", rules.arithmetic, "-"),
    *_binary("multiply", rules.common, "*"),
    *_binary("divide true_divide", rules.divided, "/"),
    *_binary("floor_divide", rules.counted, "//"),
    *_binary("remainder mod", rules.counted, "%"),
    *_binary("fmod", rules.counted),
    *_binary("power", rules.raised, "**"),
    *_binary("bitwise_and", rules.integral, "&"),
    *_binary("bitwise_or", rules.integral, "|"),
    *_binary("bitwise_xor", rules.integral, "^"),
    *_binary("left_shift", rules.shifted, "<<"),
    *_binary("right_shift", rules.shifted, ">>"),
    *_binary("equal", rules.truth, "=="),
    *_binary("not_equal", rules.truth, "!="),
    *_binary("less", rules.truth, "<"),
    *_binary("less_equal", rules.truth, "<="),
    *_binary("greater", rules.truth, ">"),
    *_binary("greater_equal", rules.truth, ">="),
    *_binary("logical_and", rules.truth),
    *_binary("logical_or", rules.truth),
    *_binary("logical_xor", rules.truth),
    *_binary("maximum", rules.common),
    *_binary("minimum", rules.common),
    op("numpy.matmul numpy.dot ndarray.dot numpy.operator.@", "a b", array(computed(rules.common, "a b"))),
    op(
        "numpy.where",
        "condition x y",
        When(
            "x",
            array(computed(rules.common, "x y"), BroadcastRank(("condition", "x", "y"))),
            Tensors(array(INT64, ExactRank(1))),
        ),
    ),
    op(
        "numpy.clip ndarray.clip",
        "a a_min a_max",
        array(computed(rules.common, "a a_min a_max"), SameRank("a")),
    ),
    *_reduction("sum prod", _SUMMED, _TYPED),
    *_reduction("mean", given(computed(rules.divided, "a")), _TYPED),
    *_reduction("std var", given(computed(rules.spread, "a")), _TYPED),
    *_reduction("max min", Like("a")),
    *_reduction("argmax argmin", INT64),
    *_reduction("any all", BOOL),
    op("numpy.amax numpy.amin", _OVER, kept("a", _REDUCED)),
    op("numpy.median", "a axis", array(computed(rules.divided, "a"))),
    op("numpy.count_nonzero", "a axis * keepdims", array(INT64, _REDUCED)),
    op(
        spell("cumsum cumprod", "numpy", "ndarray"),
        "a axis dtype",
        When("axis", array(_SUMMED, SameRank("a")), array(_SUMMED, ExactRank(1))),
    ),
    op("numpy.diff", "a n axis", kept()),
    op("numpy.argsort ndarray.argsort", "a axis", array(INT64, SameRank("a"))),
    op("numpy.sort", "a axis", kept()),
    op("ndarray.sort ndarray.fill", "a value", Nothing()),
    op("numpy.nonzero ndarray.nonzero", "a", Tensors(array(INT64, ExactRank(1)))),
    op("numpy.flatnonzero", "a", array(INT64, ExactRank(1))),
    op("numpy.argwhere", "a", array(INT64, ExactRank(2))),
    op("numpy.bincount", "x", array(INT64, ExactRank(1))),
    op("numpy.searchsorted", "a v", array(INT64, SameRank("v"))),
    op("numpy.digitize", "x bins", array(INT64, SameRank("x"))),
    op("numpy.isin", "element test_elements", array(BOOL, SameRank("element"))),
    op(
        spell("concatenate", "numpy"),
        "arrays axis",
        array(computed(rules.common, "arrays"), SameRank("arrays")),
    ),
    op("numpy.stack", "arrays axis", array(computed(rules.common, "arrays"), SameRank("arrays", 1))),
    op(spell("vstack hstack dstack column_stack", "numpy"), "tup", array(computed(rules.common, "tup"))),
    op("numpy.split numpy.array_split", "a parts axis", Tensors(kept(view=True))),
    op("numpy.repeat ndarray.repeat", "a repeats axis", When("axis", kept(), kept("a", ExactRank(1)))),
    op("numpy.tile", "a reps", kept("a", AnyRank())),
    op("numpy.pad", "a pad_width", kept()),
    op("numpy.roll", "a shift axis", kept()),
    op("numpy.flip", "a axis", kept(view=True)),
    op("numpy.take ndarray.take", "a indices axis", kept("a", AnyRank())),
    op("numpy.take_along_axis", "a indices axis", kept("a", AnyRank())),
    op("numpy.broadcast_to", "a shape", kept("a", SizeRank("shape"), view=True)),
    op("numpy.expand_dims", "a axis", kept("a", SameRank("a", 1), view=True)),
    op("numpy.squeeze ndarray.squeeze", "a axis", kept("a", AnyRank(), view=True)),
    op("numpy.reshape", "a shape", kept("a", SizeRank("shape"), view=True)),
    op("ndarray.reshape", "a *shape", kept("a", SizeRank("shape"), view=True)),
    op("numpy.ravel ndarray.ravel ndarray.flatten", "a", kept("a", ExactRank(1), view=True)),
    op("numpy.transpose", "a axes", kept(view=True)),
    op("ndarray.transpose", "a *axes", kept(view=True)),
    op("numpy.unique", "a", kept("a", ExactRank(1))),
    op("numpy.array_equal numpy.allclose", "a b", Scalar("bool")),
    op("ndarray.astype", "a dtype", array(given(Like("a")), SameRank("a"), view=True)),
    op(
        "ndarray.view",
        "a dtype",
        When("dtype", array(Given("dtype", Like("a")), SameRank("a"), view=True), kept(view=True)),
    ),
    op("ndarray.copy", "a", kept(view=True)),
    op("ndarray.__getitem__", "a index", kept("a", AnyRank(), view=True)),
    op("ndarray.item", "a", Item("a")),
    op("ndarray.tolist ndarray.tobytes", "a", Other("list")),
    op("ndarray.dtype", "a", DTypeOf(Like("a")), attribute=True),
    op("ndarray.shape ndarray.strides", "a", Sizes("a"), attribute=True),
    op("ndarray.size ndarray.ndim ndarray.itemsize ndarray.nbytes", "a", Scalar("int"), attribute=True),
    op("ndarray.T", "a", kept(view=True), attribute=True),
    op(
        "numpy.result_type numpy.promote_types",
        "a b",
        DTypeOf(computed(rules.common, "a b")),
    ),
)
