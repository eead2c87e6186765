"""Which arguments are to blame together, where no single one mends a launch.

The arguments that Triton's refusal names are changed at once, and whatever it then names as well; what need
not change is left out again. Only usual dtypes are tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from ..semantics.triton_types import BY_NAME
from .blame import Blame, with_element
from .trial import Elemental, Signature, Trial
from .typing import Rejected
from .witness import Witness, search

USUAL = tuple(BY_NAME[n].bit for n in ("fp16", "bf16", "fp32", "int32", "int64"))
ROUNDS = 4
"""How often Triton may name more arguments."""
MOST = 5
"""Arguments that are changed at once."""


@dataclass(slots=True)
class _Changing:
    trial: Trial
    signature: Signature

    def compiles(self, names: Sequence[str], types: Sequence[int]) -> bool:
        """Whether some choice of what is not known compiles with these arguments changed."""
        changed = self._changed(names, types)
        return isinstance(search(self.trial, changed, {}, frozenset(), changed, names[0]), Witness)

    def named(self, names: Sequence[str], types: Sequence[int]) -> tuple[str, ...]:
        """What Triton names when these arguments are changed."""
        outcome = self.trial.outcome(self._changed(names, types))
        return outcome.parameters if isinstance(outcome, Rejected) else ()

    def _changed(self, names: Sequence[str], types: Sequence[int]) -> Signature:
        changes = {n: with_element(self.signature[n], t) for n, t in zip(names, types, strict=True)}
        return {**self.signature, **changes}

    def choices(self, names: Sequence[str]) -> list[tuple[int, ...]]:
        """The types that compile: one for all, or else, for a pair, one for each."""
        alike = [(t,) * len(names) for t in USUAL]
        found = [types for types in alike if self.compiles(names, types)]
        if not found and len(names) == 2:
            found = [types for types in product(USUAL, USUAL) if self.compiles(names, types)]
        return found


def together(trial: Trial, signature: Signature, rejected: Rejected) -> Blame | None:
    """The smallest set of arguments whose change mends the launch; None where none was found."""
    changing = _Changing(trial, signature)
    names = list(_tensors_first(signature, rejected.parameters))
    for _ in range(ROUNDS):
        if not names or len(names) > MOST:
            return None
        choices = changing.choices(names) if len(names) > 1 else []
        if choices:
            return _smallest(changing, names, choices)
        more = {n: None for t in USUAL for n in changing.named(names, (t,) * len(names))}
        added = [n for n in _tensors_first(signature, more) if n not in names]
        if not added:
            return None
        names += added
    return None


def _smallest(changing: _Changing, names: list[str], choices: list[tuple[int, ...]]) -> Blame:
    """Without the arguments that may stay as they are."""
    for name in reversed(names):
        fewer = [n for n in names if n != name]
        if len(fewer) > 1 and (left := changing.choices(fewer)):
            names, choices = fewer, left
    order = sorted(range(len(names)), key=lambda i: list(changing.signature).index(names[i]))
    names, choices = [names[i] for i in order], [tuple(types[i] for i in order) for types in choices]
    masks = [_union(types[i] for types in choices) for i in range(len(names))]
    return Blame(tuple(zip(names, masks, strict=True)), tuple(choices))


def _union(bits: Iterator[int]) -> int:
    found = 0
    for one in bits:
        found |= one
    return found


def _tensors_first(signature: Signature, names: Sequence[str] | dict[str, None]) -> Iterator[str]:
    """Those that have an element type; numbers last, since their types follow from their values."""
    known = [n for n in names if isinstance(signature.get(n), Elemental)]
    yield from sorted(known, key=lambda n: isinstance(signature[n], Elemental[1]))
