"""Operations of numpy that make an array, and its scalar types."""

from __future__ import annotations

from ..core.dtypes import BY_NAME
from . import numpy_rules as rules
from .describe import computed, given, op, spell
from .numpy_describe import array, data, kept
from .ops import (
    DataRank,
    ExactRank,
    Fixed,
    FromData,
    Like,
    Nothing,
    Op,
    Other,
    SameRank,
    Scalar,
    SizeRank,
    When,
)
from .rules import FLOAT64, INT64

_F64 = Fixed(FLOAT64)
_I64 = Fixed(INT64)
_DRAWN = array(given(_F64), SizeRank("size"))
_SCALARS = (
    *((word, name) for word, name in rules.NAMES.items() if word != "bool"),
    *((d.name, d.name) for d in sorted(rules.KNOWN, key=lambda d: d.index) if d.name != "bool"),
)


def _scalars() -> tuple[Op, ...]:
    return tuple(
        op(f"numpy.{word}", "value", array(Fixed(BY_NAME[name]), DataRank("value")))
        for word, name in _SCALARS
    )


OPS: tuple[Op, ...] = (
    *_scalars(),
    op(spell("zeros ones empty", "numpy"), "shape dtype", array(given(_F64), SizeRank("shape"))),
    op("numpy.full", "shape fill_value dtype", array(given(FromData("fill_value", True)), SizeRank("shape"))),
    op(spell("zeros_like ones_like empty_like", "numpy"), "a dtype", array(given(Like("a")), SameRank("a"))),
    op("numpy.full_like", "a fill_value dtype", array(given(Like("a")), SameRank("a"))),
    op(
        "numpy.arange",
        "start stop step dtype",
        array(given(computed(rules.ranged, "start stop step")), ExactRank(1)),
    ),
    op("numpy.linspace", "start stop num endpoint retstep dtype", array(given(_F64), ExactRank(1))),
    op("numpy.logspace", "start stop num endpoint base dtype", array(given(_F64), ExactRank(1))),
    op("numpy.eye", "N M k dtype", array(given(_F64), ExactRank(2))),
    op("numpy.identity", "n dtype", array(given(_F64), ExactRank(2))),
    op(spell("array asarray asanyarray", "numpy"), "object dtype", data("object")),
    op("numpy.ascontiguousarray numpy.asfortranarray", "a dtype", data("a")),
    op("numpy.copy", "a", kept("a", view=True)),
    op("numpy.frombuffer", "buffer dtype", array(given(_F64), ExactRank(1))),
    op("numpy.fromiter", "iter dtype", array(given(_F64), ExactRank(1))),
    op("numpy.random.rand numpy.random.randn", "*shape", array(_F64, SizeRank("shape"))),
    *(
        op(spell(words, "numpy.random"), params, When("size", array(_F64, SizeRank("size")), Scalar("float")))
        for words, params in (
            ("random standard_normal", "size"),
            ("uniform", "low high size"),
            ("normal", "loc scale size"),
            ("exponential", "scale size"),
        )
    ),
    op("numpy.random.randint", "low high size dtype", array(given(_I64))),
    op("numpy.random.default_rng", "seed", Other("numpy.random.Generator")),
    *(
        op(f"numpy.random.Generator.{word}", params, When("size", _DRAWN, Scalar("float")))
        for word, params in (("random", "size dtype"), ("standard_normal", "size dtype"))
    ),
    *(
        op(
            f"numpy.random.Generator.{word}",
            params,
            When("size", array(_F64, SizeRank("size")), Scalar("float")),
        )
        for word, params in (
            ("uniform", "low high size"),
            ("normal", "loc scale size"),
            ("exponential", "scale size"),
        )
    ),
    op("numpy.random.Generator.integers", "low high size dtype", array(given(_I64))),
    op("numpy.random.Generator.permutation", "x", array(computed(rules.common, "x"))),
    op("numpy.random.Generator.shuffle", "x", Nothing()),
    op("numpy.random.permutation", "x", array(computed(rules.common, "x"), ExactRank(1))),
)
