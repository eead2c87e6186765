"""Applies the description of a library operation (`semantics.ops`) to abstract arguments.

It binds arguments, takes their alternatives apart, and turns each result's rule into a dtype
expression. Which operation it is makes no difference here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ..core.dtypes import mask
from ..core.provenance import Move, Origin
from ..core.spans import Place
from ..semantics import ops as o
from . import graph as g
from . import ranks
from .dtypexpr import DTypeExpr, Known, exact, known, lift
from .operands import (
    DEFAULT, PYTHON_DTYPES, Arg, Args, Open, Slot, flat, from_data, like, looks_like_dtype, named_by, number, operand, sole,
)  # fmt: skip
from .values import (
    ALWAYS, Abstract, Array, DTypeRef, External, Given, Guard, Library, Many, Nil, Number, Sequence, Thunk, Unknown,
    Value, agree, collapse, just, under, union, unknown,
)  # fmt: skip

if TYPE_CHECKING:
    from .solve import Solver

COMBINATIONS = 48
"""More combinations of alternatives than this are not taken apart."""


@dataclass(frozen=True, slots=True)
class Call:
    """One application: the operation, where it stands, and one combination of its arguments."""

    op: o.Op
    name: str
    args: Args
    place: Place


def apply(solver: Solver, op: o.Op, name: str, slots: Mapping[str, Slot | tuple[Slot, ...]], place: Place) -> Value:
    """The value of a call of `op` with these bound arguments."""
    needed = parameters(op)
    parts: list[Value] = []
    for guard, args in combinations(solver, {n: s for n, s in slots.items() if n in needed}):
        call = Call(op, name, args, place)
        parts.append(under(guard, outcome(call, op.outcome)))
    value = union(parts)
    return tuple(alt for alt in value if not _refused(alt.what)) or value


def _refused(what: Abstract) -> bool:
    """Whether torch raises for every dtype that the arguments may have: nothing comes out."""
    return isinstance(what, Array) and what.dtype == Known(0)


def combinations(solver: Solver, slots: Mapping[str, Slot | tuple[Slot, ...]]) -> Iterator[tuple[Guard, Args]]:
    """The arguments, one alternative each, under guards that agree."""
    found: list[tuple[Guard, dict[str, Arg]]] = [(ALWAYS, {})]
    for name, slot in slots.items():
        if isinstance(slot, tuple):
            whats: Arg = tuple(sole(solver.demand(s)) for s in slot)
            if len(slot) == 1 and isinstance(whats, tuple):
                listed = flat(solver, whats[0])
                whats = listed if isinstance(listed, tuple) else whats
            found = [(guard, {**args, name: whats}) for guard, args in found]
            continue
        value = _filled(solver.demand(slot))
        if len(found) * len(value) > COMBINATIONS:
            value = collapse(value)
        found = [
            (both, {**args, name: flat(solver, _hinted(slot, alt.what))})
            for guard, args in found
            for alt in value
            if (both := agree(guard, alt.guard)) is not None
        ]
    yield from found


def _filled(value: Value) -> Value:
    """A list that a loop fills is empty where the loop does not turn: of it no tensor with elements is made."""
    if not all(isinstance(alt.what, (Sequence, Many)) for alt in value):
        return value
    return tuple(alt for alt in value if not isinstance(alt.what, Sequence) or alt.what.items) or value


def _hinted(slot: Slot, what: Abstract) -> Abstract:
    """What is called a device is one, wherever it comes from."""
    if isinstance(slot, Thunk):
        match slot.node:
            case g.Get(attr=name) | g.Formal(name=name) | g.Free(name=name) if name.endswith("device"):
                return Library("torch.device")
    if isinstance(what, External) and what.symbol.path.endswith("device"):
        return Library("torch.device")
    return what


@lru_cache(maxsize=None)
def parameters(op: o.Op) -> frozenset[str]:
    """The parameters that bear on the outcome, dimensions included."""
    found: set[str] = {"out"} if op.out else set()

    def result(rule: o.Result) -> None:
        match rule:
            case o.Like(param) | o.FromData(param):
                found.add(param)
            case o.Computed(_, operands):
                found.update(operands)
            case o.Given(param, otherwise):
                found.add(param)
                result(otherwise)

    def walk(outcome: o.Outcome) -> None:
        match outcome:
            case o.Tensor(dtype, dims):
                result(dtype)
                found.update(ranks.parameters(dims))
            case o.Tensors(each):
                walk(each)
            case o.Several(items):
                for item in items:
                    walk(item)
            case o.DTypeOf(dtype):
                result(dtype)
            case o.Sizes(param) | o.Each(param) | o.Itself(param) | o.Item(param):
                found.add(param)
            case o.When(param, then, otherwise):
                found.add(param)
                walk(then)
                walk(otherwise)

    walk(op.outcome)
    return frozenset(found)


# -- outcomes ------------------------------------------------------------------------------------


def outcome(call: Call, rule: o.Outcome) -> Value:
    """What one application gives, by the kind of its outcome."""
    given_out = call.args.get("out")
    if call.op.out and isinstance(given_out, Array):
        return just(given_out)
    match rule:
        case o.Tensor(dtype):
            return () if _lacks_source(call, dtype) else just(_tensor(call, rule))
        case o.Tensors(each):
            made = outcome(call, each)
            return just(Many("tuple", (Given(made),))) if made else ()
        case o.Several(items, names):
            return just(Sequence("tuple", tuple(Given(outcome(call, item)) for item in items), names))
        case o.Scalar(kind):
            return just(Number(kind))
        case o.Item(param):
            return just(number(like(call.args.get(param))))
        case o.DTypeOf(dtype):
            found = _dtype(call, dtype)
            return just(DTypeRef(found, _unknown_because(call, dtype, found)))
        case o.Nothing():
            return just(Nil())
        case o.Sizes(param):
            return just(_sizes(call.args.get(param)))
        case o.Each(param):
            listed = call.args.get(param)
            if isinstance(listed, Open):
                return just(Many("tuple", tuple(Given(just(w)) for w in listed)))
            if isinstance(listed, (tuple, Array)):
                tensors = listed if isinstance(listed, tuple) else (listed,)
                return just(Sequence("tuple", tuple(Given(just(w)) for w in tensors)))
            return unknown(f"arguments({call.name})")
        case o.Itself(param):
            return just(_itself(call.args.get(param)))
        case o.When(param, then, otherwise, test):
            return _when(call, call.args.get(param), then, otherwise, test)
        case o.Other(kind):
            return just(Library(kind) if "." in kind else Unknown(f"other({kind})"))
    raise AssertionError(rule)


def _itself(what: Arg | None) -> Abstract:
    if what is None:
        return Nil()
    return Sequence("tuple", tuple(Given(just(w)) for w in what)) if isinstance(what, tuple) else what


def _sizes(what: Arg | None) -> Abstract:
    size = Given(just(Number("int")))
    if isinstance(what, Array) and what.ndim is not None:
        return Sequence("tuple", (size,) * what.ndim)
    return Many("tuple", (size,))


def _when(call: Call, what: Arg | None, then: o.Outcome, otherwise: o.Outcome, test: o.Test | o.Is) -> Value:
    """A test that the argument does not decide gives both outcomes, as ignorance where they are tensors."""
    answer = _passes(what, test)
    if answer is not None:
        return outcome(call, then if answer else otherwise)
    a, b = outcome(call, then), outcome(call, otherwise)
    if a == b:
        return a
    merged = a + b
    if all(isinstance(alt.what, Array) for alt in merged):
        return collapse(merged)
    return unknown(f"arguments({call.name})")


def _passes(what: Arg | None, test: o.Test | o.Is) -> bool | None:
    first = what[0] if isinstance(what, tuple) and what else what
    if first is None or isinstance(first, Nil) or what == ():
        return False
    if isinstance(first, External) and test is o.Test.DTYPE:
        return looks_like_dtype(first.symbol)
    if isinstance(first, (External, Unknown)):
        return None
    match test:
        case o.Test.GIVEN:
            return True
        case o.Test.TENSOR:
            return isinstance(first, Array)
        case o.Test.DTYPE:
            return isinstance(first, DTypeRef) or (isinstance(first, Library) and first.name in PYTHON_DTYPES)
        case o.Test.TRUE:
            return bool(first.literal) if isinstance(first, Number) and first.known else None
        case o.Test.TEXT:
            return isinstance(first, Number) and first.kind == "str"
        case o.Is(words):
            if not isinstance(first, Number) or first.kind != "str":
                return False
            return first.literal in words if first.known else None
    raise AssertionError(test)


def _lacks_source(call: Call, rule: o.Result) -> bool:
    """Whether the tensor that a result takes its dtype from is None: torch raises."""
    match rule:
        case o.Like(param) | o.FromData(param, False):
            return isinstance(call.args.get(param), Nil)
        case o.Given(_, otherwise):
            return _lacks_source(call, otherwise)
    return False


def _tensor(call: Call, rule: o.Tensor) -> Array:
    dtype = _dtype(call, rule.dtype)
    ndim = ranks.ndim(rule.dims, call.args)
    numpy = rule.array if rule.array is not None else any(one.numpy for one in _arrays(call, rule.dtype))
    return Array(dtype, ndim, _origin(call, rule, dtype), numpy, _unknown_because(call, rule.dtype, dtype))


def _unknown_because(call: Call, rule: o.Result, dtype: DTypeExpr) -> str:
    """Why a result's dtype is not known, where it is not: the reason of the input that is not."""
    if not isinstance(dtype, Known) or exact(dtype) is not None:
        return ""
    if isinstance(rule, o.OneOf):
        return f"one-of({call.name})"
    for one in _inputs(call, rule):
        match one:
            case Unknown(reason) | Array(reason=reason) | DTypeRef(reason=reason) if reason:
                return reason
    return f"arguments({call.name})"


