"""Statements and definitions of libcst to those of the intermediate representation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import libcst as cst

from ..core import ir
from ..core.spans import Span
from .index_scope import head
from .lower_expressions import kebab, lower_arguments, lower_expression, lower_params
from .lower_match import cases
from .lower_state import Lowering
from .lower_tokens import AUGMENTED

Block = tuple[ir.Stmt, ...]


def lower_block(state: Lowering, body: Any) -> Block:
    """The statements of a block, a suite or a module."""
    found: list[ir.Stmt] = []
    for node in body.body:
        if isinstance(node, cst.SimpleStatementLine):
            for small in node.body:
                found += _statement(state, small)
        else:
            found += _statement(state, node)
    return tuple(found)


def _statement(state: Lowering, node: cst.CSTNode) -> Block:
    handler = _TABLE.get(node.__class__)
    if handler is None:
        span = state.at(node)
        return (ir.ExprStmt(ir.Opaque(kebab(type(node).__name__), span), span),)
    lowered = handler(state, node)
    return lowered if isinstance(lowered, tuple) else (lowered,)


def lower_function(state: Lowering, node: cst.FunctionDef) -> ir.Function:
    """A `def`, its decorators and defaults in the scope where it stands."""
    name, qualname = node.name.value, state.prefix + node.name.value
    params = lower_params(state, node.params)
    decorators = tuple(lower_expression(state, d.decorator) for d in node.decorators)
    returns = None if node.returns is None else lower_expression(state, node.returns.annotation)
    inner = state.within(qualname + ".<locals>.")
    body = lower_block(inner, node.body)
    span = state.at(node)
    return ir.Function(
        name=name,
        qualname=qualname,
        params=params,
        body=body,
        decorators=decorators,
        returns=returns,
        generator=bool(inner.yields),
        span=span,
        head=_head(state, span, name),
    )


def _head(state: Lowering, span: Span, name: str) -> Span:
    found = head(state.lines, span.line - state.shift, span.column, name)
    return Span(found.line + state.shift, found.column, found.end_line + state.shift, found.end_column)


def lower_class(state: Lowering, node: cst.ClassDef) -> ir.Class:
    """A `class`; keywords such as `metaclass=` are left out."""
    name, qualname = node.name.value, state.prefix + node.name.value
    bases = tuple(
        arg.value if not arg.star else ir.Opaque("star-expression", arg.span)
        for arg in lower_arguments(state, node.bases)
    )
    decorators = tuple(lower_expression(state, d.decorator) for d in node.decorators)
    inner = state.within(qualname + ".")
    inner.yields = state.yields
    return ir.Class(name, qualname, bases, decorators, lower_block(inner, node.body), state.at(node))


def _optional(state: Lowering, node: cst.CSTNode | None) -> ir.Expr | None:
    return None if node is None else lower_expression(state, node)


def _define_function(state: Lowering, node: cst.FunctionDef) -> ir.Stmt:
    return ir.Define(lower_function(state, node), state.at(node))


def _define_class(state: Lowering, node: cst.ClassDef) -> ir.Stmt:
    return ir.Define(lower_class(state, node), state.at(node))


def _assign(state: Lowering, node: cst.Assign) -> ir.Stmt:
    targets = tuple(lower_expression(state, t.target) for t in node.targets)
    return ir.Assign(targets, lower_expression(state, node.value), state.at(node))


def _aug_assign(state: Lowering, node: cst.AugAssign) -> ir.Stmt:
    target = lower_expression(state, node.target)
    value = lower_expression(state, node.value)
    return ir.AugAssign(target, AUGMENTED[type(node.operator)], value, state.at(node))


def _ann_assign(state: Lowering, node: cst.AnnAssign) -> ir.Stmt:
    target = lower_expression(state, node.target)
    annotation = lower_expression(state, node.annotation.annotation)
    return ir.AnnAssign(target, annotation, _optional(state, node.value), state.at(node))


def _expr(state: Lowering, node: cst.Expr) -> ir.Stmt:
    return ir.ExprStmt(lower_expression(state, node.value), state.at(node))


def _return(state: Lowering, node: cst.Return) -> ir.Stmt:
    return ir.Return(_optional(state, node.value), state.at(node))


def _raise(state: Lowering, node: cst.Raise) -> ir.Stmt:
    return ir.Raise(state.at(node))


def _assert(state: Lowering, node: cst.Assert) -> ir.Stmt:
    return ir.Assert(lower_expression(state, node.test), state.at(node))


def _jump(kind: str) -> Callable[[Lowering, Any], ir.Stmt | Block]:
    def lower(state: Lowering, node: cst.CSTNode) -> ir.Stmt | Block:
        span = state.at(node)
        return () if kind == "pass" and span.line in state.dropped else ir.Jump(kind, span)

    return lower


def _delete(state: Lowering, node: cst.Del) -> ir.Stmt:
    target = lower_expression(state, node.target)
    bare = isinstance(target, ir.Display) and isinstance(node.target, cst.Tuple) and not node.target.lpar
    targets = target.items if bare else (target,)  # type: ignore[union-attr]
    return ir.Delete(targets, state.at(node))


def _if(state: Lowering, node: cst.If) -> ir.Stmt:
    test = lower_expression(state, node.test)
    body = lower_block(state, node.body)
    return ir.If(test, body, _orelse(state, node.orelse), state.at(node))


def _orelse(state: Lowering, node: cst.If | cst.Else | None) -> Block:
    if node is None:
        return ()
    return _statement(state, node) if isinstance(node, cst.If) else lower_block(state, node.body)


def _for(state: Lowering, node: cst.For) -> ir.Stmt:
    target, source = lower_expression(state, node.target), lower_expression(state, node.iter)
    body = lower_block(state, node.body)
    return ir.For(target, source, body, _orelse(state, node.orelse), state.at(node))


def _while(state: Lowering, node: cst.While) -> ir.Stmt:
    test = lower_expression(state, node.test)
    body = lower_block(state, node.body)
    return ir.While(test, body, _orelse(state, node.orelse), state.at(node))


def _with(state: Lowering, node: cst.With) -> ir.Stmt:
    items: list[tuple[ir.Expr, ir.Expr | None]] = []
    for item in node.items:
        target = None if item.asname is None else lower_expression(state, item.asname.name)
        items.append((lower_expression(state, item.item), target))
    return ir.With(tuple(items), lower_block(state, node.body), state.at(node))


def _try(state: Lowering, node: cst.Try | cst.TryStar) -> ir.Stmt:
    body = lower_block(state, node.body)
    handlers: list[tuple[str | None, Block]] = []
    for handler in node.handlers:
        bound = handler.name.name if handler.name is not None else None
        name = bound.value if isinstance(bound, cst.Name) else None
        handlers.append((name, lower_block(state, handler.body)))
    final = () if node.finalbody is None else lower_block(state, node.finalbody.body)
    return ir.Try(body, tuple(handlers), _orelse(state, node.orelse), final, state.at(node))


def _match(state: Lowering, node: cst.Match) -> Block:
    return cases(state, node, lower_block)


def _import(state: Lowering, node: cst.Import) -> ir.Stmt:
    bindings: list[tuple[str, str, str | None]] = []
    for alias in node.names:
        module = _dotted(alias.name)
        if alias.asname is None:
            top = module.partition(".")[0]
            bindings.append((top, top, None))
        else:
            bindings.append((_alias(alias), module, None))
    return ir.Import(tuple(bindings), state.at(node))


def _import_from(state: Lowering, node: cst.ImportFrom) -> ir.Stmt:
    module = "." * len(node.relative) + ("" if node.module is None else _dotted(node.module))
    if isinstance(node.names, cst.ImportStar):
        return ir.Import((("*", module, None),), state.at(node))
    bindings = tuple((_alias(a), module, _dotted(a.name)) for a in node.names)
    return ir.Import(bindings, state.at(node))


def _alias(node: cst.ImportAlias) -> str:
    bound = node.name if node.asname is None else node.asname.name
    return bound.value if isinstance(bound, cst.Name) else ""


def _dotted(node: cst.CSTNode) -> str:
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    if isinstance(node, cst.Name):
        parts.append(node.value)
    return ".".join(reversed(parts))


def _scope(kind: str) -> Callable[[Lowering, Any], ir.Stmt]:
    def lower(state: Lowering, node: cst.Global | cst.Nonlocal) -> ir.Stmt:
        return ir.Scope(kind, tuple(item.name.value for item in node.names), state.at(node))

    return lower


def _type_alias(state: Lowering, node: cst.TypeAlias) -> ir.Stmt:
    span = state.at(node)
    return ir.Assign((lower_expression(state, node.name),), ir.Opaque("type-alias", span), span)


_TABLE: dict[type, Callable[[Lowering, Any], ir.Stmt | Block]] = {
    cst.FunctionDef: _define_function,
    cst.ClassDef: _define_class,
    cst.Assign: _assign,
    cst.AugAssign: _aug_assign,
    cst.AnnAssign: _ann_assign,
    cst.Expr: _expr,
    cst.Return: _return,
    cst.Raise: _raise,
    cst.Assert: _assert,
    cst.Pass: _jump("pass"),
    cst.Break: _jump("break"),
    cst.Continue: _jump("continue"),
    cst.Del: _delete,
    cst.If: _if,
    cst.For: _for,
    cst.While: _while,
    cst.With: _with,
    cst.Try: _try,
    cst.TryStar: _try,
    cst.Match: _match,
    cst.Import: _import,
    cst.ImportFrom: _import_from,
    cst.Global: _scope("global"),
    cst.Nonlocal: _scope("nonlocal"),
    cst.TypeAlias: _type_alias,
}
