"""Whether something holds in a kernel however the flags come out that typing had to assume."""

from __future__ import annotations

from collections.abc import Callable

from .typing import Flags, KernelTyping, Rejected

BUDGET = 24
"""Typings that one question may cost; beyond them the answer is no."""
SIZES = frozenset({"count"})
"""Flags that only ask whether a loop turns at all."""


def always(
    typing: KernelTyping, retype: Callable[[Flags], KernelTyping], holds: Callable[[KernelTyping], bool]
) -> bool:
    """Whether `holds` is true of all ways that compile: each flag is turned alone, and any that turn up."""
    pending: list[tuple[Flags, frozenset[object], KernelTyping]] = [((), frozenset(), typing)]
    spent = 0
    while pending:
        turned, known, found = pending.pop()
        if isinstance(found.outcome, Rejected):
            continue
        if not holds(found):
            return False
        fresh = [(key, way) for key, way in found.assumed if key not in known and key[0] not in SIZES]
        known |= {key for key, _ in fresh}
        for key, way in fresh:
            spent += 1
            if spent > BUDGET:
                return False
            flags = (*turned, (key, not way))
            pending.append((flags, known, retype(flags)))
    return True
