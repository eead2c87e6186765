"""Which types of one parameter compile under one way of giving the rest.

A type is refused where nothing of what is not known of the rest avoids it, and accepted where some choice of
the rest compiles with it. Types are asked about in sets, which are split only where the answer is neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ..semantics.triton_types import FP8
from .blame import with_element
from .conditions import differing
from .given import Given
from .trial import ANY_NUMBER, ANY_TENSOR, ELEMENTS, NONE, Signature, Trial, element, narrowed
from .typing import Accepted, Flags, Rejected, Undecided
from .values import ConstexprType, DescriptorType, KernelType, PointerType, ScalarType
from .witness import Found, Nothing, Unclear, Witness, guesses, richest, search, split

FOLLOWERS = 4
"""How often parameters that hang together with one are changed with it."""

RECENT = 2
"""Signatures that compile with other types of a parameter, from which the next types are tried."""


@dataclass(slots=True)
class Answers:
    """What became of the types that one parameter was tried with, as one kind of argument.

    `flags` are the compile-time conditions that it was tried under first.
    """

    flags: Flags

    witnesses: dict[int, Witness] = field(default_factory=dict)
    """By type or set: a signature that compiles with every member."""
    refused: dict[int, Rejected] = field(default_factory=dict)
    """By type or set."""
    undecided: dict[int, str] = field(default_factory=dict)
    """By type or set: why."""
    limited: dict[int, tuple[Rejected, str]] = field(default_factory=dict)
    """By type or set: accepted, but refused under a compile-time condition, which see."""

    @property
    def accepted(self) -> int:
        return union(self.witnesses)

    @property
    def refusing(self) -> int:
        return union(self.refused)

    def add(self, other: Answers) -> None:
        """What became of further types."""
        self.witnesses |= other.witnesses
        self.refused |= other.refused
        self.undecided |= other.undecided
        self.limited |= other.limited

    def limit(self, bit: int) -> tuple[Rejected, str] | None:
        """The refusal of a type under a condition, and the condition; 0 stands for None."""
        return next((said for bits, said in self.limited.items() if bits & bit or bits == bit), None)


@dataclass(slots=True)
class Survey:
    """One kernel under one way of giving its arguments.

    `guesses` stand for compile-time values that are not known; `base` is a signature that compiles.
    """

    trial: Trial
    given: Given
    signature: dict[str, KernelType]
    guesses: dict[str, KernelType]
    base: Witness | None
    reason: str = ""
    """Why there is no base, and none can be looked for."""
    newest: Trial | None = None
    """The newest release alone, where it takes the base and there are older ones."""
    linked: set[tuple[str, str]] = field(default_factory=set)
    """Parameters that some refusal or doubt named together."""

    @property
    def constants(self) -> frozenset[tuple[str, KernelType]]:
        """The compile-time arguments, by name."""
        return frozenset(item for item in self.signature.items() if isinstance(item[1], ConstexprType))

    def types(self, name: str, declared: KernelType, asked: int) -> Answers:
        """Which of the element types asked about compile, for an argument of the declared kind.

        Releases refuse nearly the same types: what the newest refuses is put to the older ones all at once.
        """
        found = self._quick._types(name, declared, asked)
        refused = union(found.refused)
        if self.newest is not None and refused:
            older = self.trial.of(self.trial.releases[1:])
            signature = {**self.signature, name: with_element(declared, refused)}
            if older.refusal(signature, self.given.vague - {name}) is None:
                found.refused.clear()
                found.add(self._types(name, declared, refused))
        return found

    @property
    def _quick(self) -> Survey:
        """The same by the newest release alone, if that takes the kernel."""
        return self if self.newest is None else replace(self, trial=self.newest, newest=None)

    def _types(self, name: str, declared: KernelType, asked: int) -> Answers:
        found = Answers(self._flags(name, declared))
        signature = {**self.signature, name: declared}
        known = self.trial.elements
        pending = [part for part in (asked & known, asked & ~known) if part]
        while pending:
            mask = pending.pop()
            if not self._settled(found, narrowed(signature, name, mask), name, mask):
                pending += split(mask)
        return found

    def none(self, name: str, flags: Flags) -> Answers:
        """Whether None compiles, under these flags or others: the answer is under the key 0."""
        found = Answers(flags)
        self._looked_for(found, {**self.signature, name: NONE}, name, 0)
        return found

    def possible(self, name: str, declared: KernelType, flags: Flags) -> bool | None:
        """Whether some argument of the declared kind compiles without a condition; None where none does.

        Releases agree on kinds.
        """
        signature = {**self.signature, name: declared}
        match self._quick._searched(signature, name, ()):
            case Nothing():
                return None
            case Unclear():
                return False
            case Witness(accepted=accepted) if differing(flags, accepted.assumed) is not None:
                return not isinstance(self.trial.outcome(signature, flags), Rejected)
        return True

    def words(self, name: str, declared: KernelType, bit: int) -> Rejected | None:
        """What Triton says of one type of one parameter, beside types that compile where there are such."""
        rest = self.base.signature if self.base is not None else self.signature
        return self.trial.words({**rest, name: with_element(declared, bit)}, name)

    def _settled(self, found: Answers, signature: Signature, name: str, mask: int) -> bool:
        """Puts a set of types where it belongs; False where its members have to be looked at."""
        if mask & (mask - 1) == 0 or not mask & ~FP8:
            return self._looked_for(found, signature, name, mask)
        for base in self._bases(found):
            near, _ = self._near(base, signature, name, mask)
            if near is not None:
                return self._take(found, near, signature, name, mask)
        rejected = self.trial.refusal(signature, self.given.vague - {name})
        if rejected is not None:
            found.refused[mask] = rejected
        return rejected is not None

    def _looked_for(self, found: Answers, signature: Signature, name: str, mask: int) -> bool:
        """As `_settled`, with all that can be done to find a choice of the rest."""
        match self._searched(signature, name, self._bases(found)):
            case Nothing(rejected):
                found.refused[mask] = rejected
            case Witness(made) as witness if element(made[name]) == mask:
                return self._take(found, witness, signature, name, mask)
            case Unclear(reason):
                found.undecided[mask] = reason
            case _:
                return False
        return True

    def _bases(self, found: Answers) -> tuple[Witness, ...]:
        """Signatures that compile, and may do so with other types of a parameter too."""
        recent = list(found.witnesses.values())[-RECENT:]
        return (*recent[::-1], *([self.base] if self.base is not None else []))

    def _searched(self, signature: Signature, name: str, bases: Sequence[Witness]) -> Found:
        """A choice of the rest: near one that compiles, then over what Triton names there, then over all."""
        vague = self.given.vague - {name}
        rejected = self.trial.refusal(signature, vague)
        if rejected is not None:
            self._note(rejected)
            return Nothing(rejected)
        like = bases[-1].signature if bases else {}
        for base in bases:
            near, involved = self._near(base, signature, name, element(signature[name]))
            if near is not None:
                return near
            kept = {n: t for n, t in base.signature.items() if n not in involved and n != name}
            found = search(self.trial, {**signature, **kept}, self.guesses, vague, like, name)
            if isinstance(found, Witness):
                return found
        found = search(self.trial, signature, self.guesses, vague, like, name)
        if isinstance(found, Nothing):
            self._note(found.rejected)
        return found

    def _take(self, found: Answers, made: Witness, signature: Signature, name: str, mask: int) -> bool:
        """Notes types that compile, and under which condition they do not; False where members may differ."""
        if not found.flags and not found.witnesses:
            found.flags = made.accepted.assumed
        condition = differing(found.flags, made.accepted.assumed)
        if condition is not None:
            if isinstance(held := self.trial.outcome(signature, found.flags, about=name), Rejected):
                found.limited[mask] = (held, condition)
            elif mask & (mask - 1) and not self.trial.accepted(made.signature, found.flags):
                return False
        found.witnesses[mask] = made
        return True

    def _near(
        self, base: Witness, signature: Signature, name: str, mask: int
    ) -> tuple[Witness | None, set[str]]:
        """A signature that compiles with this parameter's types put into it, if that compiles too; else the
        parameters that Triton names with it.

        One that it names and that was of its type follows: operands are often alike.
        """
        asked = {**base.signature, name: signature[name]}
        was = element(base.signature.get(name, NONE))
        involved: set[str] = set()
        for _ in range(FOLLOWERS):
            outcome = self.trial.outcome(asked, about=name)
            if isinstance(outcome, Accepted):
                return Witness(asked, outcome), involved
            refusal = outcome if isinstance(outcome, Rejected) else outcome.possible
            self._note(refusal)
            named = refusal.parameters if refusal is not None else ()
            involved.update(named)
            alike = [n for n in named if n != name and was and element(asked.get(n, NONE)) == was]
            if not alike or any(mask & ~element(self.signature[n]) for n in alike):
                break
            for other in alike:
                asked = narrowed(asked, other, mask)
        return None, involved

    def _flags(self, name: str, declared: KernelType) -> Flags:
        """The flags of the signature that compiles, or of one that gives a parameter something to read."""
        if self.base is None:
            return ()
        if element(self.base.signature.get(name, NONE)) or not self.base.accepted.assumed:
            return self.base.accepted.assumed
        found = richest(self.trial, {**self.signature, name: declared}, self.guesses, self.given.vague)
        return found.accepted.assumed if isinstance(found, Witness) else ()

    def _note(self, refusal: Rejected | None) -> None:
        """Remembers which parameters a refusal is about."""
        names = sorted(refusal.parameters) if refusal is not None else []
        self.linked.update((a, b) for i, a in enumerate(names) for b in names[i + 1 :])


def survey(trial: Trial, given: Given) -> Survey:
    """The survey of one way, with a signature that compiles if one is found."""
    signature = {name: _supported(declared, trial.elements) for name, declared in given.types}
    taken = guesses(trial, signature)
    found = richest(trial, signature, taken, given.vague)
    base = found if isinstance(found, Witness) else None
    reason = "" if base is not None else _hopeless(trial, given)
    newest = trial.of(trial.releases[:1])
    alone = base is not None and len(trial.releases) > 1 and newest.accepted(base.signature)
    return Survey(trial, given, signature, taken, base, reason, newest if alone else None)


def _supported(declared: KernelType, known: int) -> KernelType:
    """Of what is not known, what every target has."""
    bits = element(declared)
    return with_element(declared, bits & known) if bits & (bits - 1) and bits & known else declared


def _hopeless(trial: Trial, given: Given) -> str:
    """Why no choice of types decides a kernel; "" where some may."""
    match trial.outcome(given.signature):
        case Rejected(refusal=refusal):
            return f"Triton refuses it for every argument: {refusal.message}"
        case Undecided(depends=False, reason=reason):
            return reason
    return ""


def kinds(declared: KernelType) -> Iterator[KernelType]:
    """What an argument of a parameter is tried as, the kind that it is taken for first."""
    tensor = replace(declared, element=ELEMENTS) if isinstance(declared, PointerType) else ANY_TENSOR
    if isinstance(declared, DescriptorType):
        yield replace(declared, element=ELEMENTS)
    yield from (ANY_NUMBER, tensor) if isinstance(declared, ScalarType) else (tensor, ANY_NUMBER)


def union(sets: Iterable[int]) -> int:
    found = 0
    for bits in sets:
        found |= bits
    return found
