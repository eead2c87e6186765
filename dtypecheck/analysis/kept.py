"""Where a function keeps what a call gave: `cache[key] = handle`, and what the key is made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..core.spans import Place
from . import graph as g
from .frames import Frame
from .sizes import size_of, source
from .values import Number, Thunk

if TYPE_CHECKING:
    from .solve import Solver

SIZES = frozenset({"shape", "stride", "size", "device", "ndim", "index", "numel", "dim"})
"""What is asked of a tensor that has nothing to do with its dtype."""
WIDTHS = frozenset({"element_size", "itemsize", "nbytes"})
WAYS = 64


def keys(frame: Frame, place: Place) -> Iterator[g.Node]:
    """The keys under which a function keeps the result of the call at this place."""
    pending = list(frame.summary.exit.values())
    seen: set[int] = set()
    for node in pending:
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, g.Changed) and node.index is not None and _gave(node.new, place, frame):
            yield node.index
        pending += _inner(node)


def _gave(node: g.Node, place: Place, frame: Frame) -> bool:
    """Whether a value is what the call at this place gave, on some way."""
    ways = [node]
    for at in ways:
        if isinstance(at, g.Apply) and frame.place(at.span) == place:
            return True
        if len(ways) < WAYS:
            ways += _inner(at)
    return False


def _inner(node: g.Node) -> list[g.Node]:
    match node:
        case g.Gate(then=then, otherwise=otherwise):
            return [then, otherwise]
        case g.Choice(options=options):
            return [option for _, option in options]
        case g.Changed(value=value):
            return [value]
    return []


def without_dtype(solver: Solver, node: g.Node, frame: Frame) -> bool:
    """Whether every part of a key is a size, a device or a plain number."""
    node, frame = source(node, frame)
    match node:
        case g.Literal():
            return True
        case g.Pack(items=items):
            return all(without_dtype(solver, item, frame) for item in items)
        case g.Get(attr=attr) | g.Apply(func=g.Get(attr=attr)):
            if attr in WIDTHS:
                return False
            if attr in SIZES:
                return True
        case g.Operate(operands=operands):
            return all(without_dtype(solver, operand, frame) for operand in operands)
    if size_of(Thunk(node, frame)) is not None:
        return True
    return all(
        isinstance(alt.what, Number) and alt.what.kind in ("int", "bool") for alt in solver.force(node, frame)
    )
