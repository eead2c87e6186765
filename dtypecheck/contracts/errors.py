"""What is wrong with a rules file, in words that a person can act on, and where it stands."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..core.spans import NOWHERE, Place, Span
from .locator import KeyPath
from .words import nearest

_BARE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True, order=True)
class RulesError:
    """One fault of one rules file.

    `line` and `column` count from 1; both are 0 where the file as a whole is meant. `key` is the key
    path in TOML spelling, "" at the top. `expected` says what would be right, `hint` the likely cure.
    """

    path: str
    line: int
    column: int
    key: str
    message: str
    expected: str = ""
    hint: str = ""

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}:{self.column}" if self.line else self.path
        key = f"{self.key}: " if self.key else ""
        expected = f"; expected {self.expected}" if self.expected else ""
        hint = f"; {self.hint}" if self.hint else ""
        return " ".join(f"{where}: {key}{self.message}{expected}{hint}".split())


@dataclass(frozen=True, slots=True)
class Rejected:
    """A rules file that cannot be used: all its faults, in file order, never none."""

    errors: tuple[RulesError, ...]


@dataclass(slots=True)
class Reading:
    """One document being read: where its keys stand, and the faults found so far."""

    path: str
    spans: Mapping[KeyPath, Span]
    errors: list[RulesError] = field(default_factory=list)

    def place(self, key: KeyPath) -> Place:
        """The place of a key, or of the nearest key around it."""
        for length in range(len(key), 0, -1):
            if key[:length] in self.spans:
                return Place(self.path, self.spans[key[:length]])
        return Place(self.path, NOWHERE)

    def fault(self, key: KeyPath, message: str, expected: str = "", hint: str = "") -> None:
        span = self.place(key).span
        self.errors.append(
            RulesError(self.path, span.line, span.column, show_key(key), message, expected, hint)
        )

    def unknown_key(self, key: KeyPath, known: tuple[str, ...], what: str = "key", hint: str = "") -> None:
        word = str(key[-1])
        guess = nearest(word, known)
        hint = f'did you mean "{guess}"?' if guess else hint
        self.fault(key, f'unknown {what} "{word}"', ", ".join(known), hint)

    def table(self, key: KeyPath, value: Any, expected: str, hint: str = "") -> dict[str, Any]:
        """`value` where it is a table; a fault and an empty table where it is not."""
        if isinstance(value, dict):
            return value
        self.fault(key, f"{type_name(value)} cannot stand here", expected, hint)
        return {}


_TYPE_NAMES: tuple[tuple[type, str], ...] = (
    (bool, "a boolean"),
    (int, "an integer"),
    (float, "a float"),
    (str, "a string"),
    (list, "an array"),
    (dict, "a table"),
    (datetime.date, "a date"),
    (datetime.time, "a time"),
)


def type_name(value: Any) -> str:
    """What TOML calls the type of a value."""
    return next((name for kind, name in _TYPE_NAMES if isinstance(value, kind)), "this value")


def show_key(path: Iterable[str | int]) -> str:
    """A key path in TOML spelling: `kernels."pkg.k".x_ptr`, with `[1]` for the second element."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += ("." if text else "") + quote_key(part)
    return text


def quote_key(key: str) -> str:
    """A key as TOML wants it: bare where it may be, else a basic string."""
    return key if _BARE.fullmatch(key) else quote(key)


def quote(text: str) -> str:
    """A TOML basic string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(_escape(c) for c in escaped) + '"'


def _escape(char: str) -> str:
    return f"\\u{ord(char):04X}" if ord(char) < 0x20 or ord(char) == 0x7F else char
