"""Host semantics: runs a function's IR once, symbolically, and leaves its value graph.

It knows Python's data flow and nothing of torch: a call is an `Apply`, whoever is called.
Access paths (`self.x`, `out.y`) that the function itself writes are variables of their own until
something that might change the object is called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ..core import ir
from ..core.spans import Span
from . import graph as g
from .interpreter import Interpreter, State, assigned

S = State[g.Node]

MUTATORS = frozenset({"append", "add", "appendleft"})
"""Methods that add one element to a container."""
MERGERS = frozenset({"update", "extend"})
"""Methods that add all that another container holds."""
SHAPERS = frozenset({"pop", "popitem", "clear", "remove", "insert", "setdefault", "update", "discard"})
"""Methods that change a container in a way that is not followed."""
CONTAINERS = (g.Pack, g.Pairs, g.Changed, g.Merged, g.Collect)


def summarize(function: ir.Function, watch: bool = False) -> g.Summary:
    """The value graph of one function, from its text alone; `watch`: with what each name is where it stands."""
    semantics = HostSemantics(frozenset(_bound(function)), sightings=[] if watch else None)
    state: S = State({p.name: g.Formal(p.name, p.span) for p in function.params})
    end = Interpreter(semantics).run(function.body, state)
    if end.live:
        if not function.generator:
            semantics.returns.append((end.path, g.Literal(None, function.head), function.head))
        semantics.exits.append(end)
    if function.generator:
        result: g.Node = _collected(semantics.yields, function.head)
    else:
        result = _result(semantics.returns, function.head)
    final = _exit(semantics.exits, function.head)
    semantics.env.update(final)
    return g.Summary(
        function,
        result,
        tuple(semantics.returns),
        tuple(semantics.calls),
        tuple(semantics.writes),
        final,
        defaults(function.params),
        tuple(semantics.closures),
        tuple(semantics.sightings or ()),
        _numbers(function),
    )


NUMBERS = frozenset({"int", "float", "bool", "str", "bytes"})


def _numbers(function: ir.Function) -> dict[str, str]:
    """What is declared a plain number: parameters by name, the result as "return"."""
    declared = {p.name: p.annotation for p in function.params if p.kind not in ("*", "**")}
    declared["return"] = None if function.generator else function.returns
    return {n: a.id for n, a in declared.items() if isinstance(a, ir.Name) and a.id in NUMBERS}


def defaults(params: tuple[ir.Param, ...]) -> dict[str, g.Node]:
    """The nodes of the defaults, which are evaluated where the function is defined."""
    walker = Interpreter(HostSemantics(frozenset()))
    return {p.name: walker.evaluate(p.default, State({})) for p in params if p.default is not None}


def _result(returns: list[tuple[g.Path, g.Node, Span]], span: Span) -> g.Node:
    match returns:
        case []:
            return g.Choice((), span)
        case [(_, node, _)]:
            return node
        case _:
            return g.Choice(tuple((path, node) for path, node, _ in returns), span)


def _collected(yields: list[g.Node], span: Span) -> g.Node:
    if not yields:
        return g.Pack("list", (), span)
    element = yields[0] if len(yields) == 1 else g.Choice(tuple(((), y) for y in yields), span)
    return g.Collect("list", None, element, span)


def _exit(exits: list[S], span: Span) -> dict[str, g.Node]:
    """Each name's node at the end, over all ways out that bind it."""
    names = {name: None for state in exits for name in state.env}
    joined: dict[str, g.Node] = {}
    for name in names:
        options = [(s.path, s.env[name]) for s in exits if name in s.env]
        first = options[0][1]
        same = all(node is first for _, node in options)
        joined[name] = first if same else g.Choice(tuple(options), span)
    return joined


def _bound(function: ir.Function) -> set[str]:
    return ({p.name for p in function.params} | assigned(function.body)) - set(_borrowed(function.body))


