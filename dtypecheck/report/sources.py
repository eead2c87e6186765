"""Source lines for readers, and text made safe to print. A file that cannot be read has no lines."""

from __future__ import annotations

import codecs
import io
import os
import re
import tokenize
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

from ..core.spans import Place

_NEWLINE = re.compile(r"\r\n|\r|\n")
_LINE_END = re.compile(rb"\r\n|\r|\n")
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True, slots=True)
class File:
    """One file: its lines without their ends, where each starts among the bytes, and how it is encoded."""

    lines: list[str]
    starts: list[int]
    encoding: str


@dataclass(frozen=True, slots=True)
class Sources:
    """The files below `root`, each read once."""

    root: Path
    _files: dict[str, File] = field(default_factory=dict)

    def file(self, path: str) -> File:
        found = self._files.get(path)
        if found is None:
            found = self._files[path] = _read(self.root / path)
        return found

    def line(self, path: str, number: int) -> str | None:
        """One line, counted from 1, without its end."""
        lines = self.file(path).lines
        return lines[number - 1] if 0 < number <= len(lines) else None

    def utf16(self, path: str, line: int, column: int) -> int:
        """A column in UTF-16 code units, from 1."""
        before = (self.line(path, line) or "")[: column - 1]
        return column + sum(ord(char) > 0xFFFF for char in before)

    def byte(self, path: str, line: int, column: int) -> int:
        """Where a column of a line stands in the file, in bytes from 0."""
        file = self.file(path)
        before = (self.line(path, line) or "")[: column - 1]
        start = file.starts[line - 1] if 0 < line <= len(file.starts) else 0
        return start + len(before.encode(file.encoding, "replace"))

    def text(self, place: Place) -> str:
        """What stands at `place`, on one line, white space collapsed."""
        span = place.span
        lines = [
            self.line(place.path, n) or "" for n in range(span.line, min(span.end_line, span.line + 20) + 1)
        ]
        if span.line == span.end_line:
            lines[0] = lines[0][: span.end_column - 1]
        elif lines and span.end_line <= span.line + 20:
            lines[-1] = lines[-1][: span.end_column - 1]
        if lines:
            lines[0] = lines[0][max(span.column - 1, 0) :]
        return " ".join(" ".join(lines).split())


def _read(file: Path) -> File:
    try:
        data = file.read_bytes()
    except (OSError, ValueError):
        return File([], [], "utf-8")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError:
        encoding = "utf-8"
    mark = len(codecs.BOM_UTF8) if encoding == "utf-8-sig" else 0
    encoding = "utf-8" if mark else encoding
    starts = [mark, *(end.end() for end in _LINE_END.finditer(data))]
    return File(_NEWLINE.split(data[mark:].decode(encoding, "replace")), starts, encoding)


def printable(text: str) -> str:
    """Text in which nothing steers the terminal or hides from the reader."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(c) if c in _BIDI or unicodedata.category(c) in ("Cc", "Cs") else c for c in text)


def _escape(char: str) -> str:
    return {"\n": " ", "\t": " "}.get(
        char, f"\\x{ord(char):02x}" if ord(char) < 256 else f"\\u{ord(char):04x}"
    )


def shown_path(path: str, root: str, base: Path | None) -> str:
    """A path for a reader: from `base` where one of it and the root holds the other, else from the root."""
    if base is None:
        return path
    home = Path(root)
    if not (home.is_relative_to(base) or base.is_relative_to(home)):
        return path
    return Path(os.path.relpath(home / path, base)).as_posix()
