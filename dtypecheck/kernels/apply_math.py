"""Element-wise functions (`language.math`, `TritonSemantic.minimum`, `where`, `libdevice`, builtin min
and max)."""

from __future__ import annotations

from itertools import product

from ..core.spans import Span
from ..semantics.triton_errors import Refusal
from ..semantics.triton_libdevice import BOOLEAN, signatures
from ..semantics.triton_lift import Literal, ternary_sets
from ..semantics.triton_ops import Op
from ..semantics.triton_types import BY_NAME, FLOATS, FP32, INT1, INTS, members
from . import arithmetic, conversion, show
from .session import SelectFact, Session
from .shapes import broadcast
from .values import Const, Plain, Pointer, Symbol, Tensor, Tup, Unknown, Value


def check_dtype(s: Session, values: list[Value], accepted: int) -> None:
    """`_check_dtype`: tensors only."""
    for v in values:
        if not isinstance(v, Tensor):
            continue
        inside = v.element & accepted if isinstance(v.element, int) else 0
        if inside == v.element:
            continue
        names = [m.name for m in members(accepted)]
        found = show.element(v.element if isinstance(v.element, Pointer) else v.element & ~accepted)
        refusal = Refusal("math-dtype", f"Expected dtype {_order(names)} but got {found}")
        if not inside:
            s.refuse(refusal.id, refusal.message, v)
        s.doubt(refusal, v)


def _order(names: list[str]) -> list[str]:
    """The order in which Triton lists them."""
    return sorted(names, key=lambda n: (n[0] == "u", int(n.lstrip("uintfp"))))


