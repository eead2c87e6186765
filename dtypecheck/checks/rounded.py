"""DT304: what is rounded twice, or to less than the buffer holds, on the way to a pointer.

float16 and bfloat16 round differently, so a value that passes through one into the other has the
precision and the range of neither. And Triton takes every Python float for float32
(`native_specialize_impl`), whatever it is stored in.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import replace

from ..analysis.facts import LaunchFact
from ..analysis.sizes import source
from ..analysis.values import Guard, Number, Thunk
from ..core import claims
from ..core.diagnostics import Diagnostic
from ..core.dtypes import BY_NAME, DType
from ..core.spans import Place
from ..kernels.flow import SHAPING, behind, buffer, word
from ..kernels.loss import Constants
from ..kernels.session import StoreFact
from ..kernels.values import Tensor
from ..semantics.triton_types import FP32, FP64
from .claims import claim
from .inside import site
from .judge import Case, finding
from .stored import Judge, certain, element, found_at, losses
from .supposed import Run, met, runs, where

HALVES = {"float16": "bfloat16", "bfloat16": "float16"}
AS_IT_IS = SHAPING | {"argument", "call"}
"""Behind these stands the same value, and no other."""


def rounded(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding for each parameter that makes a value lose precision."""
    told: set[str] = set()
    for made in (*_halves(case, fact), *_chosen(case, fact), *_numbers(case, fact)):
        if made.parameter not in told:
            told.add(made.parameter)
            yield made


# -- one half through the other ----------------------------------------------------------------------


def _through(store: StoreFact, known: Constants) -> Tensor | None:
    """The cast to one half of what is then stored in the other."""
    given, kept = element(store.value.element), element(store.element)
    if given is None or kept is None or HALVES.get(given.name) != kept.name:
        return None
    return _cast(store.value)


def _cast(value: Tensor) -> Tensor | None:
    """The cast from a wider float that a value comes from as it is."""
    for t in behind((value,), lambda t: word(t) in AS_IT_IS):
        if word(t) == "cast":
            wide = t.inputs[0].element
            return t if isinstance(wide, int) and wide and not wide & ~(FP32 | FP64) else None
    return None


