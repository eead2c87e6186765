"""How long work tells how far it is."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Called often, from the main process only; `total` is 0 where it is not known."""

    def __call__(self, stage: str, done: int, total: int) -> None: ...


def silent(stage: str, done: int, total: int) -> None:
    """The progress that nobody watches."""
