"""DT303: offsets into whole tensors that are computed in 32 bits.

A program id, or an index loaded from memory, times the leading stride or the width of a tensor reaches as
far as the tensor is long: past 2**31 - 1 elements the product wraps, and the kernel reads and writes other
memory (`arith.muli` on i32; Triton looks for that in debug mode alone, with `sanitize_overflow`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ..analysis.dtypexpr import exact
from ..analysis.facts import LaunchFact
from ..analysis.sizes import Measure, size_of
from ..analysis.values import Array
from ..core import ir
from ..core.diagnostics import Applicability, Diagnostic, Edit, Fix, Step
from ..core.dtypes import BOOL, INDEX
from ..core.spans import Place, Span
from ..kernels.flow import ARITHMETIC, address, behind, parameter, word
from ..kernels.session import CastFact, ConstantFact, LoadFact, StoreFact
from ..kernels.values import Symbol, Tensor
from ..semantics.triton_types import FLOATS, bits_of
from .inside import born_here, site, typed
from .judge import Case, finding

NARROW = bits_of("int8", "int16", "int32", "uint8", "uint16", "uint32")


@dataclass(frozen=True, slots=True)
class Product:
    """`index * stride` on the way to `parameter`; `index` is a program id or a load."""

    parameter: str
    span: Span
    function: ir.Function | None
    index: Tensor
    stride: str


def overflow(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding for each kernel, at the product that is likeliest to be too small."""
    for _, facts in typed(case, fact):
        wide = dict(_wide(facts))
        products = list(dict.fromkeys(_products(fact, facts)))
        if products:
            first = min(products, key=lambda p: (p.parameter not in wide, word(p.index) != "load", p.span))
            yield _finding(case, fact, first, products, wide.get(first.parameter))
            return


def _wide(facts: tuple[object, ...]) -> Iterator[tuple[str, Span]]:
    """The parameters that some access addresses in 64 bits, and where."""
    for one in facts:
        if isinstance(one, (LoadFact, StoreFact)):
            name, added = address(one.pointer)
            if any(map(_is_wide, _multiplied(added))):
                yield name, one.span


def _multiplied(added: tuple[Tensor, ...]) -> Iterator[Tensor]:
    """The products in what is added to an address."""
    return (t for t in behind(added, lambda at: word(at) in ARITHMETIC) if word(t) == "*")


def _is_wide(product: Tensor) -> bool:
    """Whether a product is, or may be, computed in more than 32 bits."""
    return not isinstance(product.element, int) or bool(product.element & ~NARROW)


def _products(fact: LaunchFact, facts: tuple[object, ...]) -> Iterator[Product]:
    """The outermost products in addresses that are computed in 32 bits throughout.

    Where a part is computed in 64 bits, somebody has thought of it: the rest stays within a row or a page.
    """
    constants = {id(f.result): f for f in facts if isinstance(f, ConstantFact) and f.operator == "*"}
    tables = frozenset(_tables(fact, facts))
    for one in facts:
        if not isinstance(one, (LoadFact, StoreFact)):
            continue
        name, added = address(one.pointer)
        found = list(_multiplied(added))
        if name not in fact.arguments or name in tables or _holds_indices(fact, name):
            continue
        for t in found if not any(map(_is_wide, found)) else ():
            factors = _factors(t, constants)
            if factors is not None and _spans_tensor(fact, factors[1]):
                yield Product(name, t.span, one.function, *factors)
                break


def _tables(fact: LaunchFact, facts: tuple[object, ...]) -> Iterator[str]:
    """The parameters from which indices are loaded: such tables are not that long."""
    for one in facts:
        used: tuple[Tensor, ...] = ()
        match one:
            case CastFact(source=source, target=int(target)) if not target & FLOATS:
                used = (source,)
            case LoadFact(pointer=pointer) | StoreFact(pointer=pointer):
                name, used = address(pointer)
                if isinstance(one, StoreFact) and name in fact.arguments and _holds_indices(fact, name):
                    used += (one.value,)
        for t in behind(used, lambda at: word(at) in ARITHMETIC):
            if word(t) == "load" and t.inputs:
                yield address(t.inputs[0])[0]


def _holds_indices(fact: LaunchFact, name: str) -> bool:
    """Whether a tensor is known to hold indices, counts or flags."""
    whats = [alt.what for alt in fact.arguments[name].value]
    dtypes = [exact(w.dtype) if isinstance(w, Array) else None for w in whats]
    return bool(dtypes) and all(d is not None and d.bit & (INDEX | BOOL) for d in dtypes)


def _factors(product: Tensor, constants: Mapping[int, ConstantFact]) -> tuple[Tensor, str] | None:
    """The index and the parameter of `index * parameter`."""
    constant = constants.get(id(product))
    if constant is not None:
        named = constant.constant.key if isinstance(constant.constant, Symbol) else ()
        pairs = [(constant.value, str(named[1]))] if named[:1] == ("param",) else []
    else:
        left, right = product.inputs if len(product.inputs) == 2 else (product, product)
        pairs = [(left, parameter(right)), (right, parameter(left))]
    for value, name in pairs:
        made_of = behind((value,), lambda at: word(at) in ARITHMETIC)
        index = next((t for t in made_of if word(t) in ("program_id", "load")), None)
        if index is not None and name:
            return index, name
    return None


def _spans_tensor(fact: LaunchFact, name: str) -> bool:
    """Whether a parameter is the leading stride of a tensor, or how long its rows are."""
    given = fact.arguments.get(name)
    size = size_of(given.slot) if given is not None else None
    if size is None:
        return False
    if size.measure is Measure.STRIDE:
        return size.axis in (0, -2)
    return size.measure is Measure.SHAPE and size.axis != 0


def _finding(
    case: Case, fact: LaunchFact, first: Product, products: list[Product], wide: Span | None
) -> Diagnostic:
    place = site(case, fact, first.span, first.function)
    said = case.solver.store.text(place.path, first.span)
    kernel = fact.kernel.entry.name
    message = (
        f"`{said}` in `{kernel}` is computed in 32 bits; "
        f"it wraps where `{first.parameter}` has more than {2**31 - 1} elements"
    )
    made = finding(case, "DT303", message, place=place, launch=fact, parameter=first.parameter)
    notes = (
        () if wide is None else (("certain", f"line {wide.line} addresses `{first.parameter}` in 64 bits"),)
    )
    steps = [(site(case, fact, p.span, p.function), p.parameter) for p in products]
    trace = tuple(Step(at, "kernel", "int32", f"into `{name}`") for at, name in steps)
    return born_here(replace(made, notes=notes, trace=trace, fix=_fix(case, place, first)), place)


def _fix(case: Case, place: Place, product: Product) -> Fix | None:
    """Widen the index where it is made; what else it is used for then is 64 bits wide, too."""
    at = Place(place.path, product.index.span)
    text = case.solver.store.text(at.path, at.span)
    if not text or "\n" in text:
        return None
    wider = f"{text}.to(tl.int64)"
    return Fix(Applicability.DISPLAY, wider, (Edit(at, wider),))
