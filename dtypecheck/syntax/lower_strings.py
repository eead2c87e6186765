"""String literals: adjacent ones joined, f-strings to `Format`, template strings to `Opaque`."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator

import libcst as cst

from ..core import ir
from ..core.spans import Span
from .lower_state import Lowering

Lower = Callable[[Lowering, cst.CSTNode], ir.Expr]


def lower_string(state: Lowering, node: cst.CSTNode, lower: Lower) -> ir.Expr:
    """A constant where the string has no replacement field, else its parts in order."""
    span = state.at(node)
    if node in state.positions.values:
        return ir.Const(state.positions.values[node], span)
    if any(isinstance(piece, cst.TemplatedString) for piece in _pieces(node)):
        return ir.Opaque("template-string", span)
    parts: list[ir.Expr] = []
    for piece in _pieces(node):
        parts += _parts(state, piece, span, lower)
    return _joined(parts, span)


def _pieces(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    while isinstance(node, cst.ConcatenatedString):
        yield node.left
        node = node.right
    yield node


def _parts(state: Lowering, piece: cst.CSTNode, span: Span, lower: Lower) -> Iterator[ir.Expr]:
    if isinstance(piece, cst.SimpleString):
        yield _literal(piece.value, span)
    elif isinstance(piece, cst.FormattedString):
        quote = piece.end
        prefix = "".join(c for c in piece.prefix if c not in "fF")
        for part in piece.parts:
            if isinstance(part, cst.FormattedStringText):
                text = part.value.replace("{{", "{").replace("}}", "}")
                yield _literal(prefix + quote + text + quote, span)
            elif isinstance(part, cst.FormattedStringExpression):
                yield _field(state, part, span, lower)
    else:
        yield ir.Opaque("string", span)


def _field(state: Lowering, part: cst.FormattedStringExpression, span: Span, lower: Lower) -> ir.Expr:
    if part.format_spec or part.conversion or part.equal is not None:
        return ir.Opaque("format-specification", span)
    return lower(state, part.expression)


def _literal(text: str, span: Span) -> ir.Expr:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ir.Const(ast.literal_eval(text), span)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return ir.Opaque("string", span)


def _joined(parts: list[ir.Expr], span: Span) -> ir.Expr:
    """Neighbouring constants as one; a single constant alone where there is nothing else."""
    merged: list[ir.Expr] = []
    for part in parts:
        last = merged[-1] if merged else None
        if isinstance(part, ir.Const) and isinstance(last, ir.Const) and type(part.value) is type(last.value):
            merged[-1] = ir.Const(last.value + part.value, span)  # type: ignore[operator]
        else:
            merged.append(part)
    if not merged:
        return ir.Const("", span)
    if len(merged) == 1 and isinstance(merged[0], ir.Const):
        return merged[0]
    return ir.Format(tuple(merged), span)
