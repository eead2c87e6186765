"""Launches: finds `kernel[grid](...)` in all its forms, and states what each parameter gets in each context."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core import ir
from ..core.spans import Place
from . import binding, calls, suppliers
from . import graph as g
from .contexts import Context, contexts, ways
from .dtypexpr import symbols
from .facts import ArgumentFact, LaunchFact, Unresolved
from .frames import Frame
from .program import FunctionDef
from .values import (
    Abstract, Alternative, Array, ClassRef, ClosureRef, DTypeRef, External, FunctionRef, Guard,
    Instance, KernelRef, Launcher, Library, Method, Partial, Unknown, Value, agree, unknown,
)  # fmt: skip

if TYPE_CHECKING:
    from .solve import Solver

Arguments = tuple[g.Argument, ...]

FUEL = 20_000
"""Demands that one launch may make; what it leaves is for those after it in its file."""
MOST = 60_000
"""Demands that one launch may make, however much others left."""
PROBE = 1_000
"""Demands that may tell whether a call which has the form of a launch can be one."""
SPARE = 200
"""Demands that are kept for the kernel itself, however much its arguments took."""
OPTIONS = frozenset(
    {"grid", "warmup", "num_warps", "num_stages", "num_ctas", "maxnreg", "enable_fp_fusion", "launch_cooperative_grid",
     "launch_pdl", "waves_per_eu", "matrix_instr_nonkdim", "kpack", "stream", "device", "device_type", "debug",
     "enable_warp_specialization", "cluster_dims", "extern_libs", "sanitize_overflow", "arch", "num_buffers_warp_spec",
     "num_consumer_groups", "reg_dec_producer", "reg_inc_consumer", "instrumentation_mode", "minRegAutoWS", "maxRegAutoWS",
     "allow_flush_denorm", "max_num_imprecise_acc_default", "default_dot_input_precision", "supported_fp8_dtypes",
     "deprecated_fp8_dot_operand_dtypes", "backend_name", "ptx_version", "ptx_options", "ir_override", "schedule_hint"}
)  # fmt: skip
"""Keywords that a launch takes beside the kernel's own (backends' option classes, triton 3.6 to 3.9)."""


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A launch-like call: `target` evaluates to the kernel, or to what holds kernels or launchers."""

    function: FunctionDef
    call: g.CallSite
    target: g.Node
    trial: bool


def sites(function: FunctionDef, calls: Iterable[g.CallSite]) -> Iterator[Site]:
    """The launch-like calls of a function."""
    wanted = frozenset(function.entry.sites)
    for site in calls:
        span = site.apply.span
        if (span.line, span.column) not in wanted:
            continue
        match site.apply.func:
            case g.Item(value=target):
                yield Site(function, site, target, False)
            case g.Get(value=g.Item(value=target), attr="warmup" | "run" as name) | g.Get(
                value=target, attr="warmup" | "run" as name
            ):
                yield Site(function, site, target, name == "warmup")
            case target:
                yield Site(function, site, target, False)


def launches(solver: Solver, function: FunctionDef) -> Iterator[LaunchFact | Unresolved]:
    """The facts of every launch in a function."""
    frame = solver.store.root_frame(function)
    for site in sites(function, frame.summary.calls):
        solver.fuel = given = min(MOST, FUEL + solver.reserve)
        yield from _launch(solver, site)
        spent = given - solver.fuel
        solver.reserve += FUEL - spent


def _launch(solver: Solver, site: Site) -> Iterator[LaunchFact | Unresolved]:
    function = site.function
    root = solver.store.root_frame(function)
    place = root.place(site.call.apply.span)
    kernels: dict[KernelRef, list[tuple[Context, Guard, Arguments]]] = {}
    reasons: list[str] = []
    plain, called = (_probed(solver, node, root) for node in (site.target, site.call.apply.func))
    if not _worth_it(plain, called, site):
        return
    found = contexts(solver, function, lambda frame, name: _open(solver, site, frame, name))
    for context in found:
        solver.fuel = max(solver.fuel, SPARE)
        called = solver.force(site.call.apply.func, context.frame)
        reached = list(_reached(solver, called, site.call.apply.args, context.frame))
        for kernel, guard, args in reached:
            kernels.setdefault(kernel, []).append((context, guard, args))
        if not reached:
            reasons += [_why(alt.what) for alt in solver.force(site.target, context.frame)]
    if not kernels and _looks_like_one(plain, site) and not _calls_other(solver.force(site.call.apply.func, root)):
        yield Unresolved(place, reasons[0] if reasons else "no-value")
    for kernel, where in kernels.items():
        for context, guard, args in where:
            fact = _fact(solver, site, kernel, args, context, guard)
            if fact is not None:
                yield fact


def _probed(solver: Solver, node: g.Node, frame: Frame) -> Value:
    return solver.within(PROBE, lambda: solver.force(node, frame), lambda: unknown("budget"))


