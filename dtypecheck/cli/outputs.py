"""`-o FORMAT:PATH`: further outputs of one run, each a file that is complete or not there."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import click

from .failure import Failure


@dataclass(frozen=True, slots=True)
class Output:
    format: str
    path: str


def outputs_in(formats: Iterable[str]) -> Callable[[Any, Any, tuple[str, ...]], tuple[Output, ...]]:
    """Reads the values of -o, as click's callback, for a command that has these formats."""
    return lambda ctx, param, values: tuple(_read_output(value, tuple(formats)) for value in values)


def _read_output(value: str, formats: tuple[str, ...]) -> Output:
    name, colon, path = value.partition(":")
    if not colon or not path:
        raise click.BadParameter(f"'{value}' is not FORMAT:PATH, such as json:report.json")
    if name not in formats:
        from ..config.errors import did_you_mean

        raise click.BadParameter(f"'{name}' is no format ({', '.join(formats)}){did_you_mean(name, formats)}")
    return Output(name, path)


def write_file(path: str, text: str) -> None:
    """The text into a file, at once: readers see the old file or the new one.

    What is no regular file, such as a device or a pipe, is written to.
    """
    data = text.encode("utf-8", "backslashreplace")
    target = os.path.realpath(path)
    try:
        mode = os.stat(target).st_mode if os.path.exists(target) else None
        if mode is not None and not stat.S_ISREG(mode):
            with open(target, "wb") as file:
                file.write(data)
        else:
            _replace(target, data, stat.S_IMODE(mode) if mode is not None else 0o666 & ~_umask())
    except OSError as error:
        raise Failure(f"{path}: cannot be written: {error.strerror or error}") from None


def _replace(target: str, data: bytes, mode: int) -> None:
    handle, temporary = tempfile.mkstemp(prefix=".dtypecheck-", dir=os.path.dirname(target))
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
