"""One walker over the IR: order of evaluation, branches, loops and exits, for any semantics.

It decides which expressions and statements are evaluated and in which order, and what environment
each sees. It knows no operation by name and no type: a `Semantics` says what values are, how two
of them join, and what a loop does to them. The host and the kernel analyses are two semantics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from ..core import ir
from ..core.spans import Span

V = TypeVar("V")


@dataclass(slots=True)
class State(Generic[V]):
    """What holds at one point of a function: the variables, and the tests passed to get here.

    `path` lists (test value, outcome) pairs, outermost first. A dead state is not reached by the
    next statement; `exit` then tells why: "return", "raise", "break" or "continue".
    """

    env: dict[str, V]
    path: tuple[tuple[V, bool], ...] = ()
    exit: str = ""

    @property
    def live(self) -> bool:
        return not self.exit

    def fork(self, *facts: tuple[V, bool]) -> State[V]:
        """A copy that goes its own way under further facts."""
        return State(dict(self.env), self.path + facts, self.exit)


class Semantics(Protocol[V]):
    """What the walker asks. Every method may record facts; none of them moves control."""

    # expressions
    def constant(self, node: ir.Const) -> V: ...
    def load(self, name: str, state: State[V], span: Span) -> V: ...
    def attribute(self, value: V, node: ir.Attribute, state: State[V]) -> V: ...
    def subscript(self, value: V, index: V, node: ir.Subscript, state: State[V]) -> V: ...
    def slice(self, parts: tuple[V | None, V | None, V | None], node: ir.Slice) -> V: ...
    def call(self, func: V, args: tuple[tuple[V, ir.Arg], ...], node: ir.Call, state: State[V]) -> V: ...
    def unary(self, value: V, node: ir.Unary) -> V: ...
    def binary(self, op: str, left: V, right: V, span: Span, inplace: bool) -> V: ...
    def compare(self, op: str, left: V, right: V, span: Span) -> V: ...
    def logic(self, op: str, left: V, right: V, span: Span) -> V: ...
    def conditional(self, test: V, body: V, orelse: V, node: ir.Conditional) -> V: ...
    def display(self, kind: str, items: tuple[V, ...], span: Span) -> V: ...
    def starred(self, value: V, span: Span) -> V: ...
    def mapping(self, items: tuple[tuple[V | None, V], ...], span: Span) -> V: ...
    def function(self, node: ir.Lambda | ir.Function, state: State[V]) -> V: ...
    def definition(self, node: ir.Class, state: State[V]) -> V: ...
    def element(self, iterable: V, span: Span) -> V: ...
    def comprehension(self, key: V | None, element: V, node: ir.Comprehension) -> V: ...
    def text(self, parts: tuple[V, ...], node: ir.Format) -> V: ...
    def yielded(self, value: V | None, node: ir.Yield) -> V: ...
    def opaque(self, reason: str, span: Span) -> V: ...

    # effects
    def store(self, name: str, value: V, state: State[V], span: Span) -> None: ...
    def unpack(self, value: V, count: int, star: int | None, span: Span) -> tuple[V, ...]: ...
    def set_attribute(self, value: V, target: ir.Attribute, new: V, state: State[V]) -> None: ...
    def set_item(self, value: V, index: V, target: ir.Subscript, new: V, state: State[V]) -> None: ...
    def annotated(self, target: ir.Expr, annotation: ir.Expr, value: V | None, state: State[V]) -> V | None: ...
    def imported(self, module: str, attr: str | None, span: Span) -> V: ...
    def enter(self, context: V, span: Span) -> V: ...
    def returned(self, value: V | None, node: ir.Return, state: State[V]) -> None: ...
    def asserted(self, test: V, node: ir.Assert, state: State[V]) -> None: ...

    # control
    def decide(self, test: V) -> bool | None: ...
    def join(self, test: V | None, left: State[V], right: State[V], span: Span) -> State[V]: ...
    def loop(self, node: ir.For | ir.While, state: State[V], once: Callable[[State[V]], State[V]]) -> State[V]: ...


@dataclass(slots=True)
class Loop(Generic[V]):
    """The states that left the innermost loop's body by `break` and by `continue`."""

    broken: list[State[V]] = field(default_factory=list)
    continued: list[State[V]] = field(default_factory=list)


