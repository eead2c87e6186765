"""Rows of a report for people: a label, a place, the code there, and a remark.

They stand in columns; where these do not fit the width, code and remark go below one another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from ..core.diagnostics import Step
from ..core.spans import Place
from .canvas import Canvas
from .sources import Sources, printable, shown_path

INDENT = 12
"""Where places and remarks start: two blanks, a label of up to eight, two blanks."""
CODE_WIDTH = 44


@dataclass(frozen=True, slots=True)
class Row:
    """One row; all of it is printable."""

    label: str
    place: str
    code: str = ""
    remark: str = ""


def shown_place(place: Place, root: str, base: Path | None) -> str:
    """The file and line of a place, for a reader in the folder `base`."""
    return printable(f"{shown_path(place.path, root, base)}:{place.span.line}")


def shortened(code: str) -> str:
    """As much of some code as a row holds."""
    if cell_len(code) <= CODE_WIDTH:
        return code
    return set_cell_size(code, CODE_WIDTH - 3).rstrip() + "..."


def said(step: Step, sources: Sources, whole: bool = False) -> tuple[str, str]:
    """The code of a step, all of it where it is wanted `whole`, and the remark on it.

    A note that names the dtype, or is the code, stands alone.
    """
    code = printable(sources.text(step.place))
    code = code if whole else shortened(code)
    note = printable(step.note)
    if note == code:
        note = ""
    remark = note if step.dtype in note else f"{step.dtype}, {note}" if note else step.dtype
    return code, remark


def table(canvas: Canvas, rows: Sequence[Row]) -> None:
    """Draws rows, their columns aligned."""
    places = max((cell_len(r.place) for r in rows if r.code or r.remark), default=0) + 2
    codes = max((cell_len(r.code) for r in rows), default=0)
    codes = codes + 2 if codes else 0
    wide = INDENT + places + codes + max((cell_len(r.remark) for r in rows), default=0)
    for row in rows:
        label = Text(f"  {row.label:<8}  ", style="dim")
        place = Text(row.place, style="cyan")
        code = Text(row.code)
        remark = Text(row.remark, style="green")
        if canvas.width is None or wide <= canvas.width:
            place.pad_right(max(places - cell_len(row.place), 0))
            code.pad_right(codes - cell_len(row.code))
            canvas.line(Text.assemble(label, place, code, remark))
            continue
        canvas.line(Text.assemble(label, place))
        for cell in (code, remark):
            if cell:
                canvas.hanging(Text(" " * (INDENT + 2)), cell, INDENT + 2)
