"""How many dimensions a result has, where its rule and the arguments tell."""

from __future__ import annotations

from collections.abc import Mapping

from ..semantics import ops as o
from ..semantics.ops import Rank
from .values import Array, Many, Number, Sequence

NUMBER: frozenset[Rank] = frozenset({Rank.NUMBER})
PLAIN: frozenset[Rank] = frozenset({Rank.DIMENSIONED})
ANY: frozenset[Rank] = frozenset(Rank)
_UNKNOWN: frozenset[Rank] = frozenset({Rank.ZERO, Rank.DIMENSIONED})


def of_tensor(ndim: int | None) -> frozenset[Rank]:
    """What promotion sees of a tensor with so many dimensions; both, where that is not known."""
    if ndim is None:
        return _UNKNOWN
    return frozenset({Rank.DIMENSIONED if ndim else Rank.ZERO})


def parameters(dims: o.Dims) -> tuple[str, ...]:
    """The parameters that a rule reads."""
    match dims:
        case o.SameRank(param) | o.SizeRank(param) | o.DataRank(param):
            return (param,)
        case o.BroadcastRank(params):
            return params
        case o.ReducedRank(param, dim, keepdim):
            return (param, dim, keepdim)
    return ()


def ndim(dims: o.Dims, args: Mapping[str, object]) -> int | None:
    """The number of dimensions, or None."""
    match dims:
        case o.ExactRank(count):
            return count
        case o.SameRank(param, shift):
            known = _ndim(args.get(param))
            return None if known is None else max(known + shift, 0)
        case o.BroadcastRank(params):
            found = [_ndim(args.get(p)) for p in params if args.get(p) is not None]
            return None if not found or None in found else max(n for n in found if n is not None)
        case o.SizeRank(param):
            return _sized(args.get(param))
        case o.ReducedRank(param, dim, keepdim):
            return _reduced(args.get(param), args.get(dim), args.get(keepdim))
        case o.DataRank(param):
            return _ndim(args.get(param))
    return None


def _ndim(what: object) -> int | None:
    match what:
        case Array():
            return what.ndim
        case Number():
            return 0
    return None


def _sized(what: object) -> int | None:
    match what:
        case Number("int"):
            return 1
        case (one,) if not isinstance(one, Number):
            return None
        case tuple() if type(what) is tuple and not any(isinstance(w, (Sequence, Many)) for w in what):
            return len(what)
    return None


def _reduced(what: object, dim: object, keepdim: object) -> int | None:
    full = _ndim(what)
    if full is None:
        return 0 if dim is None and keepdim is None else None
    match keepdim:
        case None:
            keep = False
        case Number("bool", bool() as keep, True):
            pass
        case _:
            return None
    match dim:
        case None:
            return full if keep else 0
        case Number("int"):
            return full if keep else max(full - 1, 0)
        case tuple():
            return full if keep else max(full - len(dim), 0)
    return None
