"""Expressions of libcst to expressions of the intermediate representation.

One function per node class, in one table. What the table lacks becomes `Opaque`, named after the class.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import libcst as cst

from ..core import ir
from .cst_kinds import implicit_tuple
from .lower_state import Lowering
from .lower_strings import lower_string
from .lower_tokens import BINARY, COMPARISON, UNARY

MAX_TERMS = 200
"""Longer chains of one left-nested operator are `Opaque`: readers of the representation recurse."""

_KEYWORDS: dict[str, object] = {"True": True, "False": False, "None": None}


def lower_expression(state: Lowering, node: cst.CSTNode) -> ir.Expr:
    """The expression that `node` stands for."""
    handler = _TABLE.get(node.__class__)
    if handler is None:
        return ir.Opaque(kebab(type(node).__name__), state.at(node))
    return handler(state, node)


def kebab(name: str) -> str:
    """`FormattedString` -> "formatted-string"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def lower_params(state: Lowering, params: cst.Parameters) -> tuple[ir.Param, ...]:
    """The parameters in the order they stand."""
    found = [_param(state, p, "positional-only") for p in params.posonly_params]
    found += [_param(state, p, "normal") for p in params.params]
    if isinstance(params.star_arg, cst.Param):
        found.append(_param(state, params.star_arg, "*"))
    found += [_param(state, p, "keyword-only") for p in params.kwonly_params]
    if params.star_kwarg is not None:
        found.append(_param(state, params.star_kwarg, "**"))
    return tuple(found)


def _param(state: Lowering, node: cst.Param, kind: str) -> ir.Param:
    annotation = None if node.annotation is None else lower_expression(state, node.annotation.annotation)
    return ir.Param(node.name.value, kind, annotation, _optional(state, node.default), state.at(node))


def lower_arguments(state: Lowering, args: Any) -> tuple[ir.Arg, ...]:
    """The arguments of a call, or the bases of a class."""
    found = []
    for arg in args:
        value = lower_expression(state, arg.value)
        keyword = None if arg.keyword is None else arg.keyword.value
        found.append(ir.Arg(value, keyword, arg.star, state.at(arg.value)))
    return tuple(found)


def _optional(state: Lowering, node: cst.CSTNode | None) -> ir.Expr | None:
    return None if node is None else lower_expression(state, node)


def _name(state: Lowering, node: cst.Name) -> ir.Expr:
    if node.value in _KEYWORDS:
        return ir.Const(_KEYWORDS[node.value], state.at(node))
    return ir.Name(node.value, state.at(node))


def _number(state: Lowering, node: cst.Integer | cst.Float | cst.Imaginary) -> ir.Expr:
    values = state.positions.values
    value = values.get(node)
    return ir.Const(node.evaluated_value if value is None else value, state.at(node))


def _ellipsis(state: Lowering, node: cst.Ellipsis) -> ir.Expr:
    return ir.Const(..., state.at(node))


def _string(state: Lowering, node: cst.CSTNode) -> ir.Expr:
    return lower_string(state, node, lower_expression)


def _attribute(state: Lowering, node: cst.Attribute) -> ir.Expr:
    return ir.Attribute(lower_expression(state, node.value), node.attr.value, state.at(node))


def _subscript(state: Lowering, node: cst.Subscript) -> ir.Expr:
    value = lower_expression(state, node.value)
    items = tuple(_index(state, element.slice) for element in node.slice)
    index = ir.Display("tuple", items, state.at(node.slice[0])) if implicit_tuple(node) else items[0]
    return ir.Subscript(value, index, state.at(node))


def _index(state: Lowering, node: cst.BaseSlice) -> ir.Expr:
    if isinstance(node, cst.Slice):
        lower, upper = _optional(state, node.lower), _optional(state, node.upper)
        return ir.Slice(lower, upper, _optional(state, node.step), state.at(node))
    assert isinstance(node, cst.Index)
    value = lower_expression(state, node.value)
    return ir.Starred(value, state.at(node)) if node.star else value


def _call(state: Lowering, node: cst.Call) -> ir.Expr:
    func = lower_expression(state, node.func)
    return ir.Call(func, lower_arguments(state, node.args), state.at(node))


def _unary(state: Lowering, node: cst.UnaryOperation) -> ir.Expr:
    return ir.Unary(UNARY[type(node.operator)], lower_expression(state, node.expression), state.at(node))


def _binary(state: Lowering, node: cst.BinaryOperation) -> ir.Expr:
    chain = [node]
    while isinstance(chain[-1].left, cst.BinaryOperation):
        chain.append(chain[-1].left)
    if len(chain) > MAX_TERMS:
        return ir.Opaque("long-chain", state.at(node))
    left = lower_expression(state, chain[-1].left)
    for part in reversed(chain):
        right = lower_expression(state, part.right)
        left = ir.Binary(BINARY[type(part.operator)], left, right, state.at(part))
    return left


