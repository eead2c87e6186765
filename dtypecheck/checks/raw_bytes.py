"""DT308: an argument that is floating on some ways and uint8 on others, which the kernel converts by value.

Such bytes are a container, of float8 most often: as numbers they are 0 to 255, whatever they stand for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..analysis.dtypexpr import evaluate, symbols
from ..analysis.facts import LaunchFact
from ..analysis.values import Alternative, Array
from ..core.diagnostics import Diagnostic
from ..core.dtypes import DTypes, only, show
from ..kernels.session import CastFact
from ..kernels.sums import loaded
from ..semantics.triton_types import FLOATS
from .inside import site, typed
from .judge import Case, finding, happening

BYTES = only("uint8")
WIDER = only("float16", "bfloat16", "float32", "float64")


def converted(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding for each such argument, at the kernel's conversion."""
    mixed = {name: found for name in fact.arguments if (found := _mixed(fact, name)) is not None}
    for _, facts in typed(case, fact) if mixed else ():
        casts = [f for f in facts if isinstance(f, CastFact) and isinstance(f.target, int)]
        read = {name for f in casts if f.bitcast for name in loaded(f.source)}
        for one in casts:
            for name in sorted(loaded(one.source) & mixed.keys() - read):
                if isinstance(one.target, int) and not one.target & ~FLOATS:
                    yield _finding(case, fact, name, one, *mixed.pop(name))


def _mixed(fact: LaunchFact, name: str) -> tuple[Alternative, DTypes] | None:
    """The dtypes of an argument that may be floating or uint8, and is known to be nothing else.

    Where it may be float8, some way has seen to what the bytes stand for.
    """
    met = list(happening(fact.arguments[name].value, fact.guards))
    dtypes = 0
    for alt in met:
        if not isinstance(alt.what, Array) or symbols(alt.what.dtype):
            return None
        dtypes |= evaluate(alt.what.dtype, {})
    wanted = dtypes & BYTES and dtypes & WIDER and not dtypes & ~(BYTES | WIDER)
    return (met[0], dtypes) if wanted else None


def _finding(
    case: Case, fact: LaunchFact, name: str, cast: CastFact, alternative: Alternative, dtypes: DTypes
) -> Diagnostic:
    message = (
        f"`{name}` of `{fact.kernel.entry.name}` is {show(dtypes)}, and the kernel converts its elements "
        "by value: bytes become numbers from 0 to 255"
    )
    made = finding(
        case, "DT308", message, place=fact.arguments[name].place, alternative=alternative, launch=fact,
        parameter=name, actual=dtypes,
    )  # fmt: skip
    return replace(made, kernel_site=site(case, fact, cast.span, cast.function))
