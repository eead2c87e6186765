"""Faults that compile: the evidence is an operation of Triton's IR at the kernel's line.

The faulty launch has it, and the mended one has not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..core.claims import Argument, Arguments, Claim, Number, Tensor, TritonType
from ..core.diagnostics import Diagnostic, State, Verdict
from ..core.dtypes import BY_NAME
from ..core.spans import Place
from ..semantics.triton_types import BY_BIT
from .answers import Failed, Operation, Refused, Taken
from .bench import Bench, Experiment
from .launches import launched
from .mends import rewritten
from .search import searched
from .slices import Origin
from .usual import DRAWS, Draw
from .words import assuming, inconclusive, mended, said_at, verdict

CASTS = "trunci|truncf|fptosi|fptoui|sitofp|uitofp|extf|extsi|extui|cmpi|cmpf"


@dataclass(frozen=True, slots=True)
class Sign:
    """What an operation is called, and what its types are; `anywhere` where its line is not the finding's."""

    names: re.Pattern[str]
    types: re.Pattern[str]
    anywhere: bool = False


def _sign(names: str, types: str = "", anywhere: bool = False) -> Sign:
    return Sign(re.compile(names), re.compile(types), anywhere)


SIGNS: dict[str, Sign] = {
    "DT111": _sign(rf"arith\.({CASTS})|tt\.fp_to_fp"),
    "DT301": _sign(rf"arith\.({CASTS})|tt\.fp_to_fp"),
    "DT302": _sign(r"arith\.(truncf|addf)|tt\.(call|reduce|scan|atomic_rmw)", r"f16\b"),
    "DT303": _sign(r"arith\.muli", r"i32\b"),
    "DT304": _sign(r"arith\.(truncf|extf)|tt\.fp_to_fp"),
    "DT305": _sign(r"tt\.bitcast", r"!tt\.ptr"),
    "DT306": _sign(r"arith\.(extsi|extui|sitofp|uitofp)", r"i8\b", anywhere=True),
    "DT307": _sign(r"tt\.dot", "tf32"),
    "DT308": _sign(r"arith\.(uitofp|sitofp)", r"i8\b"),
}
"""What each rule about silent faults is about."""


def silent(bench: Bench, finding: Diagnostic, claim: Claim) -> Verdict:
    """The verdict on a finding whose code has a sign."""
    sign, refused = SIGNS[finding.code], None
    claim = replace(claim, arguments=tuple(_as_found(finding, claim)))
    for experiment in _experiments(bench, finding, claim):
        if isinstance(experiment, str):
            return inconclusive(experiment)
        bad = experiment.faulty(operations=True)
        match bad:
            case Failed(reason):
                return inconclusive(reason)
            case Refused():
                refused = refused or bad
            case Taken():
                found = list(_signs(bad, sign, finding.kernel_site))
                if found:
                    return _contrasted(bench, claim, experiment, bad, found, sign, finding)
    if refused is not None:
        return inconclusive(f"the launch does not compile: {said_at(refused)}", bench, claim)
    where = f" at {_at(finding.kernel_site)}" if finding.kernel_site is not None else ""
    return verdict(bench, claim, State.REFUTED, f"Triton's IR has no such operation{where}")


def _experiments(bench: Bench, finding: Diagnostic, claim: Claim) -> Iterator[Experiment | str]:
    """The launch under one draw after the other, then one for which what is open was searched."""
    first = None
    for draw in _draws(finding):
        experiment = bench.contrast(claim, draw, lambda was: _mend(claim, was))
        first = first or experiment
        yield experiment
    found = searched(first, dict(claim.arguments)) if isinstance(first, Experiment) else None
    if found is not None:
        yield found


def _as_found(finding: Diagnostic, claim: Claim) -> Iterator[tuple[str, Argument]]:
    """The arguments; the one to blame is of the dtype that the finding says, of bytes where it may be."""
    has = ("uint8",) if finding.code == "DT308" else finding.actual
    for name, argument in claim.arguments:
        match argument:
            case Tensor(dtypes, like) if name == finding.parameter and len(has) == 1 and dtypes != has:
                yield name, Tensor(has, like)
            case TritonType() if name == finding.parameter and len(has) == 1:
                yield name, _type(has[0])
            case _:
                yield name, argument


def _type(dtype: str) -> TritonType:
    return TritonType(BY_BIT[BY_NAME[dtype].bit].name)


