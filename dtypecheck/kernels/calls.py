"""Calls: jit functions, library operations, methods; subscripts; and what functions return.

Sources: `call_Function`, `call_JitFunction`, `visit_Return`, `decide_return_type`, `tensor.__getitem__`.
"""

from __future__ import annotations

from typing import NoReturn

from ..core import ir
from ..core.spans import Span
from ..semantics.triton_errors import Refusal
from ..semantics.triton_ops import REQUIRED, Op
from ..semantics.triton_promotion import number_type
from . import apply, attributes, merges, show
from .functions import invoke
from .session import Session
from .values import (
    BlockPointer,
    Const,
    Descriptor,
    Function,
    Library,
    Method,
    Plain,
    SliceOf,
    Symbol,
    Tensor,
    Tup,
    TypeOf,
    Unknown,
    Value,
)  # fmt: skip


def call(s: Session, func: Value, args: tuple[tuple[Value, ir.Arg], ...], node: ir.Call) -> Value:
    """`func(*args)`."""
    positional: list[Value] = []
    keywords: dict[str, Value] = {}
    for value, arg in args:
        if arg.star == "*":
            if not isinstance(value, Tup):
                return value if isinstance(value, Unknown) else Unknown("starred argument")
            positional.extend(value.items)
        elif arg.star:
            return Unknown("double-starred argument")
        elif arg.keyword is not None:
            keywords[arg.keyword] = value
        else:
            positional.append(value)
    return dispatch(s, func, positional, keywords, node.span)


def dispatch(
    s: Session, func: Value, positional: list[Value], keywords: dict[str, Value], span: Span
) -> Value:
    if isinstance(func, (Const, Plain)) and isinstance(func.value, (Function, Library)):
        func = func.value
    match func:
        case Function():
            return invoke(s, func, positional, keywords, span)
        case Library(name=name):
            return library(s, name, positional, keywords, span)
        case Method(owner=owner, name=name):
            return _method(s, owner, name, positional, keywords, span)
        case Unknown():
            return func
        case Const(value=v) | Plain(value=v) if not isinstance(v, Symbol):
            s.span = span
            s.refuse("not-callable", f"'{show.class_name(v)}' object is not callable", func)
    return Unknown("call of a value")


def _method(
    s: Session, owner: Value, name: str, args: list[Value], keywords: dict[str, Value], span: Span
) -> Value:
    match owner:
        case Tensor():
            if name in ("logical_and", "logical_or"):
                return apply.logical(s, name, owner, args, span)
            return library(s, "tl.cast" if name == "to" else f"tl.{name}", [owner, *args], keywords, span)
        case Plain(value=TypeOf() as t):
            return attributes.type_method(t, name, tuple(args))
        case Descriptor():
            return apply.descriptor_method(s, owner, name, args, keywords, span)
        case BlockPointer():
            return library(s, f"tl.{name}", [owner, *args], keywords, span)
    return Unknown(f"method {name}")


def library(s: Session, name: str, positional: list[Value], keywords: dict[str, Value], span: Span) -> Value:
    """A library operation by its canonical name."""
    op = s.operations.get(name)
    if op is None:
        return _other(s, name, positional, span)
    unknown = next((v for v in positional if type(v) is Unknown), None)
    if unknown is None and keywords:
        unknown = next((v for v in keywords.values() if type(v) is Unknown), None)
    if unknown is not None:
        if op.rule not in apply.TOLERANT:
            return unknown
        if op.rule in ("load", "store") and unknown is positional[0]:
            return unknown if op.rule == "load" else Const(None)
    s.span = span
    return apply.RULES[op.rule](s, op, bind(s, op, positional, keywords), span)


def _other(s: Session, name: str, positional: list[Value], span: Span) -> Value:
    owner, _, last = name.rpartition(".")
    if owner == "libdevice":
        return apply.libdevice(s, last, positional, span)
    return Unknown(f"function {name}")


_DEFAULTS: dict[int, dict[str, Value]] = {}
"""Operation (they are never freed) -> the values of parameters that are left out."""


