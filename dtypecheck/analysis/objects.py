"""Objects of the project's classes: how they are made, and what their attributes hold.

An attribute is looked for where Python finds it: properties and methods of the class, then what the
constructor leaves behind (under the very arguments of the call that made the object, where that is
known), then what other methods assign, then what outside code assigns, then class-level values.
Values that different methods assign are ignorance, not alternatives: their order is not known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.provenance import Move
from ..core.spans import Place, Span
from . import autograd, construct, externals, layers
from . import graph as g
from .dtypexpr import Symbol
from .frames import Frame
from .moves import along, moved
from .program import ClassDef, FunctionDef
from .values import (
    ALWAYS, Abstract, ClassRef, External, FunctionRef, Given, Guard, Instance, KernelRef, Method, Nil, Number,
    Thunk, Unknown, Value, agree, either, fillable, ignorance, just, under, union, unknown,
)  # fmt: skip

if TYPE_CHECKING:
    from .solve import Solver

SITES = 6
"""Construction sites looked at for an object that came from elsewhere."""
WRITERS = 8
"""Functions outside a class that are looked at for what they assign to an attribute."""


def attribute(solver: Solver, what: Instance, attr: str, node: g.Node, frame: Frame) -> Value:
    """`instance.attr`."""
    method = solver.program.method(what.cls, attr)
    if method is not None:
        return _method(solver, what, method, node, frame)
    if attr == "__class__":
        return just(ClassRef(what.cls))
    value = field(solver, what, attr) or autograd.attribute(solver, what, attr)
    if value:
        return along(value, what.via) if what.via and _settled(solver, what, attr) else value
    inherited = class_attribute(solver, ClassRef(what.cls), attr, node)
    if inherited and not all(isinstance(alt.what, Unknown) for alt in inherited):
        return inherited
    if attr in layers.MODULE_METHODS and layers.is_module(solver, what.cls):
        return just(Method(f"Module.{attr}", what))
    if what.symbol is not None:
        return just(External(Symbol(what.symbol.function, f"{what.symbol.path}.{attr}")))
    return inherited or unknown("unknown-attribute", node.span)


def _method(solver: Solver, what: Instance, method: FunctionDef, node: g.Node, frame: Frame) -> Value:
    """A bound method, or the value of a property."""
    decorators = [d.rpartition(".")[2] for d in method.entry.decorators]
    if solver.program.is_kernel(method):
        return just(KernelRef(method))
    if "staticmethod" in decorators:
        return just(FunctionRef(method))
    if "classmethod" in decorators:
        return just(FunctionRef(method, Given(just(ClassRef(what.cls)))))
    bound = Given(just(what))
    if "property" in decorators or "cached_property" in decorators or "functools.cached_property" in decorators:
        from . import calls

        return calls.activate(solver, FunctionRef(method, bound), (), frame, node)
    return just(FunctionRef(method, bound))


# -- fields --------------------------------------------------------------------------------------


def field(solver: Solver, what: Instance, attr: str) -> Value:
    """What an attribute holds; empty where nothing assigns it."""
    kind = construct.declared_number(solver, what.cls, attr)
    if kind is None:
        return solver.once(("field", what, attr), lambda: _field(solver, what, attr))
    return solver.once(
        ("field", what, attr), lambda: solver.number(kind, lambda: _field(solver, what, attr))
    )


def _field(solver: Solver, what: Instance, attr: str) -> Value:
    if what.made is not None:
        made = _made(solver, what, attr)
    else:
        made = _elsewhere(solver, what, attr)
    key = ("field", what, attr)
    solver.assume(key, made)
    late = _late(solver, what, attr)
    del solver.cycles[key]
    values = [v for v in (made, late) if v]
    if all(_waits(a.what) for v in values for a in v):
        outside = _outside(solver, what, attr)
        values += [outside] if outside else []
    return _narrowed(solver, what, attr, either(values))


def _narrowed(solver: Solver, what: Instance, attr: str, value: Value) -> Value:
    """A field's value; where it is unknown, what its annotation says."""
    if any(isinstance(alt.what, Unknown) for alt in value):
        for annotation, frame in construct.annotations(solver, what.cls, attr):
            return externals.narrowed(solver, value, annotation, frame, (what, attr))
    return value


