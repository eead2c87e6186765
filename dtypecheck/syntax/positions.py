"""Exact spans of libcst nodes, by pairing them with the nodes of Python's own tree of the same slice.

Nodes of one kind are paired in source order. Where the two trees disagree in number or in names, all
spans of that slice come from libcst's position provider, which is several times slower. What stands
inside f-strings is always placed by the provider: before 3.12 Python's own tree misplaces it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

import libcst as cst

from ..core.spans import Span
from .cst_kinds import Kinds, collect_kinds
from .positions_ast import collect_trees
from .positions_provider import place_all, place_strings
from .slices import Slice

Value = object


@dataclass(slots=True, eq=False)
class Positions:
    """Spans in file lines, and the values of the literals that Python's own parser read."""

    spans: dict[cst.CSTNode, Span] = field(default_factory=dict)
    values: dict[cst.CSTNode, Value] = field(default_factory=dict)
    paired: bool = True
    """False where the provider gave every span."""


def locate(piece: Slice) -> Positions:
    """The span of every node of `piece` that `cst_kinds` knows."""
    kinds = collect_kinds(piece.module)
    trees = collect_trees(piece.tree)
    positions = Positions()
    if _agree(kinds, trees):
        _pair(piece, kinds, trees, positions)
        place_strings(piece, kinds, positions.spans)
    else:
        positions.paired = False
        place_all(piece, kinds, positions.spans)
    return positions


def _agree(kinds: Kinds, trees: dict[str, list[ast.AST]]) -> bool:
    """Whether both trees hold equally many nodes of each kind, and the same names and attributes."""
    groups = kinds.groups
    if groups.keys() != trees.keys() or any(len(groups[k]) != len(trees[k]) for k in groups):
        return False
    for kind, there in (("Name", "value"), ("Attribute", "attr")):
        for node, tree in zip(groups.get(kind, ()), trees.get(kind, ()), strict=True):
            text = node.value if there == "value" else node.attr.value  # type: ignore[attr-defined]
            name = tree.id if there == "value" else tree.attr  # type: ignore[attr-defined]
            if text != name and text.isascii():
                return False
    return True


def _pair(piece: Slice, kinds: Kinds, trees: dict[str, list[ast.AST]], positions: Positions) -> None:
    lines, shift, spans = piece.lines, piece.shift, positions.spans
    ascii_only = piece.text.isascii()
    for kind, nodes in kinds.groups.items():
        for node, tree in zip(nodes, trees[kind], strict=True):
            line, end_line = tree.lineno, tree.end_lineno  # type: ignore[attr-defined]
            start, end = tree.col_offset, tree.end_col_offset  # type: ignore[attr-defined]
            if not ascii_only:
                start = _points(lines[line - 1], start)
                end = _points(lines[end_line - 1], end)
            spans[node] = Span(line + shift, start + 1, end_line + shift, end + 1)
    for kind in ("String", "Number"):
        for node, tree in zip(kinds.groups.get(kind, ()), trees.get(kind, ()), strict=True):
            if isinstance(tree, ast.Constant):
                positions.values[node] = tree.value
    for node in kinds.groups.get("GeneratorExp", ()):
        if not node.lpar:  # type: ignore[attr-defined]
            spans[node] = _inside(piece, spans[node])
    for node in kinds.groups.get("Param", ()):
        span = spans[node]
        name = node.name.value  # type: ignore[attr-defined]
        spans[node] = Span(span.line, span.column, span.line, span.column + len(name))


def _inside(piece: Slice, span: Span) -> Span:
    """Without the parentheses of the call, which Python's tree gives to a generator that is alone in it."""
    line, column = span.line - piece.shift, span.column
    while column >= len(piece.lines[line - 1]) or piece.lines[line - 1][column] in " \t\f#\\":
        text = piece.lines[line - 1]
        if column >= len(text) or text[column] in "#\\":
            line, column = line + 1, 0
        else:
            column += 1
    end_line, end = span.end_line - piece.shift, span.end_column - 2
    while not piece.lines[end_line - 1][:end].strip(" \t\f"):
        end_line -= 1
        end = len(piece.lines[end_line - 1])
    end = len(piece.lines[end_line - 1][:end].rstrip(" \t\f"))
    return Span(line + piece.shift, column + 1, end_line + piece.shift, end + 1)


def _points(line: str, offset: int) -> int:
    """Code points before a UTF-8 byte offset."""
    if line.isascii():
        return offset
    return len(line.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "replace"))
