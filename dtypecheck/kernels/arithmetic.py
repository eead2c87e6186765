"""Operators on kernel values: binary, unary, comparison, and the logic words.

Sources: `tensor.__add__` and its siblings, `_apply_binary_method`, `_apply_boolean_values`, `visit_Compare`.
"""

from __future__ import annotations

from ..core.spans import Span
from ..semantics.triton_errors import Refusal
from ..semantics.triton_lift import KINDS, Literal, Outcome, binary_sets
from ..semantics.triton_promotion import COMPARISONS
from ..semantics.triton_types import FLOATS, INT1, single
from . import constants, conversion, show
from .session import ConstantFact, Session
from .shapes import broadcast
from .values import Const, Element, Plain, Pointer, Symbol, Tensor, Tup, Unknown, Value

_LITERALS: dict[tuple[type, str], Literal] = {}


def side(s: Session, value: Value, attribute: str = "") -> Element | Literal:
    """What promotion sees of an operand: its element, or a Python number."""
    if type(value) is Tensor:
        return value.element
    x = value.value if isinstance(value, (Const, Plain)) else value
    if isinstance(x, (bool, int, float)):
        key = (type(x), str(x))
        found = _LITERALS.get(key)
        if found is None:
            found = _LITERALS[key] = Literal(x)
        return found
    if isinstance(x, Symbol):
        return KINDS.get(x.kind, KINDS[""])
    attribute = attribute or ("dtype" if s.modern else "type")
    kind = show.class_name(x)
    id = "literal-none" if x is None else "dtype-not-dtype"
    s.refuse(id, f"'{kind}' object has no attribute '{attribute}'", value)


def resolved(s: Session, outcome: Outcome, *values: Value) -> int:
    """The result set of a lifted rule; refuses where nothing is left."""
    refusal = outcome.refusal
    if refusal is not None:
        if not outcome.types:
            s.refuse(refusal.id, refusal.message, *values, stage=refusal.stage)
        s.doubt(refusal, *values)
    return outcome.types


def combine(s: Session, op: str, left: Value, right: Value) -> Element:
    """The element type of `left op right`; at least one is a tensor."""
    a, b = side(s, left), side(s, right)
    if type(a) is Pointer or type(b) is Pointer:
        return _pointers(s, op, a, b, left, right)
    return resolved(s, binary_sets(op, a, b, s.version), left, right)  # type: ignore[arg-type]


_ALLOWED = {"+": (True, True), "-": (True, False), "where": (True, True)}


def _pointers(
    s: Session, op: str, a: Element | Literal, b: Element | Literal, left: Value, right: Value
) -> Element:
    """`check_ptr_type_impl` on both sides, then `add`, `sub` or `where`."""
    if (op == "+" or op == "-") and type(a) is Pointer and type(b) is int and not b & FLOATS:
        return a
    allow_left, allow_right = _ALLOWED.get(op, (False, False))
    for this, other, allowed in ((a, b, allow_left), (b, a, allow_right)):
        if not isinstance(this, Pointer):
            continue
        differs = isinstance(other, Pointer) and not _alike(this, other)
        message = f"invalid operands of type {_quoted(this)} and {_quoted(other)}"
        if not allowed or differs or _floating(other):
            s.refuse("binop-ptr", message, left, right)
        if isinstance(other, int) and other & FLOATS:
            s.doubt(Refusal("binop-ptr", message), left, right)
    if isinstance(a, Pointer) and isinstance(b, Pointer):
        if op == "+":
            s.refuse("ptr-plus-ptr", "cannot add pointers together", left, right)
        return a
    if op == "where":
        s.verify("mlir-join", left, right)
    return a if isinstance(a, Pointer) else b  # type: ignore[return-value]


def _alike(a: Pointer, b: Pointer) -> bool:
    return a is b or (a.const == b.const and bool(a.target & b.target))


def _floating(x: Element | Literal) -> bool:
    if isinstance(x, Literal):
        return all(isinstance(v, float) for v in x.values)
    return isinstance(x, int) and x & ~FLOATS == 0 and x != 0


def _quoted(x: Element | Literal) -> str:
    if isinstance(x, Literal):
        found = binary_sets("+", x, x, (3, 9)) if len(x.values) == 1 else None
        return show.quoted(found.types) if found else "a number"
    return show.quoted(x)


