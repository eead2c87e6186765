"""Where Triton's control flow departs from Python's: branches, loops, and what follows a return.

Source: `CodeGenerator.visit_If`, `visit_then_else_blocks`, `visit_IfExp`, `visit_For`, `visit_While`,
`_find_carries`. A loop body is visited once with the types that hold before it: the second visit of the front
end sees the same types. A `return` inside a branch does not stop the statements after the branch.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..analysis.interpreter import EVALUATE, Interpreter, State
from ..core import ir
from ..semantics.triton_errors import Refusal
from ..semantics.triton_promotion import integer_promote
from ..semantics.triton_types import INT1, INTS, members
from . import conversion, merges, show
from .session import Session
from .values import Const, Plain, Pointer, Range, Symbol, Tensor, Tup, Unknown, Value

_COMPREHENSIONS = {"set": "SetComp", "dict": "DictComp", "generator": "GeneratorExp"}

UNROLL = 64
"""Iterations of a `static_range` that are typed one by one."""


@dataclass(slots=True)
class KernelInterpreter(Interpreter[Value]):
    """The shared walker with Triton's branches and loops; `defs` are the names assigned in this region."""

    session: Session = None  # type: ignore[assignment]
    defs: dict[str, Value] = field(default_factory=dict)
    nesting: int = 0

    def evaluate(self, node: ir.Expr, state: State[Value]) -> Value:
        """As the shared walker does; variables, half of all nodes, are read here at once."""
        kind = type(node)
        if kind is ir.Name:
            found = state.env.get(node.id)  # type: ignore[union-attr]
            return found if found is not None else self.semantics.load(node.id, state, node.span)  # type: ignore[union-attr]
        method = EVALUATE.get(kind)
        return getattr(self, method)(node, state) if method is not None else self._rare(node, state)

    def _call(self, node: ir.Call, state: State[Value]) -> Value:
        """`visit_Call`: keyword arguments are visited before positional ones."""
        func = self.evaluate(node.func, state)
        args = node.args
        if args and args[-1].keyword is not None:
            named = {id(a): self.evaluate(a.value, state) for a in args if a.keyword is not None}
            values = [named[id(a)] if a.keyword is not None else self.evaluate(a.value, state) for a in args]
        else:
            values = [self.evaluate(a.value, state) for a in args]
        return self.semantics.call(func, tuple(zip(values, args)), node, state)

    def bind(self, target: ir.Expr, value: Value, state: State[Value]) -> None:
        """As the shared walker does; a None that is unpacked stays a constexpr (`_apply_to_tuple_values`)."""
        Interpreter.bind(self, target, value, state)
        if isinstance(target, ir.Display):
            for item in target.items:
                if isinstance(item, ir.Name) and isinstance(found := state.env.get(item.id), Plain):
                    if found.value is None:
                        state.env[item.id] = self.defs[item.id] = Const(None)

    def _step(self, stmt: ir.Stmt, state: State[Value]) -> State[Value]:
        self.session.burn()
        watch = self.session.watch
        if watch is None or stmt.span != watch.span or self.session.function is not watch.home:
            return Interpreter._step(self, stmt, state)
        after: dict[str, Value] = {}
        watch.seen.append((dict(state.env), after))
        state = Interpreter._step(self, stmt, state)
        after.update(state.env)
        return state

    # -- branches --------------------------------------------------------------------------------

    def _if(self, stmt: ir.If, state: State[Value]) -> State[Value]:
        s = self.session
        test = self.evaluate(stmt.test, state)
        s.span = stmt.span
        if isinstance(test, Tensor):
            self._condition(test, stmt)
            if self.nesting and (_returns(stmt.body) or _returns(stmt.orelse)):
                s.refuse(
                    "return-in-loop",
                    "Cannot have `return` statements inside `while` or `for` statements in triton.",
                )
            return self._branch(stmt, test, state)
        taken = stmt.body if self.semantics.decide(self._static(test)) else stmt.orelse
        state = self.run(taken, state)
        state.exit = ""
        return state

    def _condition(self, test: Tensor, stmt: ir.If) -> None:
        s = self.session
        if test.shape and any(d is not None and d != 1 for d in test.shape):
            s.refuse("if-block", "Boolean value of Tensor with more than one value is ambiguous", test)
        conversion.cast(s, test, INT1, explicit=False)

    def _static(self, test: Value) -> Value:
        """`_condition_types`: bool, int and None decide, nothing else does."""
        value = test.value if isinstance(test, (Const, Plain)) else test
        if isinstance(value, (Unknown, Symbol)) or type(value) in (bool, int, type(None)):
            return test
        self.session.refuse(
            "if-constexpr",
            "`if` conditionals can only accept values of type {bool, int, NoneType}, "
            f"not objects of type {show.class_name(value)}",
        )

    def _branch(self, stmt: ir.If, test: Tensor, state: State[Value]) -> State[Value]:
        """Both sides from what is live now; what differs after them must be of one type."""
        before, outer = dict(state.env), self.defs
        self.defs = {}
        then = self.run(stmt.body, State(dict(before)))
        then_defs = self.defs
        self.defs = {}
        orelse = State(dict(before))
        if stmt.orelse:
            orelse = self.run(stmt.orelse, orelse)
        else_defs = self.defs
        self.defs = outer
        self.session.span = stmt.span
        changed = merges.branches(self.session, before, then.env, orelse.env, then_defs, else_defs, stmt.span)
        state.env = before
        for name, value in changed.items():
            before[name] = value
            self.defs[name] = value
        return state

    def _conditional(self, node: ir.Conditional, state: State[Value]) -> Value:
        s = self.session
        test = self.evaluate(node.test, state)
        s.span = node.span
        if not isinstance(test, Tensor):
            return self.evaluate(
                node.body if self.semantics.decide(self._static(test)) else node.orelse, state
            )
        conversion.cast(s, test, INT1, explicit=False)
        sides = []
        for part in (node.body, node.orelse):
            sides.append(conversion.to_tensor(s, self.evaluate(part, state), node.span))
            s.span = node.span
        if test.shape != () and test.shape is not None:
            s.verify("mlir-condition", test)
        return merges.ternary(s, sides[0], sides[1], node.span)

    def _compare(self, node: ir.Compare, state: State[Value]) -> Value:
        if len(node.ops) > 1 and not self.session.modern:
            self.session.span = node.span
            self.session.refuse("compare-unsupported", "simultaneous multiple comparison is not supported")
        return Interpreter._compare(self, node, state)

    def _comprehension(self, node: ir.Comprehension, state: State[Value]) -> Value:
        """`visit_ListComp`: one clause over a tuple, with compile-time conditions."""
        clause = node.generators[0]
        items = self.evaluate(clause.iter, state)
        self.session.span = node.span
        if node.kind != "list":
            self.session.refuse("ast-node", f"unsupported AST node type: {_COMPREHENSIONS[node.kind]}")
        if not isinstance(items, Tup) or len(node.generators) != 1:
            return self.semantics.opaque("comprehension", node.span)
        results = []
        for item in items.items:
            self.bind(clause.target, item, state)
            if all(self.semantics.decide(self.evaluate(c, state)) for c in clause.conditions):
                results.append(self.evaluate(node.element, state))
        return Tup(tuple(results))

    # -- exits and what Triton does not have -----------------------------------------------------

    def _rare_step(self, stmt: ir.Stmt, state: State[Value]) -> State[Value]:
        match stmt:
            case ir.Jump(kind="pass") | ir.With() | ir.Scope():
                return Interpreter._rare_step(self, stmt, state)
        name = stmt.kind.capitalize() if isinstance(stmt, ir.Jump) else type(stmt).__name__
        self.session.span = stmt.span
        self.session.refuse("ast-node", f"unsupported AST node type: {name}")

    # -- loops -----------------------------------------------------------------------------------

    def _loop(self, stmt: ir.For | ir.While, state: State[Value]) -> State[Value]:
        if isinstance(stmt, ir.While):
            return self._while(stmt, state)
        s = self.session
        iterable = self.evaluate(stmt.iter, state)
        s.span = stmt.span
        if isinstance(iterable, Unknown):
            self.bind(stmt.target, iterable, state)
            return self._carry(stmt, state, getattr(stmt.target, "id", ""))
        if not isinstance(iterable, Range):
            s.refuse("for-iterator", "Only `range` and `static_range` iterators are currently supported")
        if not isinstance(stmt.target, ir.Name):
            s.refuse("for-target", f"'{type(stmt.target).__name__}' object has no attribute 'id'")
        if iterable.static:
            return self._unroll(stmt, stmt.target.id, iterable, state)
        index = induction(s, iterable, stmt)
        state.env[stmt.target.id] = self.defs[stmt.target.id] = index
        return self._carry(stmt, state, stmt.target.id)

    def _unroll(self, stmt: ir.For, name: str, iterable: Range, state: State[Value]) -> State[Value]:
        values = [b.value if isinstance(b, (Const, Plain)) else b for b in iterable.bounds]
        indices: list[object]
        if all(isinstance(v, int) for v in values):
            indices = list(range(*values)[:UNROLL]) if values[2] else []  # type: ignore[call-overload]
        else:
            key = ("count", *(v.key if isinstance(v, Symbol) else str(v) for v in values))
            indices = [Symbol(("index", *key), "int")] if self.session.settle(key) else []
        for i in indices:
            state.env[name] = Const(i)
            state = self.run(stmt.body, state)
            state.exit = ""
        return state

    def _while(self, stmt: ir.While, state: State[Value]) -> State[Value]:
        after = self._carry(stmt, state, "")
        s = self.session
        test = self.evaluate(stmt.test, after)
        s.span = stmt.span
        match test:
            case Tensor():
                if s.modern:
                    conversion.cast(s, test, INT1, explicit=False)
                else:
                    s.expect(test.element, INT1, "mlir-while", test)
            case Const():
                s.refuse("while-constexpr", "'constexpr' object has no attribute 'handle'")
        return after

    def _carry(self, stmt: ir.For | ir.While, state: State[Value], index: str) -> State[Value]:
        """The body once, from what is live before the loop; carried variables keep their types."""
        before, outer = state.env, self.defs
        self.defs = {}
        self.nesting += 1
        end = self.run(stmt.body, State(dict(before)))
        self.nesting -= 1
        body_defs, self.defs = self.defs, outer
        self.session.span = stmt.span
        carried = merges.loop(self.session, before, end.env, body_defs, index, stmt.span)
        for name, value in carried.items():
            before[name] = value
            self.defs[name] = value
        return state


