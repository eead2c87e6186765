"""What the rules about stores share: stores into buffers that are known, and what is certain of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from ..analysis.dtypexpr import symbols
from ..analysis.facts import LaunchFact
from ..analysis.narrowing import narrowed
from ..analysis.values import Alternative, Array, Value
from ..core.diagnostics import Diagnostic
from ..core.dtypes import ANY, BY_NAME, ORDINARY, DType, DTypes, members, single
from ..core.provenance import Move, Origin
from ..kernels import loss
from ..kernels.certainty import always
from ..kernels.flow import behind, buffer, word
from ..kernels.launch import is_vague
from ..kernels.session import StoreFact
from ..kernels.typing import KernelTyping, Rejected, Undecided
from .inside import site
from .judge import Case, finding
from .supposed import Run, met, sure, where

Loss = TypeVar("Loss")
Judge = Callable[[StoreFact, loss.Constants], "Loss | None"]
"""What a store loses; None where it loses nothing, or where that is meant."""
USUAL = tuple(BY_NAME[n] for n in ("float16", "bfloat16", "float32", "int32", "int64"))
"""What a buffer is tried with whose dtype a caller chooses, the likeliest first."""


@dataclass(frozen=True, slots=True)
class Stored(Generic[Loss]):
    """A store that loses something, on one way of a launch, into the buffer that parameter `name` gets.

    `given` is what is stored; `kept` are the dtypes that the buffer has, or can have in what compiles.
    """

    run: Run
    store: StoreFact
    name: str
    buffer: Alternative
    given: DType
    kept: DTypes
    lost: Loss


def losses(case: Case, fact: LaunchFact, judge: Judge[Loss]) -> Iterator[Stored[Loss]]:
    """The stores that lose something whatever is not known may be."""
    for run in sure(case, fact):
        known = loss.constants(run.typing.facts)
        for store in run.stores():
            if store.literal or not _may_lose(store, judge, known) or _is_guessed(run, store):
                continue
            name = buffer(store.pointer)
            found = met(fact, name, run.guard)
            what = found[0].what if len(found) == 1 else None
            if not isinstance(what, Array) or _is_chosen(what, fact.arguments[name].value):
                continue
            kept = narrowed(what.dtype, run.guard, {})
            if kept == store.element and single(kept) is not None:
                yield from _lost(run, store, name, found[0], judge, known)
            elif kept == ANY:
                yield from _compiled(run, store, name, found[0], judge)


def _may_lose(store: StoreFact, judge: Judge[Loss], known: loss.Constants) -> bool:
    """Whether a store loses something in its buffer, or in one of a usual dtype where that is not known."""
    tried = (store,) if single(store.element) is not None else (replace(store, element=d.bit) for d in USUAL)
    return any(judge(one, known) is not None for one in tried)


def _lost(
    run: Run, store: StoreFact, name: str, into: Alternative, judge: Judge[Loss], known: loss.Constants
) -> Iterator[Stored[Loss]]:
    """What a store into a buffer of one dtype loses."""
    given = _likeliest(store.value.element)
    lost = judge(store, known) if given is not None else None
    if given is not None and lost is not None and certain(run, store, judge):
        yield Stored(run, store, name, into, given, store.element, lost)


def certain(run: Run, store: StoreFact, judge: Judge[Loss]) -> bool:
    """Whether a store loses something however the kernel's flags come out that are not known."""

    def holds(typing: KernelTyping) -> bool:
        known = loss.constants(typing.facts)
        found = (f for f in typing.facts if isinstance(f, StoreFact) and f.span == store.span)
        return any(judge(f, known) is not None for f in found)

    return always(run.typing, run.held_to, holds)


# -- buffers of a caller's dtype ---------------------------------------------------------------------


def _compiled(
    run: Run, store: StoreFact, name: str, into: Alternative, judge: Judge[Loss]
) -> Iterator[Stored[Loss]]:
    """What a store into a buffer of a dtype that a caller chooses loses, if it does for all that compile.

    Only where the kernel refuses some of them, say because it takes the caller's tensor for indices.
    """
    assert isinstance(into.what, Array)
    free = symbols(into.what.dtype)
    if len(free) != 1 or not _is_choosy(run):
        return
    found: list[Stored[Loss]] = []
    for dtype in USUAL:
        supposed = where(run, dtype, *free)
        if supposed is None or isinstance(supposed.typing.outcome, Rejected):
            continue
        known = loss.constants(supposed.typing.facts)
        same = (f for f in supposed.stores() if f.span == store.span)
        losing = [lost for f in same for lost in _lost(supposed, f, name, into, judge, known)]
        if not losing:
            return
        found += losing
    kept = 0
    for one in found:
        kept |= one.kept
    yield from (replace(one, kept=kept) for one in found[:1])


def _is_choosy(run: Run) -> bool:
    """Whether a kernel refuses some dtypes of what a caller provides."""
    outcome = run.typing.outcome
    return isinstance(outcome, Undecided) and outcome.possible is not None


# -- what is known of a store ------------------------------------------------------------------------


def element(types: object) -> DType | None:
    """The one dtype of a set of Triton's types; None for pointers, and where it is not known."""
    return single(types) if isinstance(types, int) and not types & ~ANY else None


def _likeliest(types: object) -> DType | None:
    """The one dtype of a set, or its first ordinary one."""
    if not isinstance(types, int) or types & ~ANY:
        return None
    return single(types) or next(members(types & ORDINARY), None)


def _is_chosen(array: Array, value: Value) -> bool:
    """Whether one place makes the buffer with this dtype or another: which comes here is not certain."""
    others = [a.what for a in value if isinstance(a.what, Array) and a.what.dtype != array.dtype]
    made = creation(array)
    return made is not None and any(
        (o := creation(other)) is not None and o.place == made.place for other in others
    )


def creation(array: Array) -> Origin | None:
    """Where a tensor itself was made, and not only passed on or looked at."""
    made = (Move.BORN, Move.DERIVED, Move.CAST)
    return (
        next((o for o in array.origin.chain() if o.move in made), None) if array.origin is not None else None
    )


def _is_guessed(run: Run, store: StoreFact) -> bool:
    """Whether the type of what is stored rests on a number of which nothing is known."""
    parts = behind((store.value,), lambda t: word(t) not in ("load", "cast"))
    return any(t.op.startswith("param ") and is_vague(run.fact, t.op[6:], run.guard) for t in parts)


def found_at(case: Case, fact: LaunchFact, code: str, message: str, at: Stored[Loss]) -> Diagnostic:
    """The finding about the buffer of a store, which should have the dtype of what is stored."""
    made = finding(
        case, code, message, place=fact.arguments[at.name].place, alternative=at.buffer, launch=fact,
        value=fact.arguments[at.name].value, parameter=at.name, actual=at.kept, expected=at.given.bit,
    )  # fmt: skip
    return replace(made, kernel_site=site(case, fact, at.store.span, at.store.function))
