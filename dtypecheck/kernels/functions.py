"""A jit function called for given argument types: typed once, remembered by those types.

Source: `call_JitFunction`; annotations of helper parameters have no effect, defaults stay compile-time
values.
"""

from __future__ import annotations

from ..analysis.interpreter import State
from ..core import ir
from ..core.spans import Span
from .session import GaveUp, Refused, Session
from .values import (
    BlockPointer,
    Const,
    Descriptor,
    Function,
    Library,
    Plain,
    Symbol,
    Tensor,
    Tup,
    TypeOf,
    Unknown,
    Value,
)  # fmt: skip

DEPTH = 40
"""Nested calls beyond this are not followed."""


def invoke(
    s: Session, func: Function, positional: list[Value], keywords: dict[str, Value], span: Span
) -> Value:
    """The value of `func(*positional, **keywords)`."""
    node = func.node
    bound = parameters(s, func, positional, keywords)
    key = (id(node), tuple(signature(s, v) for v in bound.values()))
    known = s.memo.get(key)
    op = f"call {node.qualname}" if known is None else f"again {node.qualname}"
    if known is None:
        known = s.memo[key] = _typed(s, func, bound, span)
    if isinstance(known, Refused):
        raise known
    return _fresh(known, op, span)  # type: ignore[arg-type]


def _typed(s: Session, func: Function, bound: dict[str, Value], span: Span) -> Value | Refused:
    s.depth += 1
    if s.depth > DEPTH:
        raise GaveUp("deep recursion")
    caller, s.function = s.function, func.node
    try:
        env = {name: _argument(v, name, func.node.head) for name, v in bound.items()}
        return body(s, func, env)
    except Refused as refused:
        refused.frames.append((caller, span))
        return refused
    finally:
        s.depth -= 1
        s.function = caller


def body(s: Session, func: Function, env: dict[str, Value]) -> Value:
    """The return value of a body under an environment."""
    from . import calls
    from .semantics import KernelSemantics

    semantics = KernelSemantics(s, func.scope)  # type: ignore[arg-type]
    semantics.interpreter.defs = dict(env)
    semantics.interpreter.run(func.node.body, State(env))
    return calls.result(s, semantics.returns, func.node.span)


def parameters(
    s: Session, func: Function, positional: list[Value], keywords: dict[str, Value]
) -> dict[str, Value]:
    """`fn.signature.bind` with defaults applied; a mismatch is a TypeError of Python."""
    bound: dict[str, Value] = {}
    rest = list(positional)
    used = set()
    for p in func.node.params:
        if p.kind == "*":
            bound[p.name] = Tup(tuple(rest))
            rest = []
        elif rest and p.kind != "keyword-only":
            bound[p.name] = rest.pop(0)
        elif p.name in keywords:
            bound[p.name] = keywords[p.name]
            used.add(p.name)
        elif p.default is not None:
            bound[p.name] = default(s, func, p.default)
        elif p.kind == "**":
            raise GaveUp("double-starred parameter")
        else:
            s.refuse("call-arity", f"missing a required argument: '{p.name}'")
    if rest:
        s.refuse("call-arity", "too many positional arguments")
    for name in keywords:
        if name not in used:
            s.refuse("call-keyword", f"got an unexpected keyword argument '{name}'")
    return {n: Const(v.value) if isinstance(v, Plain) else v for n, v in bound.items()}


def default(s: Session, func: Function, expr: ir.Expr) -> Value:
    """A parameter's default: Python evaluates it where the function is defined."""
    from .semantics import KernelSemantics, normalised

    span = s.span
    state: State[Value] = State({})
    value = normalised(KernelSemantics(s, func.scope).interpreter.evaluate(expr, state))  # type: ignore[arg-type]
    s.span = span
    return value


def signature(s: Session, value: Value) -> object:
    """What a specialisation is keyed by."""
    match value:
        case Tensor(element=e, shape=shape):
            return (e, shape)
        case Const(value=Symbol(key=key)):
            return ("symbol", key)
        case Const(value=v) | Plain(value=v):
            if isinstance(v, Function):
                return ("function", id(v.node))
            if isinstance(v, (Tensor, Tup, Library)):
                return signature(s, v)
            return (type(v), v if isinstance(v, TypeOf) else str(v))
        case Tup(items=items):
            return tuple(signature(s, i) for i in items)
        case Function(node=node):
            return ("function", id(node))
        case Library(name=name):
            return ("library", name)
        case Descriptor(element=e, shape=shape) | BlockPointer(element=e, shape=shape):
            return (type(value), e, shape)
        case Unknown():
            return ("unknown",)
    return s.number(value)


def _argument(value: Value, name: str, span: Span) -> Value:
    """The parameter's own value inside the callee: a new value, of the argument's type."""
    if isinstance(value, Tensor):
        return Tensor(value.element, value.shape, f"argument {name}", span, (value,))
    if isinstance(value, Tup):
        return Tup(tuple(_argument(i, name, span) for i in value.items), value.fields)
    return value


def _fresh(value: Value, op: str, span: Span) -> Value:
    """The call's own value in the caller: `again` where its inputs are those of an earlier call of these types."""
    if isinstance(value, Tensor):
        return Tensor(value.element, value.shape, op, span, (value,))
    if isinstance(value, Tup):
        return Tup(tuple(_fresh(i, op, span) for i in value.items), value.fields)
    return value