def _no_operator(s: Session, op: str, left: Value, right: Value) -> None:
    """`**` and `@` do not exist on tensors."""
    word = "pow" if op == "**" else "matmul"
    if s.modern:
        names = [
            "tensor" if isinstance(v, Tensor) else show.class_name(getattr(v, "value", v))
            for v in (left, right)
        ]
        message = f"unsupported operand type(s) for {op}: '{names[0]}' and '{names[1]}'"
    else:
        message = f"'tensor' object has no attribute '__{'' if isinstance(left, Tensor) else 'r'}{word}__'"
    s.refuse("pow", message, left, right)


_ABSENT = frozenset(("**", "@"))
_SHIFTS = frozenset(("<<", ">>"))


def binary(s: Session, op: str, left: Value, right: Value, span: Span) -> Value:
    """`left op right`."""
    s.span = span
    if type(left) is Tensor and type(right) is Tensor and op not in _ABSENT:
        element = combine(s, op, left, right)
        shape = (
            left.shape if left.shape == right.shape else broadcast(s, left.shape, right.shape, left, right)
        )
        return Tensor(element, shape, op, span, (left, right))
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return left if isinstance(left, Unknown) else right
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        if op in _ABSENT:
            _no_operator(s, op, left, right)
        if op in _SHIFTS and isinstance(right, Const) and not isinstance(right.value, (int, float, Symbol)):
            kind = show.class_name(right.value)
            s.refuse("const-pyop", f"'>=' not supported between instances of '{kind}' and 'int'", left, right)
        if op in COMPARISONS and not s.modern:
            left, right = conversion.to_tensor(s, left, span), conversion.to_tensor(s, right, span)
        element = combine(s, op, left, right)
        shape = broadcast(s, shape_of(left), shape_of(right), left, right)
        result = Tensor(element, shape, op, span, tensors(left, right))
        _note(s, op, left, right, result)
        return result
    if isinstance(left, Tup) or isinstance(right, Tup):
        return _tuples(s, op, left, right)
    if isinstance(left, (Const, Plain)) and isinstance(right, (Const, Plain)):
        return constants.binary(s, op, left.value, right.value)
    return Unknown("operator")


def _note(s: Session, op: str, left: Value, right: Value, result: Tensor) -> None:
    """Remembers the compile-time side, if there is one."""
    value, other = (left, right) if isinstance(left, Tensor) else (right, left)
    if isinstance(value, Tensor) and isinstance(other, (Const, Plain)):
        s.facts.append(ConstantFact(s.span, s.function, op, value, other.value, result))


def _tuples(s: Session, op: str, left: Value, right: Value) -> Value:
    if op == "+" and isinstance(left, Tup) and isinstance(right, Tup):
        return Tup(left.items + right.items)
    if op == "*" and isinstance(left, Tup) and isinstance(right, Const):
        if isinstance(right.value, int) and right.value < 64:
            return Tup(left.items * right.value)
    if op in ("==", "!=") and isinstance(left, Tup) and isinstance(right, Tup):
        return _tuple_equality(s, op, left, right)
    return Unknown("tuple operator")


def _tuple_equality(s: Session, op: str, left: Tup, right: Tup) -> Value:
    values: list[object] = []
    for a, b in zip(left.items, right.items):
        if not isinstance(a, Const) or not isinstance(b, Const):
            return Unknown("tuple operator")
        values.append(constants.binary(s, "==", a.value, b.value).value)
    equal: object = len(left.items) == len(right.items) and not any(v is False for v in values)
    unknown = next((v for v in values if isinstance(v, Symbol)), None)
    if equal and unknown is not None:
        equal = unknown
    return Const(equal if op == "==" else constants.negated(equal))


def shape_of(value: Value) -> tuple[int | None, ...] | None:
    return value.shape if isinstance(value, Tensor) else ()


def tensors(*values: Value) -> tuple[Tensor, ...]:
    return tuple(v for v in values if isinstance(v, Tensor))


