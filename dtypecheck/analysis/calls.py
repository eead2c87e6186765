"""Calls: which frame a call activates, and what comes back.

It knows functions, closures, classes, partials and bound methods; what a library function gives is
the business of `library` and of the operation table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core import ir
from ..core.provenance import Move
from . import attributes, binding, construct, externals, layers, library
from . import graph as g
from .dtypexpr import Symbol
from .frames import Frame
from .moves import moved
from .program import ClassDef, FunctionDef
from .store import class_around, owner_of
from .values import (
    Abstract, ClassRef, ClosureRef, Decorator, External, FunctionRef, Given, Instance, KernelRef, Launcher, Layer,
    Library, Many, Method, Nil, Partial, Thunk, Unknown, Value, just, under, union, unknown,
)  # fmt: skip

if TYPE_CHECKING:
    from .solve import Solver

OVERRIDES = 4
"""More subclasses than this are not looked into."""
DEEPEST = 14
"""Frames nested deeper than this are cut."""


def apply(solver: Solver, node: g.Apply, frame: Frame) -> Value:
    """The value of a call expression."""
    callees = solver.force(node.func, frame)
    return union(under(alt.guard, call(solver, alt.what, node.args, node, frame)) for alt in callees)


def call(solver: Solver, what: Abstract, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    """What calling one abstract value gives."""
    match what:
        case FunctionRef(fake=fake) if fake is not None:
            return _operator(solver, what, fake, args, node, frame)
        case FunctionRef() | ClosureRef():
            return activate(solver, what, args, frame, node)
        case ClassRef():
            return construct.construct(solver, what, args, frame, node)
        case Library(name):
            return library.call(solver, name, args, node, frame)
        case Method():
            return library.method(solver, what, args, node, frame)
        case Instance():
            return _called_object(solver, what, args, node, frame)
        case Layer():
            return layers.call(solver, what, args, node, frame)
        case Partial(func, first, home):
            return _partial(solver, func, first, home, args, node, frame)
        case External(symbol):
            return just(what.part(f"{symbol.path}()"))
        case Decorator():
            return library.decorated(solver, what, args, frame)
        case Launcher():
            return just(Unknown("compiled-kernel"))
        case KernelRef():
            return just(Unknown("kernel-call"))
        case Nil():
            return ()
        case Unknown():
            return just(what)
    return unknown("call", node.span)


def method(
    solver: Solver, what: Instance, name: str, args: tuple[g.Argument, ...], node: g.Node, frame: Frame
) -> Value:
    """`instance.name(*args)` for a method that operators and protocols call."""
    callees = attributes.attribute(solver, what, name, node, frame)
    return union(under(alt.guard, call(solver, alt.what, args, node, frame)) for alt in callees)


def _called_object(
    solver: Solver, what: Instance, args: tuple[g.Argument, ...], node: g.Node, frame: Frame
) -> Value:
    """`instance(...)`: `__call__`, or `forward` of an nn.Module."""
    for name in ("__call__", "forward"):
        if solver.program.method(what.cls, name) is not None:
            return method(solver, what, name, args, node, frame)
    if what.symbol is not None:
        return just(External(Symbol(what.symbol.function, f"{what.symbol.path}()")))
    return unknown("not-callable", node.span)


def _partial(
    solver: Solver,
    func: Thunk | Given,
    first: tuple[g.Argument, ...],
    home: Frame,
    args: tuple[g.Argument, ...],
    node: g.Node,
    frame: Frame,
) -> Value:
    """The partial's arguments first; a keyword of the call replaces the partial's."""
    given = completed(first, home, args, frame)
    return union(under(alt.guard, call(solver, alt.what, given, node, frame)) for alt in solver.demand(func))


def completed(
    first: tuple[g.Argument, ...], home: Frame, args: tuple[g.Argument, ...], frame: Frame
) -> tuple[g.Argument, ...]:
    """The arguments of a call of a partial, as the calling frame sees them."""
    named = {a.keyword for a in args if a.keyword is not None}
    kept = [a for a in first if a.keyword is None or a.keyword not in named]
    if home is not frame:
        kept = [g.Argument(g.Elsewhere(a.value, home, a.span), a.keyword, a.star, a.span) for a in kept]
    return (*kept, *args)


# -- activation ----------------------------------------------------------------------------------


def activate(
    solver: Solver,
    what: FunctionRef | ClosureRef,
    args: tuple[g.Argument, ...],
    frame: Frame,
    node: g.Node,
) -> Value:
    """The result of a project function for these arguments."""
    made = enter(solver, what, args, frame, node)
    if made is None:
        return unknown("recursion", node.span)

    def result() -> Value:
        function = made.summary.function
        if isinstance(what, FunctionRef) and not function.generator:
            if _is_stub(function):
                return _overridden(solver, what, args, frame, node) or _declared(solver, made, node)
            if not made.summary.returns:
                return _overridden(solver, what, args, frame, node)
        value = solver.force(made.summary.result, made)
        return value if function.generator else externals.narrowed(solver, value, function.returns, made, made)

    kind = made.summary.numbers.get("return")
    if kind is not None:
        return solver.number(kind, result)
    return moved(result(), Move.RETURNED, frame.place(node.span), made.name)


def _operator(
    solver: Solver, what: FunctionRef, fake: FunctionDef, args: tuple[g.Argument, ...], node: g.Node, frame: Frame
) -> Value:
    """A custom operator: what its function gives; where that does not tell, what its fake gives.

    torch has a fake's results be like the function's in all but their data (torch.library.register_fake).
    """
    value = activate(solver, what, args, frame, node)
    if _told(value):
        return value
    like = activate(solver, FunctionRef(fake), args, frame, node)
    return like if _told(like) else value


def _told(value: Value) -> bool:
    """Whether all that comes out is known, or a symbol of what goes in."""
    return all(not isinstance(alt.what, Unknown) and not getattr(alt.what, "reason", "") for alt in value)


def _is_stub(function: ir.Function) -> bool:
    """Whether a body says nothing: `...`, or nothing at all in an abstract method."""
    abstract = any(
        isinstance(d, (ir.Name, ir.Attribute)) and (d.id if isinstance(d, ir.Name) else d.attr) == "abstractmethod"
        for d in function.decorators
    )
    for stmt in function.body:
        match stmt:
            case ir.ExprStmt(value=ir.Const(value=value)) if value is ... or isinstance(value, str):
                abstract = abstract or value is ...
            case ir.Jump(kind="pass"):
                pass
            case _:
                return False
    return abstract


def _declared(solver: Solver, made: Frame, node: g.Node) -> Value:
    """What a stub's annotation says of the result of one call."""
    function = made.summary.function
    if function.returns is None:
        return unknown("abstract-method", node.span)
    if isinstance(function.returns, ir.Const) and function.returns.value is None:
        return just(Nil())
    symbol = Symbol(made.name, f"{function.name}() at {node.span.line}")
    return externals.from_annotation(solver, function.returns, made, symbol)