def _contrasted(
    bench: Bench,
    claim: Claim,
    experiment: Experiment,
    bad: Taken,
    found: list[Operation],
    sign: Sign,
    finding: Diagnostic,
) -> Verdict:
    """The verdict where the faulty launch has the operations.

    Arguments that do not mend the launch leave it in doubt; a fix of the kernel's text does not.
    """
    seen = f"{found[0]} ({found[0].at[0].path}:{found[0].at[0].line})"
    other = experiment if experiment.mends else rewritten(experiment, finding.fix)
    if other is None:
        return verdict(bench, claim, State.CONFIRMED, f"{seen}{assuming(bad.assumed)}")
    names = mended(experiment.mends, experiment.mends) or "the fix"
    unmended = State.INCONCLUSIVE if experiment.mends else State.CONFIRMED
    good = other.mended(operations=True)
    match good:
        case Failed(reason):
            return inconclusive(reason)
        case Refused():
            return verdict(bench, claim, unmended, f"{seen}; the mended launch is refused: {said_at(good)}")
    left = Counter(map(str, _signs(good, sign, finding.kernel_site)))
    gone = [op for op, count in Counter(map(str, found)).items() if left[op] < count]
    if not gone:
        return verdict(bench, claim, unmended, f"{seen}, with {names} too")
    first = next(op for op in found if str(op) == gone[0])
    seen = f"{first} ({first.at[0].path}:{first.at[0].line})"
    evidence = f"{seen}; not there with {names}{assuming(bad.assumed)}"
    made = verdict(bench, claim, State.CONFIRMED, evidence)
    return launched(bench, finding, experiment, made) if experiment.mends else made


def _signs(taken: Taken, sign: Sign, site: Place | None) -> Iterator[Operation]:
    for op in taken.operations:
        here = sign.anywhere or site is None or any(_covers(site, origin) for origin in op.at)
        if here and sign.names.fullmatch(op.name) and sign.types.search(op.types):
            yield op


def _covers(site: Place, origin: Origin) -> bool:
    last = max(site.span.line, site.span.end_line)
    return origin.path == site.path and site.span.line <= origin.line <= last


def _at(site: Place) -> str:
    return f"{site.path}:{site.span.line}"


def _draws(finding: Diagnostic) -> Iterator[Draw]:
    """What is open is chosen so that the fault can show: halves where sums in halves are meant, and so on."""
    first = [d for d in ("float16", "bfloat16") if d in finding.message] or ["float16", "bfloat16"]
    if finding.code == "DT304":
        first = list(finding.expected)
    if finding.code in ("DT302", "DT304"):
        for dtype in first:
            rest = tuple(d for d in ("float16", "bfloat16", "float32") if d != dtype)
            for draw in DRAWS[:3]:
                yield Draw((dtype, *rest), draw.integer, draw.flag, draw.block, draw.few, by_name=False)
    yield from DRAWS


def _mend(claim: Claim, was: dict[str, Argument]) -> Arguments:
    """The arguments that mend a launch, of the sort that is there: a dtype does not mend a number."""
    made: list[tuple[str, Argument]] = []
    for name, argument in claim.mended:
        match was.get(name), argument:
            case TritonType(), Tensor((dtype, *_)):
                made.append((name, _type(dtype)))
            case Tensor(), Tensor():
                made.append((name, argument))
            case Number(), Number():
                made.append((name, argument))
    return tuple(made)


# -- annotations ---------------------------------------------------------------------------------


def annotated(bench: Bench, finding: Diagnostic, claim: Claim) -> Verdict:
    """DT207: the type that Triton's binder gives a parameter, against the type that the argument has."""
    experiment = bench.contrast(claim, DRAWS[0], lambda _: ())
    if isinstance(experiment, str):
        return inconclusive(experiment)
    match experiment.faulty(do="bind"):
        case Failed(reason):
            return inconclusive(reason)
        case Refused() as bad:
            return inconclusive(f"the call does not bind: {said_at(bad)}", bench, claim)
        case Taken(signature=signature):
            name = finding.parameter
            believed = (signature or {}).get(name, "")
            natural = _natural(experiment.choice.arguments.get(name))
            said = f"Triton types `{name}` {believed}, and the argument is {natural}"
            state = State.CONFIRMED if believed != natural else State.REFUTED
            return verdict(bench, claim, state, said)


def _natural(argument: Argument | None) -> str:
    """The type that an argument has where no annotation says otherwise."""
    match argument:
        case Tensor((dtype, *_)):
            return f"*{BY_NAME[dtype].triton or dtype}"
        case Number("bool", _):
            return "u1"
        case Number("float", _):
            return "fp32"
        case Number("int", int() as value):
            return "i32" if -(2**31) <= value < 2**31 else "i64"
    return "something else"
