"""Triton's semantics for the shared walker: names, expressions and statements of a kernel body.

What an operator or a library function does is in `arithmetic` and the `apply_*` modules; control flow is in
`walker`. Triton's rules for names: `CodeGenerator.dereference_name`, `_sanitize_target_value`,
`visit_AnnAssign`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from ..analysis.interpreter import State
from ..analysis.values import Guard
from ..core import ir
from ..core.spans import Span
from . import arithmetic, attributes, calls, constants, conversion
from .names import BUILTINS
from .scope import Constant, Either, Global, Helper, LibraryName, Missing, Scope
from .session import Session
from .values import (
    Const,
    Function,
    Library,
    Plain,
    SliceOf,
    Symbol,
    Tensor,
    Tup,
    TypeOf,
    Unknown,
    Value,
    constant,
)  # fmt: skip
from .walker import KernelInterpreter


@dataclass(slots=True)
class KernelSemantics:
    """One activation of a kernel or helper."""

    session: Session
    scope: Scope
    interpreter: KernelInterpreter = field(init=False)
    returns: list[tuple[Value, Span]] = field(default_factory=list)
    pending: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.interpreter = KernelInterpreter(self, session=self.session)  # type: ignore[arg-type]

    # -- expressions -----------------------------------------------------------------------------

    def constant(self, node: ir.Const) -> Value:
        return Const(node.value)

    def load(self, name: str, state: State[Value], span: Span) -> Value:
        found = state.env.get(name)
        if found is not None:
            return found
        key = (id(self.scope), name)
        known = self.session.memo.get(key)
        if known is None:
            self.session.span = span
            known = self.session.memo[key] = self._global(name, self.scope.resolve(name), span)
        return known  # type: ignore[return-value]

    def _global(self, name: str, found: Global, span: Span) -> Value:
        match found:
            case Either(options):
                return self._global(name, self._chosen(options), span)
            case Helper(function, scope):
                return Function(function, scope)
            case LibraryName(dotted):
                return attributes.named(self.session, dotted)
            case Constant(value, constexpr):
                if not constexpr and not isinstance(value, TypeOf):
                    self.session.reasons.append(("global that is no constexpr", span))
                return Plain(value) if isinstance(value, TypeOf) else constant(value)
            case Missing(reason, undefined):
                if name in BUILTINS:
                    return Library(name)
                if undefined:
                    self.session.refuse("name-undefined", f"{name} is not defined")
                self.session.reasons.append((f"name: {reason}", span))
                return Unknown(reason)

    def _chosen(self, options: tuple[tuple[Guard, Global], ...]) -> Global:
        """The option whose conditions come out as it says: names that one test binds go together."""
        for guard, option in options[:-1]:
            if all(self._comes_out(key, way) for key, way in sorted(guard, key=str)):
                return option
        return options[-1][1]

    def _comes_out(self, key: Hashable, way: Hashable) -> bool:
        if isinstance(way, bool):
            return self.session.settle(("module", key)) is way
        return self.session.settle(("module", key, way))

    def attribute(self, value: Value, node: ir.Attribute, state: State[Value]) -> Value:
        self.session.span = node.span
        result = attributes.attribute(self.session, value, node.attr)
        return self._noted(result, value) if type(result) is Unknown else result

    def _noted(self, result: Unknown, *sources: Value) -> Value:
        """Records where ignorance begins."""
        if not any(isinstance(v, Unknown) for v in sources):
            self.session.reasons.append((result.reason, self.session.span))
        return result

    def subscript(self, value: Value, index: Value, node: ir.Subscript, state: State[Value]) -> Value:
        self.session.span = node.span
        result = calls.subscript(self.session, value, index, node.span)
        return self._noted(result, value, index) if type(result) is Unknown else result

    def slice(self, parts: tuple[Value | None, Value | None, Value | None], node: ir.Slice) -> Value:
        return SliceOf(parts)

    def call(
        self, func: Value, args: tuple[tuple[Value, ir.Arg], ...], node: ir.Call, state: State[Value]
    ) -> Value:
        self.session.span = node.span
        result = calls.call(self.session, func, args, node)
        return self._noted(result, func, *(v for v, _ in args)) if type(result) is Unknown else result

    def unary(self, value: Value, node: ir.Unary) -> Value:
        result = arithmetic.unary(self.session, node.op, value, node.span)
        return self._noted(result, value) if type(result) is Unknown else result

    def binary(self, op: str, left: Value, right: Value, span: Span, inplace: bool) -> Value:
        result = arithmetic.binary(self.session, op, left, right, span)
        return self._noted(result, left, right) if type(result) is Unknown else result

    def compare(self, op: str, left: Value, right: Value, span: Span) -> Value:
        result = arithmetic.compare(self.session, op, left, right, span)
        return self._noted(result, left, right) if type(result) is Unknown else result

    def logic(self, op: str, left: Value, right: Value, span: Span) -> Value:
        return arithmetic.logic(self.session, op, left, right, span)

    def conditional(self, test: Value, body: Value, orelse: Value, node: ir.Conditional) -> Value:
        raise AssertionError("the kernel walker decides conditional expressions")

    def display(self, kind: str, items: tuple[Value, ...], span: Span) -> Value:
        if kind == "set":
            self.session.span = span
            self.session.refuse("ast-node", "unsupported AST node type: Set")
        return Tup(items)

    def starred(self, value: Value, span: Span) -> Value:
        return self.opaque("starred item", span)

    def mapping(self, items: tuple[tuple[Value | None, Value], ...], span: Span) -> Value:
        self.session.span = span
        self.session.refuse("ast-node", "unsupported AST node type: Dict")

    def function(self, node: ir.Lambda | ir.Function, state: State[Value]) -> Value:
        self.session.span = node.span
        name = "Lambda" if isinstance(node, ir.Lambda) else "FunctionDef"
        self.session.refuse("ast-node", f"unsupported AST node type: {name}")

    def definition(self, node: ir.Class, state: State[Value]) -> Value:
        self.session.span = node.span
        self.session.refuse("ast-node", "unsupported AST node type: ClassDef")

    def element(self, iterable: Value, span: Span) -> Value:
        return self.opaque("comprehension", span)

    def comprehension(self, key: Value | None, element: Value, node: ir.Comprehension) -> Value:
        return self.opaque("comprehension", node.span)

    def text(self, parts: tuple[Value, ...], node: ir.Format) -> Value:
        pieces = [p.value if isinstance(p, (Const, Plain)) else None for p in parts]
        if any(p is None or isinstance(p, (Symbol, TypeOf)) for p in pieces):
            return Const(Symbol(("text", node.span), "str"))
        return Const("".join(str(p) for p in pieces))

    def yielded(self, value: Value | None, node: ir.Yield) -> Value:
        self.session.span = node.span
        self.session.refuse("ast-node", "unsupported AST node type: Yield")

    def opaque(self, reason: str, span: Span) -> Value:
        if reason == "format-specification":  # inside an f-string: a text that is only printed
            return Const(Symbol(("text", span), "str"))
        self.session.reasons.append((reason, span))
        return Unknown(reason)

    # -- effects ---------------------------------------------------------------------------------

    def store(self, name: str, value: Value, state: State[Value], span: Span) -> None:
        s = self.session
        s.span = span
        if name in self.pending:
            self.pending.discard(name)
        elif not isinstance(value, Tensor):
            value = conversion.sanitised(s, value, span)
        state.env[name] = value
        self.interpreter.defs[name] = value

    def unpack(self, value: Value, count: int, star: int | None, span: Span) -> tuple[Value, ...]:
        s = self.session
        s.span = span
        if isinstance(value, Unknown):
            return (value,) * count
        if not isinstance(value, Tup):
            s.refuse("unpack", "cannot unpack non-iterable value", value)
        if star is not None:
            s.refuse("unpack", "starred assignment targets are not supported")
        if not s.modern and len(value.items) > count:
            return value.items[:count]
        if len(value.items) != count:
            many = len(value.items) > count
            s.refuse("unpack", f"{'too many' if many else 'not enough'} values to unpack (expected {count})")
        return value.items

    def set_attribute(self, value: Value, target: ir.Attribute, new: Value, state: State[Value]) -> None:
        self.session.span = target.span
        self.session.refuse("ast-node", "Attribute assignment is not supported in triton")

    def set_item(
        self, value: Value, index: Value, target: ir.Subscript, new: Value, state: State[Value]
    ) -> None:
        self.session.span = target.span
        if isinstance(value, Tup) and not self.session.modern:
            self.session.reasons.append(("item assignment", target.span))
            return
        self.session.refuse("ast-node", "__setitem__ is not supported in triton")

    def annotated(
        self, target: ir.Expr, annotation: ir.Expr, value: Value | None, state: State[Value]
    ) -> Value | None:
        constexpr = is_constexpr(annotation)
        if not isinstance(target, ir.Name) or not constexpr:
            return value
        if value is None and self.session.modern:
            self.pending.add(target.id)
            return None
        if target.id in state.env:
            self.session.span = target.span
            message = f"{target.id} is already defined. constexpr cannot be reassigned."
            self.session.refuse("annassign-constexpr", message)
        state.env[target.id] = Const(None) if value is None else normalised(value)
        return None

    def imported(self, module: str, attr: str | None, span: Span) -> Value:
        self.session.span = span
        self.session.refuse("ast-node", "unsupported AST node type: Import")

    def enter(self, context: Value, span: Span) -> Value:
        return self.opaque("with", span)

    def returned(self, value: Value | None, node: ir.Return, state: State[Value]) -> None:
        self.session.span = node.span
        calls.returned(self.session, self.returns, value, node.span)

    def asserted(self, test: Value, node: ir.Assert, state: State[Value]) -> None:
        conversion.to_tensor(self.session, test, node.span)

    # -- control ---------------------------------------------------------------------------------

    def decide(self, test: Value) -> bool | None:
        match test:
            case Tensor():
                return None
            case Const(value=v) | Plain(value=v):
                return constants.truth(self.session, v)
            case Tup(items=items):
                return bool(items)
            case Unknown():
                return self.session.settle(("unknown", test.reason, self.session.span))
        return True

    def join(self, test: Value | None, left: State[Value], right: State[Value], span: Span) -> State[Value]:
        raise AssertionError("the kernel walker merges branches")

    def loop(
        self, node: ir.For | ir.While, state: State[Value], once: Callable[[State[Value]], State[Value]]
    ) -> State[Value]:
        raise AssertionError("the kernel walker runs loops")


def normalised(value: Value) -> Value:
    """`normalize_value`: everything that is no Triton value becomes a constexpr."""
    return Const(value.value) if isinstance(value, Plain) else value


def is_constexpr(annotation: ir.Expr | None) -> bool:
    """Whether an annotation is `tl.constexpr`, however it is spelled."""
    match annotation:
        case ir.Name(id=name) | ir.Attribute(attr=name) | ir.Const(value=str(name)):
            return name.endswith("constexpr")
    return False
