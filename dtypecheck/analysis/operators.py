"""Python operators on abstract values: tensors by the operation table, numbers by Python itself."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from ..semantics import rules
from ..semantics.table import lookup
from . import calls, operands, operations, ranks, truth
from . import graph as g
from .dtypexpr import Input, lift
from .frames import Frame
from .values import (
    Abstract, Array, Dictionary, DTypeRef, External, Given, Instance, Library, Many, Nil, Number, Sequence, Thunk,
    Unknown, Value, agree, collapse, just, under, union, unknown,
)  # fmt: skip

if TYPE_CHECKING:
    from .solve import Solver

TESTS = frozenset({"is", "is not", "in", "not in", "not"})
COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
PYTHON = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "<<": operator.lshift, ">>": operator.rshift, "==": operator.eq, "!=": operator.ne, "<": operator.lt,
    "<=": operator.le, ">": operator.gt, ">=": operator.ge, "neg": operator.neg, "pos": operator.pos,
    "invert": operator.invert,
}  # fmt: skip
DUNDER = {"+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "@": "__matmul__", "//": "__floordiv__"}
LARGEST = 1 << 80


def operate(solver: Solver, node: g.Operate, frame: Frame) -> Value:
    """The value of an operator."""
    if node.op in TESTS:
        return _tested(solver, node, frame)
    if node.op in ("and", "or"):
        return _logic(solver, node, frame)
    if len(node.operands) == 1:
        parts = [
            under(a.guard, _unary(solver, node, a.what, frame)) for a in solver.force(node.operands[0], frame)
        ]
        return union(parts)
    left, right = (solver.force(operand, frame) for operand in node.operands)
    if len(left) * len(right) > operations.COMBINATIONS:
        left, right = collapse(left), collapse(right)
    return union(
        under(both, _binary(solver, node, a.what, b.what, frame))
        for a in left
        for b in right
        if (both := agree(a.guard, b.guard)) is not None
    )


def _tested(solver: Solver, node: g.Operate, frame: Frame) -> Value:
    """`is`, `in`, `not`: a bool, known where it is decided."""
    return union(
        under(guard, just(Number("bool", outcome, True))) for guard, outcome in truth.outcomes(solver, node, frame)
    )


def _logic(solver: Solver, node: g.Operate, frame: Frame) -> Value:
    """`a or b` is `a` where it is true, else `b`."""
    left, right = node.operands
    stop = node.op == "or"
    parts: list[Value] = []
    for guard, outcome in truth.outcomes(solver, left, frame):
        side = left if outcome is stop else right
        value = solver.force(side, frame)
        if side is left and stop:
            value = tuple(a for a in value if not isinstance(a.what, Nil))
        parts.append(under(guard, value))
    return union(parts)


def _unary(solver: Solver, node: g.Operate, what: Abstract, frame: Frame) -> Value:
    match what:
        case Number(kind, literal, known):
            if known:
                return just(_computed(node.op, literal))
            return just(Number("int" if kind == "bool" else kind))
        case Array():
            return _operation(solver, node, (what,), frame)
        case Unknown(reason):
            return unknown(reason, node.span)
        case External(symbol):
            return just(what.part(f"({node.op} {symbol.path})"[:200]))
    return unknown("operand", node.span)


def _binary(solver: Solver, node: g.Operate, a: Abstract, b: Abstract, frame: Frame) -> Value:
    match a, b:
        case (Number(), Number()):
            return just(_numbers(node.op, a, b))
        case (Array(), _) if node.inplace:
            return just(a)
        case (Array(), Array() | Number() | External() | Unknown()) | (Number() | External() | Unknown(), Array()):
            return _operation(solver, node, (a, b), frame)
        case (Sequence(kind, x), Sequence(_, y)) if node.op == "+":
            return just(Sequence(kind, x + y))
        case (Sequence(kind, items) | Many(kind, items), _) if node.op in ("+", "*"):
            return _repeated(kind, items, node.op, a, b)
        case (Number("int"), Sequence(kind, items)) if node.op == "*":
            return just(Many(kind, items))
        case (Dictionary(x, r), Dictionary(y, s)) if node.op == "|":
            kept = tuple((k, v) for k, v in x if k not in {key for key, _ in y})
            return just(Dictionary(kept + y, r + s))
        case (Instance(), _) if node.op in DUNDER:
            method = solver.program.method(a.cls, DUNDER[node.op])
            if method is not None:
                arg = g.Argument(node.operands[1], None, "", node.span)
                return calls.method(solver, a, DUNDER[node.op], (arg,), node, frame)
        case (DTypeRef(), _) | (_, DTypeRef()) if node.op in COMPARISONS:
            return _compared(solver, node, frame)
        case (Nil(), _) | (_, Nil()) if node.op not in COMPARISONS:
            return ()
    if isinstance(a, External) or isinstance(b, External):
        return just(_of_external(node.op, a, b))
    if node.op in COMPARISONS:
        return _compared(solver, node, frame)
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return just(a if isinstance(a, Unknown) else b)
    return unknown("operand", node.span)


def _of_external(op: str, a: Abstract, b: Abstract) -> External:
    """What a caller provides, computed with: a number or a tensor, as that is."""
    given = a if isinstance(a, External) else b
    assert isinstance(given, External)
    parts = [w.symbol.path if isinstance(w, External) else str(getattr(w, "literal", "_")) for w in (a, b)]
    return given.part(f"({parts[0]} {op} {parts[1]})"[:200])


def _compared(solver: Solver, node: g.Operate, frame: Frame) -> Value:
    if node.op in ("==", "!="):
        return _tested(solver, node, frame)
    return just(Number("bool"))


def _repeated(kind: str, items: tuple[Thunk | Given, ...], op: str, a: Abstract, b: Abstract) -> Value:
    if op == "*":
        if isinstance(a, Sequence) and isinstance(b, Number) and isinstance(b.literal, int) and 0 <= b.literal <= 64:
            return just(Sequence(kind, items * b.literal))
        return just(Many(kind, items))
    more = b.items if isinstance(b, Sequence) else b.elements if isinstance(b, Many) else None
    return just(Many(kind, items + more)) if more is not None else unknown("operand")


def _computed(op: str, *operands: object) -> Number:
    """Python's own result; what raises, or grows without bound, is a number nobody knows."""
    try:
        if op in ("**", "<<") and isinstance(operands[-1], int) and operands[-1] > 128:
            return Number("number")
        result = PYTHON[op](*operands)
    except (TypeError, ValueError, ArithmeticError, KeyError):
        return Number("number")
    kind = type(result).__name__
    if kind not in ("bool", "int", "float", "complex", "str"):
        return Number("number")
    if isinstance(result, int) and abs(result) > LARGEST or isinstance(result, str) and len(result) > 4096:
        return Number(kind)
    return Number(kind, result, True)


