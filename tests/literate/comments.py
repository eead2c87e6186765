"""Finds the comments of a fixture, and the line that each speaks of."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

KINDS = ("expect", "ok", "reveal", "trace", "todo-expect", "todo-reveal", "run", "fixture")
COMMENT = re.compile(rf"#\s*(?P<kind>{'|'.join(KINDS)})(?:\[(?P<name>[^\]]*)\])?:\s*(?P<text>.*?)\s*$")
EXPECT = re.compile(
    r"(?P<code>DT\d{3})(?:\s+(?P<certainty>proven|possible))?(?:\s+@(?P<column>\d+))?(?:\s+\"(?P<said>.*)\")?"
)
BLANK = (tokenize.NL, tokenize.COMMENT, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)


@dataclass(frozen=True, slots=True)
class Comment:
    """One directive: it stands on line `at`, from column `start` of its text, and speaks of `line`."""

    file: Path
    at: int
    start: int
    line: int
    kind: str
    name: str
    text: str

    @property
    def todo(self) -> bool:
        return self.kind.startswith("todo-")

    @property
    def callers(self) -> bool:
        return self.name.endswith("@callers")

    @property
    def subject(self) -> str | None:
        return self.name.removesuffix("@callers").strip() or None


@dataclass(frozen=True, slots=True)
class Expected:
    """A parsed `expect`; None and "" where nothing is said."""

    code: str
    certainty: str | None
    column: int | None
    said: str


class BadComment(ValueError):
    """A directive that cannot be read."""


def expected(comment: Comment) -> Expected:
    match = EXPECT.fullmatch(comment.text)
    if match is None:
        raise BadComment(f"{comment.file.name}:{comment.at}: not an expectation: {comment.text}")
    column = int(match["column"]) if match["column"] else None
    return Expected(match["code"], match["certainty"], column, match["said"] or "")


def comments(file: Path) -> list[Comment]:
    """The directives of a Python or TOML file, in order."""
    text = file.read_text("utf-8")
    found = _in_toml(text) if file.suffix == ".toml" else _in_python(text)
    made: list[Comment] = []
    waiting: list[tuple[int, int, re.Match[str]]] = []
    code = sorted(line for line, _, _ in found.code)
    for line, column, body in found.comments:
        match = COMMENT.match(body)
        if match is None:
            if re.match(rf"#\s*({'|'.join(KINDS)})\b\S*\s*:", body):
                raise BadComment(f"{file.name}:{line}: cannot be read: {body}")
            continue
        waiting.append((line, column, match))
    for line, column, match in waiting:
        own = line in found.lines
        target = line if own else next((c for c in code if c > line), line)
        start = column + match.start("text")
        made.append(Comment(file, line, start, target, match["kind"], match["name"] or "", match["text"]))
    return made


@dataclass(slots=True)
class _Found:
    comments: list[tuple[int, int, str]]
    code: list[tuple[int, int, str]]
    lines: set[int]


def _in_python(text: str) -> _Found:
    """What stops `tokenize` ends the search: a broken fixture puts its comments before the fault."""
    found = _Found([], [], set())
    for token in _tokens(text):
        line, column = token.start
        if token.type == tokenize.COMMENT:
            found.comments.append((line, column, token.string))
        elif token.type not in BLANK and token.type != tokenize.ENDMARKER:
            found.code.append((line, column, token.string))
            found.lines.update(range(line, token.end[0] + 1))
    return found


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    try:
        yield from tokenize.generate_tokens(io.StringIO(text).readline)
    except (tokenize.TokenError, SyntaxError):
        return


def _in_toml(text: str) -> _Found:
    found = _Found([], [], set())
    for number, line in enumerate(text.splitlines(), 1):
        match = COMMENT.search(line)
        before = line[: match.start()] if match else line
        if match:
            found.comments.append((number, match.start(), line[match.start() :]))
        if before.strip() and not before.lstrip().startswith("#"):
            found.code.append((number, 0, before))
            found.lines.add(number)
    return found
