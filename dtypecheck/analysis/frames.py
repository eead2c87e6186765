"""Frames: one activation of a function, known by the call that made it.

A frame binds formals to thunks in its caller's frame, so nothing is evaluated before it is asked for.
A root frame has no caller: what its formals are is for the solver to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..core.spans import Place, Span
from ..syntax.model import FileIndex
from . import graph as g

if TYPE_CHECKING:
    from .program import ClassDef, FunctionDef
    from .values import Given, Thunk


@dataclass(slots=True, eq=False)
class Frame:
    """`name` is the qualified name of what runs; `outer` the frame of the function that defines a closure.

    `owner` is the class whose method runs, where it is one.
    """

    summary: g.Summary
    file: FileIndex
    name: str
    bound: dict[str, Thunk | Given] = field(default_factory=dict)
    caller: Frame | None = None
    site: g.Apply | None = None
    outer: Frame | None = None
    env: dict[str, g.Node] | None = None
    function: FunctionDef | None = None
    owner: ClassDef | None = None
    depth: int = 0
    callees: dict[object, Frame] = field(default_factory=dict)

    def place(self, span: Span) -> Place:
        return Place(self.file.path, span)

    def stack(self) -> Iterator[Frame]:
        """This frame, its caller, and so on to the root."""
        at: Frame | None = self
        while at is not None:
            yield at
            at = at.caller

    @property
    def root(self) -> Frame:
        at = self
        while at.caller is not None:
            at = at.caller
        return at

    def __repr__(self) -> str:
        return f"<{self.name}@{self.depth}>"