def _numbers(op: str, a: Number, b: Number) -> Number:
    if a.known and b.known:
        return _computed(op, a.literal, b.literal)
    if op in COMPARISONS:
        return Number("bool")
    kinds = {a.kind, b.kind}
    if "str" in kinds:
        return Number("str")
    if "number" in kinds:
        return _reckoned(op, a, b)
    if op == "/":
        return Number("float")
    for kind in ("complex", "float"):
        if kind in kinds:
            return Number(kind)
    return Number("int")


def _reckoned(op: str, a: Number, b: Number) -> Number:
    """A number whose kind depends on the dtype of a tensor that one of the operands was taken from."""
    if op not in ("+", "-", "*", "//", "%") or (a.of or b.of) is None:
        return Number("number")
    inputs = tuple(Input(operands.number_dtype(what), ranks.NUMBER) for what in (a, b))
    return Number("number", of=lift(rules.reckoned, inputs))


def _operation(solver: Solver, node: g.Operate, operands: tuple[Abstract, ...], frame: Frame) -> Value:
    arrays = all(what.numpy for what in operands if isinstance(what, Array))
    op = lookup(f"numpy.operator.{node.op}" if arrays else f"operator.{node.op}")
    if op is None:
        return unknown(f"no-model(operator.{node.op})", node.span)
    slots = {name: Given(just(what)) for name, what in zip(op.params, operands)}
    return operations.apply(solver, op, f"operator {node.op}", slots, frame.place(node.span))
