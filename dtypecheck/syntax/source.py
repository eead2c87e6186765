"""Bytes to text: encodings, line ends, and the errors that a file can have before and while parsing.

Errors are values (`SyntaxFault`), never exceptions. Text has "\\n" for every line end, so that lines
here are the lines of Python's own tokenizer; columns are untouched by that.
"""

from __future__ import annotations

import ast
import gc
import io
import re
import tokenize
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..core.spans import Span
from .model import SyntaxFault

_BOM = b"\xef\xbb\xbf"
_COOKIE = re.compile(rb"\A(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))?[ \t\f]*#[^\r\n]*coding[:=]")
_LINE_END = re.compile(rb"\r\n|\r|\n")
_START = Span(1, 1, 1, 1)


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """One file's text. `data` is what stood on disk; `text` has no byte order mark and "\\n" line ends.

    `lines` are those of `text` without their ends; line `n` is `lines[n - 1]`.
    """

    path: str
    data: bytes
    text: str
    lines: tuple[str, ...]
    encoding: str


def read(file: Path | str, path: str | None = None) -> Source | SyntaxFault:
    """Reads `file`; `path` is the name it has in results."""
    name = str(file) if path is None else path
    try:
        data = Path(file).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        return SyntaxFault(name, _START, f"cannot read the file: {_one_line(reason)}")
    return decode(data, name)


def decode(data: bytes, path: str) -> Source | SyntaxFault:
    """The text of these bytes, by byte order mark, PEP 263 cookie or UTF-8."""
    if b"\0" in data:
        before = data[: data.index(b"\0")]
        line = before.count(b"\n") + 1
        return SyntaxFault(
            path, Span(line, 1, line, 1), "NUL byte: a binary file, or text in UTF-16 or UTF-32"
        )
    encoding = "utf-8"
    if data.startswith(_BOM) or _COOKIE.match(data):
        try:
            start = b"\n".join(_LINE_END.split(data, 2)[:2])
            encoding = tokenize.detect_encoding(io.BytesIO(start).readline)[0]
        except (SyntaxError, LookupError, ValueError) as error:
            return SyntaxFault(path, _START, f"cannot decode the file: {_one_line(str(error))}")
    try:
        text = data[len(_BOM) :].decode("utf-8") if data.startswith(_BOM) else data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"cannot decode the file as {encoding}: {_one_line(error.reason)}"
        return SyntaxFault(path, Span(line, 1, line, 1), message)
    except (LookupError, ValueError, ArithmeticError) as error:
        return SyntaxFault(path, _START, f"cannot decode the file as {encoding}: {_one_line(str(error))}")
    if not isinstance(text, str):
        return SyntaxFault(path, _START, f"cannot decode the file: {encoding} is not a text encoding")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Source(path, data, text, tuple(text.split("\n")), encoding)


def parse(text: str, path: str = "") -> ast.Module | SyntaxFault:
    """Python's own tree of `text`, or why there is none."""
    try:
        with warnings.catch_warnings(), collector_paused():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        return SyntaxFault(path, _where(error), _one_line(error.msg or "invalid syntax"))
    except (RecursionError, MemoryError):
        return SyntaxFault(path, _START, "too deeply nested for Python's parser")
    except (ValueError, OverflowError, SystemError) as error:
        return SyntaxFault(path, _START, _one_line(str(error)) or "invalid syntax")


@contextmanager
def collector_paused() -> Iterator[None]:
    """No cycle collection inside: syntax trees hold no cycles, and are many."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _where(error: SyntaxError) -> Span:
    line = max(error.lineno or 1, 1)
    column = max(error.offset or 1, 1)
    end_line = max(getattr(error, "end_lineno", None) or line, line)
    end_column = getattr(error, "end_offset", None) or column
    if end_line == line:
        end_column = max(end_column, column)
    return Span(line, column, end_line, max(end_column, 1))


def _one_line(text: str) -> str:
    return " ".join(text.split())[:300]
