"""What a description says about one call with actual arguments: the meaning the interpreter lifts to sets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dtypecheck.core.dtypes import BY_NAME, DType, Kind
from dtypecheck.semantics import ops
from dtypecheck.semantics.ops import Op, Operand, Rank
from dtypecheck.semantics.promotion import complex_of

KINDS = {Kind.BOOL: "bool", Kind.INTEGER: "int", Kind.FLOATING: "float", Kind.COMPLEX: "complex"}
CLASSES = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}


@dataclass(frozen=True)
class Seen:
    """One tensor of a result: its dtype (None: refused; several: one of them), its dimensions (None: not
    modelled or unknown)."""

    dtype: DType | tuple[DType, ...] | None
    ndim: int | None
    sure: bool = True
    """False where the rule cannot say that torch refuses (any rule but a computed one)."""
    array: bool | None = False


Shape = Any
"""A `Seen`, a tuple of Shapes, a ("list", Shape), or a word for what is no tensor."""


def dtype_of(value: Any) -> DType | None:
    """The dtype of a tensor or an array, or the one that a dtype object or a class names."""
    if isinstance(value, type):
        return BY_NAME.get(CLASSES.get(value, value.__name__))
    named = getattr(value, "dtype", value)
    return BY_NAME.get(str(getattr(named, "name", named)).rsplit(".", 1)[-1])


def is_tensor(value: Any) -> bool:
    return hasattr(value, "dtype") and hasattr(value, "ndim") and not isinstance(value, type)


def _operand(value: Any) -> Any:
    if is_tensor(value):
        dtype = dtype_of(value)
        return Operand(dtype, Rank.DIMENSIONED if value.ndim else Rank.ZERO)
    if type(value) in CLASSES:
        return Operand(BY_NAME[CLASSES[type(value)]], Rank.NUMBER)
    if isinstance(value, (list, tuple)):
        return tuple(_operand(item) for item in value)
    named = dtype_of(value)
    return None if named is None else Operand(named)


@dataclass
class Call:
    """The arguments of one call by parameter name, starred ones as a tuple."""

    op: Op
    arguments: dict[str, Any]
    default: DType
    ndim: Any = field(default=lambda value: value.ndim)

    @classmethod
    def bind(cls, op: Op, positional: list[Any], keywords: dict[str, Any], default: DType) -> Call:
        found: dict[str, Any] = {}
        left = list(positional)
        for param in op.params:
            if param == "*":
                break
            if param.startswith("*"):
                found[param[1:]] = tuple(left)
                left = []
            elif left:
                found[param] = left.pop(0)
        return cls(op, {**found, **keywords}, default)

    def get(self, param: str) -> Any:
        value = self.arguments.get(param)
        if f"*{param}" in self.op.params and isinstance(value, tuple) and len(value) == 1:
            return value[0]
        return value

    # -- dtypes

    def dtype(self, result: ops.Result) -> tuple[DType | tuple[DType, ...] | None, bool]:
        match result:
            case ops.Fixed(dtype):
                return dtype, False
            case ops.OneOf(dtypes):
                return dtypes, False
            case ops.Like(param):
                value = self.get(param)
                return dtype_of(value[0] if isinstance(value, (list, tuple)) else value), False
            case ops.Default():
                return self.default, False
            case ops.FromData(param, array):
                return self._of_data(self.get(param), BY_NAME["float64"] if array else self.default), False
            case ops.Computed(rule, operands):
                values = [self.arguments.get(p) for p in operands]
                return rule(*map(_operand, values), default=self.default), True
            case ops.Given(param, otherwise):
                value = self.get(param)
                dtype = None if value is None or isinstance(value, (bool, int)) else dtype_of(value)
                return (dtype, False) if dtype is not None else self.dtype(otherwise)

    def _of_data(self, data: Any, default: DType) -> DType | None:
        if is_tensor(data):
            return dtype_of(data)
        flat: list[Any] = []

        def visit(item: Any) -> None:
            if isinstance(item, (list, tuple)):
                for part in item:
                    visit(part)
            else:
                flat.append(item)

        visit(data)
        kinds = {type(item) for item in flat}
        if complex in kinds:
            return complex_of(default)
        if float in kinds or not kinds:
            return default
        return BY_NAME["int64" if int in kinds else "bool"]

    # -- dimensions

    def rank(self, dims: ops.Dims) -> int | None:
        match dims:
            case ops.SameRank(param, shift):
                value = self.get(param)
                value = value[0] if isinstance(value, (list, tuple)) else value
                return value.ndim + shift if is_tensor(value) else (shift if value is not None else None)
            case ops.BroadcastRank(params):
                return max((v.ndim for v in map(self.get, params) if is_tensor(v)), default=0)
            case ops.SizeRank(param):
                value = self.arguments.get(param)
                if isinstance(value, tuple) and len(value) == 1 and f"*{param}" in self.op.params:
                    value = value[0]
                return 1 if isinstance(value, int) else None if value is None else len(value)
            case ops.ReducedRank(param, dim, keepdim):
                base, at = self.get(param).ndim, self.get(dim)
                if at is None:
                    return base if self.get(keepdim) else 0
                if self.get(keepdim):
                    return base
                return base - (len(at) if isinstance(at, (list, tuple)) else 1)
            case ops.ExactRank(ndim):
                return ndim
            case ops.DataRank(param):
                value, depth = self.get(param), 0
                while isinstance(value, (list, tuple)):
                    value, depth = value[0] if value else None, depth + 1
                return depth + (value.ndim if is_tensor(value) else 0)
            case ops.AnyRank():
                return None

    # -- the result

    def holds(self, param: str, test: ops.Test | ops.Is) -> bool:
        value = self.arguments.get(param)
        if f"*{param}" in self.op.params and isinstance(value, tuple):
            value = value[0] if value else None
        match test:
            case ops.Test.GIVEN:
                return value is not None
            case ops.Test.TENSOR:
                return is_tensor(value)
            case ops.Test.DTYPE:
                return (
                    not is_tensor(value)
                    and not isinstance(value, (int, tuple, list))
                    and dtype_of(value) is not None
                )
            case ops.Test.TRUE:
                return bool(value)
            case ops.Test.TEXT:
                return isinstance(value, str)
            case ops.Is(words):
                return value in words

    def shape(self, outcome: ops.Outcome) -> Shape:
        match outcome:
            case ops.Tensor(dtype, dims, _, array):
                found, sure = self.dtype(dtype)
                return Seen(found, self.rank(dims), sure, array)
            case ops.Tensors(each):
                return ("list", self.shape(each))
            case ops.Several(items):
                return tuple(self.shape(item) for item in items)
            case ops.When(param, then, otherwise, test):
                return self.shape(then if self.holds(param, test) else otherwise)
            case ops.Each(param):
                tensors = self.arguments[param]
                return tuple(Seen(dtype_of(t), None, False) for t in tensors)
            case ops.DTypeOf(dtype):
                return ("dtype", *self.dtype(dtype))
            case ops.Sizes(param):
                return ("sizes", self.get(param).ndim)
            case ops.Scalar(kind):
                return ("scalar", kind)
            case ops.Item(param):
                return ("scalar", KINDS[dtype_of(self.get(param)).kind])
            case ops.Other(kind):
                return ("other", kind)
            case ops.Nothing():
                return "nothing"
        raise TypeError(outcome)

    def result(self) -> Shape:
        return self.shape(self.op.outcome)
