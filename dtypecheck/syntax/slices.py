"""Slices: the physical lines of one outermost definition, or of a module without its definitions.

libcst reads slices, never files, and only what Python's own parser accepted and `depth` lets through.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from .depth import too_deep
from .model import ClassEntry, FileIndex, SyntaxFault
from .source import Source, collector_paused, parse

_HEADER = "if True:\n"


@dataclass(frozen=True, slots=True, eq=False)
class Slice:
    """Text that parses on its own; line `n` of `text` is line `n + shift` of the file."""

    text: str
    lines: tuple[str, ...]
    shift: int
    tree: ast.Module
    module: cst.Module


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a slice is not read; `reason` as in `core.ir.Opaque`."""

    reason: str


def cut_definition(source: Source, first_line: int, last_line: int) -> Slice | Refusal:
    """The slice of the definition on these lines; below `if True:` where it is indented."""
    lines = source.lines[first_line - 1 : last_line]
    text = "\n".join(lines) + "\n"
    if text.startswith((" ", "\t", "\f")) and _indent(text):
        return _slice(_HEADER + text, first_line - 2)
    return _slice(text, first_line - 1)


def cut_module(source: Source, index: FileIndex) -> Slice | Refusal:
    """The whole file, each outermost definition replaced by one `pass`."""
    lines = list(source.lines)
    for first, last in outermost(index):
        _blank(lines, first, last)
    return _slice("\n".join(lines) + "\n", 0)


def cut_class_body(source: Source, index: FileIndex, entry: ClassEntry) -> Slice | Refusal:
    """A class with each function and class of its body replaced by one `pass`."""
    lines = list(source.lines)
    prefix = entry.qualname + "."
    for inner in (*index.functions, *index.classes):
        direct = inner.qualname.startswith(prefix) and "." not in inner.qualname[len(prefix) :]
        if direct and entry.first_line <= inner.first_line and inner.last_line <= entry.last_line:
            _blank(lines, inner.first_line, inner.last_line)
    text = "\n".join(lines[entry.first_line - 1 : entry.last_line]) + "\n"
    if text.startswith((" ", "\t", "\f")) and _indent(text):
        return _slice(_HEADER + text, entry.first_line - 2)
    return _slice(text, entry.first_line - 1)


def _blank(lines: list[str], first: int, last: int) -> None:
    """One `pass` where a definition stood; every other line stays where it is."""
    line = lines[first - 1]
    indent = line[: len(line) - len(line.lstrip(" \t\f"))]
    lines[first - 1 : last] = [indent + "pass", *[""] * (last - first)]


def outermost(index: FileIndex) -> Iterator[tuple[int, int]]:
    """First and last line of each definition that no other encloses."""
    entries = (*index.functions, *index.classes)
    for entry in entries:
        if entry.qualname == entry.outermost and entry.first_line == entry.outermost_line:
            yield entry.first_line, entry.last_line


def _indent(text: str) -> str:
    """The indentation of a first line; a form feed starts it anew."""
    return text[: len(text) - len(text.lstrip(" \t\f"))].rpartition("\f")[2]


def _slice(text: str, shift: int) -> Slice | Refusal:
    tree = parse(text)
    if isinstance(tree, SyntaxFault):
        return Refusal("unsliceable")
    lines = tuple(text.split("\n"))
    if too_deep(tree, lines):
        return Refusal("too-deep")
    try:
        with collector_paused():
            module = cst.parse_module(text)
    except cst.ParserSyntaxError:
        return Refusal("libcst-refused")
    except BaseException as error:  # a panic of the native parser is no Exception
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
        return Refusal("libcst-failed")
    return Slice(text, lines, shift, tree, module)
