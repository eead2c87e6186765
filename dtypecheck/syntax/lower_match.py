"""`match` as a chain of `If`: values compared, every other pattern opaque, captured names opaque."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import libcst as cst

from ..core import ir
from .lower_expressions import lower_expression
from .lower_state import Lowering

Block = tuple[ir.Stmt, ...]


def cases(state: Lowering, node: cst.Match, lower_block: Callable[[Lowering, Any], Block]) -> Block:
    """The subject as a statement unless it is a mere name, then one `If` per case, the next in its `else`."""
    chain: Block = ()
    for case in reversed(node.cases):
        body = (*_captures(state, case.pattern), *lower_block(state, case.body))
        if _catches_all(case):
            chain = body
            continue
        span = state.at(case.pattern)
        test = None if case.guard is not None else _test(state, node.subject, case.pattern)
        chain = (ir.If(test or ir.Opaque("match-pattern", span), body, chain, state.at(node)),)
    if _plain(node.subject):
        return chain
    subject = lower_expression(state, node.subject)
    return (ir.ExprStmt(subject, subject.span), *chain)


def _plain(subject: cst.BaseExpression) -> bool:
    """Whether the subject may be read once per case."""
    while isinstance(subject, cst.Attribute):
        subject = subject.value
    return isinstance(subject, cst.Name)


def _catches_all(case: cst.MatchCase) -> bool:
    return case.guard is None and isinstance(case.pattern, cst.MatchAs) and case.pattern.pattern is None


def _test(state: Lowering, subject: cst.BaseExpression, pattern: cst.CSTNode) -> ir.Expr | None:
    """The comparison that a pattern of values makes, or None."""
    if not _plain(subject):
        return None
    if isinstance(pattern, cst.MatchOr):
        tests = [_test(state, subject, element.pattern) for element in pattern.patterns]
        known = tuple(test for test in tests if test is not None)
        span = state.at(pattern)
        return ir.Logic("or", known, span) if len(known) == len(tests) else None
    if isinstance(pattern, cst.MatchSingleton):
        value = ir.Const({"True": True, "False": False}.get(pattern.value.value), state.at(pattern))
        return ir.Compare(lower_expression(state, subject), ("is",), (value,), value.span)
    if isinstance(pattern, cst.MatchValue):
        read = lower_expression(state, pattern.value)
        return ir.Compare(lower_expression(state, subject), ("==",), (read,), read.span)
    return None


def _captures(state: Lowering, pattern: cst.CSTNode) -> Iterator[ir.Stmt]:
    """An assignment of `Opaque` to each name that the pattern binds."""
    span = state.at(pattern)
    for name in _names(pattern):
        yield ir.Assign((ir.Name(name, span),), ir.Opaque("match-capture", span), span)


def _names(pattern: cst.CSTNode) -> Iterator[str]:
    if isinstance(pattern, cst.MatchValue):
        return
    for child in pattern.children:
        yield from _names(child)
    if isinstance(pattern, (cst.MatchAs, cst.MatchStar)) and pattern.name is not None:
        yield pattern.name.value
    if isinstance(pattern, cst.MatchMapping) and pattern.rest is not None:
        yield pattern.rest.value
