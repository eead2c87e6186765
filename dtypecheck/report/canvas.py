"""Lines of styled text, wrapped or not, as one string with or without colour codes."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass, field

from rich.console import Console
from rich.text import Text

_ENDLESS = 1_000_000
_NARROWEST = 24


@dataclass(slots=True)
class Canvas:
    """Collects lines; text is never read as markup."""

    color: bool
    width: int | None
    _console: Console = field(init=False)
    _out: io.StringIO = field(default_factory=io.StringIO)

    def __post_init__(self) -> None:
        if self.width is not None:
            self.width = max(self.width, _NARROWEST)
        self._console = Console(
            file=self._out,
            width=self.width or _ENDLESS,
            force_terminal=self.color,
            color_system="standard" if self.color else None,
            no_color=not self.color,
            markup=False,
            emoji=False,
            highlight=False,
            legacy_windows=False,
        )

    def line(self, text: Text) -> None:
        """One line, not wrapped; blanks at its end are dropped."""
        text.rstrip()
        self._console.print(text, soft_wrap=True)

    def lines(self, texts: Iterable[Text]) -> None:
        for text in texts:
            self.line(text)

    def blank(self) -> None:
        self._console.print()

    def hanging(self, first: Text, body: Text, indent: int) -> None:
        """`first`, then `body` wrapped, its further lines indented."""
        if self.width is None or first.cell_len + body.cell_len <= self.width:
            self.line(Text.assemble(first, body))
            return
        room = self.width - max(indent, first.cell_len)
        for number, part in enumerate(body.wrap(self._console, room, overflow="fold")):
            self.line(Text.assemble(first if number == 0 else " " * indent, part))

    def text(self) -> str:
        """All lines so far."""
        return self._out.getvalue()
