"""One typing run: the Triton release and target, what was assumed, and what was noted on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from ..core import ir
from ..core.spans import NOWHERE, Span
from ..semantics.triton_errors import Refusal
from ..semantics.triton_ops import Op, operations
from ..semantics.triton_promotion import MODERN
from .values import Element, Tensor, Value


class Refused(Exception):
    """Triton refuses here; `values` are the operands to blame, `home` the helper that it happened in
    (None: the kernel),
    `frames` the calls that led there, innermost first."""

    def __init__(
        self, refusal: Refusal, span: Span, values: tuple[Value, ...], home: ir.Function | None
    ) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal
        self.span = span
        self.values = values
        self.home = home
        self.frames: list[tuple[ir.Function | None, Span]] = []


REMOVED = "block pointers, removed in Triton 3.9"
"""Why a release cannot say anything about a kernel that is written for older ones."""


class GaveUp(Exception):
    """Typing cannot go on; the reason is counted."""


@dataclass(frozen=True, slots=True)
class StoreFact:
    """A store or atomic: what was written, into what; `cast` where the value was cast explicitly last."""

    span: Span
    function: ir.Function | None
    value: Tensor
    element: int
    pointer: Value
    operation: str
    literal: bool
    mask: Tensor | None = None


@dataclass(frozen=True, slots=True)
class LoadFact:
    """A load: from where, and under which mask; `result` is what was loaded."""

    span: Span
    function: ir.Function | None
    pointer: Value
    result: Tensor
    mask: Tensor | None = None


@dataclass(frozen=True, slots=True)
class CastFact:
    """An explicit conversion of a run-time value."""

    span: Span
    function: ir.Function | None
    source: Tensor
    target: Element
    bitcast: bool


@dataclass(frozen=True, slots=True)
class ReductionFact:
    """A reduction or scan, with the element types it computes in."""

    span: Span
    function: ir.Function | None
    operation: str
    element: int
    value: Tensor


@dataclass(frozen=True, slots=True)
class ConstantFact:
    """An operator on a run-time value and a compile-time one, of which `result` does not remember the latter."""

    span: Span
    function: ir.Function | None
    operator: str
    value: Tensor
    constant: object
    result: Tensor


@dataclass(frozen=True, slots=True)
class SelectFact:
    """`tl.where`: what it decides by, which `result` does not remember."""

    span: Span
    function: ir.Function | None
    condition: Tensor
    result: Tensor


@dataclass(frozen=True, slots=True)
class CarryFact:
    """A variable that a loop carries on: what it was before, and what one turn makes of it."""

    span: Span
    function: ir.Function | None
    name: str
    before: Tensor
    after: Tensor


@dataclass(frozen=True, slots=True)
class DotFact:
    """A matrix product; `precision` is what it names for float32 operands, None where it leaves that open."""

    span: Span
    function: ir.Function | None
    left: Tensor
    right: Tensor
    precision: Value | None


Fact = "StoreFact | LoadFact | CastFact | ReductionFact | ConstantFact | SelectFact | CarryFact | DotFact"


@dataclass(slots=True)
class Watch:
    """What names are before and after the statement `span` of one function; `home` as in `Refused`.

    After a statement that Triton refuses there is nothing.
    """

    span: Span
    home: ir.Function | None = None
    seen: list[tuple[dict[str, Value], dict[str, Value]]] = field(default_factory=list)


@dataclass(slots=True)
class Session:
    """Mutable state of one run; `watch` is for who wants to see what names are in it."""

    version: tuple[int, int]
    target: str
    decisions: dict[tuple[object, ...], bool] = field(default_factory=dict)
    trail: list[tuple[object, ...]] = field(default_factory=list)
    facts: list[object] = field(default_factory=list)
    reasons: list[tuple[str, Span]] = field(default_factory=list)
    partial: list[Refused] = field(default_factory=list)
    late: list[Refused] = field(default_factory=list)
    memo: dict[object, object] = field(default_factory=dict)
    depth: int = 0
    function: ir.Function | None = None
    fuel: int = 12_000
    watch: Watch | None = None
    named: dict[int, tuple[object, int]] = field(default_factory=dict)
    """Objects that have no name of their own, with their numbers; to be held here keeps their ids theirs."""
    modern: bool = field(init=False)
    operations: dict[str, Op] = field(init=False)
    span: Span = NOWHERE

    def __post_init__(self) -> None:
        self.modern = self.version >= MODERN
        self.operations = operations(self.version)

    def refuse(self, id: str, message: str, *values: Value, stage: str = "frontend") -> NoReturn:
        """Triton refuses the operation at the current span."""
        raise Refused(Refusal(id, message, stage), self.span, values, self.function)

    def verify(self, id: str, *values: Value) -> None:
        """The MLIR verifier will refuse the module; typing goes on, as the front end does."""
        self.late.append(
            Refused(Refusal(id, "error encountered during parsing", "mlir"), self.span, values, self.function)
        )

    def require(self, element: Element, accepted: int, id: str, message: str, *values: Value) -> int:
        """The members of `element` that are accepted; refuses where there are none, doubts where not all are."""
        types = element if isinstance(element, int) else 0
        inside = types & accepted
        if not inside:
            self.refuse(id, message, *values)
        if inside != types:
            self.doubt(Refusal(id, message), *values)
        return inside

    def expect(self, element: Element, accepted: int, id: str, *values: Value) -> None:
        """As `require`, where the verifier refuses."""
        types = element if isinstance(element, int) else 0
        if not types & accepted:
            self.verify(id, *values)
        elif types & ~accepted:
            self.doubt(Refusal(id, "error encountered during parsing", "mlir"), *values)

    def burn(self) -> None:
        """One statement; runs that take too many give up."""
        self.fuel -= 1
        if self.fuel < 0:
            raise GaveUp("too many statements to follow")

    def doubt(self, refusal: Refusal, *values: Value) -> None:
        """Some members of a set are refused here, some are not."""
        self.partial.append(Refused(refusal, self.span, values, self.function))

    def number(self, thing: object) -> int:
        """A number for an object: runs that go the same way give the same."""
        return self.named.setdefault(id(thing), (thing, len(self.named)))[1]

    def settle(self, key: tuple[object, ...]) -> bool:
        """The assumed truth of an unknown compile-time condition: the same key, the same answer."""
        known = self.decisions.get(key)
        if known is None:
            self.decisions[key] = known = True
            self.trail.append(key)
        return known
