"""Typing one kernel for one signature: accepted, refused with Triton's words, or undecided with a reason.

Unknown compile-time flags are assumed one way, then the other: a kernel is refused only where no value of
a flag avoids it. The number of runs is bounded; what exceeds it is undecided.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Union

from ..analysis.interpreter import State
from ..core import ir
from ..core.spans import Span
from ..semantics.triton_errors import Refusal
from ..semantics.triton_targets import refusal_text, supported
from . import calls, explain
from .explain import Step
from .functions import default
from .scope import Scope
from .semantics import KernelSemantics
from .session import REMOVED, GaveUp, Refused, Session, Watch
from .values import (
    DescriptorType,
    Function,
    KernelType,
    PointerType,
    ScalarType,
    TupleType,
    UnknownType,
    Value,
    bind,
)

BUDGET = 24
"""Runs that unknown flags may cost."""

FUEL = 12_000
"""Statements that all runs together may visit."""

DEPENDS = "depends on a dtype that is not known"


Flags = tuple[tuple[tuple[object, ...], bool], ...]
"""Compile-time conditions, by what they ask, and how they come out."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """Triton's front end takes it; `assumed` are the flags that typing chose a value for."""

    assumed: Flags = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """Triton refuses it. `span` is in `home`, a helper, or in the kernel itself where that is None."""

    refusal: Refusal
    span: Span
    home: ir.Function | None
    chain: tuple[Step, ...]
    parameters: tuple[str, ...]

    @property
    def code(self) -> str:
        return self.refusal.code

    @property
    def message(self) -> str:
        return self.refusal.message


@dataclass(frozen=True, slots=True)
class Undecided:
    """Not known; `reason` is counted. `possible` is a refusal that some dtype of an unknown argument
    meets."""

    reason: str
    span: Span | None = None
    possible: Rejected | None = None

    @property
    def depends(self) -> bool:
        """Whether some choice of the dtypes that are not known may decide it."""
        return self.reason == DEPENDS

    @property
    def removed(self) -> bool:
        """Whether the kernel uses what this release no longer has."""
        return self.reason == REMOVED


Outcome = Union[Accepted, Rejected, Undecided]


@dataclass(frozen=True, slots=True)
class KernelTyping:
    """`facts` are those of the run that was not refused, in which `assumed` flags came out as they say."""

    outcome: Outcome
    facts: tuple[object, ...] = ()
    runs: int = 1
    assumed: Flags = ()


@lru_cache(maxsize=64)
def version_of(text: str) -> tuple[int, int]:
    """ "3.9.0" -> (3, 9)."""
    major, minor, *_ = (*text.split("."), "0")
    return int(major), int(minor)


def type_kernel(
    function: ir.Function,
    signature: Mapping[str, KernelType],
    scope: Scope,
    triton_version: str = "3.9",
    target: str = "cuda:90",
    flags: Flags = (),
    about: str = "",
) -> KernelTyping:
    """What Triton's front end says of this kernel for these argument types, where `flags` come out as they say.

    Of several doubts the one is told that the parameter `about` takes part in, if there is one.
    """
    version = version_of(triton_version)
    choices: list[tuple[tuple[object, ...], bool]] = []
    first: Rejected | None = None
    fuel = FUEL
    for run in range(1, BUDGET + 1):
        session = Session(version, target, {**dict(flags), **dict(choices)}, fuel=fuel)
        outcome = _run(session, function, signature, scope, about)
        fuel = session.fuel
        if not isinstance(outcome, Rejected):
            return KernelTyping(outcome, tuple(session.facts), run, tuple(session.decisions.items()))
        first = first or outcome
        choices.extend((key, True) for key in session.trail)
        while choices and not choices[-1][1]:
            choices.pop()
        if not choices:
            return KernelTyping(first, (), run)
        choices[-1] = (choices[-1][0], False)
    return KernelTyping(Undecided("too many unknown flags", possible=first), (), BUDGET)


def watch(
    function: ir.Function,
    signature: Mapping[str, KernelType],
    scope: Scope,
    triton_version: str,
    target: str,
    flags: Flags,
    seen: Watch,
) -> Outcome:
    """One run, with `seen` looking on: what becomes of it, as far as it was typed."""
    session = Session(version_of(triton_version), target, dict(flags), fuel=FUEL, watch=seen)
    return _run(session, function, signature, scope, "")


def _run(
    s: Session, function: ir.Function, signature: Mapping[str, KernelType], scope: Scope, about: str
) -> Outcome:
    try:
        _body(s, function, signature, scope)
    except Refused as refused:
        return _rejected(refused)
    except GaveUp as gave_up:
        return Undecided(str(gave_up))
    except RecursionError:
        return Undecided("deep recursion")
    if s.late:
        return _rejected(s.late[0])
    if s.reasons:
        reason, span = s.reasons[0]
        return Undecided(reason, span)
    if s.partial:
        told = (p for p in s.partial if about and about in explain.parameters(p.values))
        doubt = next(told, s.partial[0])
        return Undecided(DEPENDS, doubt.span, _rejected(doubt))
    return Accepted(tuple(s.decisions.items()))


def _body(s: Session, function: ir.Function, signature: Mapping[str, KernelType], scope: Scope) -> None:
    s.span = function.head
    env: dict[str, Value] = {}
    func = Function(function, scope)
    for p in function.params:
        declared = signature.get(p.name)
        if declared is not None:
            _check_target(s, declared)
            if isinstance(declared, UnknownType):
                s.reasons.append((declared.reason, p.span))
            env[p.name] = bind(p.name, declared, p.span)
        elif p.default is not None:
            env[p.name] = default(s, func, p.default)
        else:
            raise GaveUp(f"no argument for {p.name}")
    semantics = KernelSemantics(s, scope)
    semantics.interpreter.defs = dict(env)
    semantics.interpreter.run(function.body, State(env))
    calls.result(s, semantics.returns, function.span)


def _check_target(s: Session, declared: KernelType) -> None:
    """fp8 types that the architecture lacks fail when the signature is built."""
    match declared:
        case ScalarType(element) | PointerType(element) | DescriptorType(element):
            known = supported(s.target)
            if element and not element & known:
                s.refuse("fp8-arch", refusal_text(element, s.target))
        case TupleType(items):
            for item in items:
                _check_target(s, item)


def _rejected(refused: Refused) -> Rejected:
    steps, names = explain.chain(refused), explain.parameters(refused.values)
    return Rejected(refused.refusal, refused.span, refused.home, steps, names)
