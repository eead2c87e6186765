"""A finding against what Triton says: confirmed, refuted, or inconclusive with the reason.

The launch is tried as it is and as it would be mended: a refusal that the mend alone takes away is the
finding's own.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Iterable, Iterator

from ..core.claims import Claim, Misfit
from ..core.diagnostics import Diagnostic, State, Verdict
from .answers import Answer, Failed, Refused, Taken
from .bench import Bench, Experiment
from .launches import launched
from .mends import alike, mends
from .search import searched
from .silent import SIGNS, annotated, silent
from .usual import DRAWS
from .words import assuming, inconclusive, mended, said_at, verdict

DECLARED = frozenset({"DT101", "DT102", "DT103"})


def judge(bench: Bench, finding: Diagnostic) -> Verdict:
    """The verdict on one finding."""
    claim = finding.claim
    if claim is None:
        return _without_launch(finding)
    if finding.code in SIGNS:
        return silent(bench, finding, claim)
    if finding.code == "DT207":
        return annotated(bench, finding, claim)
    if claim.misfit is not None:
        return _binding(bench, finding, claim, claim.misfit)
    if finding.code == "DT402":
        return _kind(bench, finding, claim)
    if finding.code in DECLARED:
        return _declared(bench, claim)
    if finding.code.startswith("DT2"):
        return _refusal(bench, finding, claim)
    return inconclusive("compiling one launch does not show it")


def _without_launch(finding: Diagnostic) -> Verdict:
    if finding.code in DECLARED:
        return inconclusive("a declared contract, with no launch to try")
    if finding.code == "DT002":
        return Verdict(State.CONFIRMED, f"python {platform.python_version()}", finding.message)
    return inconclusive("it is about no launch")


def _experiments(bench: Bench, claim: Claim) -> Iterator[Experiment | str]:
    """The launch under one draw after the other, and under each with one mend after the other.

    Last come mends of all arguments that are alike: one mistake is often made twice in a launch. All together
    may take as long as one request.
    """
    tried, end = list(mends(claim)) or [()], time.monotonic() + bench.worker.limit
    for draw in DRAWS:
        for mend in tried:
            yield bench.experiment(claim, draw, mend)
            if time.monotonic() > end:
                return
    for mend in tried:
        every = alike(claim, mend)
        if every != mend:
            yield bench.experiment(claim, DRAWS[0], every)


# -- refusals ------------------------------------------------------------------------------------


def _refusal(bench: Bench, finding: Diagnostic, claim: Claim) -> Verdict:
    """DT2xx: Triton must refuse the launch, and take the mended one."""
    if claim.releases and bench.machine.family not in claim.releases:
        about = " and ".join(claim.releases)
        return inconclusive(f"it is about Triton {about}, and {bench.machine.triton} is asked")
    seen: list[tuple[Refused, Answer]] = []
    first: Experiment | None = None
    for experiment in _experiments(bench, claim):
        if isinstance(experiment, str):
            return inconclusive(experiment)
        bad = experiment.faulty()
        match bad:
            case Taken(assumed):
                return verdict(bench, claim, State.REFUTED, f"Triton takes the launch{assuming(assumed)}")
            case Failed(reason):
                return inconclusive(reason)
        good = experiment.mended() if experiment.wrong else Failed("")
        if isinstance(good, Taken):
            made = verdict(bench, claim, State.CONFIRMED, _told(bad, experiment, good))
            return launched(bench, finding, experiment, made)
        seen.append((bad, good))
        first = first or experiment
    found = _searched(claim, first)
    if found is not None:
        experiment, bad, good = found
        made = verdict(bench, claim, State.CONFIRMED, _told(bad, experiment, good))
        return launched(bench, finding, experiment, made)
    bad, good = next((pair for pair in seen if as_predicted(finding, pair[0])), seen[0])
    if not as_predicted(finding, bad):
        reason = f"the launch does not compile for another reason: {said_at(bad)}"
    elif isinstance(good, Refused):
        reason = f"{said_at(bad)}; the mended launch is refused too: {said_at(good)}"
    else:
        return verdict(bench, claim, State.CONFIRMED, f"{said_at(bad)}{assuming(bad.assumed)}")
    return inconclusive(reason, bench, claim)


def _searched(claim: Claim, experiment: Experiment | None) -> tuple[Experiment, Refused, Taken] | None:
    """An experiment whose mended launch alone Triton takes, after a search for what is open in it.

    A faulty launch that Triton takes tells nothing here: the search may have led around the fault.
    """
    found = searched(experiment, dict(claim.arguments)) if experiment and experiment.wrong else None
    match found and (found.faulty(), found.mended()):
        case Refused() as bad, Taken() as good:
            assert found is not None
            return found, bad, good
    return None


def as_predicted(finding: Diagnostic, refused: Refused) -> bool:
    """Whether Triton refuses in the words, or at the statement, that the finding says."""
    if finding.triton_error and _plain(finding.triton_error) == _plain(refused.words):
        return True
    site = finding.kernel_site
    if site is None:
        return False
    lines = range(site.span.line, max(site.span.end_line, site.span.line) + 1)
    return any(o.path == site.path and o.line in lines for o in refused.at)


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(".")


def _told(bad: Refused, experiment: Experiment, good: Taken) -> str:
    names = mended(experiment.choice.arguments, experiment.wrong)
    binary = f" to a {good.binary}" if good.binary else ""
    assumed = assuming((*bad.assumed, *good.assumed))
    return f"{said_at(bad)}; with {names} it compiles{binary}{assumed}"


# -- binding -------------------------------------------------------------------------------------


def _binding(bench: Bench, finding: Diagnostic, claim: Claim, misfit: Misfit) -> Verdict:
    """DT401: Triton's own binder must refuse the call, and take it without the misfit."""
    experiment = bench.experiment(claim, DRAWS[0], ())
    if isinstance(experiment, str):
        return inconclusive(experiment)
    match misfit:
        case Misfit.MISSING:
            bad = experiment.faulty(do="bind", left_out=[finding.parameter])
        case Misfit.EXTRA:
            bad = experiment.faulty(do="bind", extra=1)
        case Misfit.UNKNOWN:
            bad = experiment.faulty(do="bind", unknown=[finding.parameter])
        case Misfit.REPEATED:
            bad = experiment.faulty(do="bind", twice=[finding.parameter])
    return _two(bench, claim, bad, experiment.mended(do="bind"))


