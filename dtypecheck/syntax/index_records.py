"""Records of definitions, from their tree and the scope that was read from their body."""

from __future__ import annotations

import ast

from .index_scope import Scope, column, dotted, head, segment
from .model import ClassEntry, FunctionEntry, ParamEntry


def function_entry(
    lines: tuple[str, ...], node: ast.FunctionDef | ast.AsyncFunctionDef, inner: Scope, scope: Scope
) -> FunctionEntry:
    """The record of a function that stands in `scope` and whose body was read into `inner`."""
    return FunctionEntry(
        qualname=inner.qualname,
        name=node.name,
        first_line=inner.first_line,
        last_line=node.end_lineno or node.lineno,
        head=head(lines, node.lineno, column(lines, node.lineno, node.col_offset), node.name),
        decorators=tuple(dotted(d) for d in node.decorator_list),
        params=_params(lines, node.args),
        calls=tuple(sorted(inner.calls)),
        sites=tuple(sorted(inner.sites)),
        outermost=inner.outermost,
        outermost_line=inner.outermost_line,
        nested=scope.function is not None,
        class_name=scope.qualname if scope.kind == "class" else "",
    )


def class_entry(lines: tuple[str, ...], node: ast.ClassDef, inner: Scope) -> ClassEntry:
    """The record of a class whose body was read into `inner`."""
    return ClassEntry(
        qualname=inner.qualname,
        name=node.name,
        bases=tuple(dotted(b) for b in node.bases),
        decorators=tuple(dotted(d) for d in node.decorator_list),
        first_line=inner.first_line,
        last_line=node.end_lineno or node.lineno,
        head=head(lines, node.lineno, column(lines, node.lineno, node.col_offset), node.name),
        fields=tuple(inner.fields),
        methods=tuple(inner.methods),
        constants=tuple(dict.fromkeys(name for name, _ in inner.constants)),
        outermost=inner.outermost,
        outermost_line=inner.outermost_line,
    )


def _params(lines: tuple[str, ...], args: ast.arguments) -> tuple[ParamEntry, ...]:
    positional = [(arg, "positional-only") for arg in args.posonlyargs] + [
        (arg, "normal") for arg in args.args
    ]
    required = len(positional) - len(args.defaults)
    found = [_param(lines, arg, kind, i >= required) for i, (arg, kind) in enumerate(positional)]
    if args.vararg is not None:
        found.append(_param(lines, args.vararg, "*", False))
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        found.append(_param(lines, arg, "keyword-only", default is not None))
    if args.kwarg is not None:
        found.append(_param(lines, args.kwarg, "**", False))
    return tuple(found)


def _param(lines: tuple[str, ...], arg: ast.arg, kind: str, has_default: bool) -> ParamEntry:
    annotation = "" if arg.annotation is None else segment(lines, arg.annotation)
    return ParamEntry(arg.arg, kind, has_default, annotation)
