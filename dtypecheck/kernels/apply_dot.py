"""Matrix products (`TritonSemantic.dot`, `dot_scaled`)."""

from __future__ import annotations

from itertools import product

from ..core.spans import Span
from ..semantics.triton_errors import Refusal
from ..semantics.triton_lift import gather
from ..semantics.triton_ops import Op
from ..semantics.triton_types import BY_NAME, FP8, Scalar, bits_of, members
from . import show
from .apply_shape import integer, type_argument
from .session import DotFact, Session
from .shapes import same
from .values import Const, Plain, Pointer, Shape, Tensor, Unknown, Value, is_none

_OPERANDS = frozenset(BY_NAME[n] for n in ("int8", "uint8", "fp16", "bf16", "fp32", "fp64"))
_BF16, _FP16, _FP32, _FP64, _INT32 = (BY_NAME[n] for n in ("bf16", "fp16", "fp32", "fp64", "int32"))


def product_type(lhs: Scalar, rhs: Scalar, out: Scalar) -> Scalar | Refusal:
    """The result of `dot` for one pair of operand types and an output type."""
    if not (lhs.fp8 and rhs.fp8):
        for word, t in (("lhs", lhs), ("rhs", rhs)):
            if t not in _OPERANDS:
                return Refusal("dot-lhs", f"Unsupported {word} dtype {t}")
        if lhs is not rhs:
            return Refusal("dot-same", f"Both operands must be same dtype. Got {lhs} and {rhs}")
    if not lhs.floating:
        return _INT32 if lhs.name == "int8" else Refusal("dot-int8", "only int8 supported!")
    if out is _BF16:
        return Refusal(
            "dot-bf16-out",
            "out_dtype=bfloat16 is unsupported. Please use out_dtype=float32/float16 "
            "and cast with `.to(tl.bfloat16)`",
        )
    if lhs is _FP32 or lhs is _BF16:
        return _FP32
    return _FP64 if lhs is _FP64 else out