def induction(s: Session, iterable: Range, stmt: ir.For) -> Value:
    """The induction variable: the integer promotion of bounds and step."""
    bounds = [conversion.to_tensor(s, _integral(b), stmt.span) for b in iterable.bounds]
    unknown = next((b for b in bounds if isinstance(b, Unknown)), None)
    if unknown is not None:
        return unknown
    tensors = [b for b in bounds if isinstance(b, Tensor)]
    for b in tensors:
        if isinstance(b.element, Pointer) or not b.element & INTS:
            names = ", ".join(show.element(t.element) for t in tensors)
            s.refuse("for-bounds", f"For loop bounds and step must all be ints, are ({names})", *tensors)
        if b.element & ~INTS:
            s.doubt(Refusal("for-bounds", "For loop bounds and step must all be ints"), b)
    for b, word in zip(tensors, ("lower bound", "upper bound", "step")):
        if b.shape and any(d is not None and d != 1 for d in b.shape):
            s.refuse("for-scalar", f"For {word} must be a scalar, got {show.type_of(b.element, b.shape)}", b)
    types = [[m for m in members(b.element) if not m.floating] for b in tensors]  # type: ignore[arg-type]
    found = types[0]
    for more in types[1:]:
        found = list({integer_promote(a, b).bit: integer_promote(a, b) for a in found for b in more}.values())
    element = 0
    for m in found:
        element |= m.bit
    return Tensor(element, (), "range", stmt.iter.span, tuple(tensors))


def _integral(bound: Value) -> Value:
    """A bound that is an unknown compile-time value: an integer, or the loop is refused."""
    if isinstance(bound, Const) and isinstance(bound.value, Symbol) and not bound.value.kind:
        return Const(Symbol(bound.value.key, "int"))
    return bound


def _returns(body: tuple[ir.Stmt, ...]) -> bool:
    """`ContainsReturnChecker`."""
    for stmt in body:
        match stmt:
            case ir.Return():
                return True
            case (
                ir.If(body=inner, orelse=orelse)
                | ir.For(body=inner, orelse=orelse)
                | ir.While(body=inner, orelse=orelse)
            ):
                if _returns(inner) or _returns(orelse):
                    return True
            case ir.With(body=inner):
                if _returns(inner):
                    return True
    return False
