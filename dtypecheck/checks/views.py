"""DT306: integers that are viewed as the other signedness on the host, widened in the kernel and then biased.

`x.view(torch.uint8)` keeps the bits of an int8 tensor: what has its top bit set differs by 256 once it is
wider. A bias (`- 128`) suits one of the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..analysis import graph as g
from ..analysis.dtypexpr import exact
from ..analysis.facts import LaunchFact
from ..analysis.sizes import source
from ..analysis.values import Array, Thunk, Value
from ..core.diagnostics import Diagnostic
from ..core.dtypes import DType, Kind
from ..core.spans import Place
from ..kernels.flow import SAME, address, behind, word
from ..kernels.session import ConstantFact
from ..kernels.values import Tensor
from .inside import site, typed
from .judge import Case, finding


@dataclass(frozen=True, slots=True)
class View:
    """`x.view(dtype)` of another signedness, and where it stands."""

    before: DType
    after: DType
    place: Place


def biased(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding for each argument that is such a view."""
    views = {name: view for name in fact.arguments if (view := _view(case, fact, name)) is not None}
    for _, facts in typed(case, fact) if views else ():
        for one in facts:
            if not isinstance(one, ConstantFact) or not _is_bias(one):
                continue
            name = _widened(one.value)
            view = views.pop(name, None)
            if view is not None:
                yield _finding(case, fact, name, view, one)


def _view(case: Case, fact: LaunchFact, name: str) -> View | None:
    slot = fact.arguments[name].slot
    if not isinstance(slot, Thunk):
        return None
    node, frame = source(slot.node, slot.frame)
    match node:
        case g.Apply(func=g.Get(value=viewed, attr="view"), args=(g.Argument(),)):
            before, after = (
                _integer(case.solver.force(viewed, frame)),
                _integer(case.solver.force(node, frame)),
            )
            if before and after and before.bits == after.bits and before.signed != after.signed:
                return View(before, after, frame.place(node.span))
    return None


def _integer(value: Value) -> DType | None:
    """The dtype of a tensor that is known to hold integers."""
    what = value[0].what if len(value) == 1 else None
    dtype = exact(what.dtype) if isinstance(what, Array) else None
    return dtype if dtype is not None and dtype.kind is Kind.INTEGER else None


def _is_bias(one: ConstantFact) -> bool:
    return one.operator in ("+", "-") and isinstance(one.constant, (int, float)) and one.constant != 0


def _widened(value: Tensor) -> str:
    """The parameter whose elements these are after they were widened; "" for anything else.

    Bits that are cut out (`& 0xF`) have no sign any more.
    """
    wide = False
    for t in behind((value,), lambda at: word(at) in SAME | {"cast", ">>", "*"}):
        wide = wide or (word(t) == "cast" and t.element != t.inputs[0].element)
        if word(t) == "load" and t.inputs:
            return address(t.inputs[0])[0] if wide else ""
    return ""


def _finding(case: Case, fact: LaunchFact, name: str, view: View, bias: ConstantFact) -> Diagnostic:
    place = site(case, fact, bias.span, bias.function)
    said = case.solver.store.text(place.path, bias.span)
    message = (
        f"`{name}` of `{fact.kernel.entry.name}` is {view.before} viewed as {view.after}, and the kernel "
        f"computes `{said}` of the widened values: with the top bit set these are {2**view.after.bits} apart"
    )
    made = finding(
        case, "DT306", message, place=view.place, launch=fact, parameter=name, actual=view.after.bit,
        expected=view.before.bit,
    )  # fmt: skip
    return replace(made, birth=view.place, kernel_site=place)
