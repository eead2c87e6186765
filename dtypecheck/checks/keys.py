"""DT404: a compiled kernel that is kept under a key without the dtypes that it was compiled for.

`kernel.warmup(...)` and `kernel[grid](...)` give a compiled kernel. Launched by hand it takes any pointer:
nothing looks at the dtype of a tensor again (triton/compiler/compiler.py, `CompiledKernel.__getitem__`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..analysis.dtypexpr import exact
from ..analysis.facts import LaunchFact
from ..analysis.kept import keys, without_dtype
from ..analysis.values import Array, Thunk
from ..core.diagnostics import Diagnostic
from .judge import Case, finding


def untyped(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding for each key, about the first tensor whose dtype is not settled."""
    open_ = [name for name in fact.arguments if _is_open(fact, name)]
    slot = next((a.slot for a in fact.arguments.values() if isinstance(a.slot, Thunk)), None)
    if not open_ or slot is None:
        return
    for key in keys(slot.frame, fact.place):
        if without_dtype(case.solver, key, slot.frame):
            place = slot.frame.place(key.span)
            said = case.solver.store.text(place.path, place.span)
            kernel = fact.kernel.entry.name
            message = (
                f"a compiled `{kernel}` is kept under `{said}`, which leaves out the dtype of `{open_[0]}`"
            )
            made = finding(case, "DT404", message, place=place, launch=fact, parameter=open_[0])
            yield replace(made, birth=place)


def _is_open(fact: LaunchFact, name: str) -> bool:
    """Whether a tensor may have several dtypes."""
    dtypes = {alt.what.dtype for alt in fact.arguments[name].value if isinstance(alt.what, Array)}
    return bool(dtypes) and (len(dtypes) > 1 or exact(next(iter(dtypes))) is None)
