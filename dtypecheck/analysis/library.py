"""Calls of things outside the project: the operation table first, then what Python and Triton give.

A function that is neither described nor special is `Unknown("no-model(name)")`, counted under its name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ..semantics.ops import Op
from ..semantics.table import lookup
from . import autograd, binding, collections_, layers, operations, python, suppliers
from . import graph as g
from .frames import Frame
from .values import (
    Abstract, Array, Decorator, FunctionRef, Given, KernelRef, Layer, Many, Method, Number, Value, just, under, union,
    unknown,
)  # fmt: skip

if TYPE_CHECKING:
    from .solve import Solver

Special = Callable[["Solver", tuple[g.Argument, ...], g.Node, Frame], Value]


def call(solver: Solver, name: str, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    """`name(*args)` for a dotted name outside the project."""
    op = lookup(name)
    if op is not None:
        return described(solver, op, name, None, args, node, frame)
    special = python.SPECIAL.get(name)
    if special is not None:
        return special(solver, args, node, frame)
    last = name.rpartition(".")[2]
    if name.startswith("triton.") or last in python.KERNEL_WRAPPERS:
        return _triton(solver, name, last, args, node, frame)
    layer = layers.construct(solver, name, args, node, frame)
    if layer is not None:
        return layer
    if name in python.NUMBERS:
        return just(Number(python.NUMBERS[name]))
    return unknown(f"no-model({name})", node.span)


def method(solver: Solver, what: Method, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    """A call of a bound method of a library type."""
    kind, _, name = what.name.partition(".")
    match kind:
        case "Tensor" | "ndarray":
            op = lookup(what.name)
            if op is None:
                return unknown(f"no-model({what.name})", node.span)
            return described(solver, op, what.name, what.receiver, args, node, frame)
        case "Module":
            if name == "forward" and isinstance(what.receiver, Layer):
                return layers.call(solver, what.receiver, args, node, frame)
            return layers.method(solver, name, what.receiver, args, node, frame)
        case "Function":
            return autograd.applied(solver, what, args, node, frame)
    return collections_.method(solver, what.receiver, name, args, node, frame)


def _triton(solver: Solver, name: str, last: str, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    """Decorators called as functions give the kernel; the rest are numbers."""
    if last in python.KERNEL_WRAPPERS:
        wrapper = Decorator(suppliers.wrapped(solver, last, args, frame), last == "jit")
        for arg in args:
            if arg.keyword in (None, "fn", "triton_kernel") and not arg.star:
                for alt in solver.force(arg.value, frame):
                    if isinstance(alt.what, (KernelRef, FunctionRef)):
                        return decorated(solver, wrapper, args, frame)
        return just(wrapper)
    if name in python.TRITON_NUMBERS:
        return just(Number(python.TRITON_NUMBERS[name]))
    return unknown(f"no-model({name})", node.span)


def decorated(solver: Solver, wrapper: Decorator, args: tuple[g.Argument, ...], frame: Frame) -> Value:
    """A kernel wrapped: the kernel itself, with what the wrapper supplies."""
    parts: list[Value] = []
    for arg in args:
        if arg.star:
            continue
        for alt in solver.force(arg.value, frame):
            match alt.what:
                case KernelRef(function, supplied):
                    parts.append(under(alt.guard, just(KernelRef(function, supplied | wrapper.supplies))))
                case FunctionRef(function) if wrapper.compiles:
                    parts.append(under(alt.guard, just(KernelRef(function, wrapper.supplies))))
    return union(parts) if parts else unknown("decorator")


# -- described operations ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Param:
    name: str
    kind: str


@lru_cache(maxsize=None)
def signature(op: Op) -> tuple[Param, ...]:
    """The parameters of a description as binding wants them; whatever else is passed is taken and ignored."""
    params: list[Param] = []
    kind = "normal"
    for name in op.params:
        if name == "*":
            kind = "keyword-only"
        elif name.startswith("*"):
            params.append(Param(name[1:], "*"))
            kind = "keyword-only"
        else:
            params.append(Param(name, kind))
    if op.out and "out" not in op.params:
        params.append(Param("out", "keyword-only"))
    return tuple(params)


def described(
    solver: Solver,
    op: Op,
    name: str,
    receiver: Abstract | None,
    args: tuple[g.Argument, ...],
    node: g.Node,
    frame: Frame,
) -> Value:
    """An operation of the table, applied."""
    params = signature(op)
    passed, open_positions, open_keywords = binding.spread(solver, args, frame)
    if receiver is not None:
        passed.insert(0, binding.Passed(Given(just(receiver)), None, None))
    fitted = binding.fit(params, passed, open_positions, open_keywords)
    slots: dict[str, operations.Slot | tuple[operations.Slot, ...]] = {
        key: one.slot for key, one in fitted.bound.items()
    }
    for param in params:
        if param.kind == "*":
            rest = tuple(one.slot for one in fitted.rest)
            if open_positions:
                slots[param.name] = Given(just(Many("tuple", (*rest, *binding.behind(solver, args, frame)))))
            elif rest:
                slots[param.name] = rest
    if op.inplace and isinstance(receiver, Array):
        return just(receiver)
    return operations.apply(solver, op, name, slots, frame.place(node.span))
