"""What a GPU adds to a verdict: the faulty launch fails there or leaves other values, the mended one runs."""

from __future__ import annotations

from dataclasses import replace

from ..core.diagnostics import Diagnostic, State, Verdict
from .answers import Answer, Failed, Refused, Taken
from .bench import Bench, Experiment
from .words import said_at


def launched(bench: Bench, finding: Diagnostic, experiment: Experiment, verdict: Verdict) -> Verdict:
    """A confirmed verdict, with what both launches do on the machine's GPU, where launches are wanted."""
    plain = all(getattr(a, "kind", "") != "double" for a in experiment.wrong.values())
    if bench.launcher is None or not plain:
        return verdict
    bad, good = experiment.faulty(do="launch"), experiment.mended(do="launch")
    state, told = _compared(finding, bad, good)
    by = f"{verdict.by}, {bench.machine.gpu}"
    return replace(verdict, state=state, by=by, evidence=f"{verdict.evidence}; launched, {told}")


def _compared(finding: Diagnostic, bad: Answer, good: Answer) -> tuple[State, str]:
    match bad, good:
        case _, Failed(reason):
            return State.INCONCLUSIVE, f"the mended one fails: {reason}"
        case _, Refused():
            return State.INCONCLUSIVE, f"the mended one is refused: {said_at(good)}"
        case Failed(reason), Taken():
            return State.INCONCLUSIVE, f"it fails ({reason}), and runs mended"
        case Refused(), Taken():
            return State.CONFIRMED, f"it is refused, and runs mended: {said_at(bad)}"
        case Taken(), Taken():
            return State.CONFIRMED, _different(finding.parameter, bad, good)
    raise AssertionError((bad, good))


def _different(parameter: str, bad: Taken, good: Taken) -> str:
    """The first value that the two launches leave different, in the finding's buffer before all others."""
    names = sorted(bad.changed, key=lambda name: (name != parameter, name))
    for name in names:
        one, other = bad.changed[name], good.changed.get(name, {})
        for index in sorted(one.keys() | other.keys()):
            if one.get(index) != other.get(index):
                return f"`{name}[{index}]` is {_value(one.get(index))}, and {_value(other.get(index))} mended"
    return "both leave the same values with these arguments"


def _value(value: float | None) -> str:
    return "unchanged" if value is None else f"{value:.9g}"