def _defaults(op: Op) -> dict[str, Value]:
    given = ((n, d) for n, d in op.params if d is not REQUIRED)
    return {n: Tup(()) if d == () else Const(d) for n, d in given}


def bind(s: Session, op: Op, positional: list[Value], keywords: dict[str, Value]) -> dict[str, Value]:
    """Arguments by parameter name; what does not fit is Python's TypeError."""
    defaults = _DEFAULTS.get(id(op))
    if defaults is None:
        defaults = _DEFAULTS[id(op)] = _defaults(op)
    bound = defaults.copy()
    params = op.params
    count = min(len(params), op.positional)
    if op.rest:
        bound[op.rest] = keywords.get(op.rest) or Tup(tuple(positional[count:]))
        positional = positional[:count]
    elif len(positional) > count:
        s.refuse("call-arity", f"{_short(op)}() takes {count} positional arguments")
    for (name, _), value in zip(params, positional):
        bound[name] = value
    for name, value in keywords.items():
        if name not in op.names and name != op.rest:
            s.refuse("call-keyword", f"{_short(op)}() got an unexpected keyword argument '{name}'")
        bound[name] = value
    if len(bound) < len(params) + bool(op.rest):
        missing = next(n for n, _ in params if n not in bound)
        s.refuse("call-arity", f"{_short(op)}() missing argument: '{missing}'")
    return bound


def is_left_out(op: Op, name: str, value: Value) -> bool:
    """Whether a bound value is the parameter's default, and not the same given by the caller."""
    return value is _DEFAULTS[id(op)].get(name)


def _short(op: Op) -> str:
    return op.name.rpartition(".")[2]


# -- subscripts --------------------------------------------------------------------------------------


def subscript(s: Session, value: Value, index: Value, span: Span) -> Value:
    """`value[index]`: new axes on blocks, items of tuples."""
    match value:
        case Tensor():
            return _axes(s, value, index, span)
        case Tup():
            return _item(s, value, index)
        case Unknown():
            return value
        case Const(value=str() as text) if isinstance(index, Const) and isinstance(index.value, int):
            return Const(text[index.value]) if -len(text) <= index.value < len(text) else Unknown("subscript")
        case Function():
            return Unknown("subscript of a function")
    return Unknown("subscript")


def _axes(s: Session, x: Tensor, index: Value, span: Span) -> Value:
    """`tensor.__getitem__`: None adds an axis, `:` keeps one, nothing else is allowed."""
    parts = index.items if isinstance(index, Tup) else (index,)
    dims = list(x.shape) if x.shape is not None else None
    taken = 0
    for at, part in enumerate(parts):
        if isinstance(part, (Const, Plain)) and part.value is None:
            if dims is not None:
                if at > len(dims) and (s.modern or x.shape):  # 3.6 splats a scalar, wherever the axis is added
                    s.refuse("index", f"invalid axis {at}", x)
                dims.insert(at, 1)
        elif isinstance(part, SliceOf) and all(p is None or merges_none(p) for p in part.parts):
            taken += 1
            if s.modern and x.shape is not None and taken > len(x.shape):
                s.refuse("index", f"too many indices for tensor of rank {len(x.shape)}", x)
        elif isinstance(part, Unknown):
            return part
        else:
            s.refuse("index", f"unsupported tensor index: {show.whole(part)}", x)
    return Tensor(x.element, None if dims is None else tuple(dims), "index", span, (x,))


def merges_none(value: Value) -> bool:
    return isinstance(value, (Const, Plain)) and value.value is None


def _item(s: Session, value: Tup, index: Value) -> Value:
    at = index.value if isinstance(index, (Const, Plain)) else index
    if isinstance(at, int):
        if -len(value.items) <= at < len(value.items):
            return value.items[at]
        s.refuse("tuple-index", "list index out of range")
    if isinstance(at, SliceOf):
        ends = [p.value if isinstance(p, (Const, Plain)) else p for p in at.parts]
        if all(e is None or isinstance(e, int) for e in ends):
            return Tup(value.items[slice(*ends)])  # type: ignore[arg-type]
    if isinstance(at, Symbol) and value.items and all(_alike(value.items[0], i) for i in value.items[1:]):
        first = value.items[0]
        if isinstance(first, Tensor):
            return Tensor(first.element, first.shape, "item", s.span, (first,))
    return Unknown("tuple index")


