"""What people promise of a parameter's dtype: in rules files, and in jaxtyping's annotations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..contracts import jaxtyping
from ..contracts.model import Kind
from ..core import ir
from ..core.dtypes import ANY, DTypes, members, show
from ..core.provenance import Move, Origin
from . import contexts
from .dtypexpr import Of, Symbol, known
from .frames import Frame
from .program import Foreign
from .values import Alternative, Array, External, Value, agree

if TYPE_CHECKING:
    from .solve import Solver


def kept(solver: Solver, param: ir.Param, frame: Frame, value: Value) -> Value:
    """The values of a parameter that no known caller binds, if callers keep what is promised of it."""
    promised = _promised(solver, param, frame)
    if promised == ANY or (frame.function is not None and contexts.call_sites(solver, frame.function)):
        return value
    return tuple(_narrowed(value, promised, param, frame))


def _promised(solver: Solver, param: ir.Param, frame: Frame) -> DTypes:
    bits = ANY
    if frame.function is not None:
        contract = solver.contracts.function(frame.function.key).parameters.get(param.name)
        if contract is not None and contract.kind in (Kind.VALUE, Kind.POINTER):
            bits &= contract.dtypes
    return bits & _annotated(solver, param.annotation, frame)


def _annotated(solver: Solver, node: ir.Expr | None, frame: Frame) -> DTypes:
    """`Int32[Tensor, "n"]`, alone or beside None."""
    match node:
        case ir.Binary(op="|", left=left, right=ir.Const(value=None)):
            return _annotated(solver, left, frame)
        case ir.Subscript(value=ir.Name(id="Optional") | ir.Attribute(attr="Optional"), index=index):
            return _annotated(solver, index, frame)
        case ir.Subscript(value=ir.Name(id=name)):
            text = name
        case ir.Subscript(value=ir.Attribute(value=ir.Name(id=home), attr=attr)):
            text = f"{home}.{attr}"
        case _:
            return ANY
    match solver.program.dotted(frame.file.module, text)[0]:
        case Foreign(found) if found.startswith("jaxtyping."):
            return jaxtyping.accepted(found) or ANY
    return ANY


def _narrowed(value: Value, promised: DTypes, param: ir.Param, frame: Frame) -> Iterator[Alternative]:
    for alt in value:
        match alt.what:
            case External(symbol) | Array(dtype=Of(symbol)):
                both = agree(alt.guard, frozenset({(("dtype", symbol, promised), True)}))
                if both is not None:
                    yield Alternative(both, _declared(symbol, promised, param, frame))
            case _:
                yield alt


def _declared(symbol: Symbol, promised: DTypes, param: ir.Param, frame: Frame) -> Array:
    first, *others = members(promised)
    dtype = Of(symbol) if others else known(first)
    note = f"parameter `{symbol.path}` of {symbol.function}, declared {show(promised)}"
    return Array(dtype, None, Origin(Move.BORN, frame.place(param.span), note, dtype=dtype))
