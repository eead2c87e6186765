"""Runs a described operation over all dtypes and compares what its description says with what comes out."""

from __future__ import annotations

import importlib
import inspect
import itertools
import operator
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy
import torch
import torch.distributed as dist

from dtypecheck.core.dtypes import ALL, BY_NAME, DType, Kind
from dtypecheck.semantics import numpy_rules, ops
from dtypecheck.semantics.ops import Op
from dtypecheck.semantics.promotion import FLOAT32

from . import distributed
from .concrete import Call, Seen, dtype_of, is_tensor
from .samples import SAMPLES, D, Group, N, Sample, T

DTYPES = tuple(d for d in ALL if d.kind is not Kind.QUANTIZED and hasattr(torch, d.name))
SOME = tuple(
    BY_NAME[n] for n in ("bool", "uint8", "int32", "int64", "float16", "bfloat16", "float32", "complex64")
)
NUMBERS = (True, 1, 1.5, 1j)
OPERATORS: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "@": operator.matmul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "neg": operator.neg,
    "pos": operator.pos,
    "abs": operator.abs,
    "invert": operator.invert,
}


OBJECTS = {"numpy.random.Generator": numpy.random.default_rng(0)}
"""Objects whose methods are described without their receiver, by the names of their types."""


def dtypes_of(name: str) -> tuple[DType, ...]:
    """The dtypes that an operation's library has."""
    numpys = name.startswith(("numpy.", "ndarray."))
    return tuple(d for d in DTYPES if d in numpy_rules.KNOWN) if numpys else DTYPES


Cell = Any
"""What stands for one T: a (dtype, without dimensions) pair, or a number."""


def _grad(outputs: None, inputs: list[torch.Tensor]) -> tuple[torch.Tensor, ...]:
    live = [tensor.detach().requires_grad_() for tensor in inputs]
    return torch.autograd.grad([tensor.abs().sum() for tensor in live], live)


CALLS: dict[str, Callable[..., Any]] = {**distributed.CALLS, "torch.autograd.grad": _grad}
"""How what cannot be called with its sample alone is called."""


def callable_of(name: str) -> Callable[..., Any]:
    """The real function, method or attribute of a name."""
    if name in CALLS:
        return CALLS[name]
    place, _, rest = name.partition(".")
    if place == "operator" or rest.startswith("operator."):
        return OPERATORS[rest.removeprefix("operator.")]
    if place in ("Tensor", "ndarray"):
        found = getattr(torch.Tensor if place == "Tensor" else numpy.ndarray, rest)
        return (lambda self: getattr(self, rest)) if not callable(found) else found
    home, _, method = name.rpartition(".")
    if home in OBJECTS:
        return getattr(OBJECTS[home], method)
    found = importlib.import_module(place)
    for part in rest.split("."):
        if not hasattr(found, part) and inspect.ismodule(found):
            importlib.import_module(f"{found.__name__}.{part}")
        found = getattr(found, part)
    return found


@cache
def tensor(dtype: DType, shape: tuple[int, ...], device: str, fill: int = 1) -> torch.Tensor:
    """A tensor of ones (or what the bytes allow)."""
    if device == "numpy":
        return numpy.full(shape, fill, dtype=dtype.name)
    made = torch.empty(shape, dtype=getattr(torch, dtype.name), device=device)
    if device != "meta":
        with suppress(RuntimeError):
            made.fill_(fill)
    return made


def samples_of(name: str, op: Op) -> list[Sample]:
    """The calls to make: those of the full name, of its last parts, or the operands of its rule."""
    parts = name.split(".")
    numpys = parts[0] in ("numpy", "ndarray")
    for i in range(2 if numpys and len(parts) == 3 else 1 if numpys else len(parts)):
        found = SAMPLES.get(".".join(parts[i:]))
        if found is not None:
            return found
    words = list(dict.fromkeys(_operands(op.outcome)))
    if op.inplace:
        words = list(itertools.takewhile(lambda p: p != "*", op.params))
    first = op.params[:1]
    return [{p: T() for p in op.params if p in words or ((p,) == first and not p.startswith("*"))}]


def _operands(outcome: Any) -> Iterator[str]:
    """The parameters that the dtype rules of an outcome read."""
    match outcome:
        case ops.Computed(_, operands):
            yield from operands
        case ops.Like(param):
            yield param
        case ops.Given(_, otherwise):
            yield from _operands(otherwise)
        case ops.Tensor(dtype) | ops.DTypeOf(dtype):
            yield from _operands(dtype)
        case ops.Tensors(each):
            yield from _operands(each)
        case ops.Several(items):
            for item in items:
                yield from _operands(item)
        case ops.When(_, then, otherwise):
            yield from _operands(then)
            yield from _operands(otherwise)


def slots(sample: Sample) -> list[T]:
    """The varying tensors of a call, in order."""
    found: list[T] = []
    for value in sample.values():
        found += [v for v in (value if isinstance(value, (list, tuple)) else (value,)) if isinstance(v, T)]
    return found


