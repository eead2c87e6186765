"""What the index pass carries: the records so far, and the scope that a statement stands in."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field

from ..core.spans import Span
from .model import ClassEntry, FieldEntry, FunctionEntry, ImportBinding, OperatorEntry, Site
from .source import Source

_HEAD = re.compile(r"(?:async\s+)?(?:def|class)\s+(\w+)")


@dataclass(slots=True, eq=False)
class Scope:
    """A module, class or function while it is read; `kind` is "module", "class" or "function"."""

    kind: str
    qualname: str
    parent: Scope | None
    first_line: int = 1
    outermost: str = ""
    outermost_line: int = 0
    calls: set[str] = field(default_factory=set)
    sites: list[Site] = field(default_factory=list)
    constants: list[tuple[str, int]] = field(default_factory=list)
    methods: list[str] = field(default_factory=list)
    fields: list[FieldEntry] = field(default_factory=list)

    def child(self, kind: str, name: str, first_line: int) -> Scope:
        """The scope of a definition named `name` that stands here."""
        if self.kind == "module":
            return Scope(kind, name, self, first_line, name, first_line)
        middle = ".<locals>." if self.kind == "function" else "."
        qualname = self.qualname + middle + name
        return Scope(kind, qualname, self, first_line, self.outermost, self.outermost_line)

    @property
    def function(self) -> Scope | None:
        """The innermost function that this scope is, or stands in."""
        scope: Scope | None = self
        while scope is not None and scope.kind != "function":
            scope = scope.parent
        return scope


@dataclass(slots=True, eq=False)
class Collector:
    """The records found so far in one file. A None holds the place of a definition still being read."""

    source: Source
    module: str
    is_package: bool
    imports: list[ImportBinding] = field(default_factory=list)
    stars: list[str] = field(default_factory=list)
    functions: list[FunctionEntry | None] = field(default_factory=list)
    classes: list[ClassEntry | None] = field(default_factory=list)
    attribute_writes: list[tuple[str, str]] = field(default_factory=list)
    global_writes: list[tuple[str, str]] = field(default_factory=list)
    compiled: list[str] = field(default_factory=list)
    operators: list[OperatorEntry] = field(default_factory=list)
    libraries: list[str] = field(default_factory=list)
    launchers: set[str] = field(default_factory=set)
    """Names that may hold `kernel[grid]`, or a partial of it."""


def column(lines: tuple[str, ...], line: int, offset: int) -> int:
    """The column, from 1 and in code points, of a UTF-8 byte offset."""
    text = lines[line - 1]
    if text.isascii():
        return offset + 1
    return len(text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "replace")) + 1


def segment(lines: tuple[str, ...], node: ast.expr) -> str:
    """The source text of an expression, line ends as "\\n"."""
    first, last = node.lineno, node.end_lineno or node.lineno
    start = column(lines, first, node.col_offset) - 1
    end = column(lines, last, node.end_col_offset or 0) - 1
    if first == last:
        return lines[first - 1][start:end]
    return "\n".join((lines[first - 1][start:], *lines[first : last - 1], lines[last - 1][:end]))


def head(lines: tuple[str, ...], line: int, start: int, name: str) -> Span:
    """The span of the name of a `def` or `class` statement that starts at column `start`."""
    found = _HEAD.match(lines[line - 1], start - 1)
    if found is None:  # a backslash between keyword and name
        return Span(line, start, line, start + len(name))
    return Span(line, found.start(1) + 1, line, found.end(1) + 1)


def dotted(node: ast.expr) -> str:
    """`a.b.c` of a chain of attributes, through calls and subscripts (`a.b(...)`, `A[T]`); else "?"."""
    parts: list[str] = []
    while True:
        match node:
            case ast.Call(func=inner) | ast.Subscript(value=inner) if not parts:
                node = inner
            case ast.Attribute(value=inner, attr=attr):
                parts.append(attr)
                node = inner
            case ast.Name(id=name):
                parts.append(name)
                return ".".join(reversed(parts))
            case _:
                return "?"


def definition_line(
    lines: tuple[str, ...], node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
) -> int:
    """The first physical line of a definition: that of the `@` of its first decorator, if any."""
    if not node.decorator_list:
        return node.lineno
    line = node.decorator_list[0].lineno
    while line > 1 and not lines[line - 1].lstrip(" \t\f").startswith("@"):
        line -= 1
    return line
