"""Verdicts in words."""

from __future__ import annotations

from collections.abc import Iterable

from ..core.claims import Claim
from ..core.diagnostics import State, Verdict
from .answers import Refused
from .bench import Bench


def verdict(bench: Bench, claim: Claim, state: State, evidence: str) -> Verdict:
    """A verdict by the Triton that was asked, for the target that it was asked about."""
    return Verdict(state, f"triton {bench.machine.triton} {bench.target_of(claim)}", evidence)


def inconclusive(reason: str, bench: Bench | None = None, claim: Claim | None = None) -> Verdict:
    """No verdict, and why; by nobody where Triton had no say."""
    if bench is not None and claim is not None:
        return verdict(bench, claim, State.INCONCLUSIVE, reason)
    return Verdict(State.INCONCLUSIVE, "", reason)


def said_at(refused: Refused) -> str:
    """Triton's words, and the innermost line of the program that they are about."""
    return f"{refused.shown} ({refused.at[-1].path}:{refused.at[-1].line})" if refused.at else refused.shown


def assuming(assumed: Iterable[str]) -> str:
    """What was chosen where nothing was known."""
    told = list(dict.fromkeys(assumed))
    return f"; with {', '.join(told)}" if told else ""