def _inputs(call: Call, rule: o.Result) -> Iterator[Abstract]:
    """The arguments that a dtype rule reads, lists taken apart."""
    for name in _sources(rule):
        what = call.args.get(name)
        if isinstance(what, tuple):
            yield from what
        elif what is not None:
            yield what


def _arrays(call: Call, rule: o.Result) -> list[Array]:
    return [one for one in _inputs(call, rule) if isinstance(one, Array)]


def _sources(rule: o.Result) -> tuple[str, ...]:
    match rule:
        case o.Like(param) | o.FromData(param):
            return (param,)
        case o.Computed(_, operands):
            return operands
        case o.Given(param, otherwise):
            return (param, *_sources(otherwise))
    return ()


# -- origins -------------------------------------------------------------------------------------


def _origin(call: Call, rule: o.Tensor, dtype: DTypeExpr) -> Origin:
    """A view continues its input's journey; a cast and an inherited dtype say whose they were."""
    heir = _heir(call, rule.dtype, dtype)
    said = _says(call, rule.dtype)
    if rule.view:
        source = next((w for w in map(call.args.get, _sources(rule.dtype)) if isinstance(w, Array)), None)
        if source is None:
            source = next((w for w in call.args.values() if isinstance(w, Array)), None)
        before = source.origin if source is not None else None
        if source is not None and before is not None and source.dtype == dtype:
            return before
        return Origin(Move.CAST, call.place, call.name, before or _lent(call, rule.dtype, dtype), dtype)
    if heir is not None and not said:
        return Origin(Move.DERIVED, call.place, call.name, heir.origin, dtype)
    lent = None if said else _lent(call, rule.dtype, dtype)
    return Origin(Move.BORN, call.place, call.name, lent, dtype)


