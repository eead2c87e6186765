"""Facts: what happens at launches, returns and attributes, with values and places. No judgement."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union

from ..core.spans import Place
from .binding import Binding, Slot
from .program import ClassDef, FunctionDef
from .values import Guard, Value


@dataclass(frozen=True, slots=True, eq=False)
class ArgumentFact:
    """What one kernel parameter gets: `place` is the argument's, or the launch's where it has none."""

    name: str
    value: Value
    place: Place
    slot: Slot


@dataclass(frozen=True, slots=True, eq=False)
class LaunchFact:
    """One kernel launched at one place in one context.

    `guards`: the ways to get there, never empty. `chain` names the functions from the root to the launch.
    `binding` says what did not fit; `suppliers` are the parameters that a decorator provides.
    `trial` marks a `warmup`: it compiles but does not run.
    """

    kernel: FunctionDef
    place: Place
    arguments: dict[str, ArgumentFact]
    guards: tuple[Guard, ...]
    chain: tuple[str, ...]
    binding: Binding
    suppliers: frozenset[str]
    trial: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ReturnFact:
    """What a function returns: `position` is the index in a tuple, the field's name, or "" for the whole."""

    function: FunctionDef
    position: str
    value: Value
    guards: tuple[Guard, ...]
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class FieldFact:
    """What an attribute or a field of an object is given."""

    cls: ClassDef
    attr: str
    value: Value
    guards: tuple[Guard, ...]
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class ParameterFact:
    """What a function's parameter is given at a call."""

    function: FunctionDef
    name: str
    value: Value
    guards: tuple[Guard, ...]
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class JoinFact:
    """A place where paths meet with different dtypes."""

    place: Place
    value: Value


Fact = Union[LaunchFact, ReturnFact, FieldFact, ParameterFact, JoinFact]


@dataclass(slots=True, eq=False)
class Unresolved:
    """A launch-like call whose kernel is not known."""

    place: Place
    reason: str


@dataclass(slots=True)
class Findings:
    """All facts of a program, in the order of the files."""

    facts: list[Fact] = field(default_factory=list)
    unresolved: list[Unresolved] = field(default_factory=list)