def fill(sample: Sample, cells: tuple[Cell, ...], device: str, fresh: bool) -> dict[str, Any]:
    """The actual arguments of a call."""
    left = iter(cells)

    def real(value: Any) -> Any:
        match value:
            case T(shape=shape):
                cell = next(left)
                if not isinstance(cell, tuple):
                    return cell
                made = tensor(cell[0], () if cell[1] else shape, device)
                return made if not fresh else made.copy() if device == "numpy" else made.clone()
            case N(dtype, shape):
                return tensor(BY_NAME[dtype], shape, device, 0)
            case D(name):
                return getattr(numpy if device == "numpy" else torch, name)
            case Group(by_name):
                return dist.group.WORLD.group_name if by_name else dist.group.WORLD
            case tuple() | list():
                return type(value)(real(v) for v in value)
            case "meta":
                return device
        return value

    return {param: real(value) for param, value in sample.items()}


def call(
    name: str, op: Op, arguments: dict[str, Any], of: Callable[..., Any] | None = None
) -> tuple[Any, list[Any], dict[str, Any]]:
    """Calls the real thing, or `of`; positionally as far as parameters are given in order."""
    positional: list[Any] = []
    keywords = dict(arguments)
    for param in op.params:
        word = param.lstrip("*")
        if not word or word not in keywords:
            break
        positional += keywords.pop(word) if param.startswith("*") else [keywords.pop(word)]
    return (of or callable_of(name))(*positional, **keywords), positional, keywords


def _is(seen: DType | None, said: DType | tuple[DType, ...] | None) -> bool:
    return seen in said if isinstance(said, tuple) else seen is said


def matches(said: Any, seen: Any) -> bool:
    """Whether a result is as the description says."""
    match said:
        case Seen(dtype, ndim, _, array):
            return (
                is_tensor(seen)
                and (array is None or isinstance(seen, torch.Tensor) is not array)
                and _is(dtype_of(seen), dtype)
                and (ndim is None or ndim == seen.ndim)
            )
        case ("list", each):
            return isinstance(seen, (list, tuple)) and all(matches(each, item) for item in seen)
        case ("dtype", dtype, _):
            return isinstance(seen, (torch.dtype, numpy.dtype)) and _is(dtype_of(seen), dtype)
        case ("sizes", ndim):
            return isinstance(seen, tuple) and len(seen) == ndim
        case ("scalar", kind):
            kinds = {"bool": bool, "int": int, "float": float, "complex": complex, "str": str}
            return isinstance(seen, kinds[kind]) and isinstance(seen, bool) == (kind == "bool")
        case ("other", _):
            return not isinstance(seen, (torch.Tensor, torch.dtype, int, float))
        case "nothing":
            return seen is None
        case tuple():
            return (
                isinstance(seen, (list, tuple)) and len(said) == len(seen) and all(map(matches, said, seen))
            )
    return False


def refusal(said: Any) -> tuple[bool, bool]:
    """Whether the description says that torch refuses; whether it could have said so."""
    match said:
        case Seen(dtype, _, sure):
            return dtype is None, sure
        case ("dtype", dtype, sure):
            return dtype is None, sure
        case ("list", each):
            return refusal(each)
        case (Seen(), *_):
            states = [refusal(item) for item in said]
            return any(s[0] for s in states), any(s[1] for s in states)
    return False, False


@dataclass
class Tally:
    """What was compared."""

    cells: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)
    """Calls that torch took for no dtypes at all: samples that compare nothing."""

    def add(self, other: Tally) -> None:
        self.cells += other.cells
        self.wrong += other.wrong
        self.idle += other.idle


_NO_KERNEL = (
    "not implemented for",
    "not implemented",
    "Could not run",
    "not supported on",
    "is not implemented",
    "Unsupported dtype",
    "singular",
    "MKL FFT",
)


def _attempt(
    name: str, op: Op, sample: Sample, cells: tuple[Cell, ...], device: str, of: Callable[..., Any] | None
) -> tuple[str, Any]:
    try:
        arguments = fill(sample, cells, device, op.inplace or name[-1] == "_")
        seen, _, _ = call(name, op, arguments, of)
        return "gives", seen
    except (TypeError, numpy.exceptions.DTypePromotionError) as error:
        return ("refuses" if device == "numpy" else "uncallable"), error
    except NotImplementedError as error:
        return "no kernel", error
    except KeyError as error:
        return "uncallable", error
    except (RuntimeError, ValueError, IndexError, AssertionError) as error:
        text = str(error)
        return ("no kernel" if any(t in text for t in _NO_KERNEL) else "refuses"), error


