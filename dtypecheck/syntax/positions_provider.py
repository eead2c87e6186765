"""Spans from libcst's own position provider, cut as Python's tree cuts them.

Slow, and exact everywhere: for slices where the pairing fails, and for what stands inside f-strings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from ..core.spans import Span
from .cst_kinds import Kinds, collect_kinds
from .slices import Slice

Ranges = Mapping[cst.CSTNode, CodeRange]
Move = Callable[[Span], Span]


def place_all(piece: Slice, kinds: Kinds, spans: dict[cst.CSTNode, Span]) -> None:
    """Writes the span of every node of `kinds`, and of what stands inside its f-strings."""
    shift = piece.shift

    def move(span: Span) -> Span:
        return Span(span.line + shift, span.column, span.end_line + shift, span.end_column)

    _place(kinds, _ranges(piece.module), move, spans)


def place_strings(piece: Slice, kinds: Kinds, spans: dict[cst.CSTNode, Span]) -> None:
    """Writes the spans inside the f-strings of `kinds`, whose own spans are known."""
    for string, statement in kinds.formatted:
        inside = list(_expressions(string))
        if not inside:
            continue
        there = spans[string]
        indent = ""
        if statement is not None and there.end_line > there.line:
            line = piece.lines[spans[statement].line - piece.shift - 1]
            indent = line[: len(line) - len(line.lstrip())]
        ranges = _ranges(_alone(string, indent))
        move = _mover(_span(ranges[string]), there)
        for expression in inside:
            _place(collect_kinds(expression), ranges, move, spans)


def _alone(string: cst.CSTNode, indent: str) -> cst.Module:
    """A module of one expression, as deep in blocks as it was: lines that follow are indented with it."""
    line = cst.SimpleStatementLine([cst.Expr(string)])  # type: ignore[arg-type]
    if not indent:
        return cst.Module([line])
    return cst.Module([cst.If(cst.Name("x"), cst.IndentedBlock([line], indent=indent))])


def _ranges(module: cst.Module) -> Ranges:
    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    return wrapper.resolve(PositionProvider)  # type: ignore[return-value]


def _mover(here: Span, there: Span) -> Move:
    """Moves spans of a text that starts at `here` to where the same text starts at `there`."""
    lines, columns = there.line - here.line, there.column - here.column

    def move(span: Span) -> Span:
        start = span.column + (columns if span.line == here.line else 0)
        end = span.end_column + (columns if span.end_line == here.line else 0)
        return Span(span.line + lines, start, span.end_line + lines, end)

    return move


def _place(kinds: Kinds, ranges: Ranges, move: Move, spans: dict[cst.CSTNode, Span]) -> None:
    for nodes in kinds.groups.values():
        for node in nodes:
            spans[node] = move(_cut(node, kinds, ranges))
    for string, _ in kinds.formatted:
        for expression in _expressions(string):
            _place(collect_kinds(expression), ranges, move, spans)


def _cut(node: cst.CSTNode, kinds: Kinds, ranges: Ranges) -> Span:
    """The provider's range of a node, with the parentheses that belong to it in Python's tree."""
    if isinstance(node, (cst.Tuple, cst.GeneratorExp, cst.MatchTuple)) and node.lpar:
        return Span.cover(_span(ranges[node.lpar[-1]]), _span(ranges[node.rpar[0]]))
    if isinstance(node, cst.Param):
        return _span(ranges[node.name])
    if isinstance(node, cst.MatchValue):
        return _span(ranges[node.value])
    if node in kinds.indexes:
        last = kinds.indexes[node].slice[-1]
        whole = Span.cover(_span(ranges[node]), _span(ranges[last]))
        return _until(whole, last.comma, ranges) if isinstance(last.comma, cst.Comma) else whole
    if (
        isinstance(node, cst.Slice)
        and node.step is None
        and (node.upper is None or isinstance(node.second_colon, cst.Colon))
    ):
        second = isinstance(node.second_colon, cst.Colon)
        return _until(_span(ranges[node]), node.second_colon if second else node.first_colon, ranges)
    return _span(ranges[node])


def _until(span: Span, token: cst.CSTNode, ranges: Ranges) -> Span:
    """`span` up to a token of one character that ends it, without the space after that."""
    end = _span(ranges[token])
    return Span(span.line, span.column, end.line, end.column + 1)


def _span(place: CodeRange) -> Span:
    start, end = place.start, place.end
    return Span(start.line, start.column + 1, end.line, end.column + 1)


def _expressions(string: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The expressions of the replacement fields of a string, those of format specifications included."""
    while isinstance(string, cst.ConcatenatedString):
        yield from _expressions(string.left)
        string = string.right
    if isinstance(string, (cst.FormattedString, cst.TemplatedString)):
        for part in string.parts:
            yield from _expressions(part)
    elif isinstance(string, (cst.FormattedStringExpression, cst.TemplatedStringExpression)):
        yield string.expression
        for part in string.format_spec or ():
            yield from _expressions(part)
