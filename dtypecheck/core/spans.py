"""Places in source text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of one file's text: lines from 1, columns in code points from 1."""

    line: int
    column: int
    end_line: int
    end_column: int

    @staticmethod
    def cover(first: Span, last: Span) -> Span:
        """From the start of `first` to the end of `last`."""
        return Span(first.line, first.column, last.end_line, last.end_column)

    def within(self, outer: Span) -> bool:
        """Whether `outer` covers this span."""
        starts = (outer.line, outer.column) <= (self.line, self.column)
        return starts and (self.end_line, self.end_column) <= (outer.end_line, outer.end_column)


NOWHERE = Span(0, 0, 0, 0)
"""The span of code that was not written: defaults, synthesised nodes."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A span in a file; `path` is relative to the root, with forward slashes."""

    path: str
    span: Span

    def __str__(self) -> str:
        return f"{self.path}:{self.span.line}:{self.span.column}"
