"""torch.autograd.Function: `apply` runs `forward`, and `backward` sees what `forward` kept.

Source: torch/autograd/function.py (torch 2.13): `save_for_backward`, `saved_tensors`, plain attributes of ctx.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.provenance import Move
from . import calls
from . import graph as g
from .binding import Slot
from .frames import Frame
from .moves import moved
from .program import ClassDef, FunctionDef
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
    return moved(solver.force(made.summary.result, made), Move.RETURNED, frame.place(node.span), made.name)


def forward_frame(
    solver: Solver, cls: ClassDef, args: tuple[g.Argument, ...], node: g.Node, frame: Frame
) -> Frame | None:
    """The activation of `forward` by `apply`."""
    forward = solver.program.method(cls, "forward")
    if forward is None:
        return None
    context = Given(just(Instance(cls)))
    return calls.enter(solver, FunctionRef(forward, context), args, frame, node)


def backward_of(solver: Solver, function: FunctionDef | None) -> ClassDef | None:
    """The autograd function whose `backward` this is."""
    if function is None or function.entry.name != "backward" or not function.entry.class_name:
        return None
    for cls in function.file.classes:
        if cls.qualname == function.entry.class_name:
            found = ClassDef(function.file, cls)
            return found if is_function(solver, found) else None
    return None


def backward_frame(solver: Solver, cls: ClassDef, forward: Frame) -> Frame | None:
    """The activation of `backward` for what one activation of `forward` kept; made once."""
    method = solver.program.method(cls, "backward")
    if method is None:
        return None
    key = ("backward", cls)
    made = forward.callees.get(key)
    if made is None:
        summary = solver.store.summary(method)
        made = Frame(summary, method.file, method.key, function=method, caller=forward, depth=forward.depth + 1)
        made.bound = bound_in_backward(solver, cls, forward, summary)
        forward.callees[key] = made
    return made


def bound_in_backward(solver: Solver, cls: ClassDef, forward: Frame, summary: g.Summary) -> dict[str, Slot]:
    """`ctx` as `forward` left it; a gradient has the dtype of the output that it belongs to."""
    params = [p for p in summary.function.params if p.kind in ("positional-only", "normal")]
    if not params:
        return {}
    bound: dict[str, Slot] = {params[0].name: Given(just(Instance(cls, forward)))}
    for position, param in enumerate(params[1:]):
        output: g.Node = forward.summary.result
        if len(params) > 2 or isinstance(output, g.Pack):
            output = g.Part(output, position, len(params) - 1, None, param.span)
        bound[param.name] = Thunk(output, forward)
    return bound


def attribute(solver: Solver, what: Instance, attr: str) -> Value:
    """What `ctx` of a backward gives beyond the attributes that `forward` set; empty: nothing special."""
    if attr == "saved_tensors" and what.made is not None and is_function(solver, what.cls):
        return saved(solver, what.made)
    return ()


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


def context_name(frame: Frame) -> str:
    params = frame.summary.function.params
    return params[0].name if params else "ctx"


__all__ = ["Nil", "applied", "backward_frame", "backward_of", "forward_frame", "is_function", "saved"]
