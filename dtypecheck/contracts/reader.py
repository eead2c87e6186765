"""Read one rules file: its contracts, or everything that is wrong with it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from .errors import Reading, Rejected, RulesError
from .locator import locate
from .model import RulesFile
from .parse import parse
from .words import nearest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_TOML_PLACE = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)


def read_file(path: Path, *, shown: str | None = None, shipped: bool = False) -> RulesFile | Rejected:
    """One rules file; `shown` is the path in messages."""
    label = (shown if shown is not None else str(path)).replace("\\", "/")
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        return Rejected((_unreadable(label, path, error),))
    text = _decode(label, data)
    if isinstance(text, RulesError):
        return Rejected((text,))
    return read_text(text, label, name=path.stem.removesuffix(".rules"), shipped=shipped)


def read_text(text: str, path: str, *, name: str, shipped: bool = False) -> RulesFile | Rejected:
    """Rules from their text; `path` is what messages and places show."""
    text = text.replace("\r\n", "\n")
    try:
        document = tomllib.loads(text)
        spans = locate(text)
    except RecursionError:
        return Rejected((RulesError(path, 1, 1, "", "arrays or tables are nested too deeply"),))
    except ValueError as error:
        return Rejected((_bad_toml(path, text, error),))
    reading = Reading(path, spans)
    rules = parse(document, reading, name, shipped=shipped)
    return Rejected(tuple(sorted(reading.errors))) if reading.errors else rules


def _unreadable(label: str, path: Path, error: Exception) -> RulesError:
    """A person's words for why a file cannot be read."""
    match error:
        case FileNotFoundError():
            guess = nearest(path.name, _beside(path))
            hint = f'did you mean "{guess}"?' if guess else ""
            return RulesError(label, 0, 0, "", "no such file", "a rules file", hint)
        case IsADirectoryError():
            inside = sorted(p.name for p in path.glob("*.toml"))
            hint = f"name one of its files: {', '.join(inside[:5])}" if inside else ""
            return RulesError(label, 0, 0, "", "this is a folder", "a rules file", hint)
        case OSError():
            reason = (error.strerror or type(error).__name__).lower()
            return RulesError(label, 0, 0, "", f"cannot be read: {reason}", "a readable rules file")
        case _:
            return RulesError(label, 0, 0, "", f"cannot be read: {error}", "a rules file")


def _beside(path: Path) -> list[str]:
    try:
        return [p.name for p in path.parent.glob("*.toml")]
    except (OSError, ValueError):
        return []


def _decode(label: str, data: bytes) -> str | RulesError:
    """UTF-8, with or without a byte order mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before.rpartition(b"\n")[2].decode("utf-8", "replace")) + 1
        wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
        hint = "it looks like UTF-16: save it as UTF-8" if wide else "save it as UTF-8"
        message = f"byte 0x{data[error.start]:02x} is not UTF-8"
        return RulesError(label, line, column, "", message, "UTF-8 text", hint)


def _bad_toml(path: str, text: str, error: ValueError) -> RulesError:
    """The parser's own message, moved to its place."""
    words = str(error)
    match = _TOML_PLACE.fullmatch(words)
    if match is None:
        return RulesError(path, 1, 1, "", f"not TOML: {_lower_first(words)}")
    if match[2]:
        line, column = int(match[2]), int(match[3])
    else:
        line, column = text.count("\n") + 1, len(text.rpartition("\n")[2]) + 1
    return RulesError(path, line, column, "", f"not TOML: {_lower_first(match[1])}")


def _lower_first(words: str) -> str:
    return words[:1].lower() + words[1:]
