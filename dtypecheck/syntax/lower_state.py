"""What lowering carries through one slice: places, literal values, and where a definition stands."""

from __future__ import annotations

from dataclasses import dataclass, field

import libcst as cst

from ..core.spans import NOWHERE, Span
from .positions import Positions


@dataclass(slots=True, eq=False)
class Lowering:
    """The state inside one function or class; `prefix` goes before the name of what is defined there.

    `lines` are those of the slice, `shift` as in `Slice`; `yields` is filled by the yields of this function.
    `dropped` holds the lines of the `pass` that stand for definitions that were cut out.
    """

    positions: Positions
    lines: tuple[str, ...]
    shift: int
    prefix: str = ""
    dropped: frozenset[int] = frozenset()
    yields: list[cst.Yield] = field(default_factory=list)

    def at(self, node: cst.CSTNode) -> Span:
        """The span of `node` in the file."""
        return self.positions.spans.get(node, NOWHERE)

    def within(self, prefix: str) -> Lowering:
        """The state of a definition that stands here."""
        return Lowering(self.positions, self.lines, self.shift, prefix, self.dropped)
