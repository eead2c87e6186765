"""What the user got wrong, as click reports it: every line on standard error, exit status 2."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import IO, Any

import click

from .terminal import remark


class Failure(click.ClickException):
    """Ends the command; `lines` are complete messages."""

    exit_code = 2

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines

    def show(self, file: IO[Any] | None = None) -> None:
        for line in self.lines:
            remark(f"error: {line}")


@contextlib.contextmanager
def failing() -> Iterator[None]:
    """Turns the library's ConfigError into a Failure."""
    from ..config.errors import ConfigError

    try:
        yield
    except ConfigError as error:
        raise Failure(*error.lines) from None
