"""Which fields of a libcst node hold code, in source order; whitespace and punctuation are left out."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

_STRINGS = (cst.SimpleString, cst.FormattedString, cst.ConcatenatedString, cst.TemplatedString)

CHILDREN: dict[type, tuple[str, ...]] = {
    cst.Module: ("body",),
    cst.IndentedBlock: ("body",),
    cst.SimpleStatementLine: ("body",),
    cst.SimpleStatementSuite: ("body",),
    cst.FunctionDef: ("decorators", "params", "returns", "body"),
    cst.ClassDef: ("decorators", "bases", "keywords", "body"),
    cst.Decorator: ("decorator",),
    cst.Annotation: ("annotation",),
    cst.Parameters: ("posonly_params", "params", "star_arg", "kwonly_params", "star_kwarg"),
    cst.Param: ("annotation", "default"),
    cst.If: ("test", "body", "orelse"),
    cst.Else: ("body",),
    cst.For: ("target", "iter", "body", "orelse"),
    cst.While: ("test", "body", "orelse"),
    cst.With: ("items", "body"),
    cst.WithItem: ("item", "asname"),
    cst.AsName: ("name",),
    cst.Try: ("body", "handlers", "orelse", "finalbody"),
    cst.TryStar: ("body", "handlers", "orelse", "finalbody"),
    cst.ExceptHandler: ("type", "body"),
    cst.ExceptStarHandler: ("type", "body"),
    cst.Finally: ("body",),
    cst.Match: ("subject", "cases"),
    cst.MatchCase: ("pattern", "guard", "body"),
    cst.MatchValue: ("value",),
    cst.MatchOr: ("patterns",),
    cst.MatchOrElement: ("pattern",),
    cst.Assign: ("targets", "value"),
    cst.AssignTarget: ("target",),
    cst.AugAssign: ("target", "value"),
    cst.AnnAssign: ("target", "annotation", "value"),
    cst.Expr: ("value",),
    cst.Return: ("value",),
    cst.Raise: ("exc", "cause"),
    cst.From: ("item",),
    cst.Assert: ("test", "msg"),
    cst.Del: ("target",),
    cst.TypeAlias: ("name",),
    cst.Attribute: ("value",),
    cst.Subscript: ("value", "slice"),
    cst.SubscriptElement: ("slice",),
    cst.Index: ("value",),
    cst.Slice: ("lower", "upper", "step"),
    cst.Call: ("func", "args"),
    cst.Arg: ("value",),
    cst.UnaryOperation: ("expression",),
    cst.BinaryOperation: ("left", "right"),
    cst.BooleanOperation: ("left", "right"),
    cst.Comparison: ("left", "comparisons"),
    cst.ComparisonTarget: ("comparator",),
    cst.IfExp: ("body", "test", "orelse"),
    cst.Lambda: ("params", "body"),
    cst.Tuple: ("elements",),
    cst.List: ("elements",),
    cst.Set: ("elements",),
    cst.Dict: ("elements",),
    cst.Element: ("value",),
    cst.StarredElement: ("value",),
    cst.DictElement: ("key", "value"),
    cst.StarredDictElement: ("value",),
    cst.ListComp: ("elt", "for_in"),
    cst.SetComp: ("elt", "for_in"),
    cst.GeneratorExp: ("elt", "for_in"),
    cst.DictComp: ("key", "value", "for_in"),
    cst.CompFor: ("target", "iter", "ifs", "inner_for_in"),
    cst.CompIf: ("test",),
    cst.NamedExpr: ("target", "value"),
    cst.Await: ("expression",),
    cst.Yield: ("value",),
}
"""Node class -> fields to descend into. What is missing has no code that needs a place."""


def walk(root: cst.CSTNode, visit: Callable[[cst.CSTNode], None]) -> None:
    """Calls `visit` on each node in source order, parents first; strings are leaves."""
    stack: list[object] = [root]
    table = CHILDREN
    while stack:
        node = stack.pop()
        visit(node)  # type: ignore[arg-type]
        names = table.get(node.__class__)
        if names is None:
            continue
        for name in reversed(names):
            child = getattr(node, name)
            if child is None:
                continue
            if isinstance(child, (tuple, list)):
                stack.extend(reversed(child))
            else:
                stack.append(child)
