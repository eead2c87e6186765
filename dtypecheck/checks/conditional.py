"""DT201 to DT206 under a condition: launches that Triton refuses where a caller's tensor has some dtype.

The ordinary dtypes of what an outside caller provides are supposed one by one, in all arguments that depend
on it together: `k` and `torch.empty_like(k)` are one unknown. A dtype counts where it is refused in every way
that the launch can go. That a kernel takes numbers of one kind only, integers to index with or floats to multiply,
is no condition worth telling: who calls it knows. Only for those who ask for what is possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..analysis.dtypexpr import Symbol, symbols
from ..analysis.facts import LaunchFact
from ..analysis.narrowing import admitted, alike, narrowed
from ..analysis.values import Alternative, Array, External, Guard
from ..core.diagnostics import Certainty, Diagnostic
from ..core.dtypes import ANY, FLOATING, INTEGER, ORDINARY, DType, DTypes, members, show
from ..kernels.launch import Typer, is_vague
from ..kernels.program_scope import scope_of
from ..kernels.trial import ELEMENTS, Trial, element
from ..kernels.typing import Accepted, Rejected
from ..kernels.values import KernelType
from .claims import claim, tensor
from .conditions import either, named
from .judge import Case, finding
from .refused import FAMILY, depends, inside, refusing
from .supposed import met, provided

WAYS = 12
"""A launch that can go more ways than this is not looked at."""
SYMBOLS = 8
RUNS = 400
"""Typing runs that the conditions of one launch may cost."""


@dataclass(frozen=True, slots=True)
class _Refusal:
    """A way in which the launch is refused where a symbol has a dtype."""

    guard: Guard
    signature: dict[str, KernelType]
    rejected: Rejected


def conditional(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding for each statement that refuses, and each unknown that it refuses some dtypes of."""
    if not case.show_possible:
        return
    for typer in case.typers:
        ways = [(guard, way) for guard, way in typer.ways(fact) if isinstance(way, dict)]
        if not ways or len(ways) > WAYS:
            continue
        kernel = case.solver.store.function(fact.kernel)
        scope = scope_of(case.solver, fact.kernel.file)
        trial = Trial(kernel, scope, typer.versions, (typer.target,), RUNS)
        outcomes = [trial.outcome(way) for _, way in ways]
        if any(isinstance(o, Accepted) for o in outcomes) or all(isinstance(o, Rejected) for o in outcomes):
            continue
        guards = [guard for guard, _ in ways]
        every = dict.fromkeys(symbol for guard in guards for symbol in provided(fact, guard))
        apart = {_one(s, guards): s for s in reversed(every)}
        for symbol in list(reversed(apart.values()))[:SYMBOLS]:
            yield from _Supposing(case, fact, typer, trial, guards, symbol).findings()


