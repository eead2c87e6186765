"""Runs dtypecheck on the corpus and prints what it saw: `python -m tests.corpus.run [PACKAGE...]`.

A package is named by key (`vllm-0.20.0`), by name, or by `default` or `all`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from .fetch import FetchError, fetch
from .measure import Measurement, RunFailed, measure
from .packages import UnknownPackage, named

REASONS = 10
"""How many reasons are shown, the most frequent first."""
HEADINGS = (
    ("package", -29), ("files", 6), ("kernels", 8), ("launches", 9), ("resolved", 9), ("decided", 8),
    ("tensors", 8), ("known", 8), ("symbolic", 9), ("seconds", 8), ("cpu s", 6), ("peak MB", 8),
    ("findings", -9),
)  # fmt: skip


def row(key: str, m: Measurement) -> str:
    """One line of the table."""
    s = m.stats
    arguments = s["tensor_arguments"]
    found = " ".join(f"{code}:{n}" for code, n in sorted(m.codes.items())) or "none"
    cells = (
        key, s["files"], s["kernels"], s["launches"], s["launches_resolved"], s["launches_decided"],
        arguments, _share(s["tensor_arguments_known"], arguments),
        _share(s["tensor_arguments_symbolic"], arguments),
        f"{m.seconds:.1f}", f"{m.cpu:.1f}", f"{m.peak / 2**20:.0f}", found,
    )  # fmt: skip
    return _line(cells)


def tables(runs: Mapping[str, Measurement]) -> Iterator[str]:
    """All that is worth quoting of the runs."""
    yield _line([heading for heading, _ in HEADINGS])
    yield from (row(key, m) for key, m in runs.items())
    if len(runs) > 1:
        yield row("all", _sum(runs.values()))
    for key, m in [*runs.items(), *([("all", _sum(runs.values()))] if len(runs) > 1 else [])]:
        yield from _reasons(f"{key}: arguments not known", m.stats["unknown_reasons"])
        yield from _reasons(f"{key}: launches not resolved", m.unresolved)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _line(cells: Iterable[object]) -> str:
    padded = (
        f"{cell!s:<{-width}}" if width < 0 else f"{cell!s:>{width}}"
        for cell, (_, width) in zip(cells, HEADINGS, strict=True)
    )
    return " ".join(padded).rstrip()


def _reasons(title: str, counts: Mapping[str, int]) -> Iterator[str]:
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    if ranked:
        yield f"\n{title}: {sum(counts.values())}, of {len(ranked)} kinds"
    yield from (f"{count:8}  {reason}" for reason, count in ranked[:REASONS])


def _sum(runs: Iterable[Measurement]) -> Measurement:
    """All runs as one: counts and seconds add up, of peaks the highest stays."""
    several = list(runs)
    stats: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    unresolved: Counter[str] = Counter()
    for m in several:
        stats.update({name: n for name, n in m.stats.items() if isinstance(n, int)})
        unknown.update(m.stats["unknown_reasons"])
        unresolved.update(m.unresolved)
    return Measurement(
        tuple(f for m in several for f in m.findings),
        {**stats, "unknown_reasons": dict(unknown)},
        dict(unresolved),
        sum(m.seconds for m in several),
        sum(m.cpu for m in several),
        max(m.peak for m in several),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the tables; the exit status is 1 where a package could not be had or a run failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.run", description=__doc__)
    parser.add_argument("packages", nargs="*", default=["all"], metavar="PACKAGE")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write findings and figures to a file")
    parser.add_argument("--flags", default="", help="more flags for dtypecheck, in one word", metavar="FLAGS")
    options = parser.parse_args(arguments)
    runs: dict[str, Measurement] = {}
    failures = 0
    try:
        for package in named(options.packages):
            try:
                runs[package.key] = m = measure(fetch(package), flags=options.flags.split())
                told = f"{m.seconds:.1f} s, {len(m.findings)} findings"
            except (FetchError, RunFailed) as error:
                failures += 1
                told = str(error)
            print(f"{package.key}: {told}", file=sys.stderr, flush=True)
            if options.json:
                document = {key: asdict(m) for key, m in runs.items()}
                options.json.write_text(json.dumps(document, indent=1) + "\n", "utf-8")
    except UnknownPackage as error:
        print(error, file=sys.stderr)
        return 2
    if runs:
        print("\n".join(tables(runs)))
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
