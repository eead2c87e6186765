"""What a run saw, in words and as a table: nothing is left out in silence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from rich.text import Text

from ..core.diagnostics import Report, Severity, State, Stats


def summary(report: Report, verbosity: int = 0) -> Iterator[Text]:
    """One or two lines that end a text report; more of them when asked."""
    errors = sum(f.severity is Severity.ERROR for f in report.findings)
    warnings = sum(f.severity is Severity.WARNING for f in report.findings)
    counts = [_count(n, word) for n, word in ((errors, "error"), (warnings, "warning")) if n]
    stats = report.stats
    found = f"Found {' and '.join(counts)}." if counts else "Found nothing."
    yield Text(found, style="bold red" if errors else "bold yellow" if warnings else "bold green")
    yield from _verdicts(report)
    undecided = stats.launches - stats.launches_decided
    saw = f"Checked {_count(stats.launches, 'launch', 'launches')} in {_count(stats.files, 'file')}"
    why = "" if verbosity > 0 or not undecided else " (-v says why)"
    yield Text(f"{saw}: {stats.launches_decided} decided, {undecided} undecided{why}.")
    if verbosity > 0:
        yield from _undecided(stats)


def _verdicts(report: Report) -> Iterator[Text]:
    """How many findings Triton itself has confirmed, where it was asked."""
    states = Counter(f.verdict.state for f in report.findings)
    asked = len(report.findings) - states[State.NOT_RUN]
    if not asked:
        return
    told = f"Triton confirms {states[State.CONFIRMED]} of {_count(asked, 'finding')}"
    open_ = f"{states[State.INCONCLUSIVE]} inconclusive" if states[State.INCONCLUSIVE] else ""
    wrong = f"{states[State.REFUTED]} refuted, a fault of dtypecheck" if states[State.REFUTED] else ""
    yield Text("; ".join(filter(None, (told, open_, wrong))) + ".")


def statistics(stats: Stats) -> Iterator[Text]:
    """The table of --statistics."""
    rows = (
        ("files", stats.files, None),
        ("kernels", stats.kernels, None),
        ("launches", stats.launches, None),
        ("  resolved to a kernel", stats.launches_resolved, stats.launches),
        ("  decided", stats.launches_decided, stats.launches),
        ("tensor arguments", stats.tensor_arguments, None),
        ("  of known dtype", stats.tensor_arguments_known, stats.tensor_arguments),
        ("  of symbolic dtype", stats.tensor_arguments_symbolic, stats.tensor_arguments),
    )
    for label, value, whole in rows:
        share = f"{100 * value / whole:6.1f} %" if whole else ""
        yield Text(f"{label:<24}{value:>8}{share}")
    yield Text(f"{'seconds':<24}{stats.seconds:>8.2f}")
    yield from _undecided(stats)


def _undecided(stats: Stats) -> Iterator[Text]:
    """The reasons why launches stayed undecided, ranked by how many launches each stood in the way of."""
    if stats.unresolved_launches:
        yield Text("launches not resolved:")
    for reason in _ranked(stats.unresolved_launches):
        yield Text(f"{stats.unresolved_launches[reason]:>8}  {reason}")
    if stats.blinded_launches:
        yield Text("arguments not known:")
        yield Text("launches  arguments")
    for reason in _ranked(stats.blinded_launches):
        yield Text(f"{stats.blinded_launches[reason]:>8}{stats.unknown_reasons[reason]:>11}  {reason}")


def _ranked(counts: Mapping[str, int]) -> list[str]:
    return sorted(counts, key=lambda reason: (-counts[reason], reason))


def _count(number: int, word: str, words: str = "") -> str:
    return f"{number} {word if number == 1 else words or word + 's'}"