def math(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x = a["x"]
    accepted = op.detail
    assert isinstance(accepted, int)
    check_dtype(s, [x], accepted)
    t = conversion.to_tensor(s, x, span)
    if not isinstance(t, Tensor):
        return t
    if not isinstance(x, Tensor):
        s.expect(t.element, FLOATS, "mlir-math", t)
    element = t.element & accepted if isinstance(x, Tensor) and isinstance(t.element, int) else t.element
    return Tensor(element, t.shape, op.name, span, (t,))


def absolute(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    t = conversion.to_tensor(s, a["x"], span)
    if isinstance(t, Tensor) and isinstance(t.element, Pointer):
        s.refuse("minmax-dtype", f"Unexpected dtype {show.element(t.element)}", t)
    return Tensor(t.element, t.shape, "abs", span, (t,)) if isinstance(t, Tensor) else t


def promoted(s: Session, word: str, x: Value, y: Value, span: Span) -> Value:
    """The common type of two operands under one of the binary rules."""
    s.span = span
    if not s.modern and word != "where":
        x, y = conversion.to_tensor(s, x, span), conversion.to_tensor(s, y, span)
    if isinstance(x, Unknown) or isinstance(y, Unknown):
        return x if isinstance(x, Unknown) else y
    element = arithmetic.combine(s, word, x, y)
    shape = broadcast(s, arithmetic.shape_of(x), arithmetic.shape_of(y), x, y)
    return Tensor(element, shape, word, span, arithmetic.tensors(x, y))


def extreme(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    return promoted(s, op.name.rpartition(".")[2], a["x"], a["y"], span)


def builtin_extreme(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    """`builtin_min`, `builtin_max`: Python's on numbers, else pairwise `minimum`, `maximum`."""
    args = a["args"].items if isinstance(a["args"], Tup) else ()
    if any(isinstance(x, Unknown) for x in args):
        return next(x for x in args if isinstance(x, Unknown))
    if not args:
        s.refuse("call-arity", f"{op.name} expected at least 1 argument, got 0")
    if all(not isinstance(x, Tensor) for x in args):
        values = [x.value for x in args if isinstance(x, (Const, Plain))]
        if len(values) != len(args) or any(isinstance(v, Symbol) for v in values):
            keys = tuple(str(v) for v in values)
            kinds = {v.kind if isinstance(v, Symbol) else type(v).__name__ for v in values}
            return Const(Symbol((op.name, keys), kinds.pop() if len(kinds) == 1 else ""))
        if None in values:
            s.refuse("const-pyop", "must be real number, not NoneType")
        try:
            return Const((min if op.name == "min" else max)(values))  # type: ignore[type-var]
        except TypeError as error:
            s.refuse("const-pyop", str(error))
    if len(args) < 2:
        s.refuse("min-arity", "min requires at least 2 values", *args)
    found = args[0]
    for other in args[1:]:
        found = promoted(s, str(op.detail), found, other, span)
    return found


def _sides(s: Session, values: list[Value]) -> tuple[int | Literal, ...]:
    sides = []
    for v in values:
        side = arithmetic.side(s, v)
        if isinstance(side, Pointer):
            other = next((x for x in values if x is not v), v)
            first, second = show.quoted(side), show.whole(other)
            s.refuse("binop-ptr", f"invalid operands of type {first} and {second}", *values)
        sides.append(side)
    return tuple(sides)


def _three(s: Session, values: list[Value], word: str, span: Span) -> Value:
    """`ternary_op_type_checking_impl`."""
    outcome = ternary_sets(_sides(s, values), s.version)
    element = arithmetic.resolved(s, outcome, *values)
    shape = arithmetic.shape_of(values[0])
    for v in values[1:]:
        shape = broadcast(s, shape, arithmetic.shape_of(v), *values)
    return Tensor(element, shape, word, span, arithmetic.tensors(*values))


def clamp(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    values = [a["x"], a["min"], a["max"]]
    if s.modern:
        return _three(s, values, "clamp", span)
    tensors = [conversion.to_tensor(s, v, span) for v in values]
    if any(isinstance(t, Unknown) for t in tensors):
        return next(t for t in tensors if isinstance(t, Unknown))
    # 3.6: min and max join, then x joins each of them; floats only.
    _sides(s, tensors)
    low = promoted(s, "minimum", tensors[1], tensors[2], span)
    found = promoted(s, "minimum", tensors[0], low, span)
    assert isinstance(found, Tensor) and isinstance(found.element, int)
    if not found.element & FLOATS:
        message = f"Unexpected dtype {show.element(found.element)}. Only floating point clamp is supported"
        s.refuse("clamp-36", message, *values)
    return found


def fma(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    values = [a["x"], a["y"], a["z"]]
    if s.modern:
        found = _three(s, values, "fma", span)
    else:
        first = promoted(s, "+", values[0], values[1], span)
        second = promoted(s, "+", first, values[2], span)
        found = promoted(s, "+", first, second, span)
    if isinstance(found, Tensor):
        s.expect(found.element, FLOATS, "mlir-fma", *values)
    return found


def checked(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    """`umulhi`, `div_rn`: a check of tensor types, then the binary promotion."""
    assert isinstance(op.detail, tuple)
    word, accepted = op.detail
    check_dtype(s, [a["x"], a["y"]], accepted)
    found = promoted(s, "+", a["x"], a["y"], span)
    kind = FLOATS if word == "div_rn" else INTS
    if isinstance(found, Tensor):
        s.expect(found.element, kind, "mlir-math", found)
    return found


def fdiv(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    found = promoted(s, "fdiv", a["x"], a["y"], span)
    approx = a["approx"]
    if not isinstance(found, Tensor) or not isinstance(found.element, int):
        return found
    if not s.modern:
        other = conversion.to_tensor(s, a["y"], span)
        if isinstance(other, Tensor) and isinstance(other.element, int):
            s.expect(found.element, other.element, "fdiv", found, other)
    elif isinstance(approx, Const) and approx.value is True:
        s.require(found.element, FP32, "fdiv-approx", "approx division requires float32 operands", found)
    return found


def operator(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    return promoted(s, str(op.detail), a["x"], a["y"], span)


def cdiv(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    """`(x + (div - 1)) // div`."""
    div = a["div"]
    less = arithmetic.binary(s, "-", div, Const(1), span)
    found = arithmetic.binary(s, "//", arithmetic.binary(s, "+", a["x"], less, span), div, span)
    if isinstance(found, Const):
        if isinstance(found.value, float) and found.value != found.value and s.modern:
            s.refuse("cdiv-nan", "Return type mismatch constexpr_type[nan] and constexpr_type[nan]")
        return found if s.modern else conversion.to_tensor(s, found, span)
    return found


def swizzle(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    def do(word: str, x: Value, y: Value) -> Value:
        return arithmetic.binary(s, word, x, y, span)

    i, j, size_i, size_j, size_g = (a[n] for n in ("i", "j", "size_i", "size_j", "size_g"))
    ij = do("+", do("*", i, size_j), j)
    size_gj = do("*", size_g, size_j)
    off_i = do("*", do("//", ij, size_gj), size_g)
    group = promoted(s, "minimum", do("-", size_i, off_i), size_g, span)
    ij = do("%", ij, size_gj)
    return Tup((do("+", off_i, do("%", ij, group)), do("//", ij, group)))


def where(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    condition = conversion.to_tensor(s, a["condition"], span)
    if not isinstance(condition, Tensor):
        return condition
    s.span = span
    x, y = a["x"], a["y"]
    conversion.cast(s, condition, INT1, explicit=False)
    found = promoted(s, "where", x, y, span)
    if isinstance(found, Tensor):
        shape = broadcast(s, condition.shape, found.shape, condition, found)
        result = Tensor(found.element, shape, "where", span, found.inputs or arithmetic.tensors(x, y))
        s.facts.append(SelectFact(span, s.function, condition, result))
        return result
    return found


def sigmoid(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    """`1 / (1 + exp(-x))`."""
    from .apply import RULES

    negated = arithmetic.unary(s, "-", a["x"], span)
    e = RULES["math"](s, _EXP, {"x": negated}, span)
    return arithmetic.binary(s, "/", Const(1), arithmetic.binary(s, "+", Const(1), e, span), span)


_EXP = Op("tl.exp", (), "math", BY_NAME["fp32"].bit | BY_NAME["fp64"].bit)


def libdevice(s: Session, name: str, args: list[Value], span: Span) -> Value:
    """`extern_elementwise`: the tuple of argument types is looked up; nothing is converted."""
    table = signatures(name, s.target)
    s.span = span
    if table is None and not s.target.startswith("cuda"):
        return Unknown(f"function libdevice.{name}")
    if table is None:
        s.refuse("tl-attr", f"module 'triton.language.extra.cuda.libdevice' has no attribute '{name}'")
    tensors = [conversion.to_tensor(s, v, span) for v in args]
    unknown = next((t for t in tensors if isinstance(t, Unknown)), None)
    if unknown is not None:
        return unknown
    if len(tensors) != len(next(iter(table))):
        s.refuse("call-arity", f"{name}() takes {len(next(iter(table)))} positional arguments")
    shape: tuple[int | None, ...] | None = ()
    choices: list[list[str]] = []
    for t in tensors:
        assert isinstance(t, Tensor)
        shape = broadcast(s, shape, t.shape, *tensors)
        names = (
            [show.element(t.element)]
            if isinstance(t.element, Pointer)
            else [m.name for m in members(t.element)]
        )
        choices.append(names)
    found = 0
    missed: tuple[str, ...] = ()
    for combination in product(*choices):
        result = table.get(combination)
        if result is None:
            missed = missed or combination
        else:
            found |= BY_NAME["int1" if name in BOOLEAN else result].bit
    if missed:
        quoted = ", ".join(repr(BY_NAME[m]) if m in BY_NAME else m for m in missed)
        refusal = Refusal("libdevice", f"({quoted})")
        if not found:
            s.refuse(refusal.id, refusal.message, *tensors)
        s.doubt(refusal, *tensors)
    return Tensor(found, shape, f"libdevice.{name}", span, arithmetic.tensors(*tensors))


def logical(s: Session, name: str, owner: Tensor, args: list[Value], span: Span) -> Value:
    """`x.logical_and(y)`."""
    s.span = span
    other = conversion.to_tensor(s, args[0], span) if args else Unknown("arguments")
    if not isinstance(other, Tensor):
        return other
    return arithmetic.logic(s, "and" if name == "logical_and" else "or", owner, other, span)


RULES = {
    "math": math,
    "abs": absolute,
    "extreme": extreme,
    "builtin_extreme": builtin_extreme,
    "clamp": clamp,
    "fma": fma,
    "checked": checked,
    "fdiv": fdiv,
    "operator": operator,
    "cdiv": cdiv,
    "swizzle": swizzle,
    "where": where,
    "sigmoid": sigmoid,
}
