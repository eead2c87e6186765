"""Where each key of a TOML document stands.

`tomllib` gives values without places. `locate` walks the same text and gives places without values:
the span of every key, and of every array element. It trusts that `tomllib` accepted the text, with
its line endings normalised to a line feed, and refuses to know what a value means.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..core.spans import Span

KeyPath = tuple["str | int", ...]
"""Keys and array positions from the top of the document, as `tomllib` nests them."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_BLANK = re.compile(r"[ \t]*")
_GAP = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_SCALAR = re.compile(r"[^,\]}#\n]+")
_BASIC = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_LITERAL = re.compile(r"'([^']*)'")
_LONG_BASIC = re.compile(r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}', re.DOTALL)
_LONG_LITERAL = re.compile(r"'''(?:[^']|'{1,2}(?!'))*'{3,5}", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2})|(.))")
_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b", '"': '"', "\\": "\\"}


class LocatorError(ValueError):
    """The text is no TOML that the locator can follow."""


@dataclass(slots=True)
class _Walk:
    """The state of one walk: where it stands, and what it found, as (start, end) offsets."""

    text: str
    at: int = 0
    found: dict[KeyPath, tuple[int, int]] = field(default_factory=dict)
    lengths: dict[KeyPath, int] = field(default_factory=dict)
    """How many tables each array of tables has so far."""

    def peek(self, token: str) -> bool:
        return self.text.startswith(token, self.at)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str]:
        """Step over what `pattern` matches here."""
        match = pattern.match(self.text, self.at)
        if match is None:
            raise LocatorError(f"offset {self.at}: expected {pattern.pattern}")
        self.at = match.end()
        return match

    def expect(self, token: str) -> None:
        if not self.peek(token):
            raise LocatorError(f"offset {self.at}: expected {token}")
        self.at += len(token)


def locate(text: str) -> Mapping[KeyPath, Span]:
    """The span of the key, or of the array element, at each path of the document."""
    walk = _Walk(text)
    table: KeyPath = ()
    walk.take(_GAP)
    while walk.at < len(text):
        if walk.peek("["):
            table = _header(walk)
        else:
            _pair(walk, table)
        walk.take(_GAP)
    spans = _Spans(text)
    return {path: spans.span(start, end) for path, (start, end) in walk.found.items()}


def _header(walk: _Walk) -> KeyPath:
    """`[a.b]` or `[[a.b]]`: the path of the table that it opens."""
    array = walk.peek("[[")
    walk.expect("[[" if array else "[")
    keys = _keys(walk)
    walk.expect("]]" if array else "]")
    path: KeyPath = ()
    for key, place in keys[:-1]:
        path = (*path, key)
        walk.found.setdefault(path, place)
        path = _last_element(walk, path)
    key, place = keys[-1]
    path = (*path, key)
    if not array:
        walk.found[path] = place
        return path
    walk.found.setdefault(path, place)
    position = walk.lengths.get(path, 0)
    walk.lengths[path] = position + 1
    walk.found[(*path, position)] = place
    return (*path, position)


def _last_element(walk: _Walk, path: KeyPath) -> KeyPath:
    """A header that goes through an array of tables means its newest table."""
    return (*path, walk.lengths[path] - 1) if path in walk.lengths else path


def _pair(walk: _Walk, table: KeyPath) -> None:
    """`key = value` or `a.b = value`, under `table`."""
    path = table
    for key, place in _keys(walk):
        path = (*path, key)
        walk.found.setdefault(path, place)
    walk.expect("=")
    walk.take(_BLANK)
    _value(walk, path)


def _keys(walk: _Walk) -> list[tuple[str, tuple[int, int]]]:
    """The parts of a dotted key, each with its place; blanks around are taken."""
    keys = []
    while True:
        walk.take(_BLANK)
        start = walk.at
        keys.append((_key(walk), (start, walk.at)))
        walk.take(_BLANK)
        if not walk.peek("."):
            return keys
        walk.expect(".")


def _key(walk: _Walk) -> str:
    if walk.peek('"'):
        return _ESCAPE.sub(_unescaped, walk.take(_BASIC)[1])
    if walk.peek("'"):
        return walk.take(_LITERAL)[1]
    return walk.take(_BARE)[0]


def _unescaped(match: re.Match[str]) -> str:
    digits = match[1] or match[2] or match[3]
    return chr(int(digits, 16)) if digits else _ESCAPES.get(match[4], match[0])


def _value(walk: _Walk, path: KeyPath) -> None:
    """Step over one value; keys and elements inside it are recorded under `path`."""
    if walk.peek("["):
        _array(walk, path)
    elif walk.peek("{"):
        _inline_table(walk, path)
    elif walk.peek('"""'):
        walk.take(_LONG_BASIC)
    elif walk.peek("'''"):
        walk.take(_LONG_LITERAL)
    elif walk.peek('"'):
        walk.take(_BASIC)
    elif walk.peek("'"):
        walk.take(_LITERAL)
    else:
        walk.take(_SCALAR)


def _array(walk: _Walk, path: KeyPath) -> None:
    walk.expect("[")
    walk.take(_GAP)
    position = 0
    while not walk.peek("]"):
        start = walk.at
        element = (*path, position)
        _value(walk, element)
        end = start + len(walk.text[start : walk.at].rstrip())
        walk.found[element] = (start, end)
        position += 1
        _separator(walk, "]")
    walk.expect("]")


def _inline_table(walk: _Walk, path: KeyPath) -> None:
    walk.expect("{")
    walk.take(_GAP)
    while not walk.peek("}"):
        _pair(walk, path)
        _separator(walk, "}")
    walk.expect("}")


def _separator(walk: _Walk, closing: str) -> None:
    """After an element: a comma, or the end."""
    walk.take(_GAP)
    if not walk.peek(closing):
        walk.expect(",")
        walk.take(_GAP)


@dataclass(slots=True)
class _Spans:
    """Offsets to lines and columns; a span that crosses lines is cut at the end of its first line."""

    text: str
    starts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.starts = [0, *(m.end() for m in re.finditer("\n", self.text))]

    def span(self, start: int, end: int) -> Span:
        line = bisect_right(self.starts, start)
        origin = self.starts[line - 1]
        newline = self.text.find("\n", start, end)
        stop = newline if newline >= 0 else end
        return Span(line, start - origin + 1, line, stop - origin + 1)
