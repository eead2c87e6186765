"""Arguments against parameters, as Python binds them: for calls, constructors and launches.

It knows positions, keywords, stars and defaults; it reports what does not fit and judges nothing.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, Union

from . import graph as g
from .frames import Frame
from .values import Dictionary, Given, Many, Sequence, Thunk, unknown

if TYPE_CHECKING:
    from .solve import Solver

Slot = Union[Thunk, Given]


class Parameter(Protocol):
    """What binding needs to know of a parameter."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Passed:
    """An argument with its stars taken apart: `keyword` is None for a positional one."""

    slot: Slot
    keyword: str | None
    argument: g.Argument | None


@dataclass(slots=True)
class Binding:
    """`bound` maps parameters to arguments; the rest says what did not fit.

    `open_positions`, `open_keywords`: a star of unknown length was passed, so that missing or extra
    arguments of that sort prove nothing.
    """

    bound: dict[str, Passed] = field(default_factory=dict)
    extra: list[Passed] = field(default_factory=list)
    unexpected: list[Passed] = field(default_factory=list)
    repeated: list[Passed] = field(default_factory=list)
    rest: list[Passed] = field(default_factory=list)
    keywords: list[Passed] = field(default_factory=list)
    open_positions: bool = False
    open_keywords: bool = False


def spread(solver: Solver, args: Seq[g.Argument], frame: Frame) -> tuple[list[Passed], bool, bool]:
    """The arguments of a call one by one; the flags say that a positional or keyword star stayed closed."""
    passed: list[Passed] = []
    open_positions = open_keywords = False
    for arg in args:
        if not arg.star:
            if not (open_positions and arg.keyword is None):
                passed.append(Passed(Thunk(arg.value, frame), arg.keyword, arg))
            continue
        value = solver.force(arg.value, frame)
        what = value[0].what if len(value) == 1 else None
        match what:
            case Sequence(_, items) if arg.star == "*":
                passed += [Passed(item, None, arg) for item in items if not open_positions]
            case Dictionary(items, rest) if arg.star == "**":
                passed += [Passed(slot, key, arg) for key, slot in items if isinstance(key, str)]
                open_keywords = open_keywords or bool(rest)
            case Many("tuple" | "list", ()) if arg.star == "*":
                pass
            case _:
                open_positions = open_positions or arg.star == "*"
                open_keywords = open_keywords or arg.star == "**"
    return passed, open_positions, open_keywords


def behind(solver: Solver, args: Seq[g.Argument], frame: Frame) -> tuple[Slot, ...]:
    """The elements of the first positional star that stays closed, and all positional arguments after it."""
    positional = [arg for arg in args if arg.keyword is None and arg.star != "**"]
    for place, arg in enumerate(positional):
        if arg.star and spread(solver, (arg,), frame)[1]:
            later = positional[place:]
            return tuple(Thunk(g.Each(a.value, a.span) if a.star else a.value, frame) for a in later)
    return ()


def bind(solver: Solver, params: Seq[Parameter], args: Seq[g.Argument], frame: Frame) -> Binding:
    """Python's rules for a call (the language reference, "Calls"), without defaults."""
    passed, open_positions, open_keywords = spread(solver, args, frame)
    return fit(params, passed, open_positions, open_keywords)


def fit(params: Seq[Parameter], passed: Seq[Passed], open_positions: bool, open_keywords: bool) -> Binding:
    """Arguments already spread, against parameters."""
    result = Binding(open_positions=open_positions, open_keywords=open_keywords)
    places = [p for p in params if p.kind in ("positional-only", "normal")]
    named = {p.name for p in params if p.kind in ("normal", "keyword-only")}
    takes_rest = any(p.kind == "*" for p in params)
    takes_keywords = any(p.kind == "**" for p in params)
    position = 0
    for one in passed:
        if one.keyword is None:
            if position < len(places):
                result.bound[places[position].name] = one
                position += 1
            else:
                (result.rest if takes_rest else result.extra).append(one)
        elif one.keyword in named:
            if one.keyword in result.bound:
                result.repeated.append(one)
            else:
                result.bound[one.keyword] = one
        else:
            (result.keywords if takes_keywords else result.unexpected).append(one)
    return result


def slots(binding: Binding, params: Seq[Parameter]) -> dict[str, Slot]:
    """The bound arguments as slots, with `*args` and `**kwargs` collected."""
    found: dict[str, Slot] = {name: one.slot for name, one in binding.bound.items()}
    for param in params:
        if param.kind == "*":
            items = tuple(one.slot for one in binding.rest)
            whole = Many("tuple", (*items, Given(unknown("star-argument")))) if binding.open_positions else Sequence("tuple", items)
            found[param.name] = Given(_just(whole))
        elif param.kind == "**":
            pairs = tuple((one.keyword, one.slot) for one in binding.keywords)
            rest: tuple[Slot, ...] = (Given(unknown("star-argument")),) if binding.open_keywords else ()
            found[param.name] = Given(_just(Dictionary(pairs, rest)))
    return found


def _just(what: Sequence | Many | Dictionary):  # type: ignore[no-untyped-def]
    from .values import just

    return just(what)
