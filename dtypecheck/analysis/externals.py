"""What outside callers provide, as far as annotations and defaults tell; anything else is a symbol."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from ..core import ir
from ..core.provenance import Move, Origin
from . import autograd, promises
from . import graph as g
from .dtypexpr import Of, Symbol
from .frames import Frame
from .program import ClassDef, Foreign
from .store import class_of
from .values import (
    Abstract, Array, ClassRef, Dictionary, DTypeRef, External, Given, Instance, Many, Nil, Number, Sequence, Unknown, Value, chosen, just, under,
    union,
)  # fmt: skip

if TYPE_CHECKING:
    from .solve import Solver

TENSORS = frozenset(
    {"torch.Tensor", "torch.nn.Parameter", "torch.nn.parameter.Parameter", "torch.LongTensor", "torch.nn.Buffer"}
)
NUMBERS = {"int": "int", "float": "float", "bool": "bool", "str": "str", "bytes": "bytes"}
SEQUENCES = {"list": "list", "List": "list", "tuple": "tuple", "Tuple": "tuple", "Sequence": "list", "Iterable": "list"}
MAPPINGS = frozenset({"dict", "Dict", "Mapping"})
WRAPPERS = frozenset({"Annotated", "Final", "ClassVar", "Required", "NotRequired", "Optional"})


def formal(solver: Solver, node: g.Formal, frame: Frame) -> Value:
    """A parameter that no known caller binds: its default where it has one, or what a caller gives."""
    symbol = Symbol(frame.name, node.name)
    param = next((p for p in frame.summary.function.params if p.name == node.name), None)
    if param is None:
        return just(External(symbol))
    if param.kind == "*":
        return just(Many("tuple", (Given(just(External(Symbol(frame.name, f"{node.name}[]")))),)))
    if param.kind == "**":
        return just(Dictionary((), (Given(just(External(Symbol(frame.name, f"{node.name}[]")))),)))
    around = autograd.backward_of(solver, frame.function)
    if around is not None:
        return _in_backward(solver, around, node, frame, symbol)
    if param is frame.summary.function.params[0] and frame.function is not None:
        cls = class_of(frame.function)
        if cls is not None:
            return just(ClassRef(cls))
    if frame.owner is not None and frame.summary.function.params[:1] == (param,):
        return just(Instance(frame.owner, None, symbol))
    given = promises.kept(solver, param, frame, from_annotation(solver, param.annotation, frame, symbol))
    if node.name not in frame.summary.defaults:
        return given
    default = solver.force(frame.summary.defaults[node.name], solver.store.module_frame(frame.file))
    if any(isinstance(alt.what, Nil) for alt in default):
        return union((chosen(("none", symbol), just(Nil()), _not_none(given)),))
    return union((chosen(("default", symbol), default, given),))


def _in_backward(solver: Solver, cls: ClassDef, node: g.Formal, frame: Frame, symbol: Symbol) -> Value:
    """A parameter of `backward` for callers of `forward` that nobody knows."""
    forward = solver.program.method(cls, "forward")
    if forward is None:
        return just(External(symbol))
    bound = autograd.bound_in_backward(solver, cls, solver.store.root_frame(forward), frame.summary)
    return solver.demand(bound[node.name]) if node.name in bound else just(External(symbol))


def _not_none(value: Value) -> Value:
    return tuple(alt for alt in value if not isinstance(alt.what, Nil))


def annotated(solver: Solver, node: g.Annotated, frame: Frame) -> Value:
    """`x: T = value`: the value, unless it is unknown and the annotation says more."""
    value = solver.force(node.value, frame) if node.value is not None else ()
    return narrowed(solver, value, node.annotation, frame, (frame, node))


def narrowed(solver: Solver, value: Value, annotation: ir.Expr | None, frame: Frame, key: Hashable) -> Value:
    """A value; where it is unknown, what its annotation admits, if that is a number or an object of one class.

    `key` tells the choice of None from others.
    """
    if annotation is None or not any(isinstance(alt.what, Unknown) for alt in value):
        return value
    optional, members = _members(annotation)
    whats = [_one(solver, member, frame, None) for member in members]
    if len(whats) != 1 or not isinstance(whats[0], (Number, Instance)):
        return value
    said = just(whats[0])
    if optional:
        said = chosen(("optional", key), just(Nil()), said)
    return union(under(alt.guard, said) if isinstance(alt.what, Unknown) else (alt,) for alt in value)


def from_annotation(solver: Solver, node: ir.Expr | None, frame: Frame, symbol: Symbol | None) -> Value:
    """The values that an annotation admits."""
    if node is None:
        return just(External(symbol) if symbol else Unknown("no-annotation"))
    optional, parts = _members(node)
    whats = [_one(solver, part, frame, symbol) for part in parts]
    if len(whats) != 1:
        return just(External(symbol) if symbol else Unknown("union-annotation", node.span))
    value = just(whats[0])
    if optional and symbol is not None:
        return chosen(("none", symbol), just(Nil()), value)
    return value


def _members(node: ir.Expr) -> tuple[bool, list[ir.Expr]]:
    """Whether None is admitted, and the other members of a union."""
    match node:
        case ir.Binary(op="|", left=left, right=right):
            a, b = _members(left), _members(right)
            return a[0] or b[0], a[1] + b[1]
        case ir.Const(value=None):
            return True, []
        case ir.Const(value=str() as text):
            parts = [p.strip() for p in text.split("|")]
            names = [p for p in parts if p != "None"]
            if all(p.replace(".", "").isidentifier() for p in names):
                return len(names) < len(parts), [_dotted(n, node) for n in names]
            inner = text.strip()
            if inner.startswith("Optional[") and inner.endswith("]"):
                return True, [_dotted(inner[len("Optional[") : -1], node)]
            return False, [node]
        case ir.Subscript(value=value, index=index):
            name = last_name(value)
            if name == "Optional":
                return True, _members(index)[1]
            if name == "Union":
                members = index.items if isinstance(index, ir.Display) else (index,)
                found = [_members(m) for m in members]
                return any(f[0] for f in found), [e for f in found for e in f[1]]
            if name in ("Annotated", "Final", "ClassVar"):
                return _members(index.items[0] if isinstance(index, ir.Display) and index.items else index)
    return False, [node]


def _dotted(text: str, node: ir.Expr) -> ir.Expr:
    head, *rest = text.strip().split(".")
    made: ir.Expr = ir.Name(head, node.span)
    for part in rest:
        made = ir.Attribute(made, part, node.span)
    return made


def last_name(node: ir.Expr) -> str:
    match node:
        case ir.Name(id=name) | ir.Attribute(attr=name):
            return name
    return ""


def dotted_name(node: ir.Expr) -> str:
    """`a.b.c` as text, or "" for anything else."""
    match node:
        case ir.Name(id=name):
            return name
        case ir.Attribute(value=value, attr=attr):
            owner = dotted_name(value)
            return f"{owner}.{attr}" if owner else ""
    return ""


def _one(solver: Solver, node: ir.Expr, frame: Frame, symbol: Symbol | None) -> Abstract:
    other: Abstract = External(symbol) if symbol else Unknown("annotation", node.span)
    if isinstance(node, ir.Subscript):
        return _generic(solver, node, frame, symbol) or other
    text = dotted_name(node)
    if not text:
        return other
    if text in NUMBERS:
        return Number(NUMBERS[text])
    found = solver.program.dotted(frame.file.module, text)[0]
    match found:
        case ClassDef():
            return Instance(found, None, symbol)
        case Foreign(name) if name in TENSORS:
            if symbol is None:
                return other
            dtype = Of(symbol)
            note = f"parameter `{symbol.path}` of {symbol.function}"
            return Array(dtype, None, Origin(Move.BORN, frame.place(node.span), note, dtype=dtype))
        case Foreign("torch.dtype") if symbol is not None:
            return DTypeRef(Of(symbol))
    return other


def _generic(solver: Solver, node: ir.Subscript, frame: Frame, symbol: Symbol | None) -> Abstract | None:
    name = last_name(node.value)
    if name not in SEQUENCES or symbol is None:
        return None
    members = node.index.items if isinstance(node.index, ir.Display) else (node.index,)
    if SEQUENCES[name] == "tuple" and not any(isinstance(m, ir.Const) for m in members):
        parts = [
            from_annotation(solver, m, frame, Symbol(symbol.function, f"{symbol.path}[{i}]"))
            for i, m in enumerate(members)
        ]
        return Sequence("tuple", tuple(Given(p) for p in parts))
    element = from_annotation(solver, members[0], frame, Symbol(symbol.function, f"{symbol.path}[]"))
    return Many(SEQUENCES[name], (Given(element),))
