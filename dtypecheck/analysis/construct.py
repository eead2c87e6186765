"""Objects being made: constructors, dataclasses, named tuples, enums; and who makes objects of a class."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..core import ir
from ..core.spans import NOWHERE
from ..syntax.model import FunctionEntry
from . import binding
from . import graph as g
from .frames import Frame
from .program import ClassDef, FunctionDef
from .values import (
    Alternative, ClassRef, FunctionRef, Given, Instance, Number, Sequence, Thunk, Unknown, Value, chosen, just, union,
    unknown,
)  # fmt: skip

if TYPE_CHECKING:
    from .solve import Solver

DATACLASS = ("dataclass", "dataclasses.dataclass", "define", "frozen", "attr.s", "struct", "config", "dataclass_transform")
CALLERS = 12
"""A class that more functions make is seen through its declarations alone."""
RECORDS = ("NamedTuple", "Struct", "BaseModel", "TypedDict")


def construct(
    solver: Solver, what: ClassRef, args: tuple[g.Argument, ...], frame: Frame, node: g.Node
) -> Value:
    """`Class(*args)`."""
    cls = what.cls
    key = (node, cls)
    made = frame.callees.get(key)
    if made is None:
        made = _constructor_frame(solver, cls, args, frame, node)
        if made is None:
            return unknown("recursion", node.span)
        frame.callees[key] = made
    if _is_named_tuple(solver, cls):
        names = tuple(n for n, _ in fields(solver, cls))
        slots = tuple(_slot(made, n) for n in names)
        return just(Sequence("tuple", slots, names))
    if any(isinstance(b, str) and b.rpartition(".")[2] in ("Enum", "IntEnum", "StrEnum") for b in solver.program.mro(cls)):
        return unknown("enum", node.span)
    return just(Instance(cls, made))


def _slot(made: Frame, name: str) -> Thunk | Given:
    bound = made.bound.get(name)
    if bound is not None:
        return bound
    default = made.summary.exit.get(name)
    return Thunk(default, made) if default is not None else Given(unknown("missing-argument"))


def _is_named_tuple(solver: Solver, cls: ClassDef) -> bool:
    return any(isinstance(b, str) and b.rpartition(".")[2] == "NamedTuple" for b in solver.program.mro(cls))


def is_record(solver: Solver, cls: ClassDef) -> bool:
    """Whether the constructor is made from annotated fields."""
    if any(d.rpartition(".")[2] in DATACLASS or d in DATACLASS for d in cls.entry.decorators):
        return True
    for base in solver.program.mro(cls):
        if isinstance(base, str) and base.rpartition(".")[2] in RECORDS:
            return True
        if isinstance(base, ClassDef) and base is not cls:
            if any(d.rpartition(".")[2] in DATACLASS for d in base.entry.decorators):
                return "__init__" not in cls.entry.methods
    return False


def fields(solver: Solver, cls: ClassDef) -> list[tuple[str, ClassDef]]:
    """The fields of a record in order, bases first, each with the class that declares it."""
    found: dict[str, ClassDef] = {}
    for at in reversed(solver.program.mro(cls)):
        if isinstance(at, ClassDef):
            for field in at.entry.fields:
                if "ClassVar" not in field.annotation:
                    found.setdefault(field.name, at)
    return list(found.items())


def _constructor_frame(
    solver: Solver, cls: ClassDef, args: tuple[g.Argument, ...], frame: Frame, node: g.Node
) -> Frame | None:
    init = solver.program.method(cls, "__init__")
    if init is not None and not (is_record(solver, cls) and init.entry.class_name != cls.entry.qualname):
        from . import calls

        made = calls.enter(solver, FunctionRef(init, None), (), frame, g.Opaque("constructor", node.span))
        if made is None:
            return None
        receiver_slot = Given(just(Instance(cls, made)))
        passed, positions, keywords = binding.spread(solver, args, frame)
        passed.insert(0, binding.Passed(receiver_slot, None, None))
        params = made.summary.function.params
        made.bound = binding.slots(binding.fit(params, passed, positions, keywords), params)
        calls._fill(solver, made, positions, keywords)
        made.site = node if isinstance(node, g.Apply) else None
        return made
    return _record_frame(solver, cls, args, frame, node)


def _record_frame(
    solver: Solver, cls: ClassDef, args: tuple[g.Argument, ...], frame: Frame, node: g.Node
) -> Frame:
    """A frame whose formals are the fields; defaults stand in the class bodies."""
    body = solver.store.class_frame(cls)
    declared = fields(solver, cls)
    params = tuple(ir.Param(name, "normal", None, None, NOWHERE) for name, _ in declared)
    exits: dict[str, g.Node] = {}
    for name, at in declared:
        default = solver.store.class_frame(at).summary.exit.get(name)
        if default is not None:
            exits[name] = default
    function = ir.Function("<fields>", "<fields>", params, (), (), None, False, NOWHERE)
    summary = g.Summary(function, g.Literal(None), (), (), (), exits, {})
    made = Frame(summary, cls.file, cls.key, caller=frame, depth=frame.depth + 1)
    made.site = node if isinstance(node, g.Apply) else None
    made.outer = body
    if is_record(solver, cls) or not args:
        fitted = binding.bind(solver, params, args, frame)
        made.bound = {name: one.slot for name, one in fitted.bound.items()}
        if fitted.open_positions or fitted.open_keywords:
            for name, _ in declared:
                made.bound.setdefault(name, Given(unknown("star-argument")))
    return made


def default_field(solver: Solver, node: g.Node, frame: Frame) -> Value:
    """A class-level value; `field(default=...)` and `field(default_factory=...)` are looked into."""
    match node:
        case g.Annotated(_, value, _) if value is not None:
            return default_field(solver, value, frame)
        case g.Apply(func, args, _) if isinstance(func, (g.Free, g.Get)) and _last(func) in ("field", "Field", "ib"):
            for arg in args:
                if arg.keyword == "default":
                    return solver.force(arg.value, frame)
                if arg.keyword in ("default_factory", "factory"):
                    return solver.force(g.Apply(arg.value, (), arg.span), frame)
            return ()
    return solver.force(node, frame)


def _last(node: g.Free | g.Get) -> str:
    return node.name if isinstance(node, g.Free) else node.attr


def receiver(frame: Frame) -> str:
    """The name that a method gives to its object."""
    params = frame.summary.function.params
    return params[0].name if params else "self"


# -- objects made elsewhere ----------------------------------------------------------------------


def annotations(solver: Solver, cls: ClassDef, attr: str) -> Iterator[tuple[ir.Expr, Frame]]:
    """The annotations of a field in the bodies and constructors of a class and its bases, each with its frame."""
    for at in solver.program.mro(cls):
        if not isinstance(at, ClassDef):
            continue
        if any(field.name == attr for field in at.entry.fields):
            declared = solver.store.annotations(at).get(attr)
            if declared is not None:
                yield declared, solver.store.class_frame(at)
        constructor = next((f for f in at.file.functions if f.qualname == f"{at.entry.qualname}.__init__"), None)
        if constructor is not None and _mentions(solver, at, constructor, f".{attr}:"):
            frame = solver.store.root_frame(FunctionDef(at.file, constructor))
            for write in frame.summary.writes:
                match write:
                    case g.Write(attr=name, new=g.Annotated(annotation=declared)) if name == attr:
                        yield declared, frame


def _mentions(solver: Solver, cls: ClassDef, function: FunctionEntry, text: str) -> bool:
    """Whether a function's lines hold a text: a glance that saves its lowering."""
    source = solver.store.source(cls.file.path)
    return source is not None and any(text in s for s in source.lines[function.first_line - 1 : function.last_line])


