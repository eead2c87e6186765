"""Named dtype rules of torch operations, for one concrete input (checked against torch 2.13).

A rule takes operands in the order that an operation lists them and gives a dtype, or None where
torch refuses. It knows no operation by name; the descriptions in `torch_*` say which uses which.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..core.dtypes import BY_NAME, DType, Kind
from .ops import Operand, Rank
from .promotion import FLOAT32, complex_of, real_of, result_type

BOOL = BY_NAME["bool"]
INT32 = BY_NAME["int32"]
INT64 = BY_NAME["int64"]
FLOAT64 = BY_NAME["float64"]

Argument = Operand | tuple[Operand, ...] | None


def _each(arguments: tuple[Argument, ...]) -> Iterator[Operand]:
    for argument in arguments:
        if isinstance(argument, tuple):
            yield from argument
        elif argument is not None:
            yield argument


def is_integral(dtype: DType) -> bool:
    """Integers and bool: what torch calls integral with bool included."""
    return dtype.kind in (Kind.BOOL, Kind.INTEGER)


def is_inexact(dtype: DType) -> bool:
    """Floating and complex dtypes."""
    return dtype.kind in (Kind.FLOATING, Kind.COMPLEX)


def common(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Promotion alone: arithmetic, `cat`, `where`."""
    return result_type(*_each(arguments), default=default)