def _borrowed(body: Iterable[ir.Stmt]) -> Iterator[str]:
    """The names that `global` and `nonlocal` say are others'."""
    for stmt in body:
        match stmt:
            case ir.Scope(names=names):
                yield from names
            case ir.If(body=inner, orelse=orelse) | ir.For(body=inner, orelse=orelse) | ir.While(body=inner, orelse=orelse):
                yield from _borrowed((*inner, *orelse))
            case ir.With(body=inner):
                yield from _borrowed(inner)
            case ir.Try(body=inner, handlers=handlers, orelse=orelse, final=final):
                yield from _borrowed((*inner, *(s for _, block in handlers for s in block), *orelse, *final))


@dataclass(slots=True)
class HostSemantics:
    """Builds nodes. `bound` are the function's own variables; all other names are free."""

    bound: frozenset[str]
    env: dict[str, g.Node] = field(default_factory=dict)
    """The variables that closures see: filled when the function is done."""
    returns: list[tuple[g.Path, g.Node, Span]] = field(default_factory=list)
    yields: list[g.Node] = field(default_factory=list)
    declared: dict[str, ir.Expr] = field(default_factory=dict)
    """The variables that were annotated before they are bound."""
    calls: list[g.CallSite] = field(default_factory=list)
    writes: list[g.Write] = field(default_factory=list)
    exits: list[S] = field(default_factory=list)
    closures: list[g.Closure] = field(default_factory=list)
    sightings: list[g.Sighting] | None = None

    def _see(self, name: str | None, span: Span, node: g.Node, state: S, stored: bool = False) -> None:
        if self.sightings is not None and name is not None:
            self.sightings.append(g.Sighting(name, span, node, state.path, stored))

    # -- expressions -----------------------------------------------------------------------------

    def constant(self, node: ir.Const) -> g.Node:
        return g.Literal(node.value, node.span)

    def load(self, name: str, state: S, span: Span) -> g.Node:
        found = state.env.get(name)
        if found is None:
            found = g.Opaque("unbound-variable", span) if name in self.bound else g.Free(name, span)
        if self.sightings is not None:
            self._see(name, span, found, state)
        return found

    def attribute(self, value: g.Node, node: ir.Attribute, state: S) -> g.Node:
        path = access_path(node)
        found = state.env.get(path) if path is not None else None
        if found is None:
            found = g.Get(value, node.attr, node.span)
        if self.sightings is not None:
            self._see(path, node.span, found, state)
        return found

    def subscript(self, value: g.Node, index: g.Node, node: ir.Subscript, state: S) -> g.Node:
        return g.Item(value, index, node.span)

    def slice(self, parts: tuple[g.Node | None, g.Node | None, g.Node | None], node: ir.Slice) -> g.Node:
        return g.Span3(*parts, node.span)

    def call(self, func: g.Node, args: tuple[tuple[g.Node, ir.Arg], ...], node: ir.Call, state: S) -> g.Node:
        given = tuple(g.Argument(value, a.keyword, a.star, a.span) for value, a in args)
        apply = g.Apply(func, given, node.span)
        self.calls.append(g.CallSite(apply, state.path))
        self._see("", node.span, apply, state)
        self._disturb(node, given, state)
        return apply

    def _disturb(self, node: ir.Call, args: tuple[g.Argument, ...], state: S) -> None:
        """A call may change the objects it is given: what it appends is known, the rest may be assigned anew."""
        if isinstance(node.func, ir.Attribute):
            owner = access_path(node.func.value)
            if owner is not None and owner in state.env and node.func.attr in MUTATORS and len(args) == 1:
                state.env[owner] = g.Changed(state.env[owner], None, args[0].value, node.span)
                return
            if owner is not None and owner in state.env and node.func.attr in MERGERS and len(args) == 1:
                if not args[0].keyword and not args[0].star:
                    state.env[owner] = g.Merged(state.env[owner], args[0].value, node.span)
                    return
            if owner is not None:
                if node.func.attr in SHAPERS and isinstance(state.env.get(owner), CONTAINERS):
                    state.env[owner] = g.Opaque("changed-in-place", node.span)
                _lend(owner, state)
        for arg in node.args:
            path = access_path(arg.value)
            if path is not None:
                _lend(path, state)

    def unary(self, value: g.Node, node: ir.Unary) -> g.Node:
        op = {"-": "neg", "+": "pos", "~": "invert"}.get(node.op, node.op)
        match value:
            case g.Literal(value=int() | float() as number) if op == "neg":
                return g.Literal(-number, node.span)
        return g.Operate(op, (value,), node.span)

    def binary(self, op: str, left: g.Node, right: g.Node, span: Span, inplace: bool) -> g.Node:
        return g.Operate(op, (left, right), span, inplace)

    def compare(self, op: str, left: g.Node, right: g.Node, span: Span) -> g.Node:
        return g.Operate(op, (left, right), span)

    def logic(self, op: str, left: g.Node, right: g.Node, span: Span) -> g.Node:
        return g.Operate(op, (left, right), span)

    def conditional(self, test: g.Node, body: g.Node, orelse: g.Node, node: ir.Conditional) -> g.Node:
        return g.Gate(test, body, orelse, node.span)

    def display(self, kind: str, items: tuple[g.Node, ...], span: Span) -> g.Node:
        return g.Pack(kind, items, span)

    def starred(self, value: g.Node, span: Span) -> g.Node:
        return g.Spread(value, span)

    def mapping(self, items: tuple[tuple[g.Node | None, g.Node], ...], span: Span) -> g.Node:
        return g.Pairs(items, span)

    def function(self, node: ir.Lambda | ir.Function, state: S) -> g.Node:
        closure = g.Closure(node, self.env, node.span)
        self.closures.append(closure)
        return closure

    def definition(self, node: ir.Class, state: S) -> g.Node:
        return g.LocalClass(node, node.span)

    def element(self, iterable: g.Node, span: Span) -> g.Node:
        return g.Each(iterable, span)

    def comprehension(self, key: g.Node | None, element: g.Node, node: ir.Comprehension) -> g.Node:
        return g.Collect(node.kind, key, element, node.span)

    def text(self, parts: tuple[g.Node, ...], node: ir.Format) -> g.Node:
        return g.Text(parts, node.span)

    def yielded(self, value: g.Node | None, node: ir.Yield) -> g.Node:
        if value is not None:
            self.yields.append(g.Each(value, node.span) if node.delegated else value)
        return g.Opaque("sent-value", node.span)

    def opaque(self, reason: str, span: Span) -> g.Node:
        return g.Opaque(reason, span)

    # -- effects ---------------------------------------------------------------------------------

    def store(self, name: str, value: g.Node, state: S, span: Span) -> None:
        _forget(name, state)
        if name in self.declared:
            value = g.Annotated(self.declared[name], value, span)
        state.env[name] = value
        self._see(name, span, value, state, True)

    def unpack(self, value: g.Node, count: int, star: int | None, span: Span) -> tuple[g.Node, ...]:
        if isinstance(value, g.Pack) and len(value.items) == count and star is None:
            if not any(isinstance(i, g.Spread) for i in value.items):
                return value.items
        return tuple(g.Part(value, i, count, star, span) for i in range(count))

    def set_attribute(self, value: g.Node, target: ir.Attribute, new: g.Node, state: S) -> None:
        self.writes.append(g.Write(value, target.attr, new, state.path, target.span))
        path = access_path(target)
        if path is not None:
            _forget(path, state)
            state.env[path] = new
        self._see(path, target.span, new, state, True)

    def set_item(self, value: g.Node, index: g.Node, target: ir.Subscript, new: g.Node, state: S) -> None:
        path = access_path(target.value)
        if path is not None:
            state.env[path] = g.Changed(value, index, new, target.span)

    def annotated(
        self, target: ir.Expr, annotation: ir.Expr, value: g.Node | None, state: S
    ) -> g.Node | None:
        if value is not None:
            return g.Annotated(annotation, value, target.span)
        if isinstance(target, ir.Name):
            self.declared[target.id] = annotation
        return None

    def imported(self, module: str, attr: str | None, span: Span) -> g.Node:
        return g.Imported(module, attr, span)

    def enter(self, context: g.Node, span: Span) -> g.Node:
        return g.Entered(context, span)

    def returned(self, value: g.Node | None, node: ir.Return, state: S) -> None:
        given = value if value is not None else g.Literal(None, node.span)
        self.returns.append((state.path, given, node.span))
        self._see("return", node.span, given, state, True)
        self.exits.append(state.fork())

    def asserted(self, test: g.Node, node: ir.Assert, state: S) -> None:
        pass

    # -- control ---------------------------------------------------------------------------------

    def decide(self, test: g.Node) -> bool | None:
        """Only a literal decides here: what a name stands for is known when the graph is solved."""
        match test:
            case g.Literal(value=bool() | None as value):
                return bool(value)
        return None

    def join(self, test: g.Node | None, left: S, right: S, span: Span) -> S:
        """Names bound on one side only keep that binding: reading them on the other side would raise.

        An attribute that only one side knows is read anew from its object on the other.
        """
        env: dict[str, g.Node] = {}
        for name in (*left.env, *(n for n in right.env if n not in left.env)):
            a, b = left.env.get(name), right.env.get(name)
            if "." in name:
                a, b = a or _read(name, left, span), b or _read(name, right, span)
                if a is None or b is None:
                    continue
            known = a or b
            assert known is not None
            env[name] = known if a is None or b is None or a is b else g.Gate(test, a, b, span)
        return State(env, left.path)

    def loop(self, node: ir.For | ir.While, state: S, once: Callable[[S], S]) -> S:
        """Every variable that the body assigns becomes a `Cycle`; the loop may run no time at all."""
        entry = state.fork()
        cycles: dict[str, g.Cycle] = {}
        for name in sorted(assigned(node.body)):
            start = entry.env.get(name)
            if start is not None:
                cycles[name] = entry.env[name] = g.Cycle(name, start, node.span)
        walker = Interpreter(self)
        if isinstance(node, ir.For):
            items = g.Each(walker.evaluate(node.iter, state), node.iter.span)
            walker.bind(node.target, items, entry)
        else:
            test = walker.evaluate(node.test, entry)
            entry.path += ((test, True),)
        end = once(entry)
        for name, cycle in cycles.items():
            cycle.step = end.env.get(name, cycle.start) if end.live else cycle.start
        after, before = (end if end.live else entry).fork(), state.fork()
        after.env.update(cycles)
        before.env.update(cycles)
        joined = self.join(None, after, before, node.span)
        joined.path = state.path
        return joined


