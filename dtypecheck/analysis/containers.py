"""Tuples, lists, dicts and their items; indexing of tensors; literals and f-strings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from . import graph as g
from .frames import Frame
from .values import (
    Abstract, Alternative, Array, ClassRef, Dictionary, External, Given, Instance, KernelRef, Launcher, Library, Many, Nil,
    Number, Sequence, Thunk, Unknown, Value, agree, collapse, just, under, union, unknown,
)  # fmt: skip

if TYPE_CHECKING:
    from .solve import Solver

Slot = "Thunk | Given"


def literal(value: object) -> Abstract:
    """The value of a literal."""
    if value is None:
        return Nil()
    for kind in (bool, int, float, complex, str, bytes):
        if isinstance(value, kind):
            return Number(kind.__name__, value, True)
    return Unknown("ellipsis")


def text(solver: Solver, node: g.Text, frame: Frame) -> Value:
    """An f-string: known where all its parts are."""
    pieces: list[str] = []
    for part in node.parts:
        value = solver.force(part, frame)
        if len(value) != 1 or not isinstance(value[0].what, Number) or not value[0].what.known:
            return just(Number("str"))
        pieces.append(str(value[0].what.literal))
    return just(Number("str", "".join(pieces), True))


def evaluate(solver: Solver, node: g.Node, frame: Frame) -> Value:
    """Displays, items, parts and elements."""
    match node:
        case g.Pack():
            return _pack(solver, node, frame)
        case g.Pairs():
            return _pairs(solver, node, frame)
        case g.Item():
            return item(solver, node, frame)
        case g.Part():
            return _mapped(solver, node.value, frame, lambda what: _part(solver, what, node))
        case g.Each():
            return _mapped(solver, node.value, frame, lambda what: element(solver, what, node))
        case g.Collect():
            kind = "dict" if node.kind == "dict" else "list"
            if kind == "dict" and node.key is not None:
                return just(Dictionary((), (Thunk(node.element, frame),)))
            return just(Many(kind, (Thunk(node.element, frame),)))
        case g.Changed():
            return _mapped(solver, node.value, frame, lambda what: _changed(solver, what, node, frame))
        case g.Merged():
            return _mapped(solver, node.value, frame, lambda what: _merged(solver, what, node, frame))
        case g.Spread(value, _):
            return solver.force(value, frame)
        case g.Span3():
            return just(Unknown("slice", node.span))
    return unknown("not-modelled", node.span)


def _mapped(solver: Solver, node: g.Node, frame: Frame, step: Callable[[Abstract], Value]) -> Value:
    return union(under(alt.guard, step(alt.what)) for alt in solver.force(node, frame))


def _pack(solver: Solver, node: g.Pack, frame: Frame) -> Value:
    if not any(isinstance(i, g.Spread) for i in node.items):
        return just(Sequence(node.kind, tuple(Thunk(i, frame) for i in node.items)))
    slots: list[Thunk | Given] = []
    exact = True
    for entry in node.items:
        if not isinstance(entry, g.Spread):
            slots.append(Thunk(entry, frame))
            continue
        inner = tuple(a for a in solver.force(entry.value, frame) if not isinstance(a.what, Nil))
        if len(inner) == 1 and isinstance(inner[0].what, Sequence):
            slots += inner[0].what.items
        else:
            exact = False
            slots.append(Thunk(g.Each(entry.value, entry.span), frame))
    return just(Sequence(node.kind, tuple(slots)) if exact else Many(node.kind, tuple(slots)))


def _pairs(solver: Solver, node: g.Pairs, frame: Frame) -> Value:
    items: list[tuple[object, Thunk | Given]] = []
    rest: list[Thunk | Given] = []
    for key, value in node.items:
        if key is None:
            inner = solver.force(value, frame)
            if len(inner) == 1 and isinstance(inner[0].what, Dictionary):
                items += inner[0].what.items
                rest += inner[0].what.rest
            else:
                rest.append(Given(unknown("dict-spread", node.span)))
            continue
        name = key_of(solver.force(key, frame))
        if name is None:
            rest.append(Thunk(value, frame))
        else:
            items.append((name, Thunk(value, frame)))
    return just(Dictionary(tuple(items), tuple(rest)))


def key_of(value: Value) -> object | None:
    """A hashable stand-in for a dict key that is known: the literal, or the value itself."""
    if len(value) != 1:
        return None
    match value[0].what:
        case Number(_, literal_value, True):
            return literal_value
        case Unknown() | External() | Number():
            return None
        case what:
            return what


# -- reading -------------------------------------------------------------------------------------


def item(solver: Solver, node: g.Item, frame: Frame) -> Value:
    """`value[index]`."""
    return _mapped(solver, node.value, frame, lambda what: _item(solver, what, node, frame))


def _item(solver: Solver, what: Abstract, node: g.Item, frame: Frame) -> Value:
    match what:
        case Array():
            return just(_indexed(solver, what, node.index, frame))
        case KernelRef():
            return just(Launcher(what))
        case Library() | ClassRef():
            return just(what)
        case Nil():
            return ()
        case Unknown():
            return just(what)
        case Instance():
            from . import calls

            return calls.method(solver, what, "__getitem__", (g.Argument(node.index, None, "", node.span),), node, frame)
    parts: list[Value] = []
    for alt in solver.force(node.index, frame):
        parts.append(under(alt.guard, _at(solver, what, alt.what, node)))
    return union(parts)


def _at(solver: Solver, what: Abstract, index: Abstract, node: g.Item) -> Value:
    match what, index:
        case (Sequence(_, items), Number("int", int() as i, True)):
            return solver.demand(items[i]) if -len(items) <= i < len(items) else ()
        case (Sequence(kind, items), Unknown("slice")):
            return just(_sliced(kind, items, node.index))
        case (Sequence(_, items), _):
            return union(solver.demand(i) for i in items)
        case (Many(kind, elements), Unknown("slice")):
            return just(Many(kind, elements))
        case (Many(_, elements), Number("int", int() as i, True)):
            return keyed(_some(solver, elements, node.span), i)
        case (Many(_, elements), _):
            return _some(solver, elements, node.span)
        case (Dictionary(), _):
            return _entry(solver, what, index, node)
        case (External(symbol), Number(_, literal_value, True)):
            return just(what.part(f"{symbol.path}[{literal_value!r}]"))
        case (External(symbol), _):
            return just(what.part(f"{symbol.path}[]"))
        case (Number(), _):
            return just(Number("str") if what.kind == "str" else Number("number"))
    return unknown("item", node.span)


def _some(solver: Solver, elements: tuple[Thunk | Given, ...], span: Span) -> Value:
    """One of several elements; where tensors stand beside numbers, the place tells which, and it is not known."""
    value = union(solver.demand(e) for e in elements)
    sorts = {isinstance(a.what, Array) for a in value if isinstance(a.what, (Array, Number))}
    return value if len(sorts) < 2 else unknown("which-element", span)


def _entry(solver: Solver, what: Dictionary, index: Abstract, node: g.Item) -> Value:
    key = key_of(just(index))
    if key is None:
        return collapse(union(solver.demand(slot) for slot in (*(s for _, s in what.items), *what.rest)))
    for name, slot in reversed(what.items):
        if name == key:
            return solver.demand(slot)
    if what.rest:
        return keyed(union(solver.demand(slot) for slot in what.rest), key)
    return ()


def keyed(value: Value, key: object) -> Value:
    """An element of what a caller provides, told from those under other keys."""
    return tuple(
        Alternative(alt.guard, alt.what.part(f"{alt.what.symbol.path.removesuffix('[]')}[{key!r}]"))
        if isinstance(alt.what, External) and alt.what.symbol.path.endswith("[]") and isinstance(key, (str, int))
        else alt
        for alt in value
    )


def _sliced(kind: str, items: tuple[Thunk | Given, ...], index: g.Node) -> Abstract:
    match index:
        case g.Span3(lower=lower, upper=upper, step=None):
            bounds: list[int | None] = []
            for bound in (lower, upper):
                if bound is None:
                    bounds.append(None)
                elif isinstance(bound, g.Literal) and isinstance(bound.value, int):
                    bounds.append(bound.value)
                else:
                    return Many(kind, items)
            return Sequence(kind, items[bounds[0] : bounds[1]])
    return Many(kind, items)


def _indexed(solver: Solver, array: Array, index: g.Node, frame: Frame) -> Array:
    """`tensor[index]` keeps the dtype; the dimensions are known where every index is plain."""
    indices = index.items if isinstance(index, g.Pack) and index.kind == "tuple" else (index,)
    ndim = array.ndim
    for one in indices:
        if ndim is None:
            break
        match one:
            case g.Span3():
                pass
            case g.Literal(value=None):
                ndim += 1
            case g.Literal(value=int()):
                ndim -= 1
            case g.Literal():
                pass
            case _:
                value = solver.force(one, frame)
                whats = {type(alt.what): alt.what for alt in value}
                if len(value) == 1 and isinstance(value[0].what, Number) and value[0].what.kind == "int":
                    ndim -= 1
                elif set(whats) == {Nil}:
                    ndim += 1
                else:
                    ndim = None
    if ndim is not None and ndim < 0:
        ndim = None
    return Array(array.dtype, ndim, array.origin, array.numpy, array.reason)


def _part(solver: Solver, what: Abstract, node: g.Part) -> Value:
    """One target of an unpacking."""
    match what:
        case Sequence(_, items):
            if node.star is None:
                return solver.demand(items[node.index]) if len(items) == node.count else ()
            after = node.count - node.star - 1
            if len(items) < node.count - 1:
                return ()
            if node.index < node.star:
                return solver.demand(items[node.index])
            if node.index > node.star:
                return solver.demand(items[node.index - node.count])
            return just(Sequence("list", items[node.star : len(items) - after]))
        case Many(kind, elements):
            if node.star == node.index:
                return just(Many("list", elements))
            value = _some(solver, elements, node.span)
            return keyed(value, node.index) if node.star is None else value
        case External(symbol):
            return just(what.part(f"{symbol.path}[{node.index}]"))
        case Array():
            return just(Array(what.dtype, what.ndim - 1 if what.ndim else None, what.origin, what.numpy, what.reason))
        case Nil():
            return ()
        case Unknown():
            return just(what)
    return unknown("unpacking", node.span)


def element(solver: Solver, what: Abstract, node: g.Each) -> Value:
    """Some element of an iterable; which one is not known, so elements exclude each other."""
    match what:
        case Sequence(_, slots) | Many(_, slots):
            if len(slots) == 1:
                return solver.demand(slots[0])
            return union(
                under(frozenset({(("element", node), number)}), solver.demand(slot))
                for number, slot in enumerate(slots)
            )
        case Dictionary(items, rest):
            keys = union(just(literal(key)) for key, _ in items)
            return unknown("dict-keys", node.span) if rest or not keys else keys
        case External(symbol):
            return just(what.part(f"{symbol.path}[]"))
        case Array():
            return just(Array(what.dtype, what.ndim - 1 if what.ndim else None, what.origin, what.numpy, what.reason))
        case Number("str"):
            return just(Number("str"))
        case Nil():
            return ()
        case Unknown():
            return just(what)
    return unknown("iteration", node.span)


# -- changing ------------------------------------------------------------------------------------


def _changed(solver: Solver, what: Abstract, node: g.Changed, frame: Frame) -> Value:
    """A container after one element was added or replaced."""
    new = Thunk(node.new, frame)
    if node.index is None:
        match what:
            case Sequence(kind, items):
                return just(Many(kind, (*items, new)))
            case Many(kind, elements):
                return just(Many(kind, (*elements, new)) if new not in elements else what)
        return just(what)
    match what:
        case Dictionary(items, rest):
            key = key_of(solver.force(node.index, frame))
            if key is None:
                return just(Dictionary(items, (*rest, new)))
            kept = tuple((k, v) for k, v in items if k != key)
            return just(Dictionary((*kept, (key, new)), rest))
        case Sequence(kind, items):
            index = solver.force(node.index, frame)
            if len(index) == 1 and isinstance(index[0].what, Number) and isinstance(index[0].what.literal, int):
                i = index[0].what.literal
                if -len(items) <= i < len(items):
                    i %= len(items)
                    return just(Sequence(kind, (*items[:i], new, *items[i + 1 :])))
            return just(Many(kind, (*items, new)))
        case Many(kind, elements):
            return just(Many(kind, (*elements, new)))
    return just(what)


def pairs(a: Value, b: Value) -> list[tuple[Abstract, Abstract, object]]:
    """Alternatives of two values that can happen together."""
    return [(x.what, y.what, both) for x in a for y in b if (both := agree(x.guard, y.guard)) is not None]


def _merged(solver: Solver, what: Abstract, node: g.Merged, frame: Frame) -> Value:
    """A dict after `update`, a list after `extend`; any other object stays what it is."""
    parts: list[Value] = []
    for alt in solver.force(node.new, frame):
        match what, alt.what:
            case Dictionary(items, rest), Dictionary(more, others):
                kept = tuple((k, v) for k, v in items if k not in {key for key, _ in more})
                parts.append(under(alt.guard, just(Dictionary(kept + more, rest + others))))
            case Dictionary(items, rest), _:
                parts.append(under(alt.guard, just(Dictionary(items, (*rest, Given(just(alt.what)))))))
            case Sequence(kind, items), Sequence(_, more):
                parts.append(under(alt.guard, just(Sequence(kind, items + more))))
            case (Sequence(kind, slots) | Many(kind, slots)), (Sequence(_, more) | Many(_, more)):
                parts.append(under(alt.guard, just(Many(kind, slots + more))))
            case (Sequence(kind, slots) | Many(kind, slots)), _:
                parts.append(under(alt.guard, just(Many(kind, (*slots, Thunk(g.Each(node.new, node.span), frame))))))
            case _:
                return just(what)
    return union(parts)