@dataclass(slots=True)
class Interpreter(Generic[V]):
    """Runs IR under a semantics. One interpreter per function activation."""

    semantics: Semantics[V]
    loops: list[Loop[V]] = field(default_factory=list)

    # -- expressions -----------------------------------------------------------------------------

    def evaluate(self, node: ir.Expr, state: State[V]) -> V:
        """The value of an expression; sub-expressions are evaluated in Python's order."""
        kind = type(node)
        if kind is ir.Name:
            return self.semantics.load(node.id, state, node.span)  # type: ignore[union-attr]
        found = EVALUATE.get(kind)
        return getattr(self, found)(node, state) if found is not None else self._rare(node, state)

    def _constant(self, node: ir.Const, state: State[V]) -> V:
        return self.semantics.constant(node)

    def _attribute(self, node: ir.Attribute, state: State[V]) -> V:
        return self.semantics.attribute(self.evaluate(node.value, state), node, state)

    def _call(self, node: ir.Call, state: State[V]) -> V:
        func = self.evaluate(node.func, state)
        args = tuple([(self.evaluate(a.value, state), a) for a in node.args])
        return self.semantics.call(func, args, node, state)

    def _subscript(self, node: ir.Subscript, state: State[V]) -> V:
        value = self.evaluate(node.value, state)
        return self.semantics.subscript(value, self.evaluate(node.index, state), node, state)

    def _binary(self, node: ir.Binary, state: State[V]) -> V:
        left = self.evaluate(node.left, state)
        return self.semantics.binary(node.op, left, self.evaluate(node.right, state), node.span, False)

    def _unary(self, node: ir.Unary, state: State[V]) -> V:
        return self.semantics.unary(self.evaluate(node.operand, state), node)

    def _display(self, node: ir.Display, state: State[V]) -> V:
        return self.semantics.display(node.kind, self._all(node.items, state), node.span)

    def _slice(self, node: ir.Slice, state: State[V]) -> V:
        lower, upper, step = (p and self.evaluate(p, state) for p in (node.lower, node.upper, node.step))
        return self.semantics.slice((lower, upper, step), node)

    def _rare(self, node: ir.Expr, state: State[V]) -> V:
        s = self.semantics
        match node:
            case ir.Starred():
                return s.starred(self.evaluate(node.value, state), node.span)
            case ir.Mapping():
                pairs = [(k and self.evaluate(k, state), self.evaluate(v, state)) for k, v in node.items]
                return s.mapping(tuple(pairs), node.span)
            case ir.Lambda():
                return s.function(node, state)
            case ir.Comprehension():
                return self._comprehension(node, state)
            case ir.Format():
                return s.text(self._all(node.parts, state), node)
            case ir.Walrus():
                value = self.evaluate(node.value, state)
                s.store(node.name, value, state, node.span)
                return value
            case ir.Yield():
                return s.yielded(node.value and self.evaluate(node.value, state), node)
            case ir.Opaque():
                return s.opaque(node.reason, node.span)
        raise AssertionError(f"not an expression: {type(node).__name__}")

    def _all(self, nodes: Iterable[ir.Expr], state: State[V]) -> tuple[V, ...]:
        return tuple(self.evaluate(n, state) for n in nodes)

    def _compare(self, node: ir.Compare, state: State[V]) -> V:
        s = self.semantics
        left = self.evaluate(node.left, state)
        result: V | None = None
        for op, right_node in zip(node.ops, node.rights):
            right = self.evaluate(right_node, state)
            step = s.compare(op, left, right, node.span)
            result = step if result is None else s.logic("and", result, step, node.span)
            left = right
        assert result is not None
        return result

    def _logic(self, node: ir.Logic, state: State[V]) -> V:
        """`and` and `or` evaluate their right side only where the left one does not decide."""
        s = self.semantics
        result = self.evaluate(node.values[0], state)
        for value in node.values[1:]:
            decided = s.decide(result)
            if decided is (node.op == "or"):
                return result
            right = self.evaluate(value, state)
            result = s.logic(node.op, result, right, node.span) if decided is None else right
        return result

    def _conditional(self, node: ir.Conditional, state: State[V]) -> V:
        s = self.semantics
        test = self.evaluate(node.test, state)
        decided = s.decide(test)
        if decided is not None:
            return self.evaluate(node.body if decided else node.orelse, state)
        body = self.evaluate(node.body, state.fork((test, True)))
        orelse = self.evaluate(node.orelse, state.fork((test, False)))
        return s.conditional(test, body, orelse, node)

    def _comprehension(self, node: ir.Comprehension, state: State[V]) -> V:
        inner = state.fork()
        for clause in node.generators:
            item = self.semantics.element(self.evaluate(clause.iter, inner), clause.target.span)
            self.bind(clause.target, item, inner)
            for condition in clause.conditions:
                inner.path += ((self.evaluate(condition, inner), True),)
        key = node.key and self.evaluate(node.key, inner)
        return self.semantics.comprehension(key, self.evaluate(node.element, inner), node)

    # -- targets ---------------------------------------------------------------------------------

    def bind(self, target: ir.Expr, value: V, state: State[V]) -> None:
        """Assign `value` to a target of any form."""
        s = self.semantics
        match target:
            case ir.Name():
                s.store(target.id, value, state, target.span)
            case ir.Attribute():
                s.set_attribute(self.evaluate(target.value, state), target, value, state)
            case ir.Subscript():
                owner = self.evaluate(target.value, state)
                s.set_item(owner, self.evaluate(target.index, state), target, value, state)
            case ir.Display():
                stars = [i for i, t in enumerate(target.items) if isinstance(t, ir.Starred)]
                star = stars[0] if stars else None
                for item, part in zip(target.items, s.unpack(value, len(target.items), star, target.span)):
                    self.bind(item.value if isinstance(item, ir.Starred) else item, part, state)
            case _:
                pass

    # -- statements ------------------------------------------------------------------------------

    def run(self, body: Iterable[ir.Stmt], state: State[V]) -> State[V]:
        """The state after a block; what follows an exit is not looked at."""
        for stmt in body:
            if not state.live:
                break
            state = self._step(stmt, state)
        return state

    def _step(self, stmt: ir.Stmt, state: State[V]) -> State[V]:
        s = self.semantics
        match stmt:
            case ir.Assign():
                value = self.evaluate(stmt.value, state)
                for target in stmt.targets:
                    self.bind(target, value, state)
            case ir.ExprStmt():
                self.evaluate(stmt.value, state)
            case ir.AugAssign():
                old = self.evaluate(stmt.target, state)
                new = s.binary(stmt.op, old, self.evaluate(stmt.value, state), stmt.span, True)
                self.bind(stmt.target, new, state)
            case ir.AnnAssign():
                value = stmt.value and self.evaluate(stmt.value, state)
                value = s.annotated(stmt.target, stmt.annotation, value, state)
                if value is not None:
                    self.bind(stmt.target, value, state)
            case ir.If():
                return self._if(stmt, state)
            case ir.For() | ir.While():
                return self._loop(stmt, state)
            case ir.Return():
                s.returned(stmt.value and self.evaluate(stmt.value, state), stmt, state)
                state.exit = "return"
            case ir.Assert():
                test = self.evaluate(stmt.test, state)
                s.asserted(test, stmt, state)
                if s.decide(test) is None:
                    state.path += ((test, True),)
            case _:
                return self._rare_step(stmt, state)
        return state

    def _rare_step(self, stmt: ir.Stmt, state: State[V]) -> State[V]:
        s = self.semantics
        match stmt:
            case ir.Jump(kind="break" | "continue"):
                state.exit = stmt.kind
                if self.loops:
                    left = self.loops[-1].broken if stmt.kind == "break" else self.loops[-1].continued
                    left.append(state.fork())
            case ir.Raise():
                state.exit = "raise"
            case ir.With():
                for context, target in stmt.items:
                    entered = s.enter(self.evaluate(context, state), stmt.span)
                    if target is not None:
                        self.bind(target, entered, state)
                return self.run(stmt.body, state)
            case ir.Try():
                return self._try(stmt, state)
            case ir.Import():
                for name, module, attr in stmt.bindings:
                    s.store(name, s.imported(module, attr, stmt.span), state, stmt.span)
            case ir.Define(definition=ir.Function() as function):
                s.store(function.name, s.function(function, state), state, stmt.span)
            case ir.Define(definition=ir.Class() as klass):
                s.store(klass.name, s.definition(klass, state), state, stmt.span)
            case ir.Delete():
                for target in stmt.targets:
                    if isinstance(target, ir.Name):
                        state.env.pop(target.id, None)
        return state

    def _if(self, stmt: ir.If, state: State[V]) -> State[V]:
        s = self.semantics
        test = self.evaluate(stmt.test, state)
        decided = s.decide(test)
        if decided is not None:
            return self.run(stmt.body if decided else stmt.orelse, state)
        then = self.run(stmt.body, state.fork((test, True)))
        orelse = self.run(stmt.orelse, state.fork((test, False)))
        return self._meet(test, then, orelse, state, stmt.span)

    def _meet(self, test: V | None, left: State[V], right: State[V], before: State[V], span: Span) -> State[V]:
        """Where two ways come together again: a way that has left does not come along."""
        if not left.live:
            return right
        if not right.live:
            return left
        joined = self.semantics.join(test, left, right, span)
        joined.path = before.path
        return joined

    def _loop(self, stmt: ir.For | ir.While, state: State[V]) -> State[V]:
        frame: Loop[V] = Loop()

        def once(entry: State[V]) -> State[V]:
            """The body, once; the result joins what falls through and what continues."""
            end = self.run(stmt.body, entry)
            for other in frame.continued:
                end = self._meet(None, _revive(other), end, entry, stmt.span)
            frame.continued.clear()
            return end

        self.loops.append(frame)
        after = self.semantics.loop(stmt, state, once)
        self.loops.pop()
        if after.live and stmt.orelse:
            after = self.run(stmt.orelse, after)
        for other in frame.broken:
            after = self._meet(None, _revive(other), after, state, stmt.span)
        return after

    def _try(self, stmt: ir.Try, state: State[V]) -> State[V]:
        """A handler may be entered before or after the body's assignments: both are joined."""
        before = state.fork()
        after = self.run(stmt.orelse, self.run(stmt.body, state))
        for name, handler in stmt.handlers:
            entry = before.fork()
            if after.live:
                entry = self._meet(None, entry, after.fork(), before, stmt.span)
            if name:
                self.semantics.store(name, self.semantics.opaque("exception", stmt.span), entry, stmt.span)
            after = self._meet(None, after, self.run(handler, entry), before, stmt.span)
        if not after.live and stmt.final:
            kind, after.exit = after.exit, ""
            after = self.run(stmt.final, after)
            after.exit = after.exit or kind
            return after
        return self.run(stmt.final, after)


