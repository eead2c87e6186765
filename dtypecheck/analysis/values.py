"""Abstract values of host code.

A `Value` is a tuple of alternatives: things that can all happen, each under a guard. What is not
known about one alternative is ignorance: a dtype set with several members, or `Unknown`. The two
are never mixed: an alternative is a way the program can go, ignorance is ours.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Union

from ..core.dtypes import ANY, DTypes
from ..core.provenance import Move, Origin, joined
from ..core.spans import NOWHERE, Place, Span
from .dtypexpr import DTypeExpr, Known, Symbol

if TYPE_CHECKING:
    from ..core import ir
    from . import graph as g
    from .frames import Frame
    from .program import ClassDef, FunctionDef

Guard = frozenset[tuple[Hashable, Hashable]]
"""Choices made: (what was chosen, which way). Two guards agree unless one choice went both ways."""

ALWAYS: Guard = frozenset()


def agree(a: Guard, b: Guard) -> Guard | None:
    """Both guards at once, or None where they contradict each other."""
    if a <= b:
        return b
    if b <= a:
        return a
    made = dict(a)
    for choice, way in b:
        if made.get(choice, way) != way:
            return None
    return a | b


@dataclass(frozen=True, slots=True)
class Station:
    """A move that whatever is in a container makes with it."""

    move: Move
    place: Place
    note: str


@dataclass(frozen=True, slots=True)
class Thunk:
    """A value not yet asked for: a node in a frame; `via` are stations of the container that it came in."""

    node: g.Node
    frame: Frame
    via: tuple[Station, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Array:
    """A tensor (or a numpy array). `ndim` is None, and `reason` says why, where something is not known."""

    dtype: DTypeExpr
    ndim: int | None = None
    origin: Origin | None = field(default=None, compare=False)
    numpy: bool = False
    reason: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Number:
    """A Python scalar: `kind` is "bool", "int", "float", "complex", "str", "bytes" or "number".

    `of`: the dtype whose kind a "number" has, where that is a tensor's that is not known.
    """

    kind: str
    literal: object = None
    """The value, where `known`."""
    known: bool = False
    of: DTypeExpr | None = None


@dataclass(frozen=True, slots=True)
class Nil:
    """None."""


@dataclass(frozen=True, slots=True)
class DTypeRef:
    """A torch.dtype object, or a numpy one; `reason` says why, where it is not known."""

    dtype: DTypeExpr
    reason: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Sequence:
    """A tuple, list, set or named tuple with these items."""

    kind: str
    items: tuple[Thunk | Given, ...]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """A value that is already there, where a thunk could stand."""

    value: Value


@dataclass(frozen=True, slots=True)
class Many:
    """A sequence of unknown length whose elements are these; `kind` as in `Sequence`, or "dict"."""

    kind: str
    elements: tuple[Thunk | Given, ...]


@dataclass(frozen=True, slots=True)
class Dictionary:
    """A dict with these keys and no others; `rest` are values under keys that are not known."""

    items: tuple[tuple[object, Thunk | Given], ...]
    rest: tuple[Thunk | Given, ...] = ()


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class of the project, made by the call that `made` activates; None: made elsewhere.

    `via` are its stations since then.
    """

    cls: ClassDef
    made: Frame | None = None
    symbol: Symbol | None = None
    via: tuple[Station, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class ClassRef:
    cls: ClassDef


@dataclass(frozen=True, slots=True)
class FunctionRef:
    """A function of the project, with the receiver it is bound to; `fake` gives results like its own."""

    function: FunctionDef
    receiver: Thunk | Given | None = None
    fake: FunctionDef | None = None


@dataclass(frozen=True, slots=True)
class ClosureRef:
    """A nested function or lambda, with the frame that defined it."""

    node: g.Closure
    frame: Frame


@dataclass(frozen=True, slots=True)
class Partial:
    """`functools.partial(func, *args, **keywords)`."""

    func: Thunk | Given
    args: tuple[g.Argument, ...]
    frame: Frame


@dataclass(frozen=True, slots=True)
class KernelRef:
    """A function that Triton compiles; `supplied` are parameters that a wrapper called by hand provides."""

    function: FunctionDef
    supplied: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Decorator:
    """`triton.autotune(...)` before it gets its kernel: what it supplies, and whether it makes a kernel (`jit`)."""

    supplies: frozenset[str]
    compiles: bool


@dataclass(frozen=True, slots=True)
class Launcher:
    """`kernel[grid]`: calling it launches."""

    kernel: KernelRef


@dataclass(frozen=True, slots=True)
class ModuleRef:
    """A module of the project."""

    module: str


@dataclass(frozen=True, slots=True)
class Library:
    """Something of a module outside the project, by its dotted name: `torch`, `torch.empty`."""

    name: str


@dataclass(frozen=True, slots=True)
class Method:
    """A method of a library type, bound: `x.new_empty` is ("Tensor.new_empty", x)."""

    name: str
    receiver: Abstract


@dataclass(frozen=True, slots=True)
class Layer:
    """An object of a torch.nn layer class with parameters of one dtype: `name` is the class."""

    name: str
    dtype: DTypeExpr
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class External:
    """Something that a caller outside the project provides; it may be anything, also a tensor."""

    symbol: Symbol
    origin: Origin | None = field(default=None, compare=False)

    def part(self, path: str) -> External:
        """Something that is got from it."""
        return External(Symbol(self.symbol.function, path), self.origin)


@dataclass(frozen=True, slots=True)
class Unknown:
    """Not known, and why; the reason is counted."""

    reason: str
    span: Span = field(default=NOWHERE, compare=False)
    origin: Origin | None = field(default=None, compare=False)


Abstract = Union[
    Array, Number, Nil, DTypeRef, Sequence, Many, Dictionary, Instance, ClassRef, FunctionRef, ClosureRef,
    Partial, KernelRef, Decorator, Launcher, ModuleRef, Library, Method, Layer, External, Unknown,
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Alternative:
    guard: Guard
    what: Abstract


Value = tuple[Alternative, ...]
"""No alternatives at all: nothing comes out (an endless loop, a function that only raises)."""

WIDEST = 12
"""More alternatives than this are not kept apart."""
OBJECTS = 24
"""So many objects or functions are told apart, whatever led to them."""


def just(what: Abstract) -> Value:
    """The value that is `what`, whatever happens."""
    return (Alternative(ALWAYS, what),)


def unknown(reason: str, span: Span = NOWHERE) -> Value:
    return just(Unknown(reason, span))


def fillable(value: Value) -> Value:
    """A value that others hold too: what is an empty container now may be filled when it is read."""
    return tuple(Alternative(alt.guard, _filled(alt.what)) for alt in value)


def _filled(what: Abstract) -> Abstract:
    later = Given(unknown("filled-elsewhere"))
    match what:
        case Sequence("list" as kind, ()):
            return Many(kind, (later,))
        case Dictionary((), ()):
            return Dictionary((), (later,))
    return what


def either(values: list[Value]) -> Value:
    """One of several values, in an order that is not known: None is what stands before the others."""
    if len(values) < 2:
        return values[0] if values else ()
    held = [kept for v in values if (kept := tuple(a for a in v if not isinstance(a.what, Nil)))]
    known = [v for v in held if not all(isinstance(a.what, Unknown) for a in v)]
    if len(known) < 2:
        return (known or held or values)[0]
    merged = union(known)
    return merged if len({a.what for a in merged}) == 1 else ignorance(merged)


def ignorance(value: Value) -> Value:
    """Assigned in several places in an order that is not known."""
    if all(isinstance(a.what, (Array, Number)) for a in value):
        return collapse(value)
    return unknown("assigned-in-several-methods")


def under(guard: Guard, value: Value) -> Value:
    """The alternatives of `value` that agree with `guard`, under both."""
    if not guard:
        return value
    kept = []
    for alt in value:
        both = agree(guard, alt.guard)
        if both is not None:
            kept.append(Alternative(both, alt.what))
    return tuple(kept)


def chosen(key: Hashable, yes: Value, no: Value) -> Value:
    """One value where the choice `key` is true, the other where it is false."""
    return under(frozenset({(key, True)}), yes) + under(frozenset({(key, False)}), no)


def union(parts: Iterable[Value]) -> Value:
    """All alternatives of all parts; twins are merged, and too many become ignorance."""
    seen: dict[Alternative, Alternative] = {}
    for part in parts:
        for alt in part:
            twin = seen.setdefault(alt, alt)
            if twin.what is not alt.what:
                seen[alt] = Alternative(alt.guard, _merged(twin.what, (twin, alt)))
    alternatives = tuple(seen.values())
    if len(alternatives) <= 1:
        return alternatives
    first = alternatives[0].what
    if all(alt.what == first for alt in alternatives[1:]):
        return just(_merged(first, alternatives))
    return alternatives if len(alternatives) <= WIDEST else collapse(alternatives)


def collapse(value: Value) -> Value:
    """As few alternatives as stand for all: dtypes become ignorance, and conditions are forgotten."""
    whats = list(dict.fromkeys(alt.what for alt in value))
    kinds = {type(w) for w in whats}
    if len(kinds) > 1 and kinds <= {Array, Nil, Number, Unknown}:
        return tuple(alt for kind in (Array, Number, Unknown, Nil) for alt in _alike(value, kind))
    if whats and all(isinstance(w, Array) for w in whats):
        arrays = [w for w in whats if isinstance(w, Array)]
        dtype, reason = _any_of([(a.dtype, a.reason) for a in arrays])
        ndim = arrays[0].ndim if len({a.ndim for a in arrays}) == 1 else None
        if len({(a.dtype, a.numpy) for a in arrays}) == 1:
            return just(replace(arrays[0], ndim=ndim))
        numpy = all(a.numpy for a in arrays)
        return just(Array(dtype, ndim, _origin(value), numpy, reason))
    if whats and all(isinstance(w, Number) for w in whats):
        numbers = {w.kind for w in whats if isinstance(w, Number)}
        return just(Number(numbers.pop() if len(numbers) == 1 else "number"))
    if whats and all(isinstance(w, DTypeRef) for w in whats):
        return just(DTypeRef(*_any_of([(w.dtype, w.reason) for w in whats if isinstance(w, DTypeRef)])))
    if len(whats) == 1:
        return just(whats[0])
    if len(whats) <= OBJECTS and Unknown not in kinds:
        key = ("one of", tuple(whats))
        return tuple(Alternative(frozenset({(key, number)}), what) for number, what in enumerate(whats))
    return next((just(w) for w in whats if isinstance(w, Unknown)), unknown("too-many-alternatives"))


def _any_of(dtypes: list[tuple[DTypeExpr, str]]) -> tuple[DTypeExpr, str]:
    """The dtype that is one of these, and why it is not known: nothing is forgotten where all are one."""
    first = dtypes[0]
    if all(dtype == first[0] for dtype, _ in dtypes):
        return first
    bits = 0
    for dtype, _ in dtypes:
        bits |= dtype.mask if isinstance(dtype, Known) else ANY
    return Known(bits), next((reason for _, reason in dtypes if reason), "several-dtypes")


def _merged(what: Abstract, twins: Value) -> Abstract:
    """One thing for equals that came in different ways."""
    match what:
        case Array(origin=origin) | External(origin=origin) | Unknown(origin=origin):
            both = _origin(twins)
            return what if both is origin else replace(what, origin=both)
        case Instance(via=via) if any(isinstance(t.what, Instance) and t.what.via != via for t in twins):
            return replace(what, via=())
    return what


def _origin(value: Value) -> Origin | None:
    """The origin of alternatives that become one."""
    travellers = (Array, External, Unknown)
    return joined((alt.guard, alt.what.origin) for alt in value if isinstance(alt.what, travellers))


def _alike(value: Value, kind: type) -> Value:
    """The alternatives of one kind, as one."""
    alike = tuple(alt for alt in value if type(alt.what) is kind)
    return collapse(alike) if alike else ()


def dtypes_of(value: Value) -> DTypes:
    """The union of the dtypes of the tensors in a value (symbols count as any)."""
    bits = 0
    for alt in value:
        if isinstance(alt.what, Array):
            bits |= alt.what.dtype.mask if isinstance(alt.what.dtype, Known) else ANY
    return bits
