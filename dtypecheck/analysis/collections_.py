"""Methods of dicts, lists, tuples and strings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import graph as g
from .containers import key_of, keyed, literal
from .frames import Frame
from .values import (
    Abstract, Dictionary, Given, Many, Nil, Number, Sequence, Thunk, Value, just, union, unknown,
)  # fmt: skip

if TYPE_CHECKING:
    from .solve import Solver

TEXT_TESTS = frozenset({"startswith", "endswith", "isdigit", "isalpha", "isidentifier"})
TEXT_STEPS = frozenset({"lower", "upper", "strip", "lstrip", "rstrip", "replace", "removeprefix", "removesuffix"})


def method(
    solver: Solver, what: Abstract, name: str, args: tuple[g.Argument, ...], node: g.Node, frame: Frame
) -> Value:
    """`what.name(*args)` for a container, a number or a string."""
    match what:
        case Dictionary():
            return _of_dict(solver, what, name, args, node, frame)
        case Sequence("tuple", _, names) if names and name in ("_replace", "_asdict"):
            return _of_named_tuple(what, name, args, node, frame)
        case Sequence(_, items) | Many(_, items):
            return _of_list(solver, what, items, name, node)
        case Number("str"):
            return _of_text(solver, what, name, args, frame)
        case Number():
            return just(Number("number"))
    return unknown(f"no-model({name})", node.span)


def _of_dict(
    solver: Solver, what: Dictionary, name: str, args: tuple[g.Argument, ...], node: g.Node, frame: Frame
) -> Value:
    values = tuple(slot for _, slot in what.items) + what.rest
    match name:
        case "get" | "pop" | "setdefault" if args and not args[0].star:
            key = key_of(solver.force(args[0].value, frame))
            default = solver.force(args[1].value, frame) if len(args) > 1 else just(Nil())
            if key is None:
                return union([*(solver.demand(v) for v in values), default])
            for known, slot in what.items:
                if known == key:
                    return solver.demand(slot)
            return union([*(keyed(solver.demand(v), key) for v in what.rest), default])
        case "values":
            return just(Sequence("list", values) if not what.rest else Many("list", values))
        case "keys":
            return just(Sequence("list", tuple(Given(just(_key(k))) for k, _ in what.items)))
        case "items":
            pairs = tuple(
                Given(just(Sequence("tuple", (Given(just(_key(k))), slot)))) for k, slot in what.items
            ) + tuple(Given(just(Sequence("tuple", (Given(just(Number("str"))), slot)))) for slot in what.rest)
            return just(Sequence("list", pairs) if not what.rest else Many("list", pairs))
        case "copy":
            return just(what)
        case "update":
            return just(Nil())
    return unknown(f"no-model(dict.{name})", node.span)


def _of_named_tuple(
    what: Sequence, name: str, args: tuple[g.Argument, ...], node: g.Node, frame: Frame
) -> Value:
    if name == "_asdict":
        return just(Dictionary(tuple(zip(what.names, what.items))))
    given = {a.keyword: Thunk(a.value, frame) for a in args if a.keyword}
    if len(given) < len(args):
        return unknown("arguments(_replace)", node.span)
    items = tuple(given.get(n, item) for n, item in zip(what.names, what.items))
    return just(Sequence(what.kind, items, what.names))


def _key(key: object) -> Abstract:
    return literal(key) if isinstance(key, (str, int, float, bool, type(None))) else key  # type: ignore[return-value]


def _of_list(
    solver: Solver, what: Abstract, items: tuple[Thunk | Given, ...], name: str, node: g.Node
) -> Value:
    match name:
        case "copy":
            return just(what)
        case "pop":
            return union(solver.demand(i) for i in items)
        case "index" | "count" | "numel" | "__len__":
            return just(Number("int"))
        case "append" | "extend" | "insert" | "remove" | "sort" | "reverse" | "clear" | "add":
            return just(Nil())
    return unknown(f"no-model(list.{name})", node.span)


def _of_text(solver: Solver, what: Number, name: str, args: tuple[g.Argument, ...], frame: Frame) -> Value:
    given = [solver.force(a.value, frame) for a in args if not a.star]
    literals = [v[0].what.literal for v in given if len(v) == 1 and isinstance(v[0].what, Number) and v[0].what.known]
    if what.known and len(literals) == len(args) and name in TEXT_TESTS | TEXT_STEPS:
        try:
            return just(literal(getattr(what.literal, name)(*literals)))
        except (TypeError, ValueError):
            return just(Number("str"))
    if name in TEXT_TESTS:
        return just(Number("bool"))
    if name == "split":
        return just(Many("list", (Given(just(Number("str"))),)))
    return just(Number("str"))
