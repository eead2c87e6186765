"""How a kernel's body treats a parameter that may be None: whether it asks, whether it reads it at all."""

from __future__ import annotations

from collections.abc import Iterator

from ..core import ir
from ..core.ir import walk


def tested(function: ir.Function, name: str) -> int:
    """The line of the first test of a parameter against None, or of its truth; 0 where there is none."""
    return min((test.span.line for test in _tests(function) if _asks(test, name)), default=0)


def is_read(function: ir.Function, name: str) -> bool:
    """Whether the body mentions a parameter."""
    return any(isinstance(node, ir.Name) and node.id == name for node in walk(function.body))


def _tests(function: ir.Function) -> Iterator[ir.Expr]:
    for node in walk(function.body):
        match node:
            case ir.If(test=test) | ir.Conditional(test=test) | ir.While(test=test) | ir.Assert(test=test):
                yield test
            case ir.Compare():
                yield node
            case ir.Logic(values=values):
                yield from values


def _asks(test: ir.Expr, name: str) -> bool:
    match test:
        case ir.Name(id=found) | ir.Unary(op="not", operand=ir.Name(id=found)):
            return found == name
        case ir.Compare(left=ir.Name(id=found), rights=(ir.Const(value=None),)):
            return found == name
    return False