@dataclass(frozen=True, slots=True)
class _Supposing:
    """One launch, and one thing whose dtype only a caller knows."""

    case: Case
    fact: LaunchFact
    typer: Typer
    trial: Trial
    guards: Sequence[Guard]
    symbol: Symbol

    def findings(self) -> Iterator[Diagnostic]:
        usual = {d.bit: r for d in members(ORDINARY) if (r := self._refused(d)) is not None}
        told = {bit: refusal for bit, refusal in usual.items() if refusal.rejected.code in FAMILY}
        if told and self._always(_union(usual)):
            yield self._finding(told, Certainty.PROVEN)
            return
        likely = self._likely(_union(usual))
        groups: dict[object, dict[DTypes, _Refusal]] = {}
        for bit, refusal in ((bit, refusal) for bit, refusal in told.items() if bit & likely):
            groups.setdefault((refusal.rejected.span, refusal.rejected.home), {})[bit] = refusal
        for group in groups.values():
            yield self._finding(group, Certainty.POSSIBLE)

    def _likely(self, refused: DTypes) -> DTypes:
        """Those of the ordinary dtypes that a caller may well pass: of the kinds that the launch takes, if any."""
        taken = self._admitted & ORDINARY & ~refused or self._unusual()
        kinds = [kind for kind in (FLOATING, INTEGER) if kind & taken]
        return _union(kinds) if kinds else ORDINARY

    def _unusual(self) -> DTypes:
        """The dtypes that are not ordinary and not refused."""
        others = (d for d in members(ELEMENTS & ANY & ~ORDINARY) if any(self._reaches(d, g) for g in self.guards))
        return _union(d.bit for d in others if self._refused(d) is None)

    def _always(self, usual: DTypes) -> bool:
        """Whether no dtype is taken, given the ordinary ones that are refused; and some way needs no test."""
        if self._admitted != ANY or all(depends(guard) for guard in self.guards):
            return False
        others = [
            d for d in members(ELEMENTS & ~usual) if any(self._reaches(d, guard) for guard in self.guards)
        ]
        return all(self._refused(dtype) is not None for dtype in others)

    @property
    def _admitted(self) -> DTypes:
        found = 0
        for guard in self.guards:
            found |= admitted(self.symbol, guard)
        return found

    def _refused(self, dtype: DType) -> _Refusal | None:
        """The refusal in the first way, where every way that admits the dtype refuses it."""
        first: _Refusal | None = None
        for guard in self.guards:
            if not self._reaches(dtype, guard):
                continue
            signature = self.typer.supposing(self.fact, guard, self._supposed(dtype, guard))
            if signature is None:
                return None
            rejected = self.trial.refusal(signature, self._vague(guard, signature))
            if rejected is None:
                return None
            first = first or _Refusal(guard, signature, rejected)
        return first

    def _reaches(self, dtype: DType, guard: Guard) -> bool:
        """Whether a way is gone with a dtype: no test on it and no torch operation before it refuses."""
        if not admitted(self.symbol, guard) & dtype.bit:
            return False
        alternatives = (alt for name in self.fact.arguments for alt in met(self.fact, name, guard))
        made = (alt.what.dtype for alt in alternatives if isinstance(alt.what, Array))
        return all(narrowed(expr, guard, self._supposed(dtype, guard)) for expr in made)

    def _supposed(self, dtype: DType, guard: Guard) -> dict[Symbol, DType]:
        return dict.fromkeys(alike(self.symbol, guard), dtype)

    def _vague(self, guard: Guard, signature: dict[str, KernelType]) -> frozenset[str]:
        """Other arguments of which nothing is known: the refusal must hold whatever they are."""
        names = (n for n in signature if is_vague(self.fact, n, guard))
        return frozenset(n for n in names if not self._depends(n, guard))

    def _depends(self, name: str, guard: Guard) -> bool:
        same = alike(self.symbol, guard)
        return any(same & _symbols(alt) for alt in met(self.fact, name, guard))

    # -- findings --------------------------------------------------------------------------------

    def _finding(self, refusals: dict[DTypes, _Refusal], certainty: Certainty) -> Diagnostic:
        one = next(iter(refusals.values()))
        name = self._culprit(one)
        has = _union(element(r.signature[name]) for r in refusals.values()) if name else 0
        alternatives = [a for a in met(self.fact, name, one.guard) if isinstance(a.what, Array)]
        alternative = alternatives[0] if alternatives else None
        given = self.fact.arguments.get(name)
        made = finding(
            self.case,
            one.rejected.code,
            self._message(name, has, refusals, certainty),
            place=given.place if given is not None else self.fact.place,
            alternative=alternative,
            value=given.value if given is not None else (),
            launch=self.fact,
            parameter=name,
            actual=has,
            expected=0 if certainty is Certainty.PROVEN else self._admitted & ORDINARY & ~_union(refusals),
            claim=claim(
                self.case,
                self.fact,
                guard=one.guard,
                parameter=name,
                alternative=alternative,
                instead=tuple((n, tensor(element(one.signature[n]))) for n in self._dependent(one)),
                target=self.typer.target,
                releases=self.typer.versions,
            ),
        )
        site = refusing(self.case, self.fact, one.rejected)
        return replace(
            made,
            certainty=certainty,
            kernel_site=site,
            triton_error=one.rejected.message,
            trace=made.trace + inside(self.case, self.fact, one.rejected, site),
            fix=None,
            condition="" if certainty is Certainty.PROVEN else f"{_one(self.symbol, self.guards)} {either(_union(refusals))}",
        )

    def _dependent(self, refusal: _Refusal) -> list[str]:
        """The arguments whose dtype the symbol decides."""
        tensors = (n for n, declared in refusal.signature.items() if element(declared))
        return [n for n in tensors if self._depends(n, refusal.guard)]

    def _culprit(self, refusal: _Refusal) -> str:
        """The argument that brings the dtype to the statement that refuses it."""
        dependent = self._dependent(refusal)
        blamed = [n for n in dependent if n in refusal.rejected.parameters]
        return next(iter((*blamed, *dependent)), "")

    def _message(self, name: str, has: DTypes, refusals: dict[DTypes, _Refusal], certainty: Certainty) -> str:
        who = named(self.symbol, self.fact)
        what = f"`{name}` of `{self.fact.kernel.entry.name}`" if name else f"`{self.fact.kernel.entry.name}`"
        if certainty is Certainty.PROVEN:
            return f"{what} does not compile, whatever dtype {who} has"
        dtypes = _union(refusals)
        gets = f"gets {show(has)} and " if name and has != dtypes else ""
        return f"if {who} is {either(dtypes)}, {what} {gets}does not compile"


def _one(symbol: Symbol, guards: Sequence[Guard]) -> Symbol:
    """The same for all symbols whose dtype is one on every way."""
    return min(frozenset.intersection(*(alike(symbol, guard) for guard in guards)))


def _symbols(alternative: Alternative) -> frozenset[Symbol]:
    match alternative.what:
        case Array(dtype):
            return symbols(dtype)
        case External(symbol):
            return frozenset((symbol,))
    return frozenset()


def _union(sets: Iterable[int]) -> int:
    found = 0
    for bits in sets:
        found |= bits
    return found
