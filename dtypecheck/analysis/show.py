"""Abstract values as text, the way fixtures and `dtypecheck trace` print them.

`int64` is a tensor; alternatives are joined by `|`, ignorance by `or`; the rest is named by what it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core import ir
from .dtypexpr import DTypeExpr, describe, exact
from .values import (
    Abstract,
    Alternative,
    Array,
    ClassRef,
    ClosureRef,
    Dictionary,
    DTypeRef,
    External,
    FunctionRef,
    Given,
    Instance,
    KernelRef,
    Launcher,
    Layer,
    Library,
    Many,
    Method,
    ModuleRef,
    Nil,
    Number,
    Partial,
    Sequence,
    Thunk,
    Unknown,
    Value,
)  # fmt: skip

if TYPE_CHECKING:
    from .solve import Solver

DEEPEST = 4
"""Containers nested deeper than this are shown as `...`."""


def value(solver: Solver, found: Value, depth: int = 0) -> str:
    """All alternatives, each once, in order; `never` where there is none."""
    return " | ".join(dict.fromkeys(abstract(solver, alt.what, depth) for alt in found)) or "never"


def abstract(solver: Solver, what: Abstract, depth: int = 0) -> str:
    """One alternative."""
    if depth > DEEPEST:
        return "..."
    match what:
        case Array(dtype, numpy=numpy):
            return f"numpy {describe(dtype)}" if numpy else describe(dtype)
        case Number(kind):
            return kind
        case Nil():
            return "None"
        case DTypeRef(dtype):
            return _dtype(dtype)
        case Sequence(kind, items):
            return f"{kind}({_items(solver, items, depth)})"
        case Many(kind, elements):
            return f"{kind}({_items(solver, elements, depth)}, ...)" if elements else f"{kind}(...)"
        case Dictionary(items, rest):
            shown = [f"{_key(solver, key)}: {_item(solver, slot, depth)}" for key, slot in items]
            shown += [f"...: {_item(solver, slot, depth)}" for slot in rest]
            return f"dict({', '.join(shown)})"
    return _named(solver, what, depth)


def _named(solver: Solver, what: Abstract, depth: int) -> str:
    match what:
        case Instance(cls):
            return cls.entry.name
        case ClassRef(cls):
            return f"class {cls.entry.name}"
        case FunctionRef(function):
            return f"function {function.entry.name}"
        case ClosureRef(node):
            return f"function {node.function.name if isinstance(node.function, ir.Function) else '<lambda>'}"
        case KernelRef(kernel):
            return f"kernel {kernel.entry.name}"
        case Launcher(KernelRef(kernel)):
            return f"kernel {kernel.entry.name}[grid]"
        case Partial(func):
            return f"partial({_item(solver, func, depth)})"
        case ModuleRef(module):
            return f"module {module}"
        case Library(name) | Method(name):
            return name
        case Layer(name, dtype):
            return f"{name}({describe(dtype)})"
        case External(symbol):
            return f"value of {symbol.path}"
        case Unknown(reason):
            return f"unknown ({reason})"
    raise AssertionError(what)


def _dtype(dtype: DTypeExpr) -> str:
    one = exact(dtype)
    return f"torch.{one.name}" if one is not None else f"torch.dtype({describe(dtype)})"


def _items(solver: Solver, slots: tuple[Thunk | Given, ...], depth: int) -> str:
    return ", ".join(_item(solver, slot, depth) for slot in slots)


def _item(solver: Solver, slot: Thunk | Given, depth: int) -> str:
    return value(solver, solver.demand(slot), depth + 1)


def _key(solver: Solver, key: object) -> str:
    return abstract(solver, key) if type(key).__module__ == Array.__module__ else str(key)  # type: ignore[arg-type]


def journey(found: Value) -> str:
    """The stations of each tensor, newest first: `returned f < born torch.empty`; twins once."""
    return " | ".join(dict.fromkeys(filter(None, map(_stations, found)))) or "nowhere"


def _stations(alt: Alternative) -> str:
    origin = alt.what.origin if isinstance(alt.what, Array) else None
    return " < ".join(f"{at.move.value} {at.note}" for at in origin.chain()) if origin is not None else ""
