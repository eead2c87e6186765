"""Whether a signature whose types are sets compiles for some choice of single types.

Sets lose what hangs together (two operands that are always alike), so a kernel can be refused for every
choice and not for the sets. The search splits the set that Triton's doubt is about, and ends where a part
compiles as a whole or is refused as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..semantics.triton_types import BY_NAME, FP8, FP32, INTS, SIGNED_INTS, members
from .trial import ELEMENTS, Signature, Trial, element, narrowed
from .typing import Accepted, Flags, Rejected
from .values import ConstexprType, KernelType, TypeOf

TRIES = 60
"""Signatures that one search may look at."""
GUESSES = (
    ConstexprType(None, False, "int"),
    ConstexprType(None, False, "float"),
    ConstexprType(TypeOf(FP32)),
)
"""What an unknown compile-time value most often is."""
FAMILIES = (ELEMENTS & ~INTS & ~FP8, SIGNED_INTS, INTS & ~SIGNED_INTS, FP8)
"""Types that mostly share their fate."""
_USUAL = tuple(BY_NAME[n].bit for n in ("fp16", "int32", "fp32", "int64", "bf16"))


@dataclass(frozen=True, slots=True)
class Witness:
    """A signature that compiles whichever members of its sets are chosen, and the flags for which it does."""

    signature: dict[str, KernelType]
    accepted: Accepted


@dataclass(frozen=True, slots=True)
class Nothing:
    """No choice compiles; `rejected` is the first refusal that was met."""

    rejected: Rejected


@dataclass(frozen=True, slots=True)
class Unclear:
    """Neither was found, and why."""

    reason: str


Found = Witness | Nothing | Unclear


@dataclass(slots=True)
class _Search:
    trial: Trial
    guesses: Signature
    """What compile-time values that are not known are taken for: a refusal must hold without."""
    vague: frozenset[str]
    like: Signature
    about: str
    flags: Flags
    left: int = TRIES
    refusal: Rejected | None = None
    unclear: str = ""


def search(
    trial: Trial,
    signature: Signature,
    guesses: Signature,
    vague: frozenset[str],
    like: Signature,
    about: str = "",
    flags: Flags = (),
) -> Found:
    """The choices of one signature; types of `like` and of the parameter `about` come first."""
    state = _Search(trial, guesses, vague, like, about, flags)
    found = _descend(state, signature)
    if found is not None:
        return found
    if state.unclear or state.refusal is None:
        return Unclear(state.unclear or "nothing to choose from")
    return Nothing(state.refusal)


def richest(trial: Trial, signature: Signature, guesses: Signature, vague: frozenset[str]) -> Found:
    """A choice that compiles with as many flags on as may be: then most of the kernel is read."""
    found = search(trial, signature, guesses, vague, {})
    tried: set[object] = set()
    while isinstance(found, Witness):
        on = tuple(flag for flag in found.accepted.assumed if flag[1])
        off = next((key for key, way in found.accepted.assumed if not way and key not in tried), None)
        if off is None:
            break
        tried.add(off)
        more = search(trial, signature, guesses, vague, {}, flags=(*on, (off, True)))
        found = more if isinstance(more, Witness) else found
    return found


def _descend(state: _Search, signature: Signature) -> Witness | None:
    """Depth first; what is not None ends the search."""
    if state.left <= 0:
        state.unclear = state.unclear or "too many choices"
        return None
    state.left -= 1
    guessed = {**signature, **state.guesses}
    outcome = state.trial.outcome(guessed, state.flags, state.about)
    if isinstance(outcome, Accepted):
        return Witness(guessed, outcome)
    if isinstance(outcome, Rejected):
        sure = state.trial.refusal(signature, state.vague)
        state.refusal = state.refusal or outcome
        state.unclear = state.unclear or ("" if sure is not None else "depends on what is not known")
        return None
    if not outcome.depends:
        state.unclear = outcome.reason
        return None
    named = outcome.possible.parameters if outcome.possible is not None else (state.about,)
    doubted = (*named, *signature)
    name = next((n for n in doubted if n in signature and element(signature[n]).bit_count() > 1), None)
    if name is None:
        state.unclear = outcome.reason
        return None
    for part in _parts(state, signature, name):
        found = _descend(state, narrowed(signature, name, part))
        if found is not None:
            return found
    return None


def _parts(state: _Search, signature: Signature, name: str) -> Iterator[int]:
    """The set of a parameter, split: parts that hold preferred types first."""
    parts = split(element(signature[name]))
    alike = [element(s[n]) for s, n in ((signature, state.about), (state.like, name)) if n in s]
    for wanted in (*alike, *_USUAL):
        first = [p for p in parts if p & wanted]
        yield from first
        parts = [p for p in parts if not p & wanted]
    yield from parts


def split(mask: int) -> list[int]:
    """Smaller sets: by family first, then in halves."""
    parts = [mask & family for family in FAMILIES if mask & family]
    if len(parts) > 1:
        return parts
    bits = [m.bit for m in members(mask)]
    return [sum(bits[: len(bits) // 2]), sum(bits[len(bits) // 2 :])]


def guesses(trial: Trial, signature: Signature) -> dict[str, KernelType]:
    """Numbers, or else dtypes, for the compile-time values of which nothing is known."""
    found: dict[str, KernelType] = {}
    for name, declared in signature.items():
        if declared == ConstexprType(None, False):
            for guess in GUESSES:
                if not isinstance(trial.outcome({**signature, **found, name: guess}), Rejected):
                    found[name] = guess
                    break
    return found


__all__ = ["Found", "Nothing", "Unclear", "Witness", "guesses", "search", "split"]
