"""The one exception for what a user got wrong: usage, configuration or a rules file (exit status 2)."""

from __future__ import annotations

from collections.abc import Iterable

from ..contracts.words import nearest


class ConfigError(Exception):
    """Each of `lines` stands alone: it says where, what is wrong, and what was expected."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the nearest known word, or nothing where none is near."""
    near = nearest(word, known)
    return f"; did you mean '{near}'?" if near else ""