def dot(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x, y, acc = a["input"], a["other"], a["acc"]
    if not isinstance(x, Tensor) or not isinstance(y, Tensor):
        return Unknown("dot of a value")
    if isinstance(x.element, Pointer) or isinstance(y.element, Pointer):
        s.refuse("dot-lhs", f"Unsupported lhs dtype {show.element(x.element)}", x, y)
    shape = _shape(s, x, y)
    accumulator = acc if isinstance(acc, Tensor) and not is_none(acc) else None
    out = _out(s, a["out_dtype"], accumulator)
    if out is None:
        return Unknown("dtype argument")
    choices = product(members(x.element), members(y.element), members(out))
    outcome = gather(product_type(p, q, r) for p, q, r in choices)
    if outcome.refusal is not None:
        if not outcome.types:
            s.refuse(outcome.refusal.id, outcome.refusal.message, x, y)
        s.doubt(outcome.refusal, x, y)
    precision = a["input_precision"]
    if isinstance(precision, Const) and isinstance(precision.value, int):
        s.refuse(
            "dot-precision", f"'{type(precision.value).__name__}' object has no attribute 'lower'", precision
        )
    _depth(s, x, y)
    if accumulator is not None:
        _check_accumulator(s, accumulator, shape, out)
    said = next((a[n] for n in ("input_precision", "allow_tf32") if not is_none(a[n])), None)
    s.facts.append(DotFact(span, s.function, x, y, said))
    inputs = (x, y) if accumulator is None else (x, y, accumulator)
    return Tensor(outcome.types, shape, "dot", span, inputs)


def _out(s: Session, given: Value, acc: Tensor | None) -> int | None:
    """The output type: named, else (3.9) the accumulator's, else fp32."""
    if is_none(given):
        if s.modern and acc is not None and isinstance(acc.element, int):
            return acc.element
        return _FP32.bit
    named = type_argument(s, given)
    return named if isinstance(named, int) else None


def _shape(s: Session, x: Tensor, y: Tensor) -> Shape:
    if x.shape is None or y.shape is None:
        return None
    if x.shape == () or y.shape == ():
        s.refuse("dot-shape", "dot operands must be block tensors (not scalars)", x, y)
    if len(x.shape) != len(y.shape) or len(x.shape) < 2:
        s.refuse(
            "dot-shape", f"Both inputs must be either 2D or 3D; (lhs: {x.shape} vs rhs: {y.shape})", x, y
        )
    inner = (x.shape[-1], y.shape[-2])
    if None not in inner and inner[0] != inner[1]:
        s.refuse("dot-shape", "input and other must have equal reduction dimensions", x, y)
    return (*x.shape[:-1], y.shape[-1])


_MINIMUM = {8: 32, 16: 16, 32: 8, 64: 4}


def _depth(s: Session, x: Tensor, y: Tensor) -> None:
    """`min_dot_size` of NVIDIA: the reduced dimension has a lower bound."""
    assert isinstance(x.element, int)
    inner = x.shape[-1] if x.shape else None
    bits = {m.bits for m in members(x.element)}
    least = min((_MINIMUM.get(b, 16) for b in bits), default=1)
    if inner is not None and s.target.startswith("cuda") and inner < least and len(bits) == 1:
        s.refuse("dot-shape", f"Input shapes should have M >= 1, N >= 1 and K >= {least}", x, y)


def _check_accumulator(s: Session, acc: Tensor, shape: Shape, out: int) -> None:
    if not same(acc.shape, shape):
        s.refuse("dot-shape", f"expected accumulator shape {shape}, got {acc.shape}", acc)
    if isinstance(acc.element, int) and acc.element & out:
        return
    have, want = show.element(acc.element), show.element(out)
    if not s.modern:
        s.refuse("dot-acc-assert", "", acc)
    message = (
        f"expected accumulator dtype {want}, got {have}; pass out_dtype={have} to use this accumulator dtype"
    )
    s.refuse("dot-acc", message, acc)


_FORMATS = {
    "e5m2": ("fp8e5", "uint8"),
    "e4m3": ("fp8e4nv", "uint8"),
    "bf16": ("bf16", "uint16"),
    "fp16": ("fp16", "uint16"),
}


def dot_scaled(s: Session, op: Op, a: dict[str, Value], span: Span) -> Value:
    x, y = a["lhs"], a["rhs"]
    if not isinstance(x, Tensor) or not isinstance(y, Tensor):
        return Unknown("dot_scaled of a value")
    for operand, word in ((x, "lhs_format"), (y, "rhs_format")):
        form = a[word].value if isinstance(a[word], (Const, Plain)) else None  # type: ignore[union-attr]
        if not isinstance(form, str):
            return Unknown("format of dot_scaled")
        _format(s, operand, form)
    for word in ("lhs_scale", "rhs_scale"):
        scale = a[word]
        if isinstance(scale, Tensor) and isinstance(scale.element, int):
            if not scale.element & (FP8 | bits_of("int8", "uint8")):
                s.verify("scale-dtype", scale)
    out = BY_NAME["fp32"].bit if is_none(a["out_dtype"]) else type_argument(s, a["out_dtype"])
    rows = x.shape[-2] if x.shape else None
    columns = y.shape[-1] if y.shape else None
    packed = [integer(a[k]) for k in ("lhs_k_pack", "rhs_k_pack")]
    shape = (rows, columns) if packed == [1, 1] or packed == [True, True] else (None, None)
    return Tensor(out if out is not None else BY_NAME["fp32"].bit, shape, "dot_scaled", span, (x, y))


def _format(s: Session, x: Tensor, form: str) -> None:
    """`_bitcast_to_fp_type`."""
    found = show.element(x.element)
    if form == "e2m1":
        if not isinstance(x.element, int) or not x.element & bits_of("uint8"):
            s.refuse("ds-e2m1", f"e2m1 format must be packed as uint8. Got {found}", x)
        return
    if form not in _FORMATS:
        s.refuse("ds-format", f"Invalid float format: {form}.")
    if not isinstance(x.element, int) or not x.element & bits_of(*_FORMATS[form]):
        s.refuse("ds-fmt", f"Unexpected dtype for {form}. Got {found}", x)


RULES = {"dot": dot, "dot_scaled": dot_scaled}
