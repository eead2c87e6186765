"""How many launched kernels of released packages can be cut out, and compile as their own code launches them.

    python -m tests.confirm.packages [PACKAGE...] [--python PYTHON] [--target cuda:90] [-v]

A kernel counts as cut where no name of its slice stays undefined, and as compiling where Triton takes some launch of
it that the package holds; what that launch leaves open is chosen as `confirm` chooses it.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from dtypecheck.analysis.facts import LaunchFact
from dtypecheck.analysis.launches import launches
from dtypecheck.analysis.program import FunctionDef, Program
from dtypecheck.analysis.solve import Solver
from dtypecheck.analysis.store import Store
from dtypecheck.checks.claims import claim
from dtypecheck.checks.judge import Case
from dtypecheck.config.discovery import discover
from dtypecheck.config.load import settings_for
from dtypecheck.config.progress import silent
from dtypecheck.config.targets import RELEASES
from dtypecheck.confirm.answers import Failed, Refused, Taken
from dtypecheck.confirm.bench import Bench, Experiment
from dtypecheck.confirm.options import Options
from dtypecheck.confirm.run import bench
from dtypecheck.confirm.search import searched
from dtypecheck.confirm.usual import DRAWS
from dtypecheck.contracts.matching import Contracts
from dtypecheck.core.claims import Claim
from dtypecheck.kernels.launch import Typer, is_foreign
from dtypecheck.pipeline import indexed, reader
from dtypecheck.processes import with_deep_stack
from tests.corpus.fetch import fetch
from tests.corpus.packages import named

LAUNCHES = 4
"""Launches of one kernel that are tried."""


@dataclass
class Tally:
    """What became of the launched kernels of one package."""

    kernels: int = 0
    cut: int = 0
    taken: int = 0
    seconds: float = 0.0
    reasons: Counter[str] = field(default_factory=Counter)
    told: list[str] = field(default_factory=list)

    def row(self, title: str) -> str:
        share = f"{100 * self.taken / self.kernels:.1f} %" if self.kernels else "-"
        return f"{title:<28}{self.kernels:>8}{self.cut:>8}{self.taken:>10}{share:>9}{self.seconds:>9.1f}"


def claims(program: Program, store: Store, target: str) -> Iterator[tuple[FunctionDef, Claim]]:
    """Every launch in the program, on its first way."""
    for file in program.files:
        if not program.may_launch(file):
            continue
        solver = Solver(program, store.fresh())
        case = Case(solver, Contracts(()), (Typer(solver, target, RELEASES),))
        for function in (program.module_function(file), *(FunctionDef(file, e) for e in file.functions)):
            if function.entry.sites:
                for fact in launches(solver, function):
                    if isinstance(fact, LaunchFact) and not is_foreign(fact.kernel.file.path):
                        for guard in fact.guards[:2]:
                            yield fact.kernel, claim(case, fact, guard=guard)


def try_all(at: Bench, kernel: FunctionDef, tried: list[Claim], tally: Tally) -> None:
    """Whether some launch of a kernel compiles."""
    tally.kernels += 1
    cut = at.kernel(tried[0].kernel, tried[0].target)
    missing = () if isinstance(cut, str) else cut.slice.missing
    tally.cut += not isinstance(cut, str) and not missing
    reason = ""
    for draw in DRAWS:
        for one in tried:
            experiment = at.experiment(one, draw, ())
            match Failed(experiment) if isinstance(experiment, str) else experiment.faulty():
                case Taken():
                    tally.taken += 1
                    return
                case Refused() as refused:
                    place = f" at {refused.at[-1].path}:{refused.at[-1].line}" if refused.at else ""
                    reason = reason or f"{refused.stage} {refused.shown}{place}"
                case Failed(said):
                    reason = reason or said
    for one in tried:
        experiment = at.experiment(one, DRAWS[0], ())
        if isinstance(experiment, Experiment) and searched(experiment, dict(one.arguments)):
            tally.taken += 1
            return
    if missing:
        reason += f"   [undefined: {'; '.join(f'{n}: {why}' for n, why in missing)}]"
    tally.reasons[re.sub(r" at \S+|\d+|`[^`]*`", "", reason)[:70]] += 1
    tally.told.append(f"{kernel.file.path}:{kernel.entry.head.line} {kernel.entry.name}: {reason}")


def measure(folder: Path, options: Options, target: str, limit: int) -> Tally:
    """Every launched kernel below a folder."""
    settings = settings_for([str(folder)], {}, root=str(folder))
    program = indexed(folder, discover([str(folder)], settings).files, 1, silent)
    store = Store(reader(folder))
    by_kernel: dict[FunctionDef, dict[Claim, None]] = {}

    def collect() -> None:
        for kernel, one in claims(program, store, target):
            by_kernel.setdefault(kernel, {}).setdefault(one)

    with_deep_stack(collect)
    tally = Tally()
    started = time.perf_counter()
    with bench(Solver(program, store.fresh()), options) as at:
        for kernel, tried in list(by_kernel.items())[:limit]:
            try_all(at, kernel, list(tried)[:LAUNCHES], tally)
    tally.seconds = time.perf_counter() - started
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.confirm.packages", description=__doc__)
    parser.add_argument("packages", nargs="*", default=["all"])
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--target", default="cuda:90")
    parser.add_argument("--limit", type=int, default=10**9, help="kernels of each package")
    parser.add_argument("-v", "--verbose", action="store_true", help="each kernel that does not compile")
    given = parser.parse_args()
    options = replace(Options(), python=given.python, cache=None, timeout=30.0)
    whole = Tally()
    print(f"{'package':<28}{'kernels':>8}{'cut':>8}{'compile':>10}{'':>9}{'seconds':>9}")
    for package in named(given.packages):
        tally = measure(fetch(package), options, given.target, given.limit)
        print(tally.row(package.key), flush=True)
        for line in tally.told if given.verbose else ():
            print("   ", line)
        for name in ("kernels", "cut", "taken", "seconds"):
            setattr(whole, name, getattr(whole, name) + getattr(tally, name))
        whole.reasons += tally.reasons
    print(whole.row("all"))
    for reason, count in whole.reasons.most_common(25):
        print(f"{count:>8}  {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