def _lent(call: Call, rule: o.Result, dtype: DTypeExpr) -> Origin | None:
    """Where the dtype comes from that was taken over from something that may be a tensor or not."""
    lenders = (one for one in _inputs(call, rule) if isinstance(one, (External, Unknown)))
    return next((one.origin for one in lenders if like(one) == dtype), None)


def _says(call: Call, rule: o.Result) -> bool:
    """Whether the call itself names the dtype."""
    return isinstance(rule, o.Given) and named_by(call.args.get(rule.param), _of_numpy(call)) is not None


def _of_numpy(call: Call) -> bool:
    return call.name.startswith(("numpy.", "ndarray."))


def _heir(call: Call, rule: o.Result, dtype: DTypeExpr) -> Array | None:
    """The tensor whose dtype the result took over."""
    return next((one for one in _arrays(call, rule) if one.dtype == dtype), None)


# -- dtypes --------------------------------------------------------------------------------------


def _dtype(call: Call, rule: o.Result) -> DTypeExpr:
    match rule:
        case o.Fixed(dtype):
            return known(dtype)
        case o.Default():
            return known(DEFAULT)
        case o.OneOf(dtypes):
            return Known(mask(dtypes))
        case o.Like(param):
            return like(call.args.get(param))
        case o.FromData(param, array):
            return from_data(call.args.get(param), array)
        case o.Given(param, otherwise):
            named_dtype = named_by(call.args.get(param), _of_numpy(call))
            return named_dtype if named_dtype is not None else _dtype(call, otherwise)
        case o.Computed(concrete, operands):
            return lift(concrete, tuple(operand(call.args.get(name)) for name in operands))
    raise AssertionError(rule)

