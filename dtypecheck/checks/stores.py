"""DT301: stores and atomics that silently lose kind or width, as Triton's implicit cast does.

Source: `semantic.store`, `descriptor_store` and `atom_red_typechecking_impl` cast the value to the pointer's
element type (triton 3.6 to 3.9). What the kernel casts or rounds itself is meant, and so is a literal.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.facts import LaunchFact
from ..core.diagnostics import Diagnostic
from ..core.dtypes import ANY, BOOL, DType, Kind, members, show
from ..kernels.loss import Constants, is_combined, is_count, is_fractional, is_sum
from ..kernels.session import StoreFact
from ..kernels.values import Tensor
from .inherited import is_inherited
from .judge import Case
from .stored import element, found_at, losses


def narrowing(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding for each buffer that a launch stores something else in."""
    told: set[tuple[str, int]] = set()
    for at in losses(case, fact, lost):
        if (at.name, at.kept) not in told and not is_inherited(case, at):
            told.add((at.name, at.kept))
            said = f"`{at.name}` of `{fact.kernel.entry.name}` is {show(at.kept)}"
            message = f"{said}, and the kernel stores {at.given} in it: {at.lost}"
            yield found_at(case, fact, "DT301", message, at)


def lost(store: StoreFact, known: Constants) -> str | None:
    """What is lost whatever of its possible types the value has; None where that is nothing, or meant."""
    kept, types = element(store.element), store.value.element
    if kept is None or not isinstance(types, int) or not types or types & ~ANY:
        return None
    said = [_lost(given, kept, store.value, known) for given in members(types)]
    return None if None in said else said[0]


def _lost(given: DType, kept: DType, value: Tensor, known: Constants) -> str | None:
    if kept.bit == BOOL:
        return "all that is not zero becomes True" if given.bit != BOOL and is_sum(value) else None
    if kept.kind is not Kind.INTEGER:
        return None
    if given.kind is Kind.FLOATING:
        return "the fraction is cut off" if is_fractional(value, known) else None
    if given.bits == 64 > kept.bits and is_combined(value):
        return "the upper bits are cut off"
    if kept.bits <= 16 and given.bits > kept.bits and is_count(value):
        return f"counts above {2 ** (kept.bits - kept.signed) - 1} wrap around"
    return None
