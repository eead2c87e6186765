"""Casts, bitcasts, and compile-time values that become tensors.

Sources: `TritonSemantic.cast`, `bitcast`, `to_tensor`, `scalar_constant`; `_sanitize_value`.
"""

from __future__ import annotations

from ..core.spans import Span
from ..semantics.triton_casts import narrows
from ..semantics.triton_errors import Refusal
from ..semantics.triton_lift import conversions
from ..semantics.triton_promotion import constant, number_type
from ..semantics.triton_targets import refusal_text, supported
from ..semantics.triton_types import BY_BIT, FP32, INT1, INT32, INT64, INTS, UINT64, members, single
from . import show
from .session import CastFact, Session
from .values import Const, Element, Library, Plain, Pointer, Shape, Symbol, Tensor, Tup, TypeOf, Unknown, Value

_SYMBOLS = {"int": INT32, "float": BY_BIT[number_type(1.5).bit].bit, "bool": INT1}  # type: ignore[union-attr]
"""What an unknown number becomes; an integer is taken to fit int32."""

_NUMBERS = INT32 | INT1 | FP32


def to_tensor(s: Session, value: Value, span: Span) -> Value:
    """`to_tensor`."""
    if isinstance(value, (Tensor, Unknown)):
        return value
    x = value.value if isinstance(value, (Const, Plain)) else value
    if isinstance(x, (bool, int, float)):
        found = number_type(x)
        if isinstance(found, Refusal):
            s.refuse(found.id, found.message, value)
        return Tensor(found.bit, (), f"literal {x}", span)
    if isinstance(x, Symbol):
        return Tensor(_SYMBOLS.get(x.kind, _NUMBERS), (), "literal", span)
    if isinstance(x, (Tensor, Unknown)):
        return x
    if isinstance(x, Library):  # what the name holds is not modelled
        s.reasons.append((f"value of {x.name}", span))
        return Unknown(x.name)
    kind = type(x).__name__
    s.refuse(
        "none-to-tensor" if x is None else "to-tensor",
        f"cannot convert {show.python(x)} of type <class '{kind}'> to tensor",
        value,
    )


def sanitised(s: Session, value: Value, span: Span) -> Value:
    """What an assignment stores: numbers become tensors, types and None lose their wrapper."""
    match value:
        case Tensor() | Unknown():
            return value
        case Tup(items=items, fields=fields):
            return Tup(tuple(_item(sanitised(s, i, span)) for i in items), fields)
        case Const(value=v) | Plain(value=v):
            if v is None or isinstance(v, TypeOf):
                return Plain(v)
            if isinstance(v, (Tensor, Tup, Unknown)):
                return v
            return to_tensor(s, value, span)
        case _:
            return value


def _item(value: Value) -> Value:
    return Const(None) if isinstance(value, Plain) and value.value is None else value


def cast(
    s: Session, x: Tensor, target: Element, *, explicit: bool, rounding: str | None = None, block: Shape = ()
) -> Element:
    """`cast`: refuses where no member has a path; the element type of the result.

    `block` is the shape that a scalar was broadcast to before, which only the message tells.
    """
    source = x.element
    if source == target and (isinstance(source, Pointer) or single(source) is not None):
        return target
    check_target(s, target)
    if rounding is not None:
        _check_rounding(s, x, target)
    if isinstance(source, Pointer) or isinstance(target, Pointer):
        _cast_pointer(s, _spread(x, block), source, target)
        if explicit and isinstance(source, Pointer) and isinstance(target, Pointer):
            s.facts.append(CastFact(s.span, s.function, x, target, True))
        return target
    some, every = conversions(source, target, False)
    if not every:
        wide = _spread(x, block)
        refusal = Refusal(
            "cast-fp8-int", f"cannot cast {show.whole(wide)} to {show.type_of(target, wide.shape)}"
        )
        if not some:
            s.refuse(refusal.id, refusal.message, x)
        s.doubt(refusal, x)
    if explicit:
        s.facts.append(CastFact(s.span, s.function, x, target, False))
    return target


def _spread(x: Tensor, block: Shape) -> Tensor:
    return Tensor(x.element, block) if x.shape == () and block else x


def _check_rounding(s: Session, x: Tensor, target: Element) -> None:
    a = None if isinstance(x.element, Pointer) else single(x.element)
    b = None if isinstance(target, Pointer) else single(target)
    if a is not None and b is not None and not narrows(a, b):
        s.refuse(
            "fp-downcast-rounding",
            "fp_downcast_rounding should be set only for truncating fp conversions. "
            f"Source scalar type is {a} and destination type is {b}",
            x,
        )


def _cast_pointer(s: Session, x: Tensor, source: Element, target: Element) -> None:
    """Pointer to 64-bit integer or int1, integer to pointer, pointer to pointer."""
    if isinstance(source, Pointer) and isinstance(target, Pointer):
        return
    other = target if isinstance(source, Pointer) else source
    allowed = INT64 | UINT64 | INT1 if isinstance(source, Pointer) else INTS
    assert isinstance(other, int)
    refusal = Refusal("cast-fp8-int", f"cannot cast {show.whole(x)} to {show.type_of(target, x.shape)}")
    if not other & allowed:
        s.refuse(refusal.id, refusal.message, x)
    if other & ~allowed:
        s.doubt(refusal, x)
    if isinstance(target, Pointer):
        s.expect(other, INT64 | UINT64, "mlir-pointer", x)


def bitcast(s: Session, x: Tensor, target: Element) -> Element:
    """`bitcast`: equal widths; a pointer on either side is a cast."""
    source = x.element
    if source == target and (isinstance(source, Pointer) or single(source) is not None):
        return target
    if isinstance(source, Pointer) or isinstance(target, Pointer):
        return cast(s, x, target, explicit=True)
    some, every = conversions(source, target, True)
    if not every:
        a, b = next(members(source)), next(members(target))
        refusal = Refusal(
            "bitcast-size", f"Cannot bitcast data-type of size {a.bits} to data-type of size {b.bits}"
        )
        if not some:
            s.refuse(refusal.id, refusal.message, x)
        s.doubt(refusal, x)
    check_target(s, target)
    s.facts.append(CastFact(s.span, s.function, x, target, True))
    return target


def check_target(s: Session, target: Element) -> None:
    """`dtype.to_ir`: the architecture must have the fp8 type."""
    types = target.target if isinstance(target, Pointer) else target
    if types and not types & supported(s.target):
        s.refuse("fp8-arch", refusal_text(types, s.target))


def scalar_constant(s: Session, value: object, target: Element) -> None:
    """`scalar_constant`: the Python value must fit the constructor of the type."""
    if isinstance(target, Pointer) or not isinstance(value, (bool, int, float)):
        return
    check_target(s, target)
    refusals = [constant(value, m, s.modern) for m in members(target)]
    first = next((r for r in refusals if r is not None), None)
    if first is not None:
        if all(refusals):
            s.refuse(first.id, first.message)
        s.doubt(first)