def declared_number(solver: Solver, cls: ClassDef, attr: str) -> str | None:
    """The kind of a field that is annotated as a plain number: who makes it does not matter.

    Text and flags choose ways: where they have a default, that is a way of its own.
    """
    for at in solver.program.mro(cls):
        if isinstance(at, ClassDef):
            for field in at.entry.fields:
                if field.name == attr:
                    chooses = field.annotation in ("bool", "str") and field.has_default
                    plain = field.annotation in ("int", "float", "bool", "str") and not chooses
                    return field.annotation if plain else None
    return None


def filled_later(solver: Solver, what: Instance, attr: str) -> Value:
    """A field that starts as None though its annotation does not admit it: what the annotation says."""
    kind = declared_number(solver, what.cls, attr)
    return just(Number(kind)) if kind is not None else ()


def sites(solver: Solver, cls: ClassDef) -> list[Instance]:
    """The objects that calls of the class's name make, seen from the functions that make them."""
    found = solver.sites.get(cls)
    if found is None:
        solver.sites[cls] = []
        found = solver.sites[cls] = _sites(solver, cls)
    return found


def _sites(solver: Solver, cls: ClassDef) -> list[Instance]:
    name = cls.entry.name
    callers = solver.program.callers(name, near=cls.file.path)
    if len(callers) > CALLERS:
        return []
    found: dict[Frame, Instance] = {}
    for caller in callers:
        _made_in(solver, solver.store.root_frame(caller), name, cls, found)
    for caller in solver.program.callers("cls", near=cls.file.path):
        if caller.file is cls.file and caller.entry.class_name == cls.entry.qualname:
            _made_in(solver, solver.store.root_frame(caller), "cls", cls, found)
    return list(found.values())


