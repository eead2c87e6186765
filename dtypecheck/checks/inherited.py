"""DT111: buffers that took their dtype from a tensor of another role, or from the global default.

`ids.new_empty(n)` and `torch.empty_like(ids)` are what `ids` is, and `torch.empty(n)` is what
`torch.get_default_dtype()` says: the kernel stores numbers of another kind in them, which Triton casts
silently.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..analysis.facts import LaunchFact
from ..analysis.values import Array
from ..core.diagnostics import Diagnostic
from ..core.dtypes import FLOATING, INTEGER, DType, Kind, show
from ..core.provenance import Move, Origin
from ..kernels.loss import Constants, is_fractional, is_quantity
from ..kernels.session import StoreFact
from .evidence import CONSTRUCTORS
from .judge import Case
from .stored import Stored, creation, element, found_at, losses

EXACT = {"float16": 11, "bfloat16": 8, "float32": 24, "float64": 53}
"""So many bits of an integer a floating dtype holds."""
DEFAULTS = frozenset({"empty", "zeros", "ones", "rand", "randn", "empty_strided"})
"""Constructors that take the default dtype whatever they are given."""


def inherited(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding for each buffer that holds another kind than the kernel stores, because it inherits it."""
    told: set[str] = set()
    for at in losses(case, fact, _other_kind):
        made = _made(at)
        if at.name in told or made is None or not is_inherited(case, at):
            continue
        told.add(at.name)
        source = "from another tensor" if made.move is Move.DERIVED else "from the global default"
        message = (
            f"`{at.name}` of `{fact.kernel.entry.name}` is {show(at.kept)} by inheritance {source}, "
            f"and the kernel stores {at.given} in it: {at.lost}"
        )
        yield found_at(case, fact, "DT111", message, _born_there(at, made))


def _other_kind(store: StoreFact, known: Constants) -> str | None:
    """What becomes of floats among integers, and of integers among floats; None where all is well."""
    given, kept = element(store.value.element), element(store.element)
    match given, kept:
        case DType(kind=Kind.FLOATING), DType(kind=Kind.INTEGER) if is_fractional(store.value, known):
            return "the fraction is cut off"
        case DType(kind=Kind.INTEGER), DType(name=name) if name in EXACT and is_quantity(store.value):
            if given.bits - given.signed > EXACT[name]:
                return f"above {2 ** EXACT[name]} not all integers are left"
    return None


def is_inherited(case: Case, at: Stored[str]) -> bool:
    """Whether floats meet integers, or integers floats, in a buffer that nobody gave a dtype."""
    other = {Kind.FLOATING: INTEGER, Kind.INTEGER: FLOATING}.get(at.given.kind, 0)
    made = _made(at)
    if at.kept & ~other or made is None or made.note.rpartition(".")[2] not in CONSTRUCTORS:
        return False
    return made.move is Move.DERIVED or _is_default(case, made)


def _made(at: Stored[str]) -> Origin | None:
    return creation(at.buffer.what) if isinstance(at.buffer.what, Array) else None


def _is_default(case: Case, made: Origin) -> bool:
    """Whether a constructor was not told a dtype."""
    text = case.solver.store.text(made.place.path, made.place.span)
    return made.note.rpartition(".")[2] in DEFAULTS and "dtype" not in text and "**" not in text


def _born_there(at: Stored[str], made: Origin) -> Stored[str]:
    """The same, its dtype born where the buffer was made: there the roles part."""
    what = at.buffer.what
    assert isinstance(what, Array) and what.origin is not None
    after = list(what.origin.chain())
    cut = replace(made, parent=None)
    for o in reversed(after[: after.index(made)]):
        cut = replace(o, parent=cut)
    return replace(at, buffer=replace(at.buffer, what=replace(what, origin=cut)))
