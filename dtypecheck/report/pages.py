"""Markdown pages on a terminal."""

from __future__ import annotations

import io

from rich.console import Console
from rich.markdown import Markdown

WIDEST = 100
"""Prose in longer lines is hard to read."""


def render_page(text: str, width: int, color: bool) -> str:
    """A page, laid out for a terminal of this width."""
    out = io.StringIO()
    console = Console(
        file=out,
        width=min(width, WIDEST),
        force_terminal=color,
        color_system="standard" if color else None,
        no_color=not color,
    )
    console.print(Markdown(text, code_theme="ansi_dark"))
    return out.getvalue()