def _reached(
    solver: Solver, called: Value, args: Arguments, frame: Frame
) -> Iterator[tuple[KernelRef, Guard, Arguments]]:
    """The kernels that a call launches, and with which arguments: a partial brings some of its own."""
    for alt in called:
        match alt.what:
            case Launcher(kernel):
                yield kernel, alt.guard, args
            case Partial(func, first, home):
                given = calls.completed(first, home, args, frame)
                for kernel, guard, all_args in _reached(solver, solver.demand(func), given, frame):
                    both = agree(alt.guard, guard)
                    if both is not None:
                        yield kernel, both, all_args


def _worth_it(value: Value, called: Value, site: Site) -> bool:
    """Whether to look at all: `handlers[name](...)` and `layers[i](...)` have the form of a launch."""
    if any(isinstance(alt.what, (Launcher, KernelRef, Partial)) for alt in (*called, *value)):
        return True
    if any(isinstance(alt.what, OTHERS) for alt in called):
        return False
    if any(isinstance(alt.what, External) and alt.what.symbol.path.isidentifier() for alt in value):
        return isinstance(site.call.apply.func, g.Item)
    return _looks_like_one(value, site)


OTHERS = (ClassRef, FunctionRef, ClosureRef, Instance, Library, Method)
"""What is called and no kernel: a class, say, taken from a table."""


def _calls_other(called: Value) -> bool:
    return bool(called) and all(isinstance(alt.what, OTHERS) for alt in called)


def _looks_like_one(value: Value, site: Site) -> bool:
    """Whether this is a launch even where its kernel is not found: a dict of handlers is called just so."""
    for alt in value:
        if isinstance(alt.what, (KernelRef, Launcher)):
            return True
        if isinstance(alt.what, (FunctionRef, ClosureRef)):
            return False
    if any(isinstance(alt.what, Library) for alt in value):
        return False
    if not isinstance(site.call.apply.func, g.Item):
        return False
    keywords = {a.keyword for a in site.call.apply.args if a.keyword}
    return bool(keywords & OPTIONS) or any(k.isupper() for k in keywords)


def _why(what: Abstract) -> str:
    match what:
        case Unknown(reason):
            return reason
        case External():
            return "kernel-is-a-parameter"
    return f"not-a-kernel({type(what).__name__})"


def _open(solver: Solver, site: Site, frame: Frame, name: str) -> bool:
    """Whether the kernel or an argument still depends on what callers of `name` provide."""
    for node in (site.target, site.call.apply.func, *(a.value for a in site.call.apply.args)):
        for alt in solver.force(node, frame):
            if depends(alt.what, name):
                return True
    return False


def depends(what: Abstract, name: str) -> bool:
    """Whether a value is, or has the dtype of, something that callers of the function `name` provide."""
    match what:
        case External(symbol):
            return symbol.function == name
        case Array(dtype) | DTypeRef(dtype):
            return any(s.function == name for s in symbols(dtype))
        case Unknown("missing-argument"):
            return False
    return False


def _fact(
    solver: Solver, site: Site, ref: KernelRef, args: Arguments, context: Context, chosen: Guard
) -> LaunchFact | None:
    """The launch of one kernel in one context; None where the ways there and the choice of it exclude each other."""
    frame, kernel = context.frame, ref.function
    guards = tuple(b for g in ways(solver, context, site.call.path) if (b := agree(g, chosen)) is not None)
    if not guards:
        return None
    params = solver.store.function(kernel).params
    own = {p.name for p in params}
    passed, positions, keywords = binding.spread(solver, args, frame)
    passed = [p for p in passed if p.keyword is None or p.keyword in own or p.keyword not in OPTIONS]
    fitted = binding.fit(params, passed, positions, keywords)
    arguments: dict[str, ArgumentFact] = {}
    for name, one in fitted.bound.items():
        value = solver.demand(one.slot)
        value = _as_compiled(value) if site.trial else value
        arguments[name] = ArgumentFact(name, value, _argument_place(one, site, frame), one.slot)
    chain = tuple(f.name for f in reversed(list(frame.stack())))
    supplied = suppliers.supplied(solver, kernel) | ref.supplied
    return LaunchFact(
        kernel, frame.place(site.call.apply.span), arguments, guards, chain, fitted, supplied, site.trial
    )


def _argument_place(one: binding.Passed, site: Site, frame: Frame) -> Place:
    """Where an argument is written; what a partial was given elsewhere counts as the launch's."""
    given = one.argument
    if given is None or isinstance(given.value, g.Elsewhere):
        return frame.place(site.call.apply.span)
    return frame.place(given.span)


def _as_compiled(value: Value) -> Value:
    """`warmup` takes a dtype for a tensor of it (triton/runtime/jit.py, `MockTensor.wrap_dtype`)."""
    return tuple(
        Alternative(alt.guard, Array(alt.what.dtype)) if isinstance(alt.what, DTypeRef) else alt for alt in value
    )


__all__ = ["Site", "depends", "ir", "launches", "sites"]
