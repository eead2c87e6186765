"""DT301: stores and atomics that silently lose kind or width, as Triton's implicit cast does.

Source: `semantic.store` and `atom_red_typechecking_impl` cast the value to the pointer's element type
(triton 3.6 to 3.9). What the kernel casts or rounds itself is meant, and so is a literal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..analysis.facts import LaunchFact
from ..analysis.values import Alternative, Array, agree
from ..core.diagnostics import Diagnostic
from ..core.dtypes import ANY, BOOL, DType, Kind, single
from ..core.spans import Place
from ..kernels.explain import base
from ..kernels.launch import Verdict
from ..kernels.session import StoreFact
from ..kernels.typing import Rejected
from ..kernels.values import Pointer, Tensor
from .judge import Case, finding
from .refused import depends

MEANT = frozenset({"cast", "floor", "ceil", "rint", "round", "trunc", "where cast", "bitcast"})
"""Operations after which a loss is meant."""


def narrowing(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding for each buffer that a launch stores something else in."""
    told: set[tuple[str, DType]] = set()
    for verdict in (v for t in case.typers for v in t.verdicts(fact)):
        if verdict.launch_refusal is not None or depends(verdict.guard):
            continue
        for store in _stores(verdict):
            lost = _lost(store)
            name = base(store.pointer) if isinstance(store.pointer, Tensor) else ""
            if lost is None or name not in fact.arguments or (name, lost[1]) in told:
                continue
            alternative = _alternative(fact, name, verdict)
            if alternative is None:
                continue
            told.add((name, lost[1]))
            yield _finding(case, fact, store, name, alternative, *lost)


def _stores(verdict: Verdict) -> Iterator[StoreFact]:
    for typing in verdict.typings.values():
        if not isinstance(typing.outcome, Rejected):
            yield from (f for f in typing.facts if isinstance(f, StoreFact) and not f.literal)
            return


def _lost(store: StoreFact) -> tuple[DType, DType, str] | None:
    """What is stored, where it goes, and what is lost; None where nothing is, or where it is meant."""
    value = store.value
    if not isinstance(value.element, int) or isinstance(store.element, Pointer) or _meant(value):
        return None
    given, kept = single(value.element & ANY), single(store.element & ANY)
    if given is None or kept is None or value.element & ~ANY:
        return None
    if given.kind is Kind.FLOATING and kept.kind is Kind.INTEGER:
        return given, kept, "the fraction is cut off"
    if given.kind in (Kind.INTEGER, Kind.FLOATING) and kept.bit == BOOL and _counts(value):
        return given, kept, "all that is not zero becomes True"
    return None


def _counts(value: Tensor) -> bool:
    """Whether a value is a sum, also one that a loop adds up, and not a flag kept as a number."""
    pending = [value]
    for _ in range(16):
        if not pending:
            break
        at = pending.pop()
        word = at.op.partition(" ")[0]
        if word in ("sum", "cumsum", "+"):
            return True
        if word in ("loop", "if", "item", "broadcast", "reshape"):
            pending += at.inputs
    return False


def _meant(value: Tensor) -> bool:
    """Whether the value was cast or rounded on purpose, or is a flag kept as a number."""
    at: Tensor | None = value
    for _ in range(4):
        if at is None or at.op.partition(" ")[0] in MEANT:
            return True
        if at.op not in ("broadcast", "reshape", "expand_dims", "splat"):
            return False
        at = at.inputs[0] if at.inputs else None
    return False


def _alternative(fact: LaunchFact, name: str, verdict: Verdict) -> Alternative | None:
    """The buffer, where its dtype is known for certain on this way."""
    met = [a for a in fact.arguments[name].value if agree(a.guard, verdict.guard) is not None]
    if len(met) != 1 or not isinstance(met[0].what, Array):
        return None
    return met[0]


def _finding(
    case: Case, fact: LaunchFact, store: StoreFact, name: str, alternative: Alternative, given: DType, kept: DType, loss: str
) -> Diagnostic:
    message = f"`{name}` of `{fact.kernel.entry.name}` is {kept}, and the kernel stores {given} in it: {loss}"
    made = finding(
        case, "DT301", message, place=fact.arguments[name].place, alternative=alternative,
        value=fact.arguments[name].value, launch=fact, parameter=name, actual=kept.bit, expected=given.bit,
    )  # fmt: skip
    path = fact.kernel.file.path
    if store.function is not None:
        path = case.solver.store.path_of(store.function) or path
    return replace(made, kernel_site=Place(path, store.span))
