"""DT501: what makes Triton compile one kernel again and again.

The dtype of every tensor and the value of every `tl.constexpr` are part of the key of a compiled kernel
(triton/runtime/jit.py, `create_function_from_signature` and `compute_cache_key`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..analysis import graph as g
from ..analysis.dtypexpr import exact
from ..analysis.facts import LaunchFact
from ..analysis.sizes import Measure, Size, sizes_in
from ..analysis.values import Array
from ..core.diagnostics import Certainty, Diagnostic, Step
from ..core.spans import Place
from ..kernels.semantics import is_constexpr
from ..kernels.uses import only_compared
from .judge import Case, finding, happening
from .registry import BY_CODE


def sizes(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding for each compile-time parameter that gets a size of its call, and is compared only."""
    function = case.solver.store.function(fact.kernel)
    for param in function.params:
        given = fact.arguments.get(param.name)
        if given is None or not is_constexpr(param.annotation):
            continue
        size = next((s for s in sizes_in(given.slot) if _varies(s)), None)
        if size is None or not only_compared(function, param.name):
            continue
        message = (
            f"`{param.name}` of `{fact.kernel.entry.name}` is compiled in and follows `{size}`: "
            "each size compiles the kernel again, and the kernel only compares it"
        )
        yield finding(case, "DT501", message, place=given.place, launch=fact, parameter=param.name)


def _varies(size: Size) -> bool:
    """Whether a size may change from call to call: the number of rows or elements, of no attribute."""
    made_once = isinstance(size.tensor[0], g.Get)
    return not made_once and size.measure is not Measure.STRIDE and size.axis == 0


# -- over the whole program ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seen:
    """One parameter of one kernel got a tensor of this dtype at one launch."""

    kernel: str
    defined: Place
    position: int
    parameter: str
    dtype: str
    launch: Place


def seen(case: Case, fact: LaunchFact) -> Iterator[Seen]:
    """The dtypes that a launch is known to give."""
    for position, param in enumerate(fact.kernel.entry.params):
        given = fact.arguments.get(param.name)
        for alt in happening(given.value, fact.guards) if given is not None else ():
            dtype = exact(alt.what.dtype) if isinstance(alt.what, Array) else None
            if dtype is not None:
                kernel = fact.kernel
                yield Seen(kernel.key, kernel.place, position, param.name, dtype.name, fact.place)


def compared(records: Iterable[Seen]) -> Iterator[Diagnostic]:
    """One finding for each kernel, at the launch whose dtype is the rarest."""
    kernels: dict[tuple[str, Place], list[Seen]] = {}
    for one in sorted(
        set(records), key=lambda s: (s.kernel, s.defined, s.position, s.parameter, s.launch, s.dtype)
    ):
        kernels.setdefault((one.kernel, one.defined), []).append(one)
    for several in kernels.values():
        found = {
            s.parameter: sorted({o.dtype for o in several if o.parameter == s.parameter}) for s in several
        }
        differing = {name: dtypes for name, dtypes in found.items() if len(dtypes) > 1}
        if differing:
            yield _finding(several, differing)


def _finding(several: list[Seen], differing: dict[str, list[str]]) -> Diagnostic:
    name = next(iter(differing))
    mine = [s for s in several if s.parameter == name]
    counts = Counter(s.dtype for s in mine)
    rarest = min(mine, key=lambda s: (counts[s.dtype], s.launch, s.dtype))
    listed = "; ".join(f"`{n}` is {_listed(dtypes)}" for n, dtypes in differing.items())
    first = {dtype: next(s for s in mine if s.dtype == dtype) for dtype in differing[name]}
    rule = BY_CODE["DT501"]
    kernel = rarest.kernel.rpartition(".")[2]
    return Diagnostic(
        code=rule.code,
        slug=rule.slug,
        severity=rule.severity,
        certainty=Certainty.PROVEN,
        message=f"`{kernel}` is compiled for each dtype that it is launched with: {listed}",
        primary=rarest.launch,
        kernel=rarest.kernel,
        parameter=name,
        actual=(rarest.dtype,),
        launch=rarest.launch,
        kernel_site=rarest.defined,
        trace=tuple(Step(s.launch, "launched", dtype, f"`{name}`") for dtype, s in first.items()),
    )


def _listed(dtypes: list[str]) -> str:
    return " or ".join(dtypes) if len(dtypes) < 3 else f"{', '.join(dtypes[:-1])} or {dtypes[-1]}"
