"""From one slice of a file to the intermediate representation; the only way in from outside.

Nothing here raises on a user's source: what cannot be read is a definition whose body is one `Opaque`.
"""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from ..core import ir
from ..core.spans import NOWHERE, Span
from .lower_state import Lowering
from .lower_statements import lower_block, lower_class, lower_function
from .model import ClassEntry, FileIndex, FunctionEntry
from .positions import locate
from .slices import Refusal, Slice, cut_class_body, cut_definition, cut_module, outermost
from .source import Source, collector_paused

MODULE = "<module>"
CLASS = "<class>"


def lower_definition(
    source: Source, index: FileIndex, outermost_qualname: str, first_line: int
) -> ir.Function | ir.Class:
    """The outermost definition of that name that starts on that line, with all that it encloses."""
    entry = find(index, outermost_qualname, first_line)
    if entry is None:
        return _opaque_function(outermost_qualname, "no-such-definition", Span(first_line, 1, first_line, 1))
    return _read(cut_definition(source, entry.first_line, entry.last_line), entry)


def lower_one(source: Source, entry: FunctionEntry) -> ir.Function:
    """A function alone, also where a class encloses it; its qualname is then its name."""
    lowered = _read(cut_definition(source, entry.first_line, entry.last_line), entry)
    assert isinstance(lowered, ir.Function)
    return lowered


def lower_class_body(source: Source, index: FileIndex, entry: ClassEntry) -> ir.Function:
    """The statements of a class body, without its definitions, as the body of a function "<class>"."""
    lowered = _read(cut_class_body(source, index, entry), entry)
    return ir.Function(CLASS, CLASS, (), lowered.body, (), None, False, lowered.span)


def _read(piece: Slice | Refusal, entry: FunctionEntry | ClassEntry) -> ir.Function | ir.Class:
    if isinstance(piece, Refusal):
        return _opaque(entry, piece.reason)
    try:
        with collector_paused():
            return _definition(piece)
    except RecursionError:
        return _opaque(entry, "too-deep")


def lower_module(source: Source, index: FileIndex) -> ir.Function:
    """The statements of a module, without its definitions, as the body of a function "<module>"."""
    last = max(len(source.lines), 1)
    span = Span(1, 1, last, len(source.lines[last - 1]) + 1)
    piece = cut_module(source, index)
    if isinstance(piece, Refusal):
        return _opaque_function(MODULE, piece.reason, span)
    dropped = frozenset(line for line, _ in outermost(index))
    try:
        with collector_paused():
            state = Lowering(locate(piece), piece.lines, piece.shift, dropped=dropped)
            body = lower_block(state, piece.module)
    except RecursionError:
        return _opaque_function(MODULE, "too-deep", span)
    return ir.Function(MODULE, MODULE, (), body, (), None, False, span)


def find(index: FileIndex, qualname: str, first_line: int) -> FunctionEntry | ClassEntry | None:
    """The definition of that qualname that starts on that line."""
    for entry in (*index.functions, *index.classes):
        if entry.qualname == qualname and entry.first_line == first_line:
            return entry
    return None


def _definition(piece: Slice) -> ir.Function | ir.Class:
    state = Lowering(locate(piece), piece.lines, piece.shift)
    node = piece.module.body[0]
    if isinstance(node, cst.If):  # the header of an indented slice
        node = node.body.body[0]  # type: ignore[assignment]
    if isinstance(node, cst.ClassDef):
        return lower_class(state, node)
    assert isinstance(node, cst.FunctionDef)
    return lower_function(state, node)


def _opaque(entry: FunctionEntry | ClassEntry, reason: str) -> ir.Function | ir.Class:
    span = Span(entry.head.line, 1, entry.last_line + 1, 1)
    statement = ir.ExprStmt(ir.Opaque(reason, entry.head), entry.head)
    if isinstance(entry, ClassEntry):
        return ir.Class(entry.name, entry.qualname, (), (), (statement,), span)
    default = ir.Opaque(reason, NOWHERE)
    params = tuple(
        ir.Param(p.name, p.kind, None, default if p.has_default else None, entry.head) for p in entry.params
    )
    return replace(_opaque_function(entry.qualname, reason, span), params=params, head=entry.head)


def _opaque_function(qualname: str, reason: str, span: Span) -> ir.Function:
    body = (ir.ExprStmt(ir.Opaque(reason, span), span),)
    return ir.Function(qualname.rpartition(".")[2], qualname, (), body, (), None, False, span)
