"""What the arguments of a library operation mean to its dtype rules.

An argument is one abstract value, or a tuple of them where it is a list; each function here reads one
argument as a rule wants it: as a tensor, as data, as a dtype, as an operand of promotion.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Union

from ..core.dtypes import ANY, BY_NAME, DTypes, mask, named
from ..semantics import rules
from ..semantics.numpy_rules import spelled
from . import ranks
from .dtypexpr import DTypeExpr, Input, Known, Of, Symbol, exact, known, lift
from .values import (
    Abstract, Array, DTypeRef, External, Given, Library, Many, Nil, Number, Sequence, Thunk, Unknown, Value, collapse,
)  # fmt: skip

if TYPE_CHECKING:
    from .solve import Solver

Slot = Union[Thunk, Given]
Arg = Union[Abstract, "tuple[Abstract, ...]"]
Args = Mapping[str, Arg]

PYTHON_DTYPES = {
    "builtins.bool": "bool", "builtins.int": "int64", "builtins.float": "float64", "builtins.complex": "complex128",
}  # fmt: skip
NUMBER_DTYPES = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}
NUMBER_KINDS = {dtype: kind for kind, dtype in NUMBER_DTYPES.items()}
ANY_NUMBER: DTypes = mask(BY_NAME[n] for n in ("bool", "int64", "float64"))
DEFAULT = BY_NAME["float32"]


class Open(tuple[Abstract, ...]):
    """Elements of a list whose length is not known."""


def flat(solver: Solver, what: Abstract) -> Arg:
    """A list of tensors as a tuple of them; anything else as it is."""
    match what:
        case Sequence(_, items):
            return tuple(_nested(solver, sole(solver.demand(i))) for i in items)
        case Many(_, elements) if elements:
            return Open(_nested(solver, sole(solver.demand(e))) for e in elements)
    return what


def _nested(solver: Solver, what: Abstract) -> Abstract:
    """Inside data given as nested lists, the first leaf speaks for its list."""
    match what:
        case Sequence(_, items) | Many(_, items) if items:
            inner = [_nested(solver, sole(solver.demand(i))) for i in items]
            numbers = [w for w in inner if isinstance(w, Number)]
            return _widest(numbers) if len(numbers) == len(inner) else inner[0]
    return what


def _widest(numbers: list[Number]) -> Number:
    """The number that decides for a list of them; of unknown kind where one of several is."""
    order = ["bool", "int", "float", "complex", "number"]
    found = max(numbers, key=lambda n: order.index(n.kind) if n.kind in order else 5)
    return found if found.of is None or all(n == found for n in numbers) else Number("number")


def sole(value: Value) -> Abstract:
    """The one alternative of a value, or what stands for all of them."""
    if len(value) == 1:
        return value[0].what
    return collapse(value)[0].what if value else Unknown("no-value")


def like(what: Arg | None) -> DTypeExpr:
    """The dtype of a tensor, or of the tensors of a list that all have one."""
    match what:
        case Array(dtype):
            return dtype
        case External(symbol):
            return Of(symbol)
        case tuple() if what:
            first = like(what[0])
            return first if all(like(w) == first for w in what) else Known(ANY)
    return Known(ANY)


def from_data(what: Arg | None, array: bool) -> DTypeExpr:
    """torch.tensor and its kin: see `torch.tensor` in the documentation, "data type inferred from data"; or numpy."""
    default, wide = (BY_NAME["float64"], BY_NAME["complex128"]) if array else (DEFAULT, BY_NAME["complex64"])
    match what:
        case Array(dtype):
            return dtype
        case External(symbol):
            return Of(symbol)
        case Number("bool"):
            return known(BY_NAME["bool"])
        case Number("int"):
            return known(BY_NAME["int64"])
        case Number("float"):
            return known(default)
        case Number("complex"):
            return known(wide)
        case Number("number", of=kind) if kind is not None and not array:
            return lift(rules.from_number, (Input(kind, ranks.PLAIN),))
        case Number("number"):
            return Known(mask((BY_NAME["bool"], BY_NAME["int64"], default)))
        case ():
            return known(default)
        case tuple():
            numbers = [w for w in what if isinstance(w, Number)]
            if len(numbers) == len(what):
                return from_data(_widest(numbers), array)
    return Known(ANY)


def named_by(what: Arg | None, numpy: bool = False) -> DTypeExpr | None:
    """The dtype that an argument names; None where it is absent or names none (a device, a flag).

    Text is a dtype to numpy, and most often a device to torch.

    What stands alone for a starred parameter may be a size: of what a caller provides, its name tells.
    """
    match what:
        case DTypeRef(dtype) | Array(dtype):
            return dtype
        case Library(name) if name in PYTHON_DTYPES:
            return known(BY_NAME[PYTHON_DTYPES[name]])
        case Library("torch.device"):
            return None
        case Library():
            return Known(ANY)
        case Number("str", str() as text, True):
            found = (spelled if numpy else named)(text)
            return known(found) if found is not None else Known(ANY) if numpy else None
        case Number("str") if numpy:
            return Known(ANY)
        case (External(symbol),):
            return Of(symbol) if looks_like_dtype(symbol) else None
        case (DTypeRef() | Unknown() as one,):
            return named_by(one)
        case External(symbol):
            return Of(symbol)
        case Unknown():
            return Known(ANY)
    return None


def looks_like_dtype(symbol: Symbol) -> bool:
    """Whether a caller's value is a dtype, by its name, where it may as well be a size."""
    return "type" in symbol.path.lower()


def number(dtype: DTypeExpr) -> Number:
    """The Python number that a tensor of this dtype holds."""
    kind = lift(rules.number, (Input(dtype, ranks.PLAIN),))
    found = exact(kind)
    return Number(NUMBER_KINDS[found.name]) if found is not None else Number("number", of=kind)


def number_dtype(what: Number) -> DTypeExpr:
    """The dtype that stands for the kind of a number in a rule; any, where the kind is not known."""
    if what.kind in NUMBER_DTYPES:
        return known(BY_NAME[NUMBER_DTYPES[what.kind]])
    return what.of if what.of is not None else Known(ANY_NUMBER)


def operand(what: Arg | None) -> Input | tuple[Input, ...] | None:
    """What promotion sees of an argument; None where it is absent."""
    match what:
        case None | Nil():
            return None
        case tuple():
            inputs = [operand(w) for w in what]
            return tuple(i for i in inputs if isinstance(i, Input))
        case Array(dtype, ndim):
            return Input(dtype, ranks.of_tensor(ndim))
        case Number():
            return Input(number_dtype(what), ranks.NUMBER)
        case DTypeRef(dtype):
            return Input(dtype, ranks.PLAIN)
        case External(symbol):
            return Input(Of(symbol), ranks.ANY)
    return Input(Known(ANY), ranks.ANY)
