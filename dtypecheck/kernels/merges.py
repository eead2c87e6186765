"""Where values of two paths meet: `if`, ternary, loop.

Sources: `visit_then_else_blocks`, `visit_IfExp`, `_find_carries`, `_verify_loop_carried_variable`. A merge
looks at variables whose value (not type) differs; the types must then be equal in everything.
"""

from __future__ import annotations

from ..core.spans import Span
from ..semantics.triton_errors import Refusal
from . import show
from .session import CarryFact, Session
from .shapes import merged, same
from .values import BlockPointer, Const, Descriptor, Element, Pointer, Tensor, Tup, Unknown, Value, pointer

Env = "dict[str, Value]"

_TRITON = (Tensor, BlockPointer, Descriptor, Const, Tup)
"""`_is_triton_value`: instances of `base_value`."""


def common(a: Element, b: Element) -> Element | None:
    """The types that two sets share; None where they share none."""
    if a is b:
        return a
    if isinstance(a, Pointer) and isinstance(b, Pointer):
        shared = a.target & b.target
        return pointer(shared, a.const) if shared and a.const == b.const else None
    if isinstance(a, int) and isinstance(b, int):
        return a & b or None
    return None


def unify(s: Session, a: Value, b: Value, span: Span, op: str) -> Value | None:
    """One value of the type of both; None where their types cannot be equal."""
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return a if isinstance(a, Unknown) else b
    if type(a) is not type(b):
        return None
    match a, b:
        case Tensor(), Tensor():
            element = common(a.element, b.element)
            if element is None or not same(a.shape, b.shape):
                return None
            if a.element != b.element or not _single(a.element):
                s.doubt(Refusal("if-livein", "types may differ"), a, b)
            return Tensor(element, merged(a.shape, b.shape), op, span, (a, b))
        case Const(), Const():
            return a if _equal(a.value, b.value) else None
        case Tup(), Tup():
            if len(a.items) != len(b.items):
                return None
            items = [unify(s, x, y, span, op) for x, y in zip(a.items, b.items)]
            return None if any(i is None for i in items) else Tup(tuple(items), a.fields)  # type: ignore[arg-type]
        case BlockPointer(), BlockPointer():
            shared = a.element & b.element if same(a.shape, b.shape) else 0
            return BlockPointer(shared, merged(a.shape, b.shape), span, a.base) if shared else None
        case Descriptor(), Descriptor():
            shared = a.element & b.element if same(a.shape, b.shape) else 0
            return Descriptor(shared, merged(a.shape, b.shape), span, a.base) if shared else None
    return a


def _single(e: Element) -> bool:
    bits = e.target if isinstance(e, Pointer) else e
    return bits & (bits - 1) == 0


def _equal(a: object, b: object) -> bool:
    return a is b or a == b


def identical(a: Value, b: Value) -> bool:
    """Whether two values flatten to the same handles: constexprs have none."""
    if a is b or (isinstance(a, Const) and isinstance(b, Const)):
        return True
    if isinstance(a, Tup) and isinstance(b, Tup):
        return len(a.items) == len(b.items) and all(identical(x, y) for x, y in zip(a.items, b.items))
    return False


def branches(
    s: Session,
    before: dict[str, Value],
    then: dict[str, Value],
    orelse: dict[str, Value],
    then_defs: dict[str, Value],
    else_defs: dict[str, Value],
    span: Span,
) -> dict[str, Value]:
    """`visit_then_else_blocks`: the variables that the `if` redefines."""
    names: dict[str, Value] = {}
    for name, value in before.items():
        a, b = then[name], orelse[name]
        if a is value and b is value:
            continue
        if isinstance(value, Unknown) or isinstance(a, Unknown) or isinstance(b, Unknown):
            names[name] = next(v for v in (value, a, b) if isinstance(v, Unknown))
            continue
        if not isinstance(value, _TRITON) or identical(a, b):
            continue
        for new, block in ((a, "then"), (b, "else")):
            if unify(s, new, value, span, "if") is None:
                s.refuse(
                    "if-livein",
                    f"initial value for `{name}` is of type {show.whole(value)}, "
                    f"but the {block} block redefines it as {show.whole(new)}",
                    value,
                    new,
                )
        names[name] = unify(s, a, b, span, "if") or a
    for name in sorted(then_defs.keys() & else_defs.keys()):
        if name in names:
            continue
        a, b = then_defs[name], else_defs[name]
        met = unify(s, a, b, span, "if")
        if met is None:
            s.refuse(
                "if-else-mismatch",
                f"Mismatched type for {name} between then block ({show.value_type(a)}) "
                f"and else block ({show.value_type(b)})",
                a,
                b,
            )
        names[name] = met
    return names


def ternary(s: Session, a: Value, b: Value, span: Span) -> Value:
    met = unify(s, a, b, span, "ternary")
    if met is None:
        s.refuse(
            "ternary",
            "Ternary expression with dynamic condition has inconsistent types "
            f"{show.value_type(a)} and {show.value_type(b)}",
            a,
            b,
        )
    return met


def loop(
    s: Session,
    before: dict[str, Value],
    end: dict[str, Value],
    defs: dict[str, Value],
    index: str,
    span: Span,
) -> dict[str, Value]:
    """`_find_carries`: the loop-carried variables, with the types they had before."""
    carried: dict[str, Value] = {}
    for name, live in before.items():
        new = end.get(name)
        if name == index or new is live or new is None:
            continue
        if isinstance(live, Unknown) or isinstance(new, Unknown):
            carried[name] = live if isinstance(live, Unknown) else new
            continue
        if not isinstance(live, _TRITON):
            if name in defs:
                s.refuse("loop-none", f"Loop carried variable {name} is not a triton value", new)
            continue
        carried[name] = _carry(s, name, live, new, span)
    return carried


def _carry(s: Session, name: str, live: Value, new: Value, span: Span) -> Value:
    """`_verify_loop_carried_variable`."""
    if not isinstance(new, _TRITON):
        s.refuse("loop-carried-class", f"cannot reassign constexpr {name} in the loop", live, new)
    if type(live) is not type(new):
        s.refuse(
            "loop-carried-class",
            f"Loop carried variable {name} changed type, was {show.python_class(new)} "
            f"but is now {show.python_class(live)}",
            live,
            new,
        )
    met = unify(s, live, new, span, "loop")
    if met is None and isinstance(live, Tensor):
        s.refuse(
            "loop-carried",
            f"Loop-carried variable {name} has initial type {show.value_type(live)} "
            f"but is re-assigned to {show.value_type(new)} in loop! "
            "Please make sure that the type stays consistent.",
            live,
            new,
        )
    if isinstance(live, Tensor) and isinstance(new, Tensor):
        s.facts.append(CarryFact(span, s.function, name, live, new))
    return live if met is None else met
