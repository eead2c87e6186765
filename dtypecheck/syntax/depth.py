"""Which trees are too deep to read: ten thousand terms in one sum end the process inside libcst.

Python's own parser refuses deep parentheses; chains that it takes are counted here, on its tree.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

MAX_DEPTH = 150
MAX_CHAIN = 2000
"""The longest chain of one left-nested operator, or of adjacent strings, that is given to libcst."""

_LITERAL = re.compile(
    r"""'''(?:\\.|.)*?'''|\"\"\"(?:\\.|.)*?\"\"\"|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*\"""",
    re.DOTALL,
)
_SHORTEST = 3


def too_deep(tree: ast.AST, lines: tuple[str, ...]) -> bool:
    """Whether libcst, or a recursive reader of what it gives, could run out of stack."""
    stack: list[tuple[ast.AST, int, int]] = [(tree, 0, 0)]
    while stack:
        node, depth, chain = stack.pop()
        if depth > MAX_DEPTH or chain > MAX_CHAIN:
            return True
        cls = node.__class__
        if cls is ast.Name:
            continue
        if cls is ast.BinOp:
            stack.append((node.left, depth, chain + 1))  # type: ignore[attr-defined]
            stack.append((node.right, depth + 1, 0))  # type: ignore[attr-defined]
            continue
        if _wide(node, lines):
            return True
        if cls is not ast.Constant:
            stack += [(child, depth + 1, 0) for child in _children(node)]
    return False


def _children(node: ast.AST) -> Iterator[ast.AST]:
    for name in node._fields:
        child = getattr(node, name, None)
        if isinstance(child, ast.AST):
            yield child
        elif child.__class__ is list:
            for item in child:  # type: ignore[union-attr]
                if isinstance(item, ast.AST):
                    yield item


def _wide(node: ast.AST, lines: tuple[str, ...]) -> bool:
    """Whether a node is flat in Python's tree and a very long chain in libcst's."""
    match node:
        case ast.Constant(value=str() | bytes()) | ast.JoinedStr():
            return _many_literals(node, lines)
        case ast.BoolOp(values=values):
            return len(values) > MAX_CHAIN
        case ast.ListComp(generators=g) | ast.SetComp(generators=g) | ast.GeneratorExp(generators=g):
            return len(g) > MAX_DEPTH
        case ast.DictComp(generators=g):
            return len(g) > MAX_DEPTH
    return False


def _many_literals(node: ast.AST, lines: tuple[str, ...]) -> bool:
    """Whether one string is a chain of very many adjacent literals; an estimate from above."""
    first, last = node.lineno, node.end_lineno  # type: ignore[attr-defined]
    if first == last and node.end_col_offset - node.col_offset < _SHORTEST * MAX_CHAIN:  # type: ignore[attr-defined]
        return False
    text = "\n".join(lines[first - 1 : last])
    if len(text) < _SHORTEST * MAX_CHAIN:
        return False
    return sum(1 for _ in _LITERAL.finditer(text)) > MAX_CHAIN
