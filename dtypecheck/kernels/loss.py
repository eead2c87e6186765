"""What a number is, beyond its type: whether it can have a fraction, counts something, or fills 64 bits.

These say what a narrower store of it loses. They follow the operations behind a value, and say no where
they do not know: behind the second call of a helper (`again`) stand the arguments of the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..semantics.triton_types import FLOATS, INT1, INT64, UINT64
from .flow import SAME, behind, word
from .session import ConstantFact
from .values import Tensor

Constants = Mapping[int, object]
"""The compile-time operand of an operation, by the identity of its result."""

SAFE = SAME - {"again"}
ROUNDED = frozenset(
    {"floor", "ceil", "rint", "nearbyint", "round", "trunc", "bitcast", "again", "asm", "map", "//"}
)
"""After these a number is whole, or no number, or of unknown origin."""
WITHIN = SAFE | {
    "cast", "+", "-", "*", "%", "where", "minimum", "maximum", "clamp", "max", "min", "sum", "cumsum", "abs",
    "cumprod", "fma", "dot", "gather", "join", "interleave", "split", "cat", "trans", "sort", "topk", "flip",
    "reduce", "scan", "full", "zeros_like",
}  # fmt: skip
"""Of whole numbers these make whole numbers."""
GIVEN = frozenset({"param", "literal", "full", "zeros_like", "where"})
"""Numbers that the kernel or its caller writes down, where nothing stands behind them."""
MEASURES = frozenset(
    {"load", "arange", "range", "program_id", "num_programs", "argmax", "argmin", "sum", "cumsum",
     "histogram"}
)  # fmt: skip
"""Where integers come from that count, measure or point at something."""


def constants(facts: Iterable[object]) -> dict[int, object]:
    """The constants that typing noted."""
    return {id(f.result): f.constant for f in facts if isinstance(f, ConstantFact)}


def is_fractional(value: Tensor, known: Constants) -> bool:
    """Whether a number can have a fraction that nobody rounds, by hand (`x + 0.5`) or by a function."""
    return any(_makes_fractions(t, known) for t in behind((value,), lambda t: _is_open(t, known)))


def _is_open(t: Tensor, known: Constants) -> bool:
    """Whether a fraction can come from behind `t`."""
    return _is_float(t) and _name(t) in WITHIN and not _rounds_by_hand(t, known)


def _makes_fractions(t: Tensor, known: Constants) -> bool:
    if not _is_float(t) or _rounds_by_hand(t, known):
        return False
    constant = known.get(id(t))
    if isinstance(constant, float) and not constant.is_integer():
        return _name(t) in WITHIN
    return _name(t) not in WITHIN | ROUNDED | GIVEN


def _rounds_by_hand(t: Tensor, known: Constants) -> bool:
    """`x + 0.5`, `x + where(x < 0, -0.5, 0.5)`: what is cut off afterwards was rounded."""
    if word(t) not in ("+", "-"):
        return False
    constant = known.get(id(t))
    if constant is not None:
        return isinstance(constant, float) and abs(constant) == 0.5
    return any(word(i) == "where" and not i.inputs for i in t.inputs)


def _is_float(t: Tensor) -> bool:
    return isinstance(t.element, int) and bool(t.element & FLOATS)


def _name(t: Tensor) -> str:
    """`libdevice.rint` rounds as `rint` would."""
    return word(t).rpartition(".")[2]


def is_sum(value: Tensor) -> bool:
    """Whether a number is a sum over a block, also one that a loop adds up."""
    return next(_sums(value), None) is not None


def is_count(value: Tensor) -> bool:
    """Whether a number is a sum of flags or of what was loaded.

    A sum of shifted or multiplied parts packs them, and one of chosen parts (`where`) may choose one.
    """
    summed = behind((i for t in _sums(value) for i in t.inputs), lambda t: word(t) in SAFE | {"cast"})
    return any(t.element == INT1 or word(t) == "load" for t in summed)


def _sums(value: Tensor) -> Iterator[Tensor]:
    found = behind((value,), lambda t: word(t) in SAFE | {"cast", "+"})
    return (t for t in found if word(t) in ("sum", "cumsum"))


def is_quantity(value: Tensor) -> bool:
    """Whether an integer counts, measures or points at something: no flag, no packed bits."""
    through = SAFE | {"cast", "+", "-", "*", "//", "%", "where", "minimum", "maximum", "clamp", "max", "min"}
    found = behind((value,), lambda t: word(t) in through)
    return any(t.element != INT1 and word(t) in MEASURES for t in found)


def is_combined(value: Tensor) -> bool:
    """Whether a number is made, by sums and products, of several loaded ones, some of them loaded as 64 bits.

    One such number is often small: an index, a token, a position that was kept wide. But a base plus an
    offset, kept wide, was meant to exceed 32 bits.
    """
    parts = _parts(value, {})
    return len(parts) > 1 and any(t.element in (INT64, UINT64) for t in parts)


def _parts(t: Tensor, known: dict[int, frozenset[Tensor]]) -> frozenset[Tensor]:
    """The loaded numbers that a sum or product is made of; none where it is made otherwise."""
    found = known.get(id(t))
    if found is None:
        found = frozenset()
        name = word(t)
        if name == "load":
            found = frozenset({t})
        elif name in ("+", "*"):
            found = found.union(*(_parts(i, known) for i in t.inputs))
        elif name in (SAFE - {"loop"}) | {"where"}:
            found = max((_parts(i, known) for i in t.inputs), key=len, default=found)
        known[id(t)] = found
    return found
