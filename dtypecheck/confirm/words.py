"""Verdicts in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..core.claims import Argument, Claim, Descriptor, Number, Tensor, TritonType
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


def mended(arguments: Mapping[str, Argument], names: Iterable[str]) -> str:
    """What the mended launch gives instead."""
    told = []
    for name in names:
        match arguments[name]:
            case Tensor((dtype, *_)) | Descriptor((dtype, *_)):
                told.append(f"`{name}` of {dtype}")
            case TritonType(type_):
                told.append(f"`{name}` of tl.{type_}")
            case Number(kind, _):
                told.append(f"`{name}` a Python {kind}")
            case _:
                told.append(f"`{name}` mended")
    return " and ".join(told)


def assuming(assumed: Iterable[str]) -> str:
    """What was chosen where nothing was known."""
    told = list(dict.fromkeys(assumed))
    return f"; assuming {', '.join(told)}" if told else ""