def access_path(node: ir.Expr) -> str | None:
    """`x`, `self.x`, `a.b.c` for a chain of plain attributes, else None."""
    match node:
        case ir.Name(id=name):
            return name
        case ir.Attribute(value=value, attr=attr):
            owner = access_path(value)
            return None if owner is None else f"{owner}.{attr}"
    return None


def _read(path: str, state: S, span: Span) -> g.Node | None:
    """What an access path gives in a state; None where its first name is not bound there."""
    found = state.env.get(path)
    if found is not None or "." not in path:
        return found
    owner, _, attr = path.rpartition(".")
    value = _read(owner, state, span)
    return None if value is None else g.Get(value, attr, span)


def _lend(path: str, state: S) -> None:
    """Something else has the object at `path` in hand: its attributes are as before unless that assigns them."""
    prefix = path + "."
    for name, node in state.env.items():
        if name.startswith(prefix) and not isinstance(node, g.Kept):
            owner, _, attr = name.rpartition(".")
            value = _read(owner, state, node.span)
            if value is not None:
                state.env[name] = g.Kept(value, attr, node, node.span)


def _forget(path: str, state: S) -> None:
    """Drop what is known of the parts of the object at `path`."""
    prefix = path + "."
    for name in [n for n in state.env if n.startswith(prefix)]:
        del state.env[name]
