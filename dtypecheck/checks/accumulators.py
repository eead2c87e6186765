"""DT302 on buffers: sums that a kernel computes in float32 and keeps in an inherited half dtype.

A buffer inherits by `empty_like(x)`, `x.new_empty(n)` and `dtype=x.dtype`. The last names a dtype: where what
is kept is large, that may be a choice; only statistics, which are small, and atomics are reported then.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..analysis import graph as g
from ..analysis.dtypexpr import describe, evaluate, exact, symbols
from ..analysis.facts import LaunchFact
from ..analysis.narrowing import admitted
from ..analysis.sizes import source
from ..analysis.values import Alternative, Array, Guard, Thunk, agree
from ..core.diagnostics import Diagnostic
from ..core.dtypes import BY_NAME, members, only
from ..core.provenance import Move, Origin
from ..core.spans import Place
from ..kernels.flow import address
from ..kernels.session import CarryFact, StoreFact
from ..kernels.sums import accumulates, is_running, is_statistic, uncast
from ..semantics.triton_types import FLOATS, FP32, FP64
from .inside import site, typed
from .judge import Case, finding

HALF = only("float16", "bfloat16")
FLOAT32 = BY_NAME["float32"]


@dataclass(frozen=True, slots=True)
class Buffer:
    """A buffer that is half, or half where another tensor is; `named`: by `dtype=x.dtype`."""

    alternative: Alternative
    dtype: str
    named: bool
    place: Place
    """Where it was made."""


def kept(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding for each buffer of a launch."""
    told: set[str] = set()
    for verdict, facts in typed(case, fact):
        stores = [f for f in facts if isinstance(f, StoreFact) and not f.literal]
        sums = [f for f in facts if isinstance(f, CarryFact) and accumulates(f)]
        for store in stores:
            name, _ = address(store.pointer)
            if name in told or name not in fact.arguments:
                continue
            what = _role(store, stores, sums)
            buffer = half_buffer(fact, name, verdict.guard) if what else None
            if buffer is None or (buffer.named and what == RUNNING):
                continue
            told.add(name)
            yield report(case, fact, store, name, buffer, what)


STATISTIC, RUNNING, ATOMIC = "a statistic", "a running sum", "what it adds up by atomics"


def _role(store: StoreFact, stores: list[StoreFact], sums: list[CarryFact]) -> str:
    """What is kept there that a half is too small for; "" for anything else.

    A statistic is kept beside what the kernel is for: a kernel's only result has the dtype that is wanted.
    """
    value = uncast(store)
    if not isinstance(value.element, int):
        return ""
    if store.operation == "atomic_add":
        return ATOMIC if value.element & FLOATS and not value.element & ~FLOATS else ""
    if value.element not in (FP32, FP64) or store.operation != "store":
        return ""
    if is_statistic(value):
        return STATISTIC if any(not is_statistic(other.value) for other in stores) else ""
    return RUNNING if any(is_running(store, carry) for carry in sums) else ""


def half_buffer(fact: LaunchFact, name: str, guard: Guard) -> Buffer | None:
    """What an argument is, if it was made in the program and inherits a half."""
    given = fact.arguments[name]
    met = [a for a in given.value if agree(a.guard, guard) is not None]
    array = met[0].what if len(met) == 1 else None
    made = _made(array.origin) if isinstance(array, Array) else None
    if made is None or not isinstance(array, Array):
        return None
    named = made.move is Move.BORN
    known = exact(array.dtype)
    if known is not None:
        if not known.bit & HALF or (named and not _takes_over(given.slot)):
            return None
    elif not _follows(array, guard):
        return None
    short = replace(made, parent=None)
    alternative = Alternative(met[0].guard, replace(array, origin=short))
    return Buffer(alternative, describe(array.dtype), named, made.place)


def _made(origin: Origin | None) -> Origin | None:
    """The call that made a buffer; None where it comes from outside, or was cast."""
    for at in origin.chain() if origin is not None else ():
        match at.move:
            case Move.CAST:
                return None
            case Move.BORN | Move.DERIVED:
                return None if at.note.startswith("parameter ") else at
    return None


def _follows(array: Array, guard: Guard) -> bool:
    """Whether a dtype is that of some tensor from outside, and half where that is."""
    free = symbols(array.dtype)
    if not free or any(s.path.endswith("dtype") for s in free):
        return False
    return any(
        all(admitted(s, guard) & half.bit for s in free)
        and evaluate(array.dtype, dict.fromkeys(free, half)) == half.bit
        for half in members(HALF)
    )


def _takes_over(slot: object) -> bool:
    """Whether the call says `dtype=x.dtype`."""
    node = source(slot.node, slot.frame)[0] if isinstance(slot, Thunk) else None
    if not isinstance(node, g.Apply):
        return False
    given = [a.value for a in node.args if a.keyword == "dtype"]
    return any(isinstance(value, g.Get) and value.attr == "dtype" for value in given)


def report(
    case: Case, fact: LaunchFact, store: StoreFact, name: str, buffer: Buffer, what: str
) -> Diagnostic:
    """The finding about one buffer."""
    array = buffer.alternative.what
    known = exact(array.dtype) if isinstance(array, Array) else None
    holds = buffer.dtype if known is not None else f"the {buffer.dtype}"
    keeps = f"`{name}` of `{fact.kernel.entry.name}` keeps {what} in {holds}"
    message = f"{keeps}; the kernel computes it in float32"
    made = finding(
        case, "DT302", message, place=fact.arguments[name].place, alternative=buffer.alternative, launch=fact,
        parameter=name, actual=known.bit if known is not None else 0, expected=FLOAT32.bit,
    )  # fmt: skip
    return replace(made, kernel_site=site(case, fact, store.span, store.function))
