"""The nodes of Python's own tree by kind, in source order: the other half of `cst_kinds`."""

from __future__ import annotations

import ast
from collections import defaultdict

_SAME = {"AsyncFunctionDef": "FunctionDef", "AsyncFor": "For", "AsyncWith": "With", "YieldFrom": "Yield"}
_SAME |= {"TryStar": "Try", "JoinedStr": "String", "TemplateStr": "String", "arg": "Param"}

_LEAVES = frozenset({"Name", "JoinedStr", "TemplateStr", "Import", "ImportFrom", "Global", "Nonlocal"})
_NO_FIELDS = frozenset({"ctx", "op", "ops", "type_params", "type_ignores"})
_KIND_ONLY = frozenset({"Module", "arguments", "keyword", "alias", "withitem", "comprehension", "match_case"})
_KIND_ONLY |= {"ExceptHandler", "Load", "Store", "Del"}


class _Rules(dict[type, tuple[str, tuple[str, ...]]]):
    """Node class -> its kind ("" for none) and the fields to descend into; made as classes are met."""

    def __missing__(self, cls: type) -> tuple[str, tuple[str, ...]]:
        name = cls.__name__
        kind = (
            ""
            if name in _KIND_ONLY or (name.startswith("Match") and name != "Match")
            else _SAME.get(name, name)
        )
        fields = tuple(f for f in getattr(cls, "_fields", ()) if f not in _NO_FIELDS)
        if name in _LEAVES:
            fields = ()
        elif name == "TypeAlias":
            fields = ("name",)
        elif name.startswith("Match") and name not in ("Match", "MatchValue", "MatchOr"):
            fields = ()
        self[cls] = (kind, fields)
        return self[cls]


_RULES = _Rules()


def collect_trees(root: ast.AST) -> dict[str, list[ast.AST]]:
    """The nodes under `root` by kind, each list ordered by place, outer before inner."""
    groups: dict[str, list[ast.AST]] = defaultdict(list)
    stack: list[object] = [root]
    rules = _RULES
    while stack:
        node = stack.pop()
        cls = node.__class__
        if cls is ast.Constant:
            groups[_constant(node.value)].append(node)  # type: ignore[attr-defined]
            continue
        if node is None:
            continue
        kind, fields = rules[cls]
        if kind:
            groups[kind].append(node)  # type: ignore[arg-type]
        elif cls is ast.match_case:
            groups["Pattern"].append(node.pattern)  # type: ignore[attr-defined]
        for name in fields:
            child = getattr(node, name, None)
            if child.__class__ is list:
                stack += child  # type: ignore[arg-type]
            elif isinstance(child, ast.AST):
                stack.append(child)
    for nodes in groups.values():
        nodes.sort(key=_place)
    return groups


def _constant(value: object) -> str:
    if isinstance(value, (str, bytes)):
        return "String"
    if value is None or isinstance(value, bool):
        return "Keyword"
    return "Ellipsis" if value is ... else "Number"


def _place(node: ast.AST) -> tuple[int, int, int, int]:
    return (
        node.lineno,  # type: ignore[attr-defined]
        node.col_offset,  # type: ignore[attr-defined]
        -(node.end_lineno or 0),  # type: ignore[attr-defined]
        -(node.end_col_offset or 0),  # type: ignore[attr-defined]
    )
