"""Streams: colour or not, how wide, what a broken pipe means, and progress for whoever watches."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from ..config.progress import Progress

BROKEN_PIPE = 141
_PATIENCE = 0.5
"""Seconds of work before a progress bar is worth its flicker."""

F = TypeVar("F", bound=Callable[..., Any])


def color_option(command: F) -> F:
    """--color, for every command that prints for people."""
    return click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        show_default=True,
        help="Colours: auto means on a terminal, unless NO_COLOR is set.",
    )(command)


def wants_color(choice: str) -> bool:
    """Whether standard output gets colours."""
    if choice != "auto":
        return choice == "always"
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and _is_tty(sys.stdout)


def width() -> int | None:
    """The columns of the terminal that standard output is; None where it is none."""
    return shutil.get_terminal_size().columns if _is_tty(sys.stdout) else None


def write(text: str) -> None:
    """Text to standard output, as UTF-8 where it goes into a pipe or file; ends the run if nobody reads."""
    encoding = (sys.stdout.encoding or "utf-8") if _is_tty(sys.stdout) else "utf-8"
    try:
        sys.stdout.flush()
        binary = getattr(sys.stdout, "buffer", None)
        if binary is None:
            sys.stdout.write(text)
        else:
            binary.write(text.encode(encoding, "backslashreplace"))
        sys.stdout.flush()
    except BrokenPipeError:
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise click.exceptions.Exit(BROKEN_PIPE) from None


def remark(text: str) -> None:
    """One line to standard error."""
    with contextlib.suppress(BrokenPipeError):
        click.echo(text.encode("utf-8", "backslashreplace").decode(), err=True)


@contextlib.contextmanager
def progress(quiet: bool) -> Iterator[Progress]:
    """A bar on standard error while the work lasts; nothing where that is no terminal."""
    from ..config.progress import silent

    if quiet or not _is_tty(sys.stderr) or os.environ.get("TERM") == "dumb":
        yield silent
        return
    bar = _Bar()
    try:
        yield bar
    finally:
        bar.close()


class _Bar:
    """One line that shows the current stage; appears only when the work takes a while."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._progress: Any = None
        self._task: Any = None

    def __call__(self, stage: str, done: int, total: int) -> None:
        if self._progress is None:
            if time.monotonic() - self._started < _PATIENCE:
                return
            from rich.console import Console
            from rich.progress import Progress

            self._progress = Progress(console=Console(stderr=True), transient=True)
            self._progress.start()
            self._task = self._progress.add_task(stage)
        self._progress.update(self._task, description=stage, completed=done, total=total or None)

    def close(self) -> None:
        if self._progress is not None:
            self._progress.stop()


def _is_tty(stream: Any) -> bool:
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):
        return False