def unary(s: Session, op: str, value: Value, span: Span) -> Value:
    """`-x`, `~x`, `+x`, `not x`."""
    s.span = span
    match value:
        case Tensor():
            return _unary_tensor(s, op, value, span)
        case Const(value=v) | Plain(value=v):
            return _unary_constant(s, op, v)
        case Tup(items=items) if op == "not":
            return Const(not items)
        case Unknown():
            return value
    return Unknown("operator")


def _unary_tensor(s: Session, op: str, x: Tensor, span: Span) -> Value:
    e = x.element
    if op == "+":
        message = "AST unary operator '__pos__' is not (currently) implemented on type tensor"
        s.refuse(
            "unary-unsupported", message if s.modern else "'tensor' object has no attribute '__pos__'", x
        )
    if op == "not":
        logical_operand(s, x)
        return Tensor(INT1, x.shape, op, span, (x,))
    if isinstance(e, Pointer) or (op == "~" and e & ~FLOATS == 0):
        word = "minus" if op == "-" else "invert"
        s.refuse(f"unary-{word}", f"wrong type argument to unary {word} ({show.quoted(e)})", x)
    if op == "~" and e & FLOATS:
        s.doubt(
            Refusal("unary-invert", f"wrong type argument to unary invert ({show.quoted(e & FLOATS)})"), x
        )
        e &= ~FLOATS
    return Tensor(e, x.shape, op, span, (x,))


def _unary_constant(s: Session, op: str, v: object) -> Value:
    if op == "not":
        return Const(constants.negated(v))
    if isinstance(v, Symbol):
        return Const(Symbol((op, v.key), v.kind))
    try:
        if isinstance(v, (int, float)):
            return Const(-v if op == "-" else +v if op == "+" else ~v)  # type: ignore[operator]
    except TypeError as error:
        s.refuse("const-pyop", str(error))
    s.refuse("const-pyop", f"bad operand type for unary {op}: '{type(v).__name__}'")


def logical_operand(s: Session, x: Tensor) -> None:
    """`logical_and`, `logical_or`, `not_`: bitcast to int1, which takes int1 and pointers alone."""
    if isinstance(x.element, Pointer):
        return
    if x.element & INT1:
        if x.element != INT1:
            s.doubt(Refusal("logic-size", "Cannot bitcast data-type of size 32 to data-type of size 1"), x)
        return
    wide = single(x.element)
    bits = wide.bits if wide else "32"
    s.refuse("logic-size", f"Cannot bitcast data-type of size {bits} to data-type of size 1", x)


def logic(s: Session, op: str, left: Value, right: Value, span: Span) -> Value:
    """`and`, `or` where the left side is a run-time value: a compile-time right side drops out or decides."""
    s.span = span
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return left if isinstance(left, Unknown) else right
    if not isinstance(right, Tensor):
        truth = (
            bool(right.items) if isinstance(right, Tup) else constants.truth(s, getattr(right, "value", True))
        )
        return right if truth is (op == "or") else left
    if not isinstance(left, Tensor):
        return right
    logical_operand(s, left)
    logical_operand(s, right)
    return Tensor(INT1, broadcast(s, left.shape, right.shape, left, right), op, span, (left, right))


def compare(s: Session, op: str, left: Value, right: Value, span: Span) -> Value:
    """One comparison. `is` compares what is inside constexprs."""
    s.span = span
    if op in ("is", "is not"):
        return _identity(op, left, right)
    if op not in COMPARISONS:
        name = {"in": "In", "not in": "NotIn"}.get(op, op)
        message = f"AST comparison operator '{name}' is not (currently) implemented."
        s.refuse(
            "compare-unsupported",
            message if s.modern else f"'{name}' object has no attribute '__name__'",
            left,
            right,
        )
    return binary(s, op, left, right, span)


def _identity(op: str, left: Value, right: Value) -> Value:
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return left if isinstance(left, Unknown) else right
    a = left.value if isinstance(left, (Const, Plain)) else left
    b = right.value if isinstance(right, (Const, Plain)) else right
    if isinstance(a, Symbol) or isinstance(b, Symbol):
        found = constants.symbolic("==", a, b)
    elif isinstance(a, (int, float, str)) and isinstance(b, (int, float, str)):
        found = type(a) is type(b) and a == b
    else:
        found = a is b
    return Const(found if op == "is" else constants.negated(found))