def _kind(bench: Bench, finding: Diagnostic, claim: Claim) -> Verdict:
    """DT402: the binder must refuse the argument; what it takes, the compiler must refuse."""
    experiment = bench.experiment(claim, DRAWS[0], claim.mended)
    if isinstance(experiment, str):
        return inconclusive(experiment)
    bad = experiment.faulty(do="bind")
    if isinstance(bad, Taken):
        return _refusal(bench, finding, claim)
    return _two(bench, claim, bad, experiment.mended(do="bind"))


def _two(bench: Bench, claim: Claim, bad: Answer, good: Answer) -> Verdict:
    match bad, good:
        case (Failed(reason), _) | (_, Failed(reason)):
            return inconclusive(reason)
        case Taken(), _:
            return verdict(bench, claim, State.REFUTED, "Triton takes the call")
        case Refused() as refused, Taken():
            return verdict(bench, claim, State.CONFIRMED, f"{said_at(refused)}; mended, the call fits")
        case _, Refused() as refused:
            return inconclusive(f"the mended call is refused too: {said_at(refused)}", bench, claim)
    raise AssertionError((bad, good))


# -- declared contracts --------------------------------------------------------------------------


def _declared(bench: Bench, claim: Claim) -> Verdict:
    """DT101: Triton may refuse what a contract forbids; where it does not, the contract stands by itself."""
    words: Iterable[str] = ()
    for experiment in _experiments(bench, claim):
        if isinstance(experiment, str):
            return inconclusive(experiment)
        match experiment.faulty():
            case Taken():
                return inconclusive("a declared contract; Triton takes it", bench, claim)
            case Failed(reason):
                return inconclusive(reason)
            case Refused() as bad:
                good = experiment.mended() if experiment.wrong else None
                if isinstance(good, Taken):
                    return verdict(bench, claim, State.CONFIRMED, _told(bad, experiment, good))
                words = words or (said_at(bad),)
    return inconclusive(f"a declared contract; the launch does not compile: {', '.join(words)}", bench, claim)
