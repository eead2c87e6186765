"""Launches under suppositions: what a kernel does where tensors that a caller provides have given dtypes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from ..analysis.dtypexpr import Symbol, symbols
from ..analysis.facts import LaunchFact
from ..analysis.narrowing import admitted, alike
from ..analysis.values import Alternative, Array, External, Guard, agree
from ..core.dtypes import DType
from ..kernels.launch import Typer
from ..kernels.session import StoreFact
from ..kernels.typing import Flags, KernelTyping
from ..kernels.values import KernelType
from .inside import speaking
from .judge import Case
from .refused import depends


@dataclass(frozen=True, slots=True)
class Run:
    """A typing of one way of a launch, and how to ask for it again."""

    typer: Typer
    fact: LaunchFact
    guard: Guard
    signature: dict[str, KernelType]
    version: str
    typing: KernelTyping

    def stores(self) -> Iterator[StoreFact]:
        return (f for f in self.typing.facts if isinstance(f, StoreFact))

    def held_to(self, flags: Flags) -> KernelTyping:
        """The typing where these flags come out as they say."""
        return self.typer.again(self.fact, self.signature, self.version, flags)


def runs(case: Case, fact: LaunchFact) -> Iterator[Run]:
    """The typing that speaks for each way of a launch; none for a way that every release refuses."""
    for typer in case.typers:
        for verdict in typer.verdicts(fact):
            found = speaking(verdict)
            if verdict.launch_refusal is None and found is not None:
                yield Run(typer, fact, verdict.guard, verdict.signature, *found)


def sure(case: Case, fact: LaunchFact) -> Iterator[Run]:
    """Those of the ways that happen whatever an outside caller provides, or where it leaves a parameter None.

    A parameter that is tested for None is made to be left out: `if out is None: out = torch.empty(...)`.
    """
    return (run for run in runs(case, fact) if not depends(frozenset(_given(run.guard))))


def _given(guard: Guard) -> Iterator[tuple[Hashable, Hashable]]:
    """The choices of a guard but for the parameters that are None."""
    for key, way in guard:
        if not (isinstance(key, tuple) and key[0] == "none" and key[1].path.isidentifier()):
            yield key, way


def where(run: Run, dtype: DType, *about: Symbol) -> Run | None:
    """The same, where these symbols, or all there are, have one dtype; None where that cannot be."""
    free = about or tuple(provided(run.fact, run.guard))
    supposed = {same: dtype for symbol in free for same in alike(symbol, run.guard)}
    if not all(admitted(symbol, run.guard) & dtype.bit for symbol in supposed):
        return None
    signature = run.typer.supposing(run.fact, run.guard, supposed)
    if signature is None:
        return None
    typing = run.typer.again(run.fact, signature, run.version)
    return Run(run.typer, run.fact, run.guard, signature, run.version, typing)


def provided(fact: LaunchFact, guard: Guard) -> Iterator[Symbol]:
    """What a caller provides, as far as its dtype matters on this way."""
    for name in fact.arguments:
        for alt in met(fact, name, guard):
            match alt.what:
                case Array(dtype):
                    yield from sorted(symbols(dtype))
                case External(symbol):
                    yield symbol
    for key, _ in guard:
        if isinstance(key, tuple) and key[0] == "dtype":
            yield key[1]


def met(fact: LaunchFact, name: str, guard: Guard) -> list[Alternative]:
    """What a parameter can get on a way."""
    given = fact.arguments.get(name)
    return [a for a in given.value if agree(a.guard, guard) is not None] if given is not None else []
