"""Our verdict beside Triton's for one kernel and signature."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dtypecheck.core import ir
from dtypecheck.kernels import apply
from dtypecheck.kernels.show import element
from dtypecheck.kernels.typing import Accepted, KernelTyping, Rejected, type_kernel
from dtypecheck.kernels.values import (
    Const,
    ConstexprType,
    DescriptorType,
    KernelType,
    Plain,
    PointerType,
    ScalarType,
    Tensor,
    Tup,
    TupleType,
    TypeOf,
)  # fmt: skip
from dtypecheck.semantics import triton_ops
from dtypecheck.semantics.triton_ops import Op
from dtypecheck.semantics.triton_types import SIGNATURE

RECORDED: list[object] = []


def install_record() -> None:
    """`record(x)` in test kernels notes the type of `x`, on both sides."""
    for version in ((3, 6), (3, 9)):
        operations = triton_ops.operations(version)
        operations["record"] = Op("record", (("x", triton_ops.REQUIRED),), "record", names=frozenset("x"))
    apply.RULES["record"] = _record


def _record(s, op, bound, span):
    RECORDED.append(described(bound["x"]))
    return Const(None)


def described(x: object) -> object:
    match x:
        case Tensor(element=e, shape=shape):
            dims = [] if shape is None else list(shape)
            return element(e) + (str(dims) if dims else "")
        case Const(value=v):
            return f"constexpr {v!r}"
        case Tup(items=items):
            return [described(i) for i in items]
        case Plain(value=v):
            return "dtype" if isinstance(v, TypeOf) else type(v).__name__
    return type(x).__name__


def parameter(text: str, constant: object = None) -> KernelType:
    """A signature string to a kernel type."""
    if text == "constexpr":
        return ConstexprType(_python(constant))
    if isinstance(text, tuple):
        return TupleType(tuple(parameter(t) for t in text))
    if text.startswith("tensordesc<"):
        name, _, dims = text[11:-1].partition("[")
        return DescriptorType(SIGNATURE[name].bit, tuple(int(d) for d in dims.rstrip("]").split(",")))
    if text.startswith("*k"):
        return PointerType(SIGNATURE[text[2:]].bit, True)
    if text.startswith("*"):
        return PointerType(SIGNATURE[text[1:]].bit)
    return ScalarType(SIGNATURE[text].bit)


def _python(value: object) -> object:
    if isinstance(value, dict):
        return TypeOf(SIGNATURE[value["dtype"]].bit)
    return tuple(_python(v) for v in value) if isinstance(value, list) else value


def typed(
    function: ir.Function, scope, signature: dict, constexprs: dict, version: str, target: str
) -> KernelTyping:
    RECORDED.clear()
    types = {n: parameter(t, constexprs.get(n)) for n, t in signature.items()}
    return type_kernel(function, types, scope, version, target)


@dataclass(frozen=True)
class Comparison:
    """`kind` is "agree", "false refusal", "false acceptance" or "undecided"."""

    kind: str
    message: bool = True
    klass: bool = True
    line: bool = True
    note: str = ""


def compare(function: ir.Function, typing: KernelTyping, answer: dict) -> Comparison:
    outcome = typing.outcome
    refused = "error" in answer
    if isinstance(outcome, Accepted):
        return Comparison("false acceptance" if refused else "agree", note=str(answer.get("error", "")))
    if not isinstance(outcome, Rejected):
        return Comparison("undecided", note=f"{outcome.reason} | {answer.get('error', 'accepted')}")
    if not refused:
        return Comparison(
            "false refusal", note=f"{outcome.refusal.id}: {outcome.message} @{outcome.span.line}"
        )
    same = normal(outcome.message) == normal(answer["error"])
    home = outcome.home or function
    line = outcome.span.line - home.head.line + 1
    at = answer.get("lines") or [answer.get("line")]
    asserted = outcome.refusal.id == "static-assert" and answer.get("class") == "CompileTimeAssertionFailure"
    klass = (
        same
        or asserted
        or fault_class(outcome.message, outcome.refusal.stage)
        == fault_class(answer["error"], answer["stage"])
    )
    note = f"{outcome.message!r} @{line} / {answer['error']!r} @{at}"
    # A mismatch of returns is told at the `def`; we point at the return.
    returns = outcome.refusal.id in ("return-39", "none-to-tensor", "to-tensor") and 1 in at
    right = answer["stage"] == "mlir" or line in at or returns
    return Comparison("agree", same, klass, right, note)


def normal(text: str) -> str:
    # The set of accepted types prints in any order.
    text = text.partition(" The following argument types are supported")[0]
    text = re.sub(r"values of type \{[^}]*\}", "values of type {}", text)
    return re.sub(r"\s+", " ", text).strip()


CLASSES = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("signedness", "different signedness"),
        ("fp8-int", r"^unexpected type \S+ and"),
        ("floordiv-float", r"^unexpected type (fp|bf)"),
        ("operands", "^invalid operands of type"),
        ("negative literal", "unsigned tensor and a negative scalar"),
        ("literal range", "out of range for type"),
        ("none", "^'NoneType' object has no attribute"),
        ("attribute", "object has no attribute"),
        ("to tensor", "^cannot convert"),
        ("unary", "wrong type argument to unary"),
        ("bitcast", "Cannot bitcast data-type"),
        ("cast", "^cannot cast"),
        ("constant", r"get_\w+\(\): incompatible"),
        ("pointer", "Unsupported ptr type"),
        ("mask", "Mask must have boolean"),
        ("if", "initial value for"),
        ("if-else", "Mismatched type for"),
        ("loop", "(?i)loop.carried variable"),
        ("ternary", "Ternary expression"),
        ("return", "(Return type mismatch|Inconsistent return)"),
        ("bounds", "For loop bounds"),
        ("libdevice", r"^\(triton\.language"),
        ("math", "Expected dtype"),
        ("dot", "(Unsupported (lhs|rhs) dtype|Both operands must be same|only int8 supported)"),
        ("accumulator", "accumulator"),
        ("atomic", "atomic_\\w+ (does not|only|not)"),
        (
            "shape",
            "(incompatible dimensions|Cannot broadcast|make_shape_compatible|argument cannot be block type)",
        ),
        ("call", "(positional argument|unexpected keyword|missing a? ?required|missing argument)"),
        ("fp8-arch", "not supported in this architecture"),
        ("static assert", "^$"),
    )
)


def fault_class(text: str, stage: str) -> str:
    if stage == "mlir":
        return "mlir"
    return next((name for name, pattern in CLASSES if pattern.search(text)), text)
