"""Operations on compile-time values, loop ranges, hints without a result, and escapes (inline assembly)."""

from __future__ import annotations

from types import NoneType

from ..core.spans import Span
from ..semantics.triton_ops import Op
from ..semantics.triton_types import INT1
from . import apply_shape, constants, conversion, show
from .session import REMOVED, Session
from .shapes import broadcast
from .values import (
    Const,
    Function,
    Plain,
    Range,
    Symbol,
    Tensor,
    Tup,
    TypeOf,
    Unknown,
    Value,
    is_none,
    pointer,
)


def nothing(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    return Const(None)


def static_assert(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    """`execute_static_assert`; an unknown condition is assumed to hold."""
    cond = a["cond"]
    v = cond.value if isinstance(cond, (Const, Plain)) else cond
    if isinstance(v, Symbol):
        negated, key = False, v.key
        while key[0] == "not" and isinstance(key[1], Symbol):
            negated, key = not negated, key[1].key
        if s.decisions.setdefault(key, not negated) is negated:
            s.refuse("static-assert", "")
    elif not isinstance(v, (bool, Unknown)):
        s.refuse(
            "static-assert",
            "Assertion condition could not be determined at compile-time. "
            "Make sure that it depends only on `constexpr` values",
            cond,
        )
    elif v is False:
        message = a["msg"]
        s.refuse("static-assert", show.python(message.value) if isinstance(message, (Const, Plain)) else "")
    return Const(None)


def device_assert(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    conversion.to_tensor(s, a["cond"], span)
    return Const(None)


def assume(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    cond = conversion.to_tensor(s, a["cond"], span)
    if isinstance(cond, Tensor):
        s.expect(cond.element, INT1, "mlir-assume", cond)
    return Const(None)


def loop_range(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    """`range`, `tl.range`, `tl.static_range`."""
    from .calls import is_left_out

    first, second, step = a["arg1"], a["arg2"], a["step"]
    static, alone = bool(op.detail), is_left_out(op, "arg2", second)
    bounds = (Const(0), first) if alone else (first, second)
    step = Const(1) if is_left_out(op, "step", step) else step
    if is_none(step):
        s.refuse("const-pyop", "'<' not supported between instances of 'NoneType' and 'int'", step)
    words = ("start", "start", "step") if alone else ("start", "end", "step")
    for value, word in zip((*bounds, step), words):
        if isinstance(value, Unknown):
            return value
        if static and not isinstance(value, Const):
            s.refuse(
                "static-range",
                f"{show.whole(value)} used as tl.static_range {word} value is not a constexpr",
                value,
            )
        if static and isinstance(value, Const) and isinstance(value.value, (float, NoneType)):
            kind = type(value.value).__name__
            s.refuse("slice-int", f"'{kind}' object cannot be interpreted as an integer", value)
    return Range((*bounds, step), static)


def constexpr(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    v = a["value"]
    return (
        Const(v.value)
        if isinstance(v, (Const, Plain))
        else v
        if isinstance(v, (Tup, Function))
        else Unknown("constexpr")
    )


def pointer_type(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    element = apply_shape.type_argument(s, a["element_ty"])
    if not isinstance(element, int):
        return Unknown("pointer to pointer")
    flag = a["const"]
    return Plain(TypeOf(pointer(element, isinstance(flag, Const) and flag.value is True)))


def block_type(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    element = apply_shape.type_argument(s, a["element_ty"])
    return (
        Unknown("dtype argument")
        if element is None
        else Plain(TypeOf(element, apply_shape.dimensions(s, a["shape"])))
    )


def make_tuple(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    v = a["args"]
    return v if isinstance(v, Tup) else Unknown("tuple of a value")


def number(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    """`int()`, `float()`: compile-time values only."""
    x = a["x"]
    if isinstance(x, (Const, Plain)):
        v = x.value
        kind = op.detail
        assert kind in (int, float)
        if isinstance(v, Symbol):
            return Const(Symbol((op.name, v.key), op.name))
        if isinstance(v, (bool, int, float, str)):
            try:
                return Const(int(v) if kind is int else float(v))
            except (ValueError, OverflowError) as error:
                s.refuse("const-pyop", str(error))
    bytes_too = ", a bytes-like object" if op.detail is int else ""
    message = f"{op.name}() argument must be a string{bytes_too} or a real number, not 'tensor'"
    s.refuse("int-of-tensor", message, x)


def length(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x = a["x"]
    match x:
        case Tup(items=items):
            return Const(len(items))
        case Const(value=str(text)) | Plain(value=str(text)):
            return Const(len(text))
        case Tensor():
            s.refuse("tuple-len", "object of type 'tensor' has no len()", x)
        case Const(value=int() | float() | None as number):
            s.refuse("tuple-len", f"object of type '{show.class_name(number)}' has no len()", x)
    return Unknown("len of a value")


def is_instance(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    return Unknown("isinstance")


def constexpr_function(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    """`triton.cdiv`, `triton.next_power_of_2` on compile-time values."""
    values = [v.value if isinstance(v, (Const, Plain)) else v for v in a.values()]
    if any(isinstance(v, Symbol) for v in values):
        return Const(Symbol((op.name, *(str(v) for v in values)), "int"))
    if not all(isinstance(v, int) for v in values):
        return Unknown(f"{op.name} of a value")
    if op.detail == "next_power_of_2":
        n = values[0]
        assert isinstance(n, int)
        return Const(1 << (n - 1).bit_length() if n > 0 else 0)
    if op.detail == "log2":
        return Const(max(int(values[0]).bit_length() - 1, 0))  # type: ignore[call-overload]
    x, y = values
    up = constants.binary(s, "+", x, constants.binary(s, "-", y, 1).value)
    return constants.binary(s, "//", up.value, y)


def on_cuda(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    return Const(s.target.startswith("cuda"))


def on_hip(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    return Const(s.target.startswith("hip"))


def assembly(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    """`inline_asm_elementwise`: what its `dtype` says, of the operands' common shape."""
    given = a["args"]
    shape: tuple[int | None, ...] | None = ()
    inputs: list[Tensor] = []
    for item in given.items if isinstance(given, Tup) else ():
        t = conversion.to_tensor(s, item, span)
        if isinstance(t, Tensor):
            shape = broadcast(s, shape, t.shape, t)
            inputs.append(t)
        else:
            shape = None
    wanted = a["dtype"]
    if isinstance(wanted, Tup):
        made = [_element(s, w, shape, span, tuple(inputs)) for w in wanted.items]
        return Tup(tuple(made))
    return _element(s, wanted, shape, span, tuple(inputs))


def _element(
    s: Session, wanted: Value, shape: tuple[int | None, ...] | None, span: Span, inputs: tuple[Tensor, ...]
) -> Value:
    element = apply_shape.type_argument(s, wanted)
    return Unknown("dtype argument") if element is None else Tensor(element, shape, "asm", span, inputs)


def mapped(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    """`map_elementwise`: the function on scalars, its results as blocks."""
    from .calls import dispatch

    args = a["args"].items if isinstance(a["args"], Tup) else ()
    pack = a["pack"]
    if not all(isinstance(x, Tensor) for x in args) or not isinstance(pack, Const) or pack.value != 1:
        return Unknown("map_elementwise")
    shape: tuple[int | None, ...] | None = ()
    scalars: list[Value] = []
    for x in args:
        assert isinstance(x, Tensor)
        shape = broadcast(s, shape, x.shape, x)
        scalars.append(Tensor(x.element, (), "map", span, (x,)))
    found = dispatch(s, a["scalar_fn"], scalars, {}, span)
    if isinstance(found, Tensor):
        return Tensor(found.element, shape, "map", span, (found,))
    if isinstance(found, Tup) and all(isinstance(i, Tensor) for i in found.items):
        return Tup(
            tuple(Tensor(i.element, shape, "map", span, (i,)) for i in found.items if isinstance(i, Tensor))
        )
    return Unknown("map_elementwise")


def removed(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    """Block pointers have been removed in 3.9: not a fault of types, and not decided."""
    return Unknown(REMOVED)


RULES = {
    "nothing": nothing,
    "static_assert": static_assert,
    "device_assert": device_assert,
    "assume": assume,
    "range": loop_range,
    "constexpr": constexpr,
    "pointer_type": pointer_type,
    "block_type": block_type,
    "tuple": make_tuple,
    "number": number,
    "len": length,
    "isinstance": is_instance,
    "constexpr_function": constexpr_function,
    "is_cuda": on_cuda,
    "is_hip": on_hip,
    "asm": assembly,
    "map": mapped,
    "removed": removed,
}