def _boolean(state: Lowering, node: cst.BooleanOperation) -> ir.Expr:
    operator = type(node.operator)
    rights: list[cst.BaseExpression] = []
    left: cst.BaseExpression = node
    while isinstance(left, cst.BooleanOperation) and type(left.operator) is operator:
        if left is not node and left.lpar:
            break
        rights.append(left.right)
        left = left.left
    values = tuple(lower_expression(state, value) for value in (left, *reversed(rights)))
    return ir.Logic("and" if operator is cst.And else "or", values, state.at(node))


def _comparison(state: Lowering, node: cst.Comparison) -> ir.Expr:
    left = lower_expression(state, node.left)
    ops = tuple(COMPARISON[type(c.operator)] for c in node.comparisons)
    rights = tuple(lower_expression(state, c.comparator) for c in node.comparisons)
    return ir.Compare(left, ops, rights, state.at(node))


def _conditional(state: Lowering, node: cst.IfExp) -> ir.Expr:
    body = lower_expression(state, node.body)
    test = lower_expression(state, node.test)
    return ir.Conditional(test, body, lower_expression(state, node.orelse), state.at(node))


def _lambda(state: Lowering, node: cst.Lambda) -> ir.Expr:
    params = lower_params(state, node.params)
    return ir.Lambda(params, lower_expression(state.within(state.prefix), node.body), state.at(node))


def _display(kind: str) -> Callable[[Lowering, Any], ir.Expr]:
    def lower(state: Lowering, node: cst.Tuple | cst.List | cst.Set) -> ir.Expr:
        items = tuple(_item(state, element) for element in node.elements)
        return ir.Display(kind, items, state.at(node))

    return lower


def _item(state: Lowering, node: cst.BaseElement) -> ir.Expr:
    value = lower_expression(state, node.value)
    return ir.Starred(value, state.at(node)) if isinstance(node, cst.StarredElement) else value


def _dict(state: Lowering, node: cst.Dict) -> ir.Expr:
    items: list[tuple[ir.Expr | None, ir.Expr]] = []
    for element in node.elements:
        key = lower_expression(state, element.key) if isinstance(element, cst.DictElement) else None
        items.append((key, lower_expression(state, element.value)))
    return ir.Mapping(tuple(items), state.at(node))


def _comprehension(kind: str) -> Callable[[Lowering, Any], ir.Expr]:
    def lower(state: Lowering, node: Any) -> ir.Expr:
        generators: list[ir.Generator] = []
        clause = node.for_in
        while clause is not None:
            if clause.asynchronous is not None:
                return ir.Opaque("async-comprehension", state.at(node))
            target = lower_expression(state, clause.target)
            conditions = tuple(lower_expression(state, c.test) for c in clause.ifs)
            generators.append(ir.Generator(target, lower_expression(state, clause.iter), conditions))
            clause = clause.inner_for_in
        key = lower_expression(state, node.key) if kind == "dict" else None
        element = lower_expression(state, node.value if kind == "dict" else node.elt)
        return ir.Comprehension(kind, key, element, tuple(generators), state.at(node))

    return lower


def _walrus(state: Lowering, node: cst.NamedExpr) -> ir.Expr:
    assert isinstance(node.target, cst.Name)
    return ir.Walrus(node.target.value, lower_expression(state, node.value), state.at(node))


def _await(state: Lowering, node: cst.Await) -> ir.Expr:
    return lower_expression(state, node.expression)


def _yield(state: Lowering, node: cst.Yield) -> ir.Expr:
    state.yields.append(node)
    if isinstance(node.value, cst.From):
        return ir.Yield(lower_expression(state, node.value.item), True, state.at(node))
    return ir.Yield(_optional(state, node.value), False, state.at(node))


_TABLE: dict[type, Callable[[Lowering, Any], ir.Expr]] = {
    cst.Name: _name,
    cst.Integer: _number,
    cst.Float: _number,
    cst.Imaginary: _number,
    cst.Ellipsis: _ellipsis,
    cst.SimpleString: _string,
    cst.ConcatenatedString: _string,
    cst.FormattedString: _string,
    cst.TemplatedString: _string,
    cst.Attribute: _attribute,
    cst.Subscript: _subscript,
    cst.Call: _call,
    cst.UnaryOperation: _unary,
    cst.BinaryOperation: _binary,
    cst.BooleanOperation: _boolean,
    cst.Comparison: _comparison,
    cst.IfExp: _conditional,
    cst.Lambda: _lambda,
    cst.Tuple: _display("tuple"),
    cst.List: _display("list"),
    cst.Set: _display("set"),
    cst.StarredElement: _item,
    cst.Dict: _dict,
    cst.ListComp: _comprehension("list"),
    cst.SetComp: _comprehension("set"),
    cst.GeneratorExp: _comprehension("generator"),
    cst.DictComp: _comprehension("dict"),
    cst.NamedExpr: _walrus,
    cst.Await: _await,
    cst.Yield: _yield,
}