def floated(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Promotion, and integers become the default dtype: `exp`, true division."""
    dtype = common(*arguments, default=default)
    return default if dtype is not None and is_integral(dtype) else dtype


def arithmetic(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Promotion where any bool is refused: subtraction, negation."""
    if any(operand.dtype is BOOL for operand in _each(arguments)):
        return None
    return common(*arguments, default=default)


def real(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Promotion where complex is refused: order, rounding, remainders."""
    dtype = common(*arguments, default=default)
    return None if dtype is not None and dtype.kind is Kind.COMPLEX else dtype


def integral(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Promotion of integers and bools only: bitwise operations."""
    dtype = common(*arguments, default=default)
    return dtype if dtype is not None and is_integral(dtype) else None


def inexact(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Promotion to a floating or complex dtype; integers are refused."""
    dtype = common(*arguments, default=default)
    return dtype if dtype is not None and is_inexact(dtype) else None


def floating(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Promotion to a floating dtype; integers and complex are refused."""
    dtype = common(*arguments, default=default)
    return dtype if dtype is not None and dtype.kind is Kind.FLOATING else None


def real_floated(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """As `floated`, without complex: `erf`, `atan2`."""
    dtype = floated(*arguments, default=default)
    return None if dtype is not None and dtype.kind is Kind.COMPLEX else dtype


def truth(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """bool, where the operands promote at all: `==`."""
    return None if common(*arguments, default=default) is None else BOOL


def ordering(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """bool, where the operands promote to an ordered dtype: `<`."""
    return None if real(*arguments, default=default) is None else BOOL


def alike(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """All of one dtype, which is the result; mixed dtypes are refused: `matmul`, `scatter`."""
    found = {operand.dtype for operand in _each(arguments)}
    return found.pop() if len(found) == 1 else None


def first(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """The first operand's dtype, whatever the others are."""
    return next((operand.dtype for operand in _each(arguments)), None)


def summed(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Integers and bools add up in int64: `sum`, `cumsum`, `prod`."""
    dtype = common(*arguments, default=default)
    return INT64 if dtype is not None and is_integral(dtype) else dtype


def magnitude(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """The real dtype of the operand: `abs`, `real`."""
    dtype = common(*arguments, default=default)
    return None if dtype is None else real_of(dtype)


def inexact_magnitude(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """The real dtype of a floating or complex operand: norms, variances."""
    dtype = inexact(*arguments, default=default)
    return None if dtype is None else real_of(dtype)


def ranged(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """int64 where all bounds are integers, else the default dtype: `arange`."""
    return INT64 if all(is_integral(operand.dtype) for operand in _each(arguments)) else default


def paired(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """The complex dtype whose parts have the operands' one floating dtype: `complex`, `polar`."""
    dtype = alike(*arguments, default=default)
    wide = dtype is not None and dtype.kind is Kind.FLOATING and dtype.bits > 8 and dtype.name != "bfloat16"
    return complex_of(dtype) if wide else None


def parts(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """The dtype of the parts of a complex operand; others are refused: `view_as_real`."""
    dtype = first(*arguments)
    return real_of(dtype) if dtype is not None and dtype.kind is Kind.COMPLEX else None


def unsquashed(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Promotion where bool counts as int64: `square`."""
    dtype = common(*arguments, default=default)
    return INT64 if dtype is BOOL else dtype


def angular(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """The real dtype of the parts after `floated`: `angle`."""
    dtype = floated(*arguments, default=default)
    return None if dtype is None else real_of(dtype)


def doubled(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """float64 or complex128, of any operands: `float_power`."""
    kinds = {operand.dtype.kind for operand in _each(arguments)}
    return BY_NAME["complex128"] if Kind.COMPLEX in kinds else FLOAT64


def flagged(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """bool, but uint8 of uint8: `any`, `all`."""
    dtype = first(*arguments)
    return dtype if dtype is BY_NAME["uint8"] else BOOL


def weighted(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """int64 without weights; the weights' own float32, else float64: `bincount`."""
    weights = arguments[-1]
    if weights is None:
        return INT64
    return BY_NAME["float32"] if first(weights) is BY_NAME["float32"] else FLOAT64


def transformed(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """The complex dtype of a Fourier transform; integers count as the default dtype."""
    dtype = floated(*arguments, default=default)
    if dtype is None or dtype.kind is Kind.COMPLEX:
        return dtype
    return complex_of(dtype) if dtype.bits > 8 and dtype.name != "bfloat16" else None


def untransformed(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """The real dtype of an inverse Fourier transform."""
    dtype = transformed(*arguments, default=default)
    return None if dtype is None else real_of(dtype)


def real_transformed(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """As `transformed`, of real operands alone: `rfft`."""
    return None if real(*arguments, default=default) is None else transformed(*arguments, default=default)


def inexact_alike(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """All of one floating or complex dtype: solvers, attention."""
    dtype = alike(*arguments)
    return dtype if dtype is not None and is_inexact(dtype) else None


def inexact_first(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """The first operand's floating or complex dtype, whatever the others are: losses against indices."""
    dtype = first(*arguments)
    return dtype if dtype is not None and is_inexact(dtype) else None


def blended(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Tensors of one floating or complex dtype, and any number: `lerp`."""
    return inexact_alike(*(o for o in _each(arguments) if o.rank is not Rank.NUMBER))


def raised(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Promotion where a bool is refused to the power of a bool tensor: `pow`."""
    dtype = common(*arguments, default=default)
    _, exponent = _each(arguments)
    return None if dtype is BOOL and exponent.rank is not Rank.NUMBER else dtype


_NUMBERS = {Kind.BOOL: BOOL, Kind.INTEGER: INT64, Kind.FLOATING: FLOAT64, Kind.COMPLEX: BY_NAME["complex128"]}


def number(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """The dtype that stands for the kind of Python number that an operand holds: `item`."""
    dtype = first(*arguments)
    return None if dtype is None else _NUMBERS.get(dtype.kind)


def reckoned(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """The kind of a sum, difference, product or remainder of Python numbers: bools count as integers."""
    dtype = common(*arguments, default=default)
    return INT64 if dtype is BOOL else number(Operand(dtype)) if dtype is not None else None


def from_number(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """The dtype of a tensor that is made of a Python number."""
    dtype = number(*arguments)
    if dtype is FLOAT64:
        return default
    return complex_of(default) if dtype is not None and dtype.kind is Kind.COMPLEX else dtype


def clamped(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Promotion of a tensor and its bounds; beside a number, a bound without dimensions is one too."""
    tensor, *bounds = _each(arguments)
    if any(bound.rank is Rank.NUMBER for bound in bounds):
        if any(bound.rank is Rank.DIMENSIONED for bound in bounds):
            return None
        if any(bound.dtype.kind not in _NUMBERS for bound in bounds):
            return None
        bounds = [Operand(_NUMBERS[bound.dtype.kind], Rank.NUMBER) for bound in bounds]
    return real(tensor, *bounds, default=default)


def quotient_added(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Promotion of a sum with a quotient that is not of two integers: `addcdiv`."""
    dtype = inexact(*arguments, default=default)
    whole = all(is_integral(operand.dtype) for operand in list(_each(arguments))[1:])
    return None if whole else dtype


def floating_common(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """Promotion of floating operands, each of them: `kl_div`."""
    if not all(operand.dtype.kind is Kind.FLOATING for operand in _each(arguments)):
        return None
    return common(*arguments, default=default)


def real_summed(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """As `summed`, without complex: `nansum`."""
    return None if real(*arguments, default=default) is None else summed(*arguments, default=default)


def real_alike(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """As `alike`, without complex: `heaviside`."""
    dtype = alike(*arguments)
    return None if dtype is not None and dtype.kind is Kind.COMPLEX else dtype


def mean_difference(*arguments: Argument, default: DType = FLOAT32) -> DType | None:
    """The size of a mean difference: no bool, and of a floating or complex dtype (`l1_loss`)."""
    dtype = arithmetic(*arguments, default=default)
    return real_of(dtype) if dtype is not None and is_inexact(dtype) else None