def _waits(what: Abstract) -> bool:
    """Whether a value looks like one that others replace: nothing, or a flag."""
    return isinstance(what, (Nil, Unknown)) or (isinstance(what, Number) and what.kind == "bool")


def kept(solver: Solver, node: g.Kept, frame: Frame) -> Value:
    """What an attribute holds that was assigned here, and that methods called since may have assigned."""
    before = solver.force(node.before, frame)
    for alt in solver.force(node.value, frame):
        if isinstance(alt.what, Instance):
            late = _late(solver, alt.what, node.attr)
            return either([v for v in (before, late) if v])
    return before


def _made(solver: Solver, what: Instance, attr: str) -> Value:
    assert what.made is not None
    frame = what.made
    path = f"{construct.receiver(frame)}.{attr}"
    if frame.summary.function.name == "<fields>":
        slot = frame.bound.get(attr)
        if slot is not None:
            return _stored(solver, slot, what, attr)
        default = frame.summary.exit.get(attr)
        if default is not None:
            value = construct.default_field(solver, default, frame)
            if all(isinstance(alt.what, Nil) for alt in value):
                return construct.filled_later(solver, what, attr) or value
            return value
        return ()
    found = frame.summary.exit.get(path)
    if found is not None:
        return _stored(solver, Thunk(found, frame), what, attr)
    return _written(solver, what.made, what, attr) or construct.inherited(solver, what, attr)


def _written(solver: Solver, frame: Frame, what: Instance, attr: str) -> Value:
    """What a method assigned before it called something that has the object in hand, path by path."""
    parts: list[Value] = []
    left: tuple[Guard, ...] = (ALWAYS,)
    for path, node in reversed(_assignments(frame, attr)):
        value = _stored(solver, Thunk(node, frame), what, attr)
        for guard in solver.guards(path, frame):
            parts += [under(both, value) for rest in left if (both := agree(guard, rest)) is not None]
        others = [g for i, (test, way) in enumerate(path) for g in solver.guards((*path[:i], (test, not way)), frame)]
        left = tuple(both for rest in left for other in others if (both := agree(rest, other)) is not None)
        if not left or len(left) > SITES:
            break
    return union(parts)


def _assignments(frame: Frame, attr: str) -> list[tuple[g.Path, g.Node]]:
    """The assignments of an attribute in a constructor, in order; `register_buffer` is one."""
    name = construct.receiver(frame)
    found: list[tuple[Span, g.Path, g.Node]] = []
    for write in frame.summary.writes:
        if write.attr == attr and isinstance(write.value, g.Formal) and write.value.name == name:
            found.append((write.span, write.path, write.new))
    for site in frame.summary.calls:
        match site.apply.func, site.apply.args:
            case g.Get(g.Formal(owner), "register_buffer" | "register_parameter"), (first, second, *_) if owner == name:
                if isinstance(first.value, g.Literal) and first.value.value == attr:
                    found.append((site.apply.span, site.path, second.value))
    return [(path, node) for _, path, node in sorted(found, key=lambda f: f[0])]


def _stored(solver: Solver, slot: Thunk | Given, what: Instance, attr: str) -> Value:
    """The value of an attribute, with the place where it was given to the object."""
    value = fillable(solver.demand(slot))
    if isinstance(slot, Given) or what.made is None:
        return value
    return moved(value, Move.STORED, _given_at(what.made, slot, attr), f"{what.cls.entry.name}.{attr}")


def _given_at(made: Frame, slot: Thunk, attr: str) -> Place:
    """Where an attribute gets its value: the constructor's argument, or the assignment."""
    if made.site is not None and made.caller is not None and made.summary.function.name == "<fields>":
        names = [p.name for p in made.summary.function.params]
        for position, arg in enumerate(made.site.args):
            if arg.keyword == attr or (arg.keyword is None and position < len(names) and names[position] == attr):
                return made.caller.place(arg.span)
    for write in made.summary.writes:
        if write.attr == attr:
            return made.place(write.span)
    return slot.frame.place(slot.node.span)


def _elsewhere(solver: Solver, what: Instance, attr: str) -> Value:
    """The object came from a caller that is not known: whoever makes such objects tells."""
    kind = construct.declared_number(solver, what.cls, attr)
    if kind is not None:
        return just(Number(kind))
    sites = construct.sites(solver, what.cls)
    if 0 < len(sites) <= SITES:
        parts: list[Value] = []
        key = ("made", what.symbol or what.cls)
        for number, made in enumerate(sites):
            value = _made(solver, made, attr)
            parts.append(value if len(sites) == 1 else under(frozenset({(key, number)}), value))
        found = union(parts)
        if found:
            return found
    return _made(solver, construct.unseen(solver, what), attr)


