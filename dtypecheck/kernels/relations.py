"""How the dtypes of two parameters hang together, found by trying pairs.

A relation is necessary: whatever breaks it is refused under every way of giving the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ..core.dtypes import ORDINARY
from ..semantics.triton_types import FP8, SCALARS, members
from .survey import Answers, Survey, union
from .trial import Signature
from .values import KernelType, PointerType, UnknownType

Tensors = (PointerType, UnknownType)
"""What stands for a tensor in a signature."""
WIDTHS = tuple(sorted({s.bits for s in SCALARS}))


@dataclass(frozen=True, slots=True)
class Same:
    """The dtypes are equal; with `mixed` two float8 dtypes need not be."""

    mixed: bool


@dataclass(frozen=True, slots=True)
class Wider:
    """The first parameter is at least as wide as the second, or with `turned` the second as the first."""

    turned: bool


@dataclass(frozen=True, slots=True)
class Apart:
    """These pairs of ordinary dtypes are refused, although each is accepted beside something else."""

    pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two parameters that are tensors, with what is known of each under the ways of giving the rest."""

    ways: Sequence[tuple[Survey, Answers, Answers]]
    first: str
    second: str

    @property
    def elements(self) -> int:
        return self.ways[0][0].trial.elements

    def relation(self) -> Same | Wider | Apart | None:
        """The strictest relation that holds and says something of ordinary dtypes."""
        suspects = self._suspects()
        if not suspects:
            return None
        if self._same():
            float8 = FP8 & self.elements
            mixed = any(not self._refused(t.bit, float8 & ~t.bit) for t in members(float8))
            return Same(mixed) if self._several() else None
        for turned in (False, True):
            if self._wider(turned) and self._tells(turned):
                return Wider(turned)
        pairs = tuple(pair for pair in suspects if self._refused(*pair))
        return Apart(pairs) if pairs else None

    def _suspects(self) -> list[tuple[int, int]]:
        """The pairs of ordinary dtypes that are not found to compile, though both may be had."""
        first = union(bits for _, answers, _ in self.ways for bits in answers.witnesses)
        second = union(bits for _, _, answers in self.ways for bits in answers.witnesses)
        every = self.elements
        firsts = [t.bit for t in members(ORDINARY) if t.bit & first or not self._refused(t.bit, every)]
        seconds = [t.bit for t in members(ORDINARY) if t.bit & second or not self._refused(every, t.bit)]
        left = [b for b in seconds if not self._compile(sum(firsts), b)]
        pairs = []
        for a in firsts if left else ():
            if not self._compile(a, sum(left)):
                pairs += [(a, b) for b in left if not self._compile(a, b)]
        return pairs

    def _compile(self, first: int, second: int) -> bool:
        """Whether all pairs of two sets compile, in signatures that compile with one of them."""
        for survey, ones, others in self.ways:
            near = [w for bits, w in ones.witnesses.items() if first & ~bits == 0]
            near += [w for bits, w in others.witnesses.items() if second & ~bits == 0]
            near += [survey.base] if survey.base is not None else []
            if any(survey.trial.accepted(self._with(w.signature, first, second)) for w in near):
                return True
        return False

    def _refused(self, first: int, second: int) -> bool:
        """Whether all pairs of two sets are refused."""
        if not first or not second:
            return True
        return all(self._refuses(survey, first, second) for survey, _, _ in self.ways)

    def _refuses(self, survey: Survey, first: int, second: int) -> bool:
        vague = survey.given.vague - {self.first, self.second}
        return survey.trial.refusal(self._with(survey.signature, first, second), vague) is not None

    def _with(self, signature: Signature, first: int, second: int) -> dict[str, KernelType]:
        return {**signature, self.first: PointerType(first), self.second: PointerType(second)}

    def _same(self) -> bool:
        """Whether every other pair is refused, two float8 dtypes apart."""
        return all(
            self._refused(t.bit, self.elements & ~(FP8 if t.fp8 else t.bit)) for t in members(self.elements)
        )

    def _several(self) -> bool:
        return sum(not self._refused(t.bit, t.bit) for t in members(self.elements)) > 1

    def _wider(self, turned: bool) -> bool:
        """Whether every pair is refused in which the one that has to be wider is narrower."""
        for width in WIDTHS[:-1]:
            narrow = sum(t.bit for t in members(self.elements) if t.bits == width)
            wide = sum(t.bit for t in members(self.elements) if t.bits > width)
            if not self._refused(*((wide, narrow) if turned else (narrow, wide))):
                return False
        return True

    def _tells(self, turned: bool) -> bool:
        """Whether both parameters have dtypes that the relation keeps apart."""
        firsts = [t.bits for t in members(self.elements) if not self._refused(t.bit, self.elements)]
        seconds = [t.bits for t in members(self.elements) if not self._refused(self.elements, t.bit)]
        least, most = (min(seconds), max(firsts)) if turned else (min(firsts), max(seconds))
        return least < most


def pairs(surveys: Sequence[Survey], tensors: Mapping[str, Sequence[Answers]]) -> Iterator[Pair]:
    """The pairs of these parameters that some refusal names, under the ways that give tensors for both.

    For each parameter there is an answer per way.
    """
    linked = {pair for one in surveys for pair in one.linked}
    for pair in combinations(tensors, 2):
        if not linked.isdisjoint({pair, pair[::-1]}):
            every = zip(surveys, tensors[pair[0]], tensors[pair[1]], strict=True)
            ways = [way for way in every if all(isinstance(way[0].signature.get(n), Tensors) for n in pair)]
            if ways:
                yield Pair(ways, *pair)
