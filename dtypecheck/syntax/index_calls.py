"""Calls and launch-like sites inside expressions: the hot loop of the index."""

from __future__ import annotations

import ast

from .index_operators import REGISTRARS, called, library
from .index_scope import Collector, Scope, column, dotted

_NOT_NODES = frozenset(
    {"ctx", "op", "ops", "id", "attr", "arg", "value_kind", "kind", "conversion", "is_async", "type_comment"}
    | {"name", "names", "module", "level", "type_ignores", "simple", "lineno"}
)
_LAUNCHERS = frozenset({"warmup", "run"})


class _Fields(dict[type, tuple[str, ...]]):
    """Node class -> the fields that may hold expressions; made as classes are met."""

    def __missing__(self, cls: type) -> tuple[str, ...]:
        names = tuple(f for f in getattr(cls, "_fields", ()) if f not in _NOT_NODES)
        self[cls] = names
        return names


_FIELDS = _Fields({ast.Name: (), ast.Constant: (), ast.Attribute: ("value",)})


def scan(collector: Collector, nodes: list[ast.AST | None], scope: Scope) -> None:
    """Records the calls of these expressions in `scope`; empties `nodes`."""
    fields = _FIELDS
    while nodes:
        node = nodes.pop()
        cls = node.__class__
        if cls is ast.Call:
            _call(collector, node, scope)  # type: ignore[arg-type]
        for name in fields[cls]:
            child = getattr(node, name)
            if child.__class__ is list:
                nodes += child
            elif child is not None:
                nodes.append(child)


def may_give_launcher(value: ast.expr) -> bool:
    """Whether an assigned value has the form of `kernel[grid]` or of `partial(kernel[grid], ...)`."""
    match value:
        case ast.Subscript():
            return True
        case ast.Call(
            func=ast.Name(id="partial") | ast.Attribute(attr="partial"), args=[ast.Subscript() | ast.Name(), *_]
        ):
            return True
    return False


def _call(collector: Collector, node: ast.Call, scope: Scope) -> None:
    func = node.func
    cls = func.__class__
    launch = False
    if cls is ast.Subscript:
        launch = True
        func = func.value  # type: ignore[attr-defined]
        cls = func.__class__
    if cls is ast.Name:
        name = func.id  # type: ignore[attr-defined]
        launch = launch or name in collector.launchers
    elif cls is ast.Attribute:
        name = func.attr  # type: ignore[attr-defined]
        launch = launch or name in _LAUNCHERS
        if name == "default" and func.value.__class__ is ast.Attribute:  # type: ignore[attr-defined]
            name = func.value.attr  # type: ignore[attr-defined]
    else:
        name = ""
    if name:
        scope.calls.add(name)
        if name in REGISTRARS:
            collector.operators += called(node)
        elif name == "Library" and library(node):
            collector.libraries.append(library(node))
        elif name == "compile" and node.args and dotted(node.func) == "torch.compile":
            collector.compiled.append(dotted(node.args[0]))
    if launch:
        scope.sites.append((node.lineno, column(collector.source.lines, node.lineno, node.col_offset)))