def _overridden(
    solver: Solver, what: FunctionRef, args: tuple[g.Argument, ...], frame: Frame, node: g.Node
) -> Value:
    """A method that only raises stands for those of the subclasses of its class."""
    receiver = solver.demand(what.receiver) if what.receiver is not None else ()
    if len(receiver) != 1 or not isinstance(receiver[0].what, Instance):
        return ()
    home = class_around(what.function)
    heirs = solver.program.subclasses(receiver[0].what.cls)
    methods = dict.fromkeys(solver.program.method(cls, what.function.entry.name) for cls in heirs)
    found = [method for method in methods if method is not None and _is_below(solver, class_around(method), home)]
    if not 0 < len(found) <= OVERRIDES:
        return unknown("abstract-method", node.span) if found else ()
    parts = []
    for number, method in enumerate(found):
        value = activate(solver, FunctionRef(method, what.receiver), args, frame, node)
        parts.append(under(frozenset({(("override", frame, node), number)}), value))
    return union(parts)


def _is_below(solver: Solver, cls: ClassDef | None, base: ClassDef | None) -> bool:
    return cls is not None and cls != base and base in solver.program.mro(cls)


def enter(
    solver: Solver,
    what: FunctionRef | ClosureRef,
    args: tuple[g.Argument, ...],
    frame: Frame,
    node: g.Node,
) -> Frame | None:
    """The frame of this call; the same one each time it is asked for. None where calls nest too deep."""
    key = (node, what)
    found = frame.callees.get(key)
    if found is not None:
        return found
    made = _function_frame(solver, what) if isinstance(what, FunctionRef) else _closure_frame(solver, what)
    if frame.depth >= DEEPEST or _recursive(frame, made):
        return None
    made.caller = frame
    made.site = node if isinstance(node, g.Apply) else None
    made.depth = frame.depth + 1
    passed, open_positions, open_keywords = binding.spread(solver, args, frame)
    receiver = what.receiver if isinstance(what, FunctionRef) else None
    if receiver is not None:
        passed.insert(0, binding.Passed(receiver, None, None))
    params = made.summary.function.params
    fitted = binding.fit(params, passed, open_positions, open_keywords)
    made.bound = binding.slots(fitted, params)
    _fill(solver, made, open_positions, open_keywords)
    frame.callees[key] = made
    return made


