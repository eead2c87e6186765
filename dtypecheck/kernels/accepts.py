"""What a kernel accepts, parameter by parameter, given the rest: dtypes, numbers, None, and relations.

The rest is what the launches are known to give, or anything where there is none. What some way of giving it
accepts is accepted; what every way refuses is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..core import ir
from ..core.acceptance import Dependence, Parameter, Refusal, Takes
from ..core.spans import Place
from ..semantics.triton_types import members
from . import relations
from .blame import with_element
from .given import Given, whole
from .nulls import is_read, tested
from .relations import Apart, Same, Wider
from .semantics import is_constexpr
from .signatures import annotated
from .survey import Answers, Survey, kinds, survey, union
from .trial import ELEMENTS, NONE, NUMBERS, Trial, element
from .typing import Flags, Rejected
from .values import DescriptorType, KernelType, PointerType, ScalarType, TupleType

Site = Callable[[Rejected], Place]
"""Where a refusal stands in the project."""
_TAKES = {PointerType: Takes.POINTER, ScalarType: Takes.SCALAR, DescriptorType: Takes.DESCRIPTOR}


@dataclass(slots=True)
class _Kind:
    """One kind of argument: what became of it under each way, as far as it was asked."""

    declared: KernelType
    answers: list[Answers]

    @property
    def accepted(self) -> int:
        return union(bits for one in self.answers for bits in one.witnesses)

    @property
    def refused(self) -> int:
        """What every way refuses."""
        unclear = union(bits for one in self.answers for bits in one.undecided)
        return element(self.declared) & ~self.accepted & ~unclear

    @property
    def undecided(self) -> int:
        return element(self.declared) & ~self.accepted & ~self.refused

    @property
    def limited(self) -> int:
        """What is refused under a condition wherever it is accepted."""
        free = union(bits & ~union(one.limited) for one in self.answers for bits in one.witnesses)
        return self.accepted & ~free

    @property
    def flags(self) -> Flags:
        """The compile-time conditions under which the types were tried first."""
        return next((one.flags for one in self.answers if one.flags), ())

    @property
    def reason(self) -> str:
        whys = (why for one in self.answers for why in one.undecided.values())
        return next(whys, "") if self.undecided else ""

    def limit(self, bit: int) -> tuple[Rejected, str]:
        """The refusal of a type that is limited, and its condition."""
        return next(said for one in self.answers if (said := one.limit(bit)) is not None)

    def met(self, bit: int) -> Rejected:
        """A refusal of a type that was met for some choice of the rest."""
        return next(r for one in self.answers for bits, r in one.refused.items() if bits & bit)


@dataclass(slots=True)
class _Kernel:
    """One kernel under all ways of giving its arguments; `whole` is one that stands for several."""

    surveys: Sequence[Survey]
    whole: Given | None
    site: Site
    found: dict[str, _Kind] = field(default_factory=dict)

    def types(self, name: str, declared: KernelType) -> _Kind:
        """The types of one kind, under each way as far as it is not known from the ways before."""
        first, *others = self.surveys
        kind = _Kind(declared, [first.types(name, declared, element(declared))])
        everywhere = union(
            m for m in kind.answers[0].refused if self._nowhere(name, with_element(declared, m))
        )
        for one in others:
            left = element(declared) & ~everywhere & ~kind.accepted
            again = kind.limited if one.constants != first.constants else 0
            kind.answers.append(one.types(name, declared, left | again))
        return kind

    def possible(self, name: str, declared: KernelType, kind: _Kind) -> bool | None:
        """Whether another kind of argument compiles without a condition; None where every way refuses it."""
        if self._nowhere(name, declared):
            return None
        found = [one.possible(name, declared, kind.flags) for one in self.surveys]
        return None if all(free is None for free in found) else any(found)

    def nulls(self, name: str, kind: _Kind) -> list[Answers]:
        """The answers for None, up to the first way that takes it without a condition."""
        if self._nowhere(name, NONE):
            return []
        found: list[Answers] = []
        for one in self.surveys:
            if not any(n.witnesses and not n.limited for n in found):
                found.append(one.none(name, kind.flags))
        return found

    def _nowhere(self, name: str, declared: KernelType) -> bool:
        """Whether all ways at once refuse an argument."""
        if self.whole is None:
            return False
        signature = {**self.whole.signature, name: declared}
        return self.surveys[0].trial.refusal(signature, self.whole.vague - {name}) is not None

    def refusals(self, name: str, kind: _Kind) -> Iterator[Refusal]:
        """The words for each dtype that is refused, always or under a condition."""
        limited, refused = kind.limited, kind.refused
        for scalar in members(limited | refused):
            if scalar.bit & limited:
                rejected, where = kind.limit(scalar.bit)
                yield Refusal(scalar.bit, rejected.message, self.site(rejected), where)
            else:
                met, exact = kind.met(scalar.bit), self.surveys[0].words(name, kind.declared, scalar.bit)
                told = exact if exact is not None and exact.span == met.span else met
                yield Refusal(scalar.bit, told.message, self.site(told))


def accepts(
    trial: Trial,
    ways: Sequence[Given],
    gets: Mapping[str, int],
    site: Site,
    place: Callable[[ir.Param], Place],
) -> tuple[tuple[Parameter, ...], str]:
    """The parameters, and why the kernel is not decided ("" where it is). There is at least one way."""
    surveys = sorted((survey(trial, way) for way in ways), key=lambda s: bool(s.reason))
    if surveys[0].reason:
        return (), surveys[0].reason
    kernel = _Kernel(surveys, whole(ways) if len(ways) > 1 else None, site)
    found = [_parameter(kernel, p, gets.get(p.name, 0), place(p)) for p in trial.function.params]
    if not any(s.base for s in surveys) and not any(p.accepted for p in found):
        return (), "no arguments were found with which it compiles"
    return _related(kernel, found), ""


def _parameter(kernel: _Kernel, param: ir.Param, gets: int, place: Place) -> Parameter:
    blank = Parameter(param.name, place, Takes.CONSTEXPR, gets=gets)
    given = (s.signature[param.name] for s in kernel.surveys if param.name in s.signature)
    declared = next(given, NONE)
    if is_constexpr(param.annotation):
        return blank
    if isinstance(declared, TupleType):
        return replace(blank, takes=Takes.TUPLE)
    forced = annotated(param.annotation)
    if forced is not None:
        every = NUMBERS if isinstance(forced, ScalarType) else ELEMENTS
        return replace(blank, takes=_TAKES[type(forced)], accepted=every, forced=element(forced))
    first, *others = kinds(declared)
    kind = kernel.types(param.name, first)
    also = {k: free for k in others if (free := kernel.possible(param.name, k, kind)) is not None}
    if also and not kind.accepted and not kind.undecided:
        kind = kernel.types(param.name, next(iter(also)))
        del also[kind.declared]
    kernel.found[param.name] = kind
    nulls = kernel.nulls(param.name, kind)
    optional = True if any(n.witnesses for n in nulls) else None if any(n.undecided for n in nulls) else False
    return replace(
        blank,
        takes=Takes.ANYTHING if any(also.values()) else _TAKES[type(kind.declared)],
        strictly=not also,
        accepted=kind.accepted,
        refused=tuple(kernel.refusals(param.name, kind)),
        undecided=kind.undecided,
        reason=kind.reason,
        optional=optional,
        unless=_condition(nulls),
        because=_because(kernel.surveys[0].trial.function, param.name) if optional else "",
    )


def _condition(nulls: Sequence[Answers]) -> str:
    """The compile-time condition under which None is refused, if it is accepted elsewhere only."""
    limits = [one.limit(0) for one in nulls if one.witnesses]
    return limits[0][1] if limits and limits[0] is not None and all(limits) else ""


def _because(function: ir.Function, name: str) -> str:
    """Why None is accepted: the kernel tests it, or does not come to use it."""
    line = tested(function, name)
    return f"tested on line {line}" if line else "" if is_read(function, name) else "not used"


def _related(kernel: _Kernel, found: Sequence[Parameter]) -> tuple[Parameter, ...]:
    """The parameters with what holds between them; each names the first that it hangs together with."""
    made = {p.name: p for p in found}
    tensors = {n: k.answers for n, k in kernel.found.items() if isinstance(k.declared, PointerType)}
    for pair in relations.pairs(kernel.surveys, tensors):
        a, b = made[pair.first], made[pair.second]
        if b.same_as and b.same_as == (a.same_as or a.name):
            continue
        match pair.relation():
            case Same(mixed) if not b.same_as:
                made[b.name] = replace(b, same_as=a.same_as or a.name, mixed=mixed)
            case Wider(turned=False) if not a.at_least:
                made[a.name] = replace(a, at_least=b.name)
            case Wider(turned=True) if not b.at_least:
                made[b.name] = replace(b, at_least=a.name)
            case Apart(apart):
                beside = Dependence(a.name, tuple((second, first) for first, second in apart))
                made[b.name] = replace(b, depends=(*b.depends, beside))
    return tuple(made.values())
