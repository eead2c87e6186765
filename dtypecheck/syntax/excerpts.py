"""Excerpts: the text of a definition or expression, verbatim, with the names that it reads and does not bind.

An excerpt can be put into another module: its free names can be renamed, and every line keeps its number.
What the names stand for is not known here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from .index_scope import column
from .model import SyntaxFault
from .source import Source, parse

HEADER = "if True:"
"""What stands above an indented definition."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Read:
    """A free name and the attributes read off it: "tl.load"; `called` where the whole is called."""

    dotted: str
    called: bool

    @property
    def name(self) -> str:
        return self.dotted.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """`lines` are those from `first_line` of the file on, the first and last cut to the code itself.

    `places` are (name, line, byte): where each free name stands, counted in `lines`, from 0.
    """

    lines: tuple[str, ...]
    first_line: int
    reads: tuple[Read, ...]
    places: tuple[tuple[str, int, int], ...]

    def renamed(self, names: Mapping[str, str]) -> tuple[str, ...]:
        """The lines with free names replaced; names that are not in the mapping stay."""
        lines = [line.encode("utf-8", "surrogatepass") for line in self.lines]
        for name, row, start in sorted(self.places, key=lambda p: p[1:], reverse=True):
            if names.get(name, name) != name:
                old = name.encode("utf-8")
                line = lines[row]
                assert line[start : start + len(old)] == old
                lines[row] = line[:start] + names[name].encode("utf-8") + line[start + len(old) :]
        return tuple(line.decode("utf-8", "surrogatepass") for line in lines)


@dataclass(frozen=True, slots=True)
class Decorator:
    """`name` is dotted, "" where there is none; `arguments` are (keyword or position, text)."""

    name: str
    arguments: tuple[tuple[str, Excerpt], ...]


@dataclass(frozen=True, slots=True)
class Defined:
    """A function or class: `kind` is "def" or "class"; `indent` as it stands in the file."""

    kind: str
    name: str
    body: Excerpt
    decorators: tuple[Decorator, ...]
    indent: str

    def renamed(self, names: Mapping[str, str], own: str) -> tuple[str, ...]:
        """The lines with free names replaced, and the definition under another name."""
        first, *rest = self.body.renamed({**names, self.name: own})
        if own != self.name:
            first = re.sub(rf"((?:def|class)\s+){self.name}\b", rf"\g<1>{own}", first, count=1)
        return (first, *rest)


class Parsed:
    """One file's tree, and the excerpts that can be taken from it."""

    def __init__(self, source: Source) -> None:
        self.source = source
        tree = parse(source.text, source.path)
        self.body: list[ast.stmt] = [] if isinstance(tree, SyntaxFault) else tree.body
        self._definitions: dict[tuple[str, int], Definition] = {}
        for statement in self.body:
            for node in ast.walk(statement):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    self._definitions[node.name, node.lineno] = node

    def node(self, name: str, line: int) -> Definition | None:
        """The definition whose `def` or `class` stands on that line."""
        return self._definitions.get((name, line))

    def definition(self, name: str, line: int) -> Defined | None:
        """The definition as text, without its decorators."""
        node = self.node(name, line)
        if node is None:
            return None
        lines = self.source.lines[node.lineno - 1 : node.end_lineno]
        indent = lines[0][: len(lines[0]) - len(lines[0].lstrip(" \t\f"))]
        reads, places = _free(_evaluated(node), _bound(node) - {node.name}, node.lineno)
        body = Excerpt(tuple(lines), node.lineno, reads, places)
        kind = "class" if isinstance(node, ast.ClassDef) else "def"
        return Defined(kind, node.name, body, tuple(map(self._decorator, node.decorator_list)), indent)

    def _decorator(self, node: ast.expr) -> Decorator:
        target = node.func if isinstance(node, ast.Call) else node
        given: list[tuple[str, ast.expr]] = []
        if isinstance(node, ast.Call):
            given += [(str(i), a) for i, a in enumerate(node.args) if not isinstance(a, ast.Starred)]
            given += [(k.arg, k.value) for k in node.keywords if k.arg is not None]
        return Decorator(_dotted(target), tuple((key, self.expression(value)) for key, value in given))

    def expression(self, node: ast.expr) -> Excerpt:
        """One expression as text."""
        first, last = node.lineno, node.end_lineno or node.lineno
        lines = list(self.source.lines[first - 1 : last])
        end = column(self.source.lines, last, node.end_col_offset or 0) - 1
        start = column(self.source.lines, first, node.col_offset) - 1
        lines[-1] = lines[-1][:end]
        lines[0] = lines[0][start:]
        reads, places = _free([node], _bound(node), first)
        moved = tuple((name, row, at - node.col_offset if row == 0 else at) for name, row, at in places)
        return Excerpt(tuple(lines), first, reads, moved)


# -- names ---------------------------------------------------------------------------------------


def _evaluated(node: Definition) -> list[ast.AST]:
    """The parts of a definition that Python or Triton evaluates: Triton visits annotations of parameters."""
    if isinstance(node, ast.ClassDef):
        return [*node.bases, *(k.value for k in node.keywords), *node.body]
    return [node.args, *node.body]


def _bound(node: ast.AST) -> set[str]:
    """Names that the code binds anywhere inside itself."""
    found: set[str] = set()
    for inner in ast.walk(node):
        match inner:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.ExceptHandler(name=str(name)):
                found.add(name)
            case ast.alias():
                found.add(inner.asname or inner.name.partition(".")[0])
    return found


def _free(
    parts: Iterable[ast.AST], bound: set[str], first_line: int
) -> tuple[tuple[Read, ...], tuple[tuple[str, int, int], ...]]:
    reads: dict[Read, None] = {}
    places: list[tuple[str, int, int]] = []
    for part in parts:
        for node, called in _loads(part, False):
            dotted = _dotted(node)
            name = dotted.partition(".")[0]
            if not name or name in bound:
                continue
            reads.setdefault(Read(dotted, called))
            head = _head(node)
            places.append((name, head.lineno - first_line, head.col_offset))
    return tuple(reads), tuple(places)


def _loads(node: ast.AST, called: bool) -> Iterator[tuple[ast.expr, bool]]:
    """The names that are read, each with the attributes read off it, and whether the whole is called."""
    if isinstance(node, (ast.Name, ast.Attribute)) and _dotted(node):
        if isinstance(node.ctx, ast.Load) or isinstance(node, ast.Attribute):
            yield node, called
        return
    for child in ast.iter_child_nodes(node):
        yield from _loads(child, isinstance(node, ast.Call) and child is node.func)


def _dotted(node: ast.expr) -> str:
    """`a.b.c` of a chain of attributes off a name; "" where it is none."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _head(node: ast.expr) -> ast.Name:
    while isinstance(node, ast.Attribute):
        node = node.value
    assert isinstance(node, ast.Name)
    return node
