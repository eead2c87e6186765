"""torch.autograd.Function: `apply` runs `forward`, and `backward` sees what `forward` kept.

Source: torch/autograd/function.py (torch 2.13): `save_for_backward`, `saved_tensors`, plain attributes of ctx.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import calls
from . import graph as g
from .frames import Frame
from .program import ClassDef
from .values import (
    ClassRef, FunctionRef, Given, Instance, Method, Nil, Sequence, Thunk, Value, just, union, unknown,
)  # fmt: skip

if TYPE_CHECKING:
    from .solve import Solver


def is_function(solver: Solver, cls: ClassDef) -> bool:
    """Whether a class derives from torch.autograd.Function."""
    return any(
        isinstance(at, str) and at.endswith("Function") and "Function" == at.rpartition(".")[2]
        for at in solver.program.mro(cls)
    )


def applied(solver: Solver, what: Method, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    """`Class.apply(*args)`: what `forward(ctx, *args)` returns."""
    if not isinstance(what.receiver, ClassRef):
        return unknown("autograd", node.span)
    made = forward_frame(solver, what.receiver.cls, args, node, frame)
    if made is None:
        return unknown("autograd", node.span)
    return solver.force(made.summary.result, made)


def forward_frame(
    solver: Solver, cls: ClassDef, args: tuple[g.Argument, ...], node: g.Node, frame: Frame
) -> Frame | None:
    """The activation of `forward` by `apply`."""
    forward = solver.program.method(cls, "forward")
    if forward is None:
        return None
    context = Given(just(Instance(cls)))
    return calls.enter(solver, FunctionRef(forward, context), args, frame, node)


def saved(solver: Solver, frame: Frame) -> Value:
    """`ctx.saved_tensors` in backward: what `ctx.save_for_backward(...)` was given in forward."""
    name = context_name(frame)
    parts: list[Value] = []
    for site in frame.summary.calls:
        match site.apply.func:
            case g.Get(value=g.Formal(name=owner), attr="save_for_backward") if owner == name:
                if any(a.star for a in site.apply.args):
                    return unknown("saved-star")
                slots = tuple(Thunk(a.value, frame) for a in site.apply.args)
                parts.append(just(Sequence("tuple", slots)))
    return union(parts) if parts else unknown("saved-tensors")


def kept(solver: Solver, frame: Frame, attr: str) -> Value:
    """`ctx.attr` in backward: what forward left there."""
    found = frame.summary.exit.get(f"{context_name(frame)}.{attr}")
    if found is None:
        return unknown("context-attribute")
    return solver.force(found, frame)


def context_name(frame: Frame) -> str:
    params = frame.summary.function.params
    return params[0].name if params else "ctx"


__all__ = ["Nil", "applied", "forward_frame", "is_function", "kept", "saved"]