EVALUATE: dict[type, str] = {
    ir.Const: "_constant",
    ir.Attribute: "_attribute",
    ir.Call: "_call",
    ir.Subscript: "_subscript",
    ir.Binary: "_binary",
    ir.Unary: "_unary",
    ir.Compare: "_compare",
    ir.Logic: "_logic",
    ir.Conditional: "_conditional",
    ir.Display: "_display",
    ir.Slice: "_slice",
}
"""By node type: the method that evaluates it (a subclass may override one); the rest is rare."""


def _revive(state: State[V]) -> State[V]:
    state.exit = ""
    return state


def assigned(body: Iterable[ir.Stmt]) -> set[str]:
    """The plain variable names that a block may assign, nested blocks included."""
    names: set[str] = set()
    for stmt in body:
        match stmt:
            case ir.Assign(targets=targets):
                for target in targets:
                    names |= _targets(target)
            case ir.AugAssign(target=target) | ir.AnnAssign(target=target):
                names |= _targets(target)
            case ir.For(target=target, body=inner, orelse=orelse):
                names |= _targets(target) | assigned(inner) | assigned(orelse)
            case ir.If(body=inner, orelse=orelse) | ir.While(body=inner, orelse=orelse):
                names |= assigned(inner) | assigned(orelse)
            case ir.With(items=items, body=inner):
                names |= assigned(inner)
                for _, target in items:
                    names |= _targets(target) if target is not None else set()
            case ir.Try(body=inner, handlers=handlers, orelse=orelse, final=final):
                names |= assigned(inner) | assigned(orelse) | assigned(final)
                for _, handler in handlers:
                    names |= assigned(handler)
            case _:
                pass
    return names


def _targets(target: ir.Expr) -> set[str]:
    match target:
        case ir.Name(id=name):
            return {name}
        case ir.Display(items=items):
            return set().union(*map(_targets, items)) if items else set()
        case ir.Starred(value=value):
            return _targets(value)
        case _:
            return set()