def _fill(solver: Solver, made: Frame, open_positions: bool, open_keywords: bool) -> None:
    """Parameters that got no argument take their defaults."""
    home = made.outer or solver.store.module_frame(made.file)
    for param in made.summary.function.params:
        if param.name in made.bound:
            continue
        if open_positions or open_keywords:
            made.bound[param.name] = Given(unknown("star-argument", param.span))
        elif param.name in made.summary.defaults:
            made.bound[param.name] = Thunk(made.summary.defaults[param.name], home)
        else:
            made.bound[param.name] = Given(unknown("missing-argument", param.span))


def _function_frame(solver: Solver, what: FunctionRef) -> Frame:
    function = what.function
    summary = solver.store.summary(function)
    return Frame(summary, function.file, function.key, function=function, owner=owner_of(function))


def _closure_frame(solver: Solver, what: ClosureRef) -> Frame:
    node = what.node
    function = node.function
    if isinstance(function, ir.Lambda):
        body = (ir.Return(function.body, function.body.span),)
        function = ir.Function("<lambda>", "<lambda>", function.params, body, (), None, False, node.span, node.span)
    summary = solver.store.closure(node, function)
    return Frame(summary, what.frame.file, f"{what.frame.name}.{function.name}", outer=what.frame, env=node.env)


def _recursive(frame: Frame, made: Frame) -> bool:
    return sum(1 for at in frame.stack() if at.summary is made.summary) >= 2


def _manages(solver: Solver, node: g.Node, frame: Frame) -> bool:
    """Whether an expression calls a generator function that `contextmanager` decorates."""
    if not isinstance(node, g.Apply):
        return False
    callees = [alt.what for alt in solver.force(node.func, frame)]
    return bool(callees) and all(
        isinstance(c, FunctionRef)
        and any(d.rpartition(".")[2] == "contextmanager" for d in c.function.entry.decorators)
        for c in callees
    )


def entered(solver: Solver, node: g.Entered, frame: Frame) -> Value:
    """What `with value as x` binds: `__enter__`'s result, or what a context-manager function yields."""
    parts: list[Value] = []
    for alt in solver.force(node.value, frame):
        what = alt.what
        if isinstance(what, Instance) and solver.program.method(what.cls, "__enter__") is not None:
            parts.append(under(alt.guard, method(solver, what, "__enter__", (), node, frame)))
        elif isinstance(what, Many) and _manages(solver, node.value, frame):
            parts.append(under(alt.guard, union(solver.demand(e) for e in what.elements)))
        else:
            parts.append(under(alt.guard, unknown("context-manager", node.span)))
    return union(parts)
