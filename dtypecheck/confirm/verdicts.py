"""A finding against what Triton says: confirmed, refuted, or inconclusive with the reason.

The launch is tried as it is and as it would be mended. A refusal that the mend alone takes away is the finding's own.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..core.claims import Claim, Misfit
from ..core.diagnostics import Diagnostic, State, Verdict
from .answers import Answer, Failed, Refused, Taken
from .bench import Bench, target_of
from .silent import SIGNS, silent
from .usual import DRAWS, Draw

DECLARED = frozenset({"DT101", "DT102", "DT103"})
ABOUT_LAUNCHES = ("DT1", "DT2", "DT3", "DT4")


def judge(bench: Bench, finding: Diagnostic) -> Verdict:
    """The verdict on one finding."""
    claim = finding.claim
    if claim is None:
        return _without_launch(finding)
    if finding.code in SIGNS:
        return silent(bench, finding, claim)
    if claim.misfit is not None:
        return _binding(bench, finding, claim, claim.misfit)
    if finding.code == "DT402":
        return _kind(bench, finding, claim)
    if finding.code in DECLARED:
        return _declared(bench, finding, claim)
    return _refusal(bench, finding, claim)


def _without_launch(finding: Diagnostic) -> Verdict:
    if finding.code in DECLARED:
        return inconclusive("a declared contract, with no launch to try")
    return Verdict()


# -- refusals ------------------------------------------------------------------------------------


def _refusal(bench: Bench, finding: Diagnostic, claim: Claim) -> Verdict:
    """DT2xx: Triton must refuse the launch, and take the mended one."""
    family = "3.9" if _release(bench.machine.triton) >= (3, 9) else "3.6"
    if claim.releases and family not in claim.releases:
        said = " and ".join(claim.releases)
        return inconclusive(f"it is about Triton {said}, and {bench.machine.triton} is installed")
    seen: list[tuple[Refused, Answer]] = []
    for draw in DRAWS:
        bad = bench.try_launch(claim, draw)
        match bad:
            case Taken():
                return verdict(bench, claim, State.REFUTED, f"Triton takes the launch{_assuming(bad.assumed)}")
            case Failed(reason):
                return inconclusive(reason)
        good = _first_taken(bench, claim, draw)
        if isinstance(good, Taken):
            return verdict(bench, claim, State.CONFIRMED, _told(bad, claim, good))
        seen.append((bad, good))
    bad, good = next((pair for pair in seen if _as_predicted(finding, pair[0])), seen[0])
    if not claim.mended and _as_predicted(finding, bad):
        return verdict(bench, claim, State.CONFIRMED, f"{said_at(bad)}{_assuming(bad.assumed)}")
    if _as_predicted(finding, bad) and isinstance(good, Refused):
        return inconclusive(f"{said_at(bad)}; the mended launch is refused too: {said_at(good)}", bench, claim)
    return inconclusive(f"the launch does not compile for another reason: {said_at(bad)}", bench, claim)


def _first_taken(bench: Bench, claim: Claim, draw: Draw) -> Answer:
    """The mended launch: of the dtypes that mend it, one that Triton takes."""
    answer: Answer = Failed("nothing is known that mends it")
    for changed in _mends(claim):
        answer = bench.try_launch(claim, draw, changed)
        if isinstance(answer, Taken):
            break
    return answer


def _mends(claim: Claim) -> Iterable[tuple[tuple[str, object], ...]]:
    from ..core.claims import Tensor

    for name, argument in claim.mended[:1]:
        if isinstance(argument, Tensor) and 1 < len(argument.dtypes) <= 6:
            for dtype in argument.dtypes:
                yield ((name, Tensor((dtype,))),)
            return
    if claim.mended:
        yield claim.mended


def _as_predicted(finding: Diagnostic, refused: Refused) -> bool:
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


# -- binding -------------------------------------------------------------------------------------


def _binding(bench: Bench, finding: Diagnostic, claim: Claim, misfit: Misfit) -> Verdict:
    """DT401: Triton's own binder must refuse the call, and take it without the misfit."""
    wrong: dict[str, object]
    match misfit:
        case Misfit.MISSING:
            wrong = {"left_out": [finding.parameter]}
        case Misfit.EXTRA:
            wrong = {"extra": 1}
        case Misfit.UNKNOWN:
            wrong = {"unknown": [finding.parameter]}
        case Misfit.REPEATED:
            wrong = {"twice": [finding.parameter]}
    bad = bench.try_launch(claim, DRAWS[0], do="bind", **wrong)
    good = bench.try_launch(claim, DRAWS[0], do="bind")
    return _two(bench, claim, bad, good)


