"""DT302 inside kernels: reductions and loops that add up float16 or bfloat16 values in that dtype.

`tl.sum` and `tl.cumsum` compute in the dtype of their input (triton.language.standard, `_pick_sum_dtype`:
integers alone are widened). What a caller provides is supposed to be half, unless the program asserts that it
is not: a kernel that is given such tensors is meant for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..analysis.dtypexpr import Symbol, symbols
from ..analysis.facts import LaunchFact
from ..analysis.narrowing import admitted
from ..analysis.values import Array, External, Guard
from ..core import ir
from ..core.diagnostics import Diagnostic
from ..core.dtypes import ANY, BY_NAME, DType, show
from ..core.spans import Span
from ..kernels.flow import behind, word
from ..kernels.launch import Typer, Verdict
from ..kernels.session import CarryFact, ReductionFact, SelectFact
from ..kernels.sums import SUMS, accumulates, is_choice, loaded
from ..kernels.typing import Rejected
from ..kernels.values import PointerType, Tensor
from ..semantics.triton_types import bits_of
from .inside import born_here, site, speaking
from .judge import Case, finding

HALF = bits_of("fp16", "bf16")
BFLOAT16, FLOAT16, FLOAT32 = (BY_NAME[n] for n in ("bfloat16", "float16", "float32"))


@dataclass(frozen=True, slots=True)
class Sum:
    """A reduction, or what a loop adds; `element` is the set of types that it may be computed in."""

    span: Span
    function: ir.Function | None
    value: Tensor
    element: int


def halved(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding for each sum of a kernel that is computed in a half dtype."""
    told: set[Span] = set()
    for typer, verdict in ((t, v) for t in case.typers for v in t.verdicts(fact)):
        said = speaking(verdict)
        if said is None:
            continue
        version, typing = said
        for one in _sums(typing.facts):
            if one.span in told or not one.element & HALF:
                continue
            names = [n for n in fact.arguments if n in loaded(one.value)]
            if not one.element & ~HALF:
                name, dtype = _half(verdict, names), show(one.element & ANY)
            else:
                name, dtype = _supposed(typer, fact, verdict, version, one, names)
                if not name:
                    continue
            told.add(one.span)
            yield _finding(case, fact, one, name, dtype)


def _sums(facts: tuple[object, ...]) -> Iterator[Sum]:
    """Reductions first: a loop that adds up such a sum is told with it."""
    lines: set[int] = set()
    conditions = {id(f.result): f.condition for f in facts if isinstance(f, SelectFact)}
    for one in facts:
        match one:
            case ReductionFact(span, function, operation, element, value):
                if operation.removeprefix("tl.") in SUMS and not is_choice(value, conditions):
                    lines.add(span.line)
                    yield Sum(span, function, value, element)
    for one in facts:
        match one:
            case CarryFact(function=function, before=before, after=Tensor(element=int(element)) as after):
                made_of = behind((after,), lambda at: at is not before)
                added = next((t for t in made_of if word(t) in ("+", "dot")), None)
                if added is not None and added.span.line not in lines and accumulates(one):
                    yield Sum(added.span, function, after, element)


def _half(verdict: Verdict, names: list[str]) -> str:
    """The half tensor that a sum is made of; "" where the kernel itself makes its values half."""
    for name in names:
        declared = verdict.signature.get(name)
        if isinstance(declared, PointerType) and not declared.element & ~HALF:
            return name
    return ""


def _supposed(
    typer: Typer, fact: LaunchFact, verdict: Verdict, version: str, one: Sum, names: list[str]
) -> tuple[str, str]:
    """The tensor for which a sum is half where that is half, and the dtype; "" where there is none."""
    halves = {s: d for n in names for s in _symbols(fact, n) if (d := _half_of(s, verdict.guard)) is not None}

    def computed(given: Mapping[Symbol, DType]) -> int:
        signature = typer.supposing(fact, verdict.guard, given) if given else None
        typing = typer.again(fact, signature, version) if signature is not None else None
        if typing is None or isinstance(typing.outcome, Rejected):
            return 0
        twins = [s.element for s in _sums(typing.facts) if s.span == one.span and s.function is one.function]
        return twins[0] if twins and not twins[0] & ~HALF else 0

    found = computed(halves)
    if not found:
        return "", ""
    for name in names:
        own = _symbols(fact, name) & halves.keys()
        if own and not computed({**halves, **dict.fromkeys(own, FLOAT32)}):
            return name, show(found & ANY)
    return "", ""


def _symbols(fact: LaunchFact, name: str) -> frozenset[Symbol]:
    found: set[Symbol] = set()
    for alt in fact.arguments[name].value:
        match alt.what:
            case Array(dtype):
                found |= symbols(dtype)
            case External(symbol):
                found.add(symbol)
    return frozenset(found)


def _half_of(symbol: Symbol, guard: Guard) -> DType | None:
    """The half dtype that tests on the way leave to what a caller provides."""
    left = admitted(symbol, guard)
    return next((d for d in (BFLOAT16, FLOAT16) if d.bit & left), None)


def _finding(case: Case, fact: LaunchFact, one: Sum, name: str, dtype: str) -> Diagnostic:
    place = site(case, fact, one.span, one.function)
    said = case.solver.store.text(place.path, one.span)
    where = f" where `{name}` is" if name else ""
    message = f"`{said}` in `{fact.kernel.entry.name}` adds up in {dtype}{where}"
    made = finding(case, "DT302", message, place=place, launch=fact, parameter=name, expected=FLOAT32.bit)
    return born_here(made, place)
