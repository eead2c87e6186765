"""The source line of a place, with the place underlined."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from ..core.spans import Place
from .sources import Sources, printable

_TAB = 4
_LONGEST = 400
"""Lines beyond this are generated, or data: nobody reads their frame."""


def frame(place: Place, sources: Sources, width: int | None = None) -> Iterator[Text]:
    """Three lines, or none where the source has no such line.

    A line too long for `width` shows the part that is marked.
    """
    span = place.span
    line = sources.line(place.path, span.line)
    if line is None or not line.strip() or len(line) > _LONGEST:
        return
    start = min(max(span.column - 1, 0), len(line))
    end = span.end_column - 1 if span.end_line == span.line else len(line.rstrip())
    marked = max(cell_len(_shown(line[start : max(end, start + 1)])), 1)
    before = cell_len(_shown(line[:start]))
    code = _shown(line)
    number = str(span.line)
    if width is not None:
        room = max(width - len(number) - 5, 1)
        code, before, marked = _window(code, before, marked, room)
    bar = Text(f"  {' ' * len(number)} |", style="blue")
    yield bar.copy()
    yield Text.assemble((f"  {number} | ", "blue"), code)
    yield Text.assemble(bar, " " * (before + 1), ("^" * marked, "bold red"))


def _window(code: str, before: int, marked: int, room: int) -> tuple[str, int, int]:
    """As much of a line as there is room for, with the start of the mark in it."""
    hidden = max(before - room // 4, 0) if before + marked > room else 0
    rest = _without(code, hidden)
    before -= hidden
    return set_cell_size(rest, min(cell_len(rest), room)), before, max(min(marked, room - before), 1)


def _without(code: str, cells: int) -> str:
    """The line less its first cells; half of a wide character becomes a blank."""
    start = 0
    while cells > 0:
        cells -= cell_len(code[start])
        start += 1
    return " " * -cells + code[start:]


def _shown(text: str) -> str:
    return printable(text.replace("\t", " " * _TAB))