def _made_in(solver: Solver, frame: Frame, name: str, cls: ClassDef, found: dict[Frame, Instance]) -> None:
    """Collects the objects of a class that calls of a name make in one function."""
    for site in frame.summary.calls:
        func = site.apply.func
        called = func.name if isinstance(func, (g.Free, g.Formal)) else func.attr if isinstance(func, g.Get) else ""
        if called != name:
            continue
        for alt in solver.force(site.apply, frame):
            if isinstance(alt.what, Instance) and alt.what.cls == cls and alt.what.made is not None:
                found.setdefault(alt.what.made, alt.what)


def unseen(solver: Solver, what: Instance) -> Instance:
    """The object as its constructor leaves it for arguments that nobody tells."""
    init = solver.program.method(what.cls, "__init__")
    if init is None or (is_record(solver, what.cls) and init.entry.class_name != what.cls.entry.qualname):
        made = _record_frame(solver, what.cls, (), solver.store.module_frame(what.cls.file), g.Opaque("fields", NOWHERE))
        for name, at in fields(solver, what.cls):
            made.bound[name] = Given(_declared(solver, what, name, at))
        return Instance(what.cls, made, what.symbol)
    return Instance(what.cls, solver.store.root_frame(init), what.symbol)


def _declared(solver: Solver, what: Instance, name: str, at: ClassDef) -> Value:
    """A field of an object made outside: what its annotation says, as a symbol of its own."""
    from .dtypexpr import Symbol
    from .externals import from_annotation

    if what.symbol is None:
        return unknown("made-elsewhere")
    symbol = Symbol(what.symbol.function, f"{what.symbol.path}.{name}")
    frame = solver.store.class_frame(at)
    given = from_annotation(solver, solver.store.annotations(at).get(name), frame, symbol)
    node = frame.summary.exit.get(name)
    default = default_field(solver, node, frame) if node is not None else ()
    if len(default) != 1 or not isinstance(default[0].what, Number) or not default[0].what.known:
        return given
    return union((chosen(("default", symbol), default, given),))


def inherited(solver: Solver, what: Instance, attr: str) -> Value:
    """An attribute that a base class's constructor assigns, when `super().__init__(...)` calls it."""
    assert what.made is not None
    for site in what.made.summary.calls:
        match site.apply.func:
            case g.Get(value=g.Apply(func=g.Free(name="super")), attr="__init__"):
                base = _base_init(solver, what.made)
                if base is None:
                    continue
                from . import calls

                frame = calls.enter(
                    solver, FunctionRef(base, Given(just(what))), site.apply.args, what.made, site.apply
                )
                if frame is None:
                    continue
                found = frame.summary.exit.get(f"{receiver(frame)}.{attr}")
                if found is not None:
                    return solver.force(found, frame)
                return inherited(solver, Instance(what.cls, frame, what.symbol), attr)
    return ()


def _base_init(solver: Solver, frame: Frame) -> FunctionDef | None:
    """The constructor that `super().__init__` reaches from this one."""
    if frame.owner is None:
        return None
    for at in solver.program.mro(frame.owner)[1:]:
        if isinstance(at, ClassDef) and "__init__" in at.entry.methods:
            return solver.program.method(at, "__init__")
    return None


def as_method(solver: Solver, frame: Frame, writer: FunctionDef, what: Instance, self_name: str) -> Frame:
    """The root frame of a method, with its object bound."""
    key = ("method", what)
    found = frame.callees.get(key)
    if found is None:
        found = Frame(frame.summary, frame.file, frame.name, function=writer, owner=frame.owner)
        found.bound[self_name] = Given(just(what))
        frame.callees[key] = found
    return found


__all__ = ["Alternative", "Unknown", "construct", "sites", "unseen"]
