"""libcst nodes of one slice by kind, in source order, under the names of Python's own tree.

The kinds are those of `positions_ast`: where the two trees cut differently, the outermost wins. A chain
of one Boolean operator is one node; adjacent strings are one "String"; the tuple of `x[a, b]`, which
libcst does not have, is stood for by the first element of the subscript.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

import libcst as cst

from .cst_walk import walk

_KEYWORDS = frozenset({"True", "False", "None"})

_PLAIN: dict[type, str] = {
    cst.Attribute: "Attribute",
    cst.Subscript: "Subscript",
    cst.Slice: "Slice",
    cst.Call: "Call",
    cst.UnaryOperation: "UnaryOp",
    cst.BinaryOperation: "BinOp",
    cst.Comparison: "Compare",
    cst.IfExp: "IfExp",
    cst.Lambda: "Lambda",
    cst.Tuple: "Tuple",
    cst.List: "List",
    cst.Set: "Set",
    cst.Dict: "Dict",
    cst.ListComp: "ListComp",
    cst.SetComp: "SetComp",
    cst.DictComp: "DictComp",
    cst.GeneratorExp: "GeneratorExp",
    cst.NamedExpr: "NamedExpr",
    cst.Await: "Await",
    cst.Yield: "Yield",
    cst.Integer: "Number",
    cst.Float: "Number",
    cst.Imaginary: "Number",
    cst.Ellipsis: "Ellipsis",
    cst.SimpleString: "String",
    cst.StarredElement: "Starred",
    cst.Param: "Param",
    cst.FunctionDef: "FunctionDef",
    cst.ClassDef: "ClassDef",
    cst.If: "If",
    cst.For: "For",
    cst.While: "While",
    cst.With: "With",
    cst.Try: "Try",
    cst.TryStar: "Try",
    cst.Match: "Match",
    cst.Assign: "Assign",
    cst.AugAssign: "AugAssign",
    cst.AnnAssign: "AnnAssign",
    cst.Expr: "Expr",
    cst.Return: "Return",
    cst.Raise: "Raise",
    cst.Assert: "Assert",
    cst.Pass: "Pass",
    cst.Break: "Break",
    cst.Continue: "Continue",
    cst.Import: "Import",
    cst.ImportFrom: "ImportFrom",
    cst.Global: "Global",
    cst.Nonlocal: "Nonlocal",
    cst.TypeAlias: "TypeAlias",
}


@dataclass(slots=True, eq=False)
class Kinds:
    """`groups` maps a kind to its nodes.

    `formatted` holds the strings that may have code inside, each with a node that starts on the first
    line of its statement (None where there is no statement).
    """

    groups: dict[str, list[cst.CSTNode]] = field(default_factory=lambda: defaultdict(list))
    formatted: list[tuple[cst.CSTNode, cst.CSTNode | None]] = field(default_factory=list)
    statement: cst.CSTNode | None = None
    skip: set[cst.CSTNode] = field(default_factory=set)
    indexes: dict[cst.CSTNode, cst.Subscript] = field(default_factory=dict)
    """The first element of each index that is a bare tuple -> its subscript."""


def collect_kinds(root: cst.CSTNode) -> Kinds:
    """The nodes under `root` by kind."""
    kinds = Kinds()
    groups, special = kinds.groups, _SPECIAL

    def visit(node: cst.CSTNode) -> None:
        cls = node.__class__
        kind = _PLAIN.get(cls)
        if kind is not None and (cls is not cst.Tuple or node not in kinds.skip):
            groups[kind].append(node)
        handler = special.get(cls)
        if handler is not None:
            handler(kinds, node)

    walk(root, visit)
    return kinds


def implicit_tuple(node: cst.Subscript) -> bool:
    """Whether the index of this subscript is a tuple written without parentheses."""
    first = node.slice[0]
    if len(node.slice) > 1 or isinstance(first.comma, cst.Comma):
        return True
    return isinstance(first.slice, cst.Index) and bool(first.slice.star)


def _name(kinds: Kinds, node: cst.Name) -> None:
    kinds.groups["Keyword" if node.value in _KEYWORDS else "Name"].append(node)


def _subscript(kinds: Kinds, node: cst.Subscript) -> None:
    if implicit_tuple(node):
        kinds.indexes[node.slice[0]] = node


def _element(kinds: Kinds, node: cst.SubscriptElement) -> None:
    if node in kinds.indexes:
        kinds.groups["Tuple"].append(node)


def _starred(kinds: Kinds, node: cst.Arg | cst.Index) -> None:
    if node.star == "*":
        kinds.groups["Starred"].append(node)


def _boolean(kinds: Kinds, node: cst.BooleanOperation) -> None:
    if node not in kinds.skip:
        kinds.groups["BoolOp"].append(node)
    left = node.left
    if (
        isinstance(left, cst.BooleanOperation)
        and not left.lpar
        and type(left.operator) is type(node.operator)
    ):
        kinds.skip.add(left)


def _formatted(kinds: Kinds, node: cst.CSTNode) -> None:
    kinds.groups["String"].append(node)
    kinds.formatted.append((node, kinds.statement))


def _del(kinds: Kinds, node: cst.Del) -> None:
    kinds.groups["Delete"].append(node)
    if isinstance(node.target, cst.Tuple) and not node.target.lpar:
        kinds.skip.add(node.target)


def _case(kinds: Kinds, node: cst.MatchCase) -> None:
    kinds.groups["Pattern"].append(node.pattern)
    kinds.statement = node.pattern


def _line(kinds: Kinds, node: cst.SimpleStatementLine) -> None:
    kinds.statement = node.body[0]


def _compound(kinds: Kinds, node: cst.BaseCompoundStatement) -> None:
    kinds.statement = node


_SPECIAL: dict[type, Callable[[Kinds, cst.CSTNode], None]] = {
    cst.Name: _name,
    cst.Subscript: _subscript,
    cst.SubscriptElement: _element,
    cst.Arg: _starred,
    cst.Index: _starred,
    cst.BooleanOperation: _boolean,
    cst.FormattedString: _formatted,
    cst.TemplatedString: _formatted,
    cst.ConcatenatedString: _formatted,
    cst.Del: _del,
    cst.MatchCase: _case,
    cst.SimpleStatementLine: _line,
    cst.FunctionDef: _compound,
    cst.ClassDef: _compound,
    cst.If: _compound,
    cst.For: _compound,
    cst.While: _compound,
    cst.With: _compound,
    cst.Try: _compound,
    cst.TryStar: _compound,
    cst.Match: _compound,
}  # type: ignore[dict-item]