def _late(solver: Solver, what: Instance, attr: str) -> Value:
    """What methods other than the constructor leave in `self.attr`."""
    return solver.once(("late", what, attr), lambda: _left(solver, what, attr))


def _left(solver: Solver, what: Instance, attr: str) -> Value:
    parts: list[Value] = []
    for writer in solver.program.writers(attr):
        if writer.entry.class_name and writer.entry.name != "__init__" and _is_method_of(solver, writer, what.cls):
            frame = solver.store.root_frame(writer)
            self_name = construct.receiver(frame)
            frame = construct.as_method(solver, frame, writer, what, self_name)
            found = frame.summary.exit.get(f"{self_name}.{attr}")
            parts.append(solver.force(found, frame) if found is not None else _written(solver, frame, what, attr))
    values = [p for p in parts if p]
    if len(values) <= 1:
        return values[0] if values else ()
    merged = union(values)
    kept = tuple(a for a in merged if not isinstance(a.what, Nil))
    return kept if len({a.what for a in kept}) <= 1 else ignorance(kept)


def _settled(solver: Solver, what: Instance, attr: str) -> bool:
    """Whether an attribute is what its object was made with: then it came along with the object."""
    writers = solver.program.writers(attr)
    return not any(w.entry.name != "__init__" and _is_method_of(solver, w, what.cls) for w in writers)


def _is_method_of(solver: Solver, writer: FunctionDef, cls: ClassDef) -> bool:
    for at in solver.program.mro(cls):
        if isinstance(at, ClassDef) and at.file is writer.file and at.entry.qualname == writer.entry.class_name:
            return True
    return False


def _outside(solver: Solver, what: Instance, attr: str) -> Value:
    """What code outside the class assigns to this attribute of such an object."""
    parts: list[Value] = []
    writers = [
        w for w in solver.program.writers(attr) if not w.entry.nested and not _is_method_of(solver, w, what.cls)
    ]
    if len(writers) > WRITERS:
        return ()
    for writer in writers:
        frame = solver.store.root_frame(writer)
        for write in frame.summary.writes:
            if write.attr != attr:
                continue
            for alt in solver.force(write.value, frame):
                if isinstance(alt.what, Instance) and _related(solver, alt.what.cls, what.cls):
                    parts.append(solver.force(write.new, frame))
                    break
    values = [p for p in parts if p]
    if len(values) <= 1:
        return values[0] if values else ()
    merged = union(values)
    return merged if len({a.what for a in merged}) <= 1 else ignorance(merged)


def _related(solver: Solver, a: ClassDef, b: ClassDef) -> bool:
    return a in solver.program.mro(b) or b in solver.program.mro(a)


# -- classes -------------------------------------------------------------------------------------


def class_attribute(solver: Solver, what: ClassRef, attr: str, node: g.Node) -> Value:
    """`Class.attr`: methods, class-level values, nested classes, and what library bases give."""
    method = solver.program.method(what.cls, attr)
    if method is not None:
        if solver.program.is_kernel(method):
            return just(KernelRef(method))
        decorators = [d.rpartition(".")[2] for d in method.entry.decorators]
        return just(FunctionRef(method, Given(just(what))) if "classmethod" in decorators else FunctionRef(method))
    for at in solver.program.mro(what.cls):
        if isinstance(at, str):
            continue
        if attr in at.entry.constants or any(f.name == attr for f in at.entry.fields):
            frame = solver.store.class_frame(at)
            found = frame.summary.exit.get(attr)
            if found is not None:
                return fillable(construct.default_field(solver, found, frame))
        for inner in at.file.classes:
            if inner.qualname == f"{at.entry.qualname}.{attr}":
                return just(ClassRef(ClassDef(at.file, inner)))
    bases = [at for at in solver.program.mro(what.cls) if isinstance(at, str)]
    if attr == "apply" and any(b.endswith("autograd.Function") or b.endswith(".Function") for b in bases):
        return just(Method("Function.apply", what))
    if attr == "__name__":
        return just(Number("str", what.cls.entry.name, True))
    return unknown("class-attribute", node.span)
