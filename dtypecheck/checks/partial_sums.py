"""DT302 over several launches: partial sums in a half buffer that another kernel reads again and adds up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ..analysis.facts import LaunchFact
from ..core.diagnostics import Diagnostic
from ..core.spans import Place
from ..kernels.flow import address
from ..kernels.session import CarryFact, StoreFact
from ..kernels.sums import accumulates, is_partial, totals
from .accumulators import half_buffer, report
from .inside import typed
from .judge import Case

PARTIAL = "partial sums"


@dataclass(frozen=True, slots=True)
class Kept:
    """A kernel keeps sums in the half buffer that was made at `birth`."""

    birth: Place
    finding: Diagnostic


@dataclass(frozen=True, slots=True)
class Summed:
    """A kernel adds up what is in the buffer that was made at `birth`."""

    birth: Place
    kernel: str


def seen(case: Case, fact: LaunchFact) -> Iterator[Kept | Summed]:
    """What a launch does with buffers that are half by inheritance."""
    for verdict, facts in typed(case, fact):
        stores = [f for f in facts if isinstance(f, StoreFact) and not f.literal]
        summed = totals(stores, [f for f in facts if isinstance(f, CarryFact) and accumulates(f)])
        written = {address(s.pointer)[0]: s for s in reversed(stores) if is_partial(s)}
        for name in fact.arguments:
            if name not in written and name not in summed:
                continue
            buffer = half_buffer(fact, name, verdict.guard)
            if buffer is None:
                continue
            if name in written:
                finding = report(case, fact, written[name], name, buffer, PARTIAL)
                yield Kept(finding.primary, finding)
            else:
                yield Summed(buffer.place, fact.kernel.entry.name)


def compared(records: Iterable[Kept | Summed]) -> Iterator[Diagnostic]:
    """The buffers that one kernel writes and another adds up."""
    several = list(records)
    readers: dict[Place, set[str]] = {}
    for one in several:
        if isinstance(one, Summed):
            readers.setdefault(one.birth, set()).add(one.kernel)
    for one in several:
        if isinstance(one, Kept) and one.birth in readers:
            again = ("added up", f"`{min(readers[one.birth])}` reads it again and adds it up")
            yield replace(one.finding, notes=(*one.finding.notes, again))