def judge(
    name: str,
    op: Op,
    sample: Sample,
    cells: tuple[Cell, ...],
    default: DType,
    tally: Tally,
    of: Callable[..., Any] | None = None,
) -> None:
    """Compares one cell with the CPU's word, and with that of meta tensors where it lacks a kernel."""
    if cells and not any(isinstance(cell, tuple) for cell in cells):
        return
    devices = ("numpy",) if name.startswith(("numpy.", "ndarray.")) else ("cpu", "meta")
    arguments = fill(sample, cells, devices[-1], False)
    said = _said(op, arguments, default)
    refused, sure = refusal(said)
    outcomes = []
    for device in devices:
        state, value = _attempt(name, op, sample, cells, device, of)
        if state == "gives" and not refused and matches(said, value):
            tally.cells["agree"] += 1
            return
        outcomes.append((device, state, value))
        if state == "refuses":
            break
    states = {state for _, state, _ in outcomes}
    where = _located(name, sample, cells)
    if refused:
        _, state, value = outcomes[0]
        if state == "gives":
            tally.wrong.append(f"{where}: we refuse, torch gives {_brief(value)}")
        else:
            tally.cells["both refuse" if states == {"refuses"} else "we refuse, no CPU kernel"] += 1
        return
    gave = [value for _, state, value in outcomes if state == "gives"]
    if gave:
        tally.wrong.append(
            f"{where}: we say {said}, torch gives {_brief(gave[0])} ({[o[:2] for o in outcomes]})"
        )
    elif "no kernel" in states:
        tally.cells["no CPU kernel"] += 1
    elif states == {"uncallable"}:
        tally.cells["uncallable"] += 1
    elif sure:
        tally.wrong.append(
            f"{where}: we say {said}, torch refuses: {str(outcomes[-1][2]).splitlines()[0][:90]}"
        )
    else:
        tally.cells["refusal not described"] += 1


def _located(name: str, sample: Sample, cells: tuple[Cell, ...]) -> str:
    words = [f"{c[0]}{'()' if c[1] else ''}" if isinstance(c, tuple) else repr(c) for c in cells]
    return f"{name}({', '.join(words)})" if cells else f"{name} {sample}"


def _said(op: Op, arguments: dict[str, Any], default: DType) -> Any:
    values = dict(arguments)
    for param in op.params:
        if param.startswith("*") and param != "*" and param[1:] in values:
            values[param[1:]] = tuple(values[param[1:]])
    return Call(op, values, default).result()


def _brief(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return f"{value.dtype} rank {value.ndim}"
    if isinstance(value, (list, tuple)):
        return f"({', '.join(map(_brief, value))})"
    return repr(value)[:60]


def ranked(op: Op) -> bool:
    """Whether a rule promotes several operands, so that their ranks count."""
    outcome = op.outcome
    while isinstance(outcome, ops.When):
        outcome = outcome.otherwise
    return (
        isinstance(outcome, ops.Tensor)
        and isinstance(outcome.dims, ops.BroadcastRank)
        and isinstance(outcome.dtype, ops.Computed)
    )


def grid(count: int, ranks: bool, dtypes: tuple[DType, ...]) -> Iterator[tuple[Cell, ...]]:
    """The combinations to try for `count` varying tensors."""
    full = [(d, False) for d in dtypes]
    if count <= 1:
        yield from itertools.product(full, repeat=count)
    elif count == 2:
        cells = [*full, *((d, True) for d in dtypes), *NUMBERS] if ranks else full
        yield from itertools.product(cells, repeat=2)
    else:
        for a, b in itertools.product(full, repeat=2):
            yield from {(a, b, *rest) for rest in itertools.product((a, b), repeat=count - 2)}
        if ranks:
            some = [*((d, z) for d in SOME[::2] for z in (False, True)), *NUMBERS[1:3]]
            yield from itertools.product(some, repeat=count)


def forms(name: str, op: Op) -> Iterator[Sample]:
    """The calls of an operation, and each again with every dtype as `dtype` where it takes one."""
    for sample in samples_of(name, op):
        yield sample
        if "dtype" in op.params and "dtype" not in sample and name != "Tensor.type":
            still = {p: _still(v) for p, v in sample.items()}
            for dtype in dtypes_of(name):
                yield {**still, "dtype": D(dtype.name)}


def _still(value: Any) -> Any:
    if isinstance(value, T):
        return N("float32", value.shape)
    if isinstance(value, (list, tuple)):
        return type(value)(_still(v) for v in value)
    return value


def compare(
    name: str,
    op: Op,
    default: DType = FLOAT32,
    ranks: bool = False,
    most: int = 9,
    of: Callable[..., Any] | None = None,
) -> Tally:
    """All cells of one name, of calls with at most so many varying tensors; with `ranks`, of all ranks.

    `of` is called in its place, for what is said to do the same.
    """
    tally = Tally()
    dtypes = dtypes_of(name)
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for sample in forms(name, op):
            free = slots(sample)
            before = tally.cells["agree"]
            if len(free) <= most:
                for cells in grid(len(free), ranks and ranked(op), dtypes):
                    judge(name, op, sample, cells, default, tally, of)
                if "dtype" not in sample and tally.cells["agree"] == before:
                    tally.idle.append(f"{name} {sample}")
    return tally
