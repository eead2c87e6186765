"""The errors of Triton's front end that typing predicts: identifiers, rule codes, and where each is raised.

`Refusal` carries Triton's own words. Identifiers name a condition, not a text; the code says which rule of
ours reports it, and is "" where the fault is not one of types (shape, construct, scope): such a refusal is
known to typing, so that agreement with Triton can be measured, but no rule of the DT2xx family speaks.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """Triton refuses. `stage` is "frontend", "mlir" (the verifier, after typing) or "launch"."""

    id: str
    message: str
    stage: str = "frontend"

    @property
    def code(self) -> str:
        """The rule that reports it, or "" where it is not a fault of types."""
        return CODES.get(self.id, "")


_RULES: dict[str, str] = {
    "DT201": (
        "if-livein if-else-mismatch ternary loop-carried loop-carried-class loop-none return-39 return-36"
    ),
    "DT202": (
        "binop-signedness binop-fp8-int floordiv-float bitwise-float unsigned-neg-literal literal-range "
        "literal-none none-to-tensor to-tensor unary-invert unary-minus mask-not-bool dot-lhs dot-same "
        "dot-int8 "
        "dot-bf16-out dot-acc dot-acc-assert ds-e2m1 ds-fmt math-dtype libdevice fdiv clamp-36 minmax-dtype "
        "reduce-int philox-seed histogram gather-index combine-type for-bounds get-const get-fp8 mlir-mask "
        "mlir-math mlir-join mlir-cas mlir-fma desc-dtype offs-i64 offs-nonint nonrepresentable blockptr-elt "
        "logic-size mlir-while mlir-offset mlir-condition scale-dtype mlir-assume pad-nan-int ternary-void "
        "rand-type"
    ),
    "DT203": "atomic-dtype atomic-minmax-dtype atomic-cas-width atomic-ls atomic-poll",
    "DT204": (
        "binop-ptr ptr-plus-ptr ptr-type dtype-not-dtype none-pointer const-ptr-store desc-noattr desc-base "
        "desc-expected mlir-pointer"
    ),
    "DT205": "fp8-arch ir-type spec-dtype",
    "DT206": "cast-fp8-int bitcast-size fp-downcast-rounding",
}

CODES: dict[str, str] = {name: code for code, names in _RULES.items() for name in names.split()}
"""Error identifier -> rule code."""
