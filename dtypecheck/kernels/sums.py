"""Which kernel values are sums: over a block, and over the turns of a loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..semantics.triton_types import FLOATS, FP32, FP64
from .flow import SAME, SHAPING, address, behind, word
from .session import CarryFact, StoreFact
from .values import Tensor

SUMS = frozenset({"sum", "cumsum"})
EXTREMES = frozenset({"max", "min", "argmax", "argmin"})
"""A maximum of halves is one of them."""
BULK = frozenset({"load", "dot", "dot_scaled", "gather", "scan", "reduce", "asm", "cat", "join"})


def is_statistic(value: Tensor) -> bool:
    """Whether a value is a sum over one tensor, or computed from such sums and from numbers alone.

    A mean, a variance, a log-sum-exp; not an element of a block, and not the product of two tensors.
    """
    found = False
    for t in behind((value,), lambda at: word(at) not in SUMS | EXTREMES | BULK):
        made_by = word(t)
        if made_by in SUMS:
            if is_product(t):
                return False
            found = True
        elif made_by in BULK and isinstance(t.element, int) and t.element & FLOATS:
            return False
    return found


def is_product(total: Tensor) -> bool:
    """Whether a sum contracts two tensors, as a dot does: its factors do not come from the same loads."""
    at = total.inputs[0]
    while word(at) in SAME | {"cast", "where"} and at.inputs:
        at = at.inputs[0]
    return word(at) == "*" and _multiplies(at)


def is_choice(value: Tensor, conditions: Mapping[int, Tensor]) -> bool:
    """Whether a sum only takes one element out: of `where(i == k, x, 0)`. `conditions` by their result."""
    for t in behind((value,), lambda at: word(at) in SAME | {"cast"}):
        condition = conditions.get(id(t))
        if condition is not None and any(
            word(c) == "==" for c in behind((condition,), lambda at: word(at) in SAME)
        ):
            return True
    return False


def loaded(value: Tensor) -> frozenset[str]:
    """The parameters that a value is loaded from."""
    made_of = behind((value,), lambda at: word(at) != "load")
    return frozenset(address(t.inputs[0])[0] for t in made_of if word(t) == "load" and t.inputs)


def accumulates(carry: CarryFact) -> bool:
    """Whether each turn of the loop adds something to the variable, whatever it scales it by."""
    through = SAME | {"+", "-", "*", "cast", "dot"}
    made_of = list(behind((carry.after,), lambda at: at is not carry.before and word(at) in through))
    adds = any(word(t) == "+" or (word(t) == "dot" and len(t.inputs) == 3) for t in made_of)
    return adds and any(t is carry.before for t in made_of)


def is_running(store: StoreFact, carry: CarryFact) -> bool:
    """Whether a store in a loop keeps what that loop has added up so far."""
    inside = carry.span.line <= store.span.line <= carry.span.end_line and store.function is carry.function
    return inside and uncast(store) in (carry.before, carry.after)


def uncast(store: StoreFact) -> Tensor:
    """What is stored, before it was cast to the dtype of the buffer."""
    at = store.value
    while at.inputs and (word(at) in SHAPING or (word(at) == "cast" and at.element == store.element)):
        at = at.inputs[0]
    return at


def is_partial(store: StoreFact) -> bool:
    """Whether a store keeps a sum, or adds to what is there."""
    at = uncast(store)
    through = SAME | {"+", "-", "*", "/", "cast", "where"}
    made_of = list(behind((at,), lambda t: word(t) in through))
    into = address(store.pointer)[0]
    again = any(word(t) == "load" and t.inputs and address(t.inputs[0])[0] == into for t in made_of)
    if again and any(word(t) == "+" for t in made_of):
        return True
    return at.element in (FP32, FP64) and any(word(t) in SUMS | {"dot", "loop"} for t in made_of)


def totals(stores: Sequence[StoreFact], sums: Sequence[CarryFact]) -> frozenset[str]:
    """The parameters that a kernel does nothing with but add them up."""
    added = {id(t) for c in sums for t in (c.before, c.after)}
    through = SAME | {"+", "-", "*", "/", "cast", "where", "sqrt", "log", "exp", "maximum", "minimum"}
    found: set[str] = set()
    for store in stores:
        mine: set[str] = set()
        for t in behind((uncast(store),), lambda at: id(at) not in added and word(at) in through):
            if id(t) in added or word(t) in SUMS:
                mine |= _summands(t)
            elif word(t) == "load":
                return frozenset()
        if not mine:
            return frozenset()
        found |= mine
    return frozenset(found)


def _summands(total: Tensor) -> set[str]:
    """The parameters whose elements a sum adds up, scaled or not; not those of which it adds up products."""
    through = SAME | SUMS | {"+", "-", "/", "cast", "where"}
    made_of = behind((total,), lambda at: word(at) in through or (word(at) == "*" and not _multiplies(at)))
    return {address(t.inputs[0])[0] for t in made_of if word(t) == "load" and t.inputs}


def _multiplies(product: Tensor) -> bool:
    """Whether the factors of a product come from different loads."""
    if len(product.inputs) != 2:
        return False
    left, right = map(loaded, product.inputs)
    return bool(left) and bool(right) and left != right
