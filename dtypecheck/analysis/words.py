"""What a value can be, in plain words, with the dtypes that are known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.dtypes import ANY, DTypes, members
from ..core.dtypes import show as spelled
from ..core.traces import Kind, Said
from . import show
from .dtypexpr import DTypeExpr, Known, Of, Symbol, symbols
from .narrowing import narrowed
from .reasons import in_words
from .values import (
    Abstract,
    Array,
    ClassRef,
    ClosureRef,
    Dictionary,
    DTypeRef,
    External,
    FunctionRef,
    Guard,
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
    Unknown,
)

if TYPE_CHECKING:
    from .program import Program
    from .solve import Solver


def said(solver: Solver, what: Abstract, guards: tuple[Guard, ...]) -> Said:
    """One alternative, as it is where any of the guards holds."""
    match what:
        case Array(dtype, numpy=numpy):
            form = "a numpy array of {}" if numpy else "{}"
            return _dtype(solver, dtype, what.reason, guards, Kind.TENSOR, form)
        case DTypeRef(dtype):
            return _dtype(solver, dtype, what.reason, guards, Kind.DTYPE, "{}, a torch.dtype")
        case Layer(name, dtype):
            return _dtype(solver, dtype, "", guards, Kind.OBJECT, f"a {name} layer of {{}}")
        case External(symbol):
            whose = ((path_words(symbol), function_name(solver.program, symbol.function)),)
            return Said(Kind.OUTSIDE, _provided(solver, symbol), symbols=whose)
        case Unknown("compiled-kernel"):
            return Said(Kind.OBJECT, "the compiled kernel that a launch gives")
        case Unknown(reason):
            return Said(Kind.UNKNOWN, f"unknown: {in_words(reason)}", reason=reason)
        case Nil():
            return Said(Kind.NONE, "None")
        case Number(kind, literal, known):
            value = f": {literal!r}" if known and repr(literal) else ""
            return Said(Kind.NUMBER, f"a Python {kind}{value}")
        case Sequence() | Many() | Dictionary():
            return Said(Kind.CONTAINER, show.abstract(solver, what))
        case Instance(cls):
            return Said(Kind.OBJECT, f"an object of class {cls.entry.name}")
        case ClassRef() | FunctionRef() | ClosureRef() | KernelRef() | ModuleRef() | Partial() | Launcher():
            return Said(Kind.CODE, show.abstract(solver, what))
        case Library(name) | Method(name):
            return Said(Kind.CODE, f"{name}, of a library")
    return Said(Kind.CODE, show.abstract(solver, what))


def dtype_words(solver: Solver, dtype: DTypeExpr, left: DTypes = ANY) -> str:
    """A dtype in words: `int64`, `int32 or int64`, `the dtype of `k`` with what is `left` of it."""
    found = sorted(symbols(dtype))
    mask = dtype.mask & left if isinstance(dtype, Known) else left
    names = " and ".join(_named(solver, s) for s in found)
    whose = f"the dtype of {names}" if isinstance(dtype, Of) else f"computed from the dtype of {names}"
    if mask != ANY:
        return f"{spelled(mask)}, by what tests leave of {whose}" if found else spelled(mask)
    return whose if found else "any dtype"


def path_words(symbol: Symbol) -> str:
    """What a symbol stands for, as code; some element of a list is `x[...]`."""
    return symbol.path.replace("[]", "[...]")


def function_name(program: Program, key: str) -> str:
    """The qualified name of a function or class within its module."""
    module = key
    while module:
        if module in program.modules:
            return key[len(module) + 1 :] or key
        module = module.rpartition(".")[0]
    return key


def _dtype(
    solver: Solver, dtype: DTypeExpr, reason: str, guards: tuple[Guard, ...], kind: Kind, form: str
) -> Said:
    mask = 0
    for guard in guards:
        mask |= narrowed(dtype, guard)
    whose = tuple((path_words(s), function_name(solver.program, s.function)) for s in sorted(symbols(dtype)))
    names = tuple(d.name for d in members(mask)) if mask != ANY else ()
    text = form.format(dtype_words(solver, dtype, mask))
    if not mask:
        return Said(kind, "no dtype: torch refuses this")
    if not whose and len(names) != 1:
        why = in_words(reason or "several-dtypes")
        text = f"unknown: {why}" if not names else text
        return Said(Kind.UNKNOWN if not names else kind, text, names, whose, reason or "several-dtypes")
    return Said(kind, text, names, whose)


def _named(solver: Solver, symbol: Symbol) -> str:
    return f"`{path_words(symbol)}` of {function_name(solver.program, symbol.function)}"


def _provided(solver: Solver, symbol: Symbol) -> str:
    if symbol.function == "platform":
        return f"{symbol.path}, which depends on the machine"
    if symbol.path.isidentifier():
        return f"what callers of {function_name(solver.program, symbol.function)} give for `{symbol.path}`"
    return f"{_named(solver, symbol)}, as its callers have it"
