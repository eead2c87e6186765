"""Facts about what rules files declare: returns, parameters and fields, wherever the program gives them a value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..contracts.matching import Contracts
from . import construct, contexts
from . import graph as g
from .facts import FieldFact, ParameterFact, ReturnFact
from .frames import Frame
from .launches import FUEL
from .program import ClassDef, FunctionDef
from .values import Alternative, Instance, Sequence, Value, under, union

if TYPE_CHECKING:
    from .solve import Solver


def returns(solver: Solver, contracts: Contracts, function: FunctionDef) -> Iterator[ReturnFact]:
    """What a function with declared results returns, return by return, for callers that nobody knows."""
    declared = contracts.function(function.key).returns
    if not declared:
        return
    frame = solver.store.root_frame(function)
    solver.fuel = FUEL
    for path, node, span in frame.summary.returns:
        guards = solver.guards(path, frame)
        if not guards:
            continue
        value = solver.force(node, frame)
        for position in declared:
            part = _part(solver, value, position)
            if part:
                yield ReturnFact(function, position, part, guards, frame.place(span))


def _part(solver: Solver, value: Value, position: str) -> Value:
    """One item or field of a returned value; the value itself for the position ""."""
    if not position:
        return value
    parts: list[Value] = []
    for alt in value:
        match alt.what:
            case Sequence(_, items, names):
                index = int(position) if position.isdigit() else names.index(position) if position in names else -1
                if 0 <= index < len(items):
                    parts.append(under(alt.guard, solver.demand(items[index])))
            case Instance():
                from .objects import field

                parts.append(under(alt.guard, field(solver, alt.what, position)))
    return union(parts)


def parameters(solver: Solver, contracts: Contracts, function: FunctionDef) -> Iterator[ParameterFact]:
    """What the known callers give to a function's declared parameters."""
    declared = contracts.function(function.key).parameters
    if not declared:
        return
    solver.fuel = FUEL
    for link in contexts.call_sites(solver, function):
        outer = solver.store.root_frame(link.caller)
        guards = solver.guards(link.site.path, outer)
        for frame in contexts.descend(solver, outer, link):
            for name in declared:
                slot = frame.bound.get(name)
                if slot is not None:
                    value = solver.demand(slot)
                    yield ParameterFact(function, name, value, guards, _argument(link, name, function, outer))


def _argument(link: contexts.Link, name: str, function: FunctionDef, outer: Frame):  # type: ignore[no-untyped-def]
    """The place of the argument for a parameter, or of the call where a star hides it."""
    args = link.site.apply.args
    for arg in args:
        if arg.keyword == name:
            return outer.place(arg.span)
    names = [p.name for p in function.entry.params]
    if function.entry.class_name and names and names[0] in ("self", "cls"):
        names = names[1:]
    index = names.index(name) if name in names else -1
    if 0 <= index < len(args) and not any(a.star or a.keyword for a in args[: index + 1]):
        return outer.place(args[index].span)
    return outer.place(link.site.apply.span)


def fields(solver: Solver, contracts: Contracts, cls: ClassDef) -> Iterator[FieldFact]:
    """What the declared fields of a class are given: by constructors, and by assignments to attributes."""
    declared = contracts.fields(cls.key)
    if not declared:
        return
    solver.fuel = FUEL
    made = construct.sites(solver, cls)
    for instance in made:
        for name in declared:
            yield from _constructed(solver, instance, name)
    for name in declared:
        for writer in solver.program.writers(name):
            frame = solver.store.root_frame(writer)
            for write in frame.summary.writes:
                if write.attr == name and _is_of(solver, frame, write, cls):
                    guards = solver.guards(write.path, frame)
                    if guards:
                        yield FieldFact(cls, name, solver.force(write.new, frame), guards, frame.place(write.new.span))


def _constructed(solver: Solver, instance: Instance, name: str) -> Iterator[FieldFact]:
    frame = instance.made
    assert frame is not None
    if frame.summary.function.name != "<fields>":
        return
    slot = frame.bound.get(name)
    if slot is None or frame.caller is None or frame.site is None:
        return
    path = next((c.path for c in frame.caller.summary.calls if c.apply is frame.site), ())
    guards = solver.guards(path, frame.caller)
    place = frame.caller.place(frame.site.span)
    for arg in frame.site.args:
        if arg.keyword == name:
            place = frame.caller.place(arg.span)
    if guards:
        yield FieldFact(instance.cls, name, solver.demand(slot), guards, place)


def _is_of(solver: Solver, frame: Frame, write: g.Write, cls: ClassDef) -> bool:
    owners: tuple[Alternative, ...] = solver.force(write.value, frame)
    return any(isinstance(a.what, Instance) and cls in solver.program.mro(a.what.cls) for a in owners)