def _kind(bench: Bench, finding: Diagnostic, claim: Claim) -> Verdict:
    """DT402: the binder must refuse the argument; what it takes, the compiler must refuse."""
    bad = bench.try_launch(claim, DRAWS[0], do="bind")
    if isinstance(bad, Taken):
        return _refusal(bench, finding, claim)
    return _two(bench, claim, bad, bench.try_launch(claim, DRAWS[0], claim.mended, do="bind"))


def _two(bench: Bench, claim: Claim, bad: Answer, good: Answer) -> Verdict:
    match bad, good:
        case Failed(reason), _:
            return inconclusive(reason)
        case Taken(), _:
            return verdict(bench, claim, State.REFUTED, "Triton takes the call")
        case Refused(), Taken():
            return verdict(bench, claim, State.CONFIRMED, f"{said_at(bad)}; mended, the call fits")
        case Refused(), Refused():
            return inconclusive(f"the mended call is refused too: {said_at(good)}", bench, claim)
    return inconclusive("the mended call cannot be tried")


# -- declared contracts --------------------------------------------------------------------------


def _declared(bench: Bench, finding: Diagnostic, claim: Claim) -> Verdict:
    """DT101: Triton may refuse what a contract forbids; where it does not, the contract stands by itself."""
    for draw in DRAWS[:3]:
        bad = bench.try_launch(claim, draw)
        if isinstance(bad, Taken):
            return inconclusive("a declared contract; Triton takes it", bench, claim)
        good = _first_taken(bench, claim, draw)
        if isinstance(bad, Refused) and isinstance(good, Taken):
            return verdict(bench, claim, State.CONFIRMED, _told(bad, claim, good))
    if isinstance(bad, Failed):
        return inconclusive(bad.reason)
    return inconclusive(f"a declared contract; the launch does not compile: {said_at(bad)}", bench, claim)


# -- words ---------------------------------------------------------------------------------------


def verdict(bench: Bench, claim: Claim, state: State, evidence: str) -> Verdict:
    return Verdict(state, f"triton {bench.machine.triton} {target_of(claim)}", evidence)


def inconclusive(reason: str, bench: Bench | None = None, claim: Claim | None = None) -> Verdict:
    if bench is not None and claim is not None:
        return verdict(bench, claim, State.INCONCLUSIVE, reason)
    return Verdict(State.INCONCLUSIVE, "", reason)


def said_at(refused: Refused) -> str:
    """Triton's words, and the innermost line of the program that they are about."""
    return f"{refused.shown} ({refused.at[-1].path}:{refused.at[-1].line})" if refused.at else refused.shown


def _told(bad: Refused, claim: Claim, good: Taken) -> str:
    names = " and ".join(f"`{name}`" for name, _ in claim.mended)
    mended = f"; with {names} mended it compiles" if names else ""
    binary = f", to a {good.binary}" if good.binary else ""
    return f"{said_at(bad)}{mended}{binary}{_assuming((*bad.assumed, *good.assumed))}"


def _assuming(assumed: Iterable[str]) -> str:
    told = list(dict.fromkeys(assumed))
    return f"; with {', '.join(told)}" if told else ""


def _release(version: str) -> tuple[int, int]:
    major, minor, *_ = version.split(".")
    return int(major), int(minor)
