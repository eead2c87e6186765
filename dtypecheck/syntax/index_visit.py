"""The statement walk of the index: which scope and context each binding stands in."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from .index_calls import may_give_launcher, scan
from .index_imports import visit_import, visit_import_from
from .index_operators import decorated
from .index_records import class_entry, function_entry
from .index_scope import Collector, Scope, definition_line, segment
from .model import FieldEntry

Visitor = Callable[[Collector, ast.stmt, Scope, str], None]


def visit_block(collector: Collector, body: Iterable[ast.stmt], scope: Scope, context: str) -> None:
    """Records what these statements define, bind and call; `context` as in `ImportBinding`."""
    for statement in body:
        visitor = _VISITORS.get(statement.__class__)
        if visitor is None:
            scan(collector, [statement], scope)
        else:
            visitor(collector, statement, scope, context)


def _assign(collector: Collector, node: ast.Assign, scope: Scope, context: str) -> None:
    for target in node.targets:
        _bind(collector, target, scope)
    if isinstance(node.targets[0], ast.Name) and may_give_launcher(node.value):
        collector.launchers.add(node.targets[0].id)
    scan(collector, [node.value, *node.targets], scope)


def _aug_assign(collector: Collector, node: ast.AugAssign, scope: Scope, context: str) -> None:
    _bind(collector, node.target, scope)
    scan(collector, [node.value, node.target], scope)


def _ann_assign(collector: Collector, node: ast.AnnAssign, scope: Scope, context: str) -> None:
    target = node.target
    if scope.kind == "class" and isinstance(target, ast.Name):
        annotation = segment(collector.source.lines, node.annotation)
        scope.fields.append(FieldEntry(target.id, annotation, node.value is not None, node.lineno))
    else:
        _bind(collector, target, scope)
    scan(collector, [node.value, node.annotation, target], scope)


def _bind(collector: Collector, target: ast.expr, scope: Scope) -> None:
    """Records the names and attributes that an assignment to `target` binds."""
    if isinstance(target, ast.Name):
        if scope.kind != "function":
            scope.constants.append((target.id, target.lineno))
    elif isinstance(target, ast.Attribute):
        function = scope.function
        if function is not None:
            collector.attribute_writes.append((target.attr, function.qualname))
    elif isinstance(target, (ast.Tuple, ast.List)):
        for item in target.elts:
            _bind(collector, item, scope)
    elif isinstance(target, ast.Starred):
        _bind(collector, target.value, scope)


def _if(collector: Collector, node: ast.If, scope: Scope, context: str) -> None:
    """An `elif` chain is a loop here, however long."""
    inside = "if"
    while True:
        checking = _type_checking(node.test)
        scan(collector, [node.test], scope)
        visit_block(collector, node.body, scope, _inner(context, "type-checking" if checking > 0 else inside))
        inside = "else"
        rest = node.orelse
        if len(rest) != 1 or not isinstance(rest[0], ast.If):
            break
        node = rest[0]
    visit_block(collector, rest, scope, _inner(context, "type-checking" if checking < 0 else inside))


def _type_checking(test: ast.expr) -> int:
    """1 for `TYPE_CHECKING`, -1 for its negation, 0 for anything else."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return -_type_checking(test.operand)
    named = test.id if isinstance(test, ast.Name) else test.attr if isinstance(test, ast.Attribute) else ""
    return int(named == "TYPE_CHECKING")


def _inner(context: str, inside: str) -> str:
    return context if context == "type-checking" else inside


def _try(collector: Collector, node: ast.Try, scope: Scope, context: str) -> None:
    visit_block(collector, node.body, scope, _inner(context, "try"))
    for handler in node.handlers:
        scan(collector, [handler.type], scope)
        visit_block(collector, handler.body, scope, _inner(context, "except"))
    visit_block(collector, node.orelse, scope, _inner(context, "try"))
    visit_block(collector, node.finalbody, scope, context)


def _for(collector: Collector, node: ast.For | ast.AsyncFor, scope: Scope, context: str) -> None:
    _bind(collector, node.target, scope)
    scan(collector, [node.iter, node.target], scope)
    visit_block(collector, node.body, scope, context)
    visit_block(collector, node.orelse, scope, context)


def _while(collector: Collector, node: ast.While, scope: Scope, context: str) -> None:
    scan(collector, [node.test], scope)
    visit_block(collector, node.body, scope, context)
    visit_block(collector, node.orelse, scope, context)


def _with(collector: Collector, node: ast.With | ast.AsyncWith, scope: Scope, context: str) -> None:
    for item in node.items:
        if item.optional_vars is not None:
            _bind(collector, item.optional_vars, scope)
        scan(collector, [item.context_expr, item.optional_vars], scope)
    visit_block(collector, node.body, scope, context)


def _match(collector: Collector, node: ast.Match, scope: Scope, context: str) -> None:
    scan(collector, [node.subject], scope)
    for case in node.cases:
        scan(collector, [case.pattern, case.guard], scope)
        visit_block(collector, case.body, scope, _inner(context, "if"))


def _function(
    collector: Collector, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope, context: str
) -> None:
    if scope.kind == "class":
        scope.methods.append(node.name)
    scan(collector, [*node.decorator_list, node.args, node.returns], scope)
    lines = collector.source.lines
    inner = scope.child("function", node.name, definition_line(lines, node))
    place = len(collector.functions)
    collector.functions.append(None)
    visit_block(collector, node.body, inner, "")
    outer = scope.function
    if outer is not None:
        outer.calls |= inner.calls
    collector.functions[place] = function_entry(lines, node, inner, scope)
    if outer is None:
        collector.operators += decorated(node.decorator_list, inner.qualname, inner.first_line)


def _class(collector: Collector, node: ast.ClassDef, scope: Scope, context: str) -> None:
    """What runs in a class body runs where the class stands."""
    scan(collector, [*node.decorator_list, *node.bases, *node.keywords], scope)
    lines = collector.source.lines
    inner = scope.child("class", node.name, definition_line(lines, node))
    place = len(collector.classes)
    collector.classes.append(None)
    visit_block(collector, node.body, inner, "")
    scope.calls |= inner.calls
    scope.sites += inner.sites
    collector.classes[place] = class_entry(lines, node, inner)


def _import(collector: Collector, node: ast.Import, scope: Scope, context: str) -> None:
    if scope.kind == "module":
        visit_import(collector, node, context)


def _import_from(collector: Collector, node: ast.ImportFrom, scope: Scope, context: str) -> None:
    if scope.kind == "module":
        visit_import_from(collector, node, context)


def _global(collector: Collector, node: ast.Global, scope: Scope, context: str) -> None:
    if scope.function is not None:
        collector.global_writes += [(name, scope.function.qualname) for name in node.names]


def _type_alias(collector: Collector, node: ast.stmt, scope: Scope, context: str) -> None:
    _bind(collector, node.name, scope)  # type: ignore[attr-defined]


_VISITORS: dict[type, Visitor] = {
    ast.Assign: _assign,
    ast.AugAssign: _aug_assign,
    ast.AnnAssign: _ann_assign,
    ast.If: _if,
    ast.Try: _try,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Match: _match,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Global: _global,
}  # type: ignore[dict-item]
for _newer, _visitor in (("TryStar", _try), ("TypeAlias", _type_alias)):
    if hasattr(ast, _newer):
        _VISITORS[getattr(ast, _newer)] = _visitor  # type: ignore[assignment]
