"""What decorators provide to a kernel: the parameters that autotune configs and heuristics set.

Source: triton/runtime/autotuner.py (`Config.kwargs`, `Heuristics.values`), triton 3.6 to 3.9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core import ir
from . import graph as g
from .host import HostSemantics
from .interpreter import Interpreter, State
from .program import FunctionDef
from .values import Dictionary, Many, Sequence, Value

if TYPE_CHECKING:
    from .frames import Frame
    from .solve import Solver

PLAIN = frozenset({"jit", "noinline", "builtin"})
EVERYTHING = frozenset({"*"})
"""A decorator that is not known may provide anything."""


def supplied(solver: Solver, kernel: FunctionDef) -> frozenset[str]:
    """The parameters that need not be passed; `EVERYTHING` where a decorator is not understood."""
    found = solver.store.supplied.get(kernel)
    if found is None:
        found = solver.store.supplied[kernel] = _supplied(solver, kernel)
    return found


def _supplied(solver: Solver, kernel: FunctionDef) -> frozenset[str]:
    frame = solver.store.module_frame(kernel.file)
    names: set[str] = set()
    for decorator in solver.store.function(kernel).decorators:
        target = decorator.func if isinstance(decorator, ir.Call) else decorator
        last = target.attr if isinstance(target, ir.Attribute) else target.id if isinstance(target, ir.Name) else ""
        if last in PLAIN:
            continue
        if not isinstance(decorator, ir.Call):
            return EVERYTHING
        values = _arguments(decorator)
        keys = _provided(solver, last, {name: _force(solver, value, frame) for name, value in values.items()})
        if keys is None:
            return EVERYTHING
        names |= keys
    return frozenset(names)


def wrapped(solver: Solver, last: str, args: tuple[g.Argument, ...], frame: Frame) -> frozenset[str]:
    """What a decorator called by hand supplies."""
    if last not in ("heuristics", "autotune", "Autotuner"):
        return frozenset()
    values = {a.keyword or str(i): solver.force(a.value, frame) for i, a in enumerate(args) if not a.star}
    keys = _provided(solver, "autotune" if last == "Autotuner" else last, values)
    return EVERYTHING if keys is None else frozenset(keys)


def _provided(solver: Solver, last: str, values: dict[str, Value]) -> set[str] | None:
    """The keys that a decorator of Triton's sets; None where it is another decorator, or cannot be read."""
    match last:
        case "heuristics":
            return _keys(values.get("values") or values.get("0") or ())
        case "autotune":
            return _configs(solver, values.get("configs") or values.get("0") or ())
    return None


def _arguments(call: ir.Call) -> dict[str, ir.Expr]:
    found: dict[str, ir.Expr] = {}
    for position, arg in enumerate(call.args):
        if not arg.star:
            found[arg.keyword or str(position)] = arg.value
    return found


def _force(solver: Solver, expr: ir.Expr, frame: Frame) -> Value:
    node = Interpreter(HostSemantics(frozenset())).evaluate(expr, State({}))
    return solver.force(node, frame)


def _keys(value: Value) -> set[str] | None:
    if len(value) == 1 and isinstance(value[0].what, Dictionary) and not value[0].what.rest:
        return {k for k, _ in value[0].what.items if isinstance(k, str)}
    return None


def _configs(solver: Solver, value: Value) -> set[str] | None:
    """The keys of `triton.Config({...}, ...)` in a list that can be read."""
    names: set[str] = set()
    for alt in value:
        match alt.what:
            case Sequence(_, slots) | Many(_, slots):
                pass
            case _:
                return None
        for slot in slots:
            for one in solver.demand(slot):
                if not isinstance(one.what, Dictionary) or one.what.rest:
                    return None
                names |= {k for k, _ in one.what.items if isinstance(k, str)}
    return names or None

