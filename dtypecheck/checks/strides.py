"""DT403: the stride of one axis with the bound of another: `n < x.shape[1]` and `x_ptr + n * x.stride(0)`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ..analysis.facts import LaunchFact
from ..analysis.sizes import Measure, Size, size_of
from ..core import ir
from ..core.diagnostics import Diagnostic
from ..core.spans import Span
from ..kernels.flow import ARITHMETIC, SAME, address, behind, parameter, word
from ..kernels.session import ConstantFact, LoadFact, StoreFact
from ..kernels.values import Symbol, Tensor
from .inside import site, typed
from .judge import Case, finding


@dataclass(frozen=True, slots=True)
class Axis:
    """An index that one access multiplies by `stride` and masks by `bound`, both parameters."""

    stride: str
    bound: str
    span: Span
    function: ir.Function | None


def order(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding for each stride that is of another axis than what bounds its index."""
    sizes = {n: s for n, given in fact.arguments.items() if (s := size_of(given.slot)) is not None}
    told: set[str] = set()
    for _, facts in typed(case, fact) if sizes else ():
        for axis in _axes(facts):
            stride, bound = sizes.get(axis.stride), sizes.get(axis.bound)
            if axis.stride not in told and stride and bound and _contradict(stride, bound):
                told.add(axis.stride)
                yield _finding(case, fact, axis, stride, bound)


def _contradict(stride: Size, bound: Size) -> bool:
    """Whether these are a stride and an extent of one tensor, on axes that are not the same."""
    if stride.measure is not Measure.STRIDE or bound.measure is not Measure.SHAPE:
        return False
    comparable = (stride.axis < 0) == (bound.axis < 0)
    return stride.tensor == bound.tensor and comparable and stride.axis != bound.axis


def _axes(facts: tuple[object, ...]) -> Iterator[Axis]:
    constants = {id(f.result): f for f in facts if isinstance(f, ConstantFact)}
    for one in facts:
        if not isinstance(one, (LoadFact, StoreFact)) or one.mask is None:
            continue
        compares = [t for t in behind((one.mask,), lambda at: word(at) in SAME | {"&"}) if word(t) == "<"]
        bounds = {id(index): name for t in compares for index, name in _pairs(t, constants)}
        added = behind(address(one.pointer)[1], lambda at: word(at) in ARITHMETIC)
        for product in (t for t in added if word(t) == "*"):
            for index, stride in _pairs(product, constants):
                if id(index) in bounds:
                    yield Axis(stride, bounds[id(index)], product.span, one.function)


def _pairs(t: Tensor, constants: Mapping[int, ConstantFact]) -> Iterator[tuple[Tensor, str]]:
    """The operands of an operation that stand beside a parameter, and the parameter."""
    constant = constants.get(id(t))
    if constant is not None:
        key = constant.constant.key if isinstance(constant.constant, Symbol) else ()
        if key[:1] == ("param",):
            yield _bare(constant.value), str(key[1])
    elif len(t.inputs) == 2:
        left, right = t.inputs
        for value, other in ((left, right), (right, left)):
            name = parameter(other)
            if name:
                yield _bare(value), name


def _bare(index: Tensor) -> Tensor:
    """An index without the axes and the width that it was given."""
    while word(index) in SAME | {"cast"} and len(index.inputs) == 1:
        index = index.inputs[0]
    return index


def _finding(case: Case, fact: LaunchFact, axis: Axis, stride: Size, bound: Size) -> Diagnostic:
    message = (
        f"`{axis.stride}` of `{fact.kernel.entry.name}` gets `{stride}`, and multiplies an index that is "
        f"bounded by `{axis.bound}`, which is `{bound}`"
    )
    place = fact.arguments[axis.stride].place
    made = finding(case, "DT403", message, place=place, launch=fact, parameter=axis.stride)
    return replace(made, kernel_site=site(case, fact, axis.span, axis.function))