def _alike(a: Value, b: Value) -> bool:
    return isinstance(a, Tensor) and isinstance(b, Tensor) and a.element == b.element and a.shape == b.shape


# -- returns -----------------------------------------------------------------------------------------


def returned(s: Session, returns: list[tuple[Value, Span]], value: Value | None, span: Span) -> None:
    """One `return`. 3.6 types it at once and turns numbers into tensors; 3.9 looks at all of them at the
    end."""
    if value is None:
        value = Plain(None)
    if s.modern:
        returns.append((Const(value.value) if isinstance(value, Plain) else value, span))
        return
    value = _decayed(s, value, span)
    if returns and not isinstance(value, Unknown) and not isinstance(returns[0][0], Unknown):
        first = returns[0][0]
        if merges.unify(s, first, value, span, "return") is None:
            a, b = (_type_36(v) for v in (first, value))
            s.refuse("return-36", f"Inconsistent return types: {a} and {b}", first, value)
    returns.append((value, span))


def _type_36(value: Value) -> str:
    return "void" if isinstance(value, (Const, Plain)) and value.value is None else show.value_type(value)


def _decayed(s: Session, value: Value, span: Span) -> Value:
    """3.6: `decay` in `visit_Return`."""
    if isinstance(value, Tup):
        return Tup(tuple(_decayed(s, i, span) for i in value.items), value.fields)
    return apply.to_tensor(s, value, span) if isinstance(value, Const) else value


def result(s: Session, returns: list[tuple[Value, Span]], span: Span) -> Value:
    """What a call gives: `decide_return_type`."""
    if not returns:
        return Const(None) if s.modern else Plain(None)
    found = returns[0][0]
    if s.modern:
        for value, at in returns[1:]:
            s.span = at
            found = _common(s, found, value, returns)
    return found


def _common(s: Session, a: Value, b: Value, returns: list[tuple[Value, Span]]) -> Value:
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return a if isinstance(a, Unknown) else b
    if isinstance(a, Tup):
        if not isinstance(b, Tup) or a.fields != b.fields:
            _mismatch(s, a, b, returns)
        return Tup(tuple(_common(s, x, y, returns) for x, y in zip(a.items, b.items)), a.fields)
    if isinstance(a, Const) and isinstance(b, Const) and _equal(a.value, b.value):
        return a
    if isinstance(a, Const) or isinstance(b, Const):
        a, b = (_typed(s, v) if isinstance(v, Const) else v for v in (a, b))
        if isinstance(a, Unknown) or isinstance(b, Unknown):
            return a if isinstance(a, Unknown) else b
    met = merges.unify(s, a, b, s.span, "return")
    if met is None:
        _mismatch(s, a, b, returns)
    return met


def _equal(a: object, b: object) -> bool:
    if isinstance(a, Symbol) or isinstance(b, Symbol):
        return isinstance(a, Symbol) and isinstance(b, Symbol) and a.key == b.key
    return a is b or a == b


def _typed(s: Session, value: Const) -> Value:
    """`to_tensor_type` of a constexpr."""
    x = value.value
    if isinstance(x, TypeOf):
        return Tensor(x.element, x.shape)
    if isinstance(x, (bool, int, float)):
        found = number_type(x)
        if isinstance(found, Refusal):
            s.refuse(found.id, found.message)
        return Tensor(found.bit, (), f"literal {x}", s.span)
    return apply.to_tensor(s, value, s.span)


def _mismatch(s: Session, a: Value, b: Value, returns: list[tuple[Value, Span]]) -> NoReturn:
    types = ", ".join(_quoted(v) for v, _ in returns)
    s.refuse(
        "return-39",
        f"Return type mismatch: {show.value_type(a)} and {show.value_type(b)}. "
        f"Note all return types were: [{types}]",
        a,
        b,
        *(v for v, _ in returns),
    )


def _quoted(value: Value) -> str:
    if isinstance(value, Tensor) and value.shape == ():
        return show.quoted(value.element)
    return show.value_type(value)