def _halves(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """Buffers of one half dtype that are given values rounded to the other."""
    for at in losses(case, fact, _through):
        chosen, kept = _source(at.lost), element(at.kept)
        if chosen in fact.arguments and kept is not None:
            yield _contradiction(case, at.run, at.store, at.name, chosen, at.given, kept)
        else:
            said = f"`{at.name}` of `{fact.kernel.entry.name}` is {kept}"
            message = f"{said}, and what the kernel stores in it was rounded to {at.given} before"
            yield found_at(case, fact, "DT304", message, at)


def _source(cast: Tensor) -> str:
    """The parameter that names the dtype of a cast."""
    return cast.op.partition(" ")[2]


# -- a dtype that was chosen by a test, for fewer dtypes than there are ---------------------------------


def _chosen(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """Dtypes that are passed to the kernel and contradict the buffer, where a caller gives one half for all.

    Such a dtype was chosen by a test on a dtype: so several are expected, and one falls to the wrong side.
    """
    for run in runs(case, fact):
        for store in run.stores():
            given, made, name = element(store.value.element), _cast(store.value), buffer(store.pointer)
            other = HALVES.get(given.name) if given is not None and element(store.element) is None else None
            if given is None or made is None or other is None or name not in fact.arguments:
                continue
            if _by_dtype(run, _source(made)) and _supposed(run, BY_NAME[other], store, _through):
                yield _contradiction(case, run, store, name, _source(made), given, BY_NAME[other])


def _by_dtype(run: Run, name: str) -> bool:
    """Whether a parameter gets a type that tests of dtypes, and nothing else, have chosen."""
    found = met(run.fact, name, run.guard)
    tests = {key[0] if isinstance(key, tuple) else key for alt in found for key, _ in alt.guard}
    return len(found) == 1 and tests == {"dtype"}


def _supposed(run: Run, dtype: DType, store: StoreFact, judge: Judge[object]) -> bool:
    """Whether a store loses something where all tensors that a caller provides have one dtype."""
    supposed = where(run, dtype)
    return supposed is not None and certain(supposed, store, judge)


def _contradiction(
    case: Case, run: Run, store: StoreFact, name: str, chosen: str, given: DType, kept: DType
) -> Diagnostic:
    """The finding about a dtype that is passed to the kernel."""
    fact = run.fact
    message = (
        f"`{chosen}` of `{fact.kernel.entry.name}` is {given} where `{name}` is {kept}: "
        f"what the kernel stores there is rounded twice"
    )
    mended = ((chosen, claims.Tensor((kept.name,))),)
    made = finding(
        case, "DT304", message, place=fact.arguments[chosen].place, launch=fact, parameter=chosen,
        actual=given.bit, expected=kept.bit, claim=_claim(case, run, kept, mended),
    )  # fmt: skip
    birth = _birth(fact, chosen)
    return replace(made, primary=birth, birth=birth, kernel_site=site(case, fact, store.span, store.function))


def _claim(case: Case, run: Run, dtype: DType, mended: claims.Arguments = ()) -> claims.Claim:
    """This way of the launch, where what a caller provides has one dtype."""
    made = claim(case, run.fact, guard=run.guard, mended=mended)
    supposed = claims.Tensor((dtype.name,))
    arguments = (
        (
            name,
            supposed if isinstance(a, claims.Tensor) and len(a.dtypes) > 1 and dtype.name in a.dtypes else a,
        )
        for name, a in made.arguments
    )
    return replace(made, arguments=tuple(arguments))


def _birth(fact: LaunchFact, name: str) -> Place:
    """Where an argument that has no origin was written."""
    given = fact.arguments[name]
    if not isinstance(given.slot, Thunk):
        return given.place
    node, frame = source(given.slot.node, given.slot.frame)
    return frame.place(node.span)


# -- numbers in float64 buffers -------------------------------------------------------------------------


def _number(store: StoreFact, known: Constants) -> str | None:
    """The parameter that is stored as it is, a number of 32 bits, among float64."""
    if store.element != FP64:
        return None
    return _parameter(store.value)


def _parameter(value: Tensor) -> str | None:
    for t in behind((value,), lambda t: word(t) in AS_IT_IS | {"full", "cast"}):
        if t.op.startswith("param ") and t.element == FP32:
            return t.op[6:]
    return None


def _numbers(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """Python floats that a kernel stores as they are in float64 buffers, or in what a caller may make one."""
    for run in runs(case, fact):
        for store in run.stores():
            number = _parameter(store.value) if store.element & FP64 else None
            name = buffer(store.pointer) if number is not None else ""
            if number is None or name not in fact.arguments or not _is_inexact(fact, number, run.guard):
                continue
            if _supposed(run, BY_NAME["float64"], store, _number):
                yield _float_finding(case, run, store, name, number)


def _is_inexact(fact: LaunchFact, name: str, guard: Guard) -> bool:
    """Whether a parameter gets Python floats that float32 may not hold."""
    found = [alt.what for alt in met(fact, name, guard)]
    return bool(found) and all(
        isinstance(what, Number) and what.kind == "float" and not _is_exact(what) for what in found
    )


def _is_exact(number: Number) -> bool:
    value = number.literal
    if not number.known or not isinstance(value, float):
        return False
    try:
        return value != value or struct.unpack("f", struct.pack("f", value))[0] == value
    except OverflowError:
        return False


def _float_finding(case: Case, run: Run, store: StoreFact, name: str, number: str) -> Diagnostic:
    fact, place = run.fact, run.fact.arguments[number].place
    message = (
        f"`{number}` of `{fact.kernel.entry.name}` is a Python float, which Triton takes as float32; "
        f"where `{name}` is float64 it has lost 29 bits"
    )
    made = finding(
        case, "DT304", message, place=place, launch=fact, parameter=number, actual=BY_NAME["float32"].bit,
        expected=BY_NAME["float64"].bit, claim=_claim(case, run, BY_NAME["float64"]),
    )  # fmt: skip
    return replace(made, birth=place, kernel_site=site(case, fact, store.span, store.function))
