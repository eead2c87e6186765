"""What a launch leaves open, found by trial: an argument is changed where that brings Triton further.

Sizes that must fit one another, flags that must agree with what is None, and tables of indices are found so.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace

from ..core import claims as c
from .answers import Answer, Refused, Taken
from .arguments import shown
from .bench import Experiment
from .completion import Choice

TRIES = 100
"""Launches that one search may try."""
DTYPES = ("int32", "float32", "float16", "uint8", "int64", "bool", "float8_e4m3fn")
SIZES = (16, 32, 64, 128, 256, 1, 2, 3, 4, 8, 0)
TYPES = ("fp16", "fp32", "bf16", "int8", "int32", "fp8e4nv")
STAGES = ("bind", "frontend", "mlir", "binary")

Given = Mapping[str, c.Argument]


def searched(experiment: Experiment, given: Given) -> Experiment | None:
    """The experiment with other choices for what `given` leaves open, with which Triton takes the launch.

    None where none are found, or not within the time of one request.
    """
    left, reached = TRIES, experiment.chosen()
    end = time.monotonic() + experiment.bench.worker.limit
    while isinstance(reached, Refused):
        for other in _variants(experiment, given):
            answer, left = other.chosen(), left - 1
            if isinstance(answer, Taken):
                return other
            if _further(answer, reached):
                experiment, reached = other, answer
                break
            if left <= 0 or time.monotonic() > end:
                return None
        else:
            return None
    return None


def _further(answer: Answer, than: Refused) -> bool:
    return isinstance(answer, Refused) and _depth(answer) > _depth(than)


def _depth(refused: Refused) -> tuple[int, tuple[int, ...]]:
    """How far Triton came: the stage, and the lines from the kernel inwards."""
    return STAGES.index(refused.stage), tuple(origin.line for origin in refused.at)


def _variants(experiment: Experiment, given: Given) -> Iterator[Experiment]:
    """The experiment with one open argument changed, together with those of the same dtype; no blamed one."""
    choice = experiment.choice
    constants = {p.name for p in experiment.kernel.completer.params if "constexpr" in p.annotation}
    for name in (n for n in choice.assumed if n not in experiment.wrong):
        claimed, chosen = given.get(name, c.Anything()), {**choice.guesses, **choice.arguments}[name]
        for other in _others(claimed, chosen, name in constants):
            if other != chosen:
                yield replace(experiment, choice=_changed(choice, _alike(name, given), other))


def _alike(name: str, given: Given) -> Iterator[str]:
    """An argument, and the tensors that have its dtype whatever that is."""
    yield name
    match given.get(name):
        case c.Tensor(_, like) if like:
            yield from (
                n for n, a in given.items() if n != name and isinstance(a, c.Tensor) and a.like == like
            )


def _changed(choice: Choice, names: Iterator[str], other: c.Argument) -> Choice:
    for name in names:
        assumed = {**choice.assumed, name: shown(name, other)}
        if name in choice.arguments:
            choice = replace(choice, arguments={**choice.arguments, name: other}, assumed=assumed)
        else:
            choice = replace(choice, guesses={**choice.guesses, name: other}, assumed=assumed)
    return choice


def _others(claimed: c.Argument, chosen: c.Argument, constant: bool) -> Iterator[c.Argument]:
    """What else an argument may be, as far as the claim leaves it open."""
    match claimed:
        case c.Tensor(dtypes):
            yield from (c.Tensor((d,)) for d in DTYPES if d in dtypes)
        case c.Descriptor(dtypes, rank):
            yield from (c.Descriptor((d,), rank) for d in DTYPES if d in dtypes)
        case c.Number("bool", None):
            yield from (c.Number("bool", value) for value in (True, False))
        case c.Number("int", None) if constant:
            yield from (c.Number("int", size) for size in SIZES)
        case c.Anything() if constant:
            yield from _constants(chosen)
        case c.Anything():
            yield from (c.Number("int", 16), c.Number("float", 0.5), c.Nothing())
            yield from (c.Tensor((d,)) for d in DTYPES)


def _constants(chosen: c.Argument) -> Iterator[c.Argument]:
    """Compile-time values, those like the chosen one first."""
    sizes = [c.Number("int", size) for size in SIZES]
    flags = [c.Number("bool", value) for value in (True, False)]
    match chosen:
        case c.TritonType():
            yield from map(c.TritonType, TYPES)
        case c.Number("bool", _):
            yield from (*flags, *sizes)
        case _:
            yield from (*sizes, *flags)
    yield c.Nothing()
