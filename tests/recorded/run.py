"""Runs programs on CPU tensors and compares: `python -m tests.recorded.run [PACKAGE...] [--cases FOLDER] [-v]`.

Launches are recorded instead of compiled. For each tensor that arrives, the analysis must admit its dtype; where
it says that it knows the dtype, it must be that one.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from types import ModuleType

from dtypecheck.analysis import show
from dtypecheck.analysis.facts import LaunchFact
from dtypecheck.analysis.launches import launches
from dtypecheck.analysis.program import FunctionDef, Program as Analysed
from dtypecheck.analysis.solve import Solver
from dtypecheck.analysis.store import Store
from dtypecheck.analysis.values import Array, Value, agree
from dtypecheck.config.discovery import discover
from dtypecheck.config.settings import Settings
from dtypecheck.core.dtypes import named
from dtypecheck.pipeline import indexed, reader
from dtypecheck.processes import with_deep_stack
from tests.corpus.fetch import fetch
from tests.corpus.packages import named as packages_named
from tests.literate.execute import Record, Seen, importing, recording
from tests.literate.truth import admits

from .programs import RELEASED, TENSORS, Program, cases, released


@dataclass(frozen=True, slots=True)
class Arrival:
    """A tensor that arrived at a launch: `path` is relative to the root."""

    path: str
    line: int
    kernel: str
    parameter: str
    dtype: str


@dataclass(slots=True)
class Outcome:
    """`exact` arrivals were foretold as the one dtype, `admitted` ones as one of several or as unknown."""

    exact: int = 0
    admitted: int = 0
    wrong: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        self.exact += other.exact
        self.admitted += other.admitted
        self.wrong += other.wrong
        self.failed += other.failed


def arrivals(program: Program) -> tuple[list[Arrival], list[str]]:
    """What arrives when the program runs, and the calls that failed after what they had launched."""
    import torch
    from torch._library.triton import set_wrap_triton_enabled

    files = frozenset(program.root.rglob("*.py"))
    found: list[Arrival] = []
    failed: list[str] = []
    with importing(program.root), set_wrap_triton_enabled(False), contextlib.redirect_stdout(io.StringIO()):
        module = importlib.import_module(program.module)
        for call in program.calls:
            record = Record()
            with recording(record, files):
                try:
                    space = {"m": module, "torch": torch, "mod": partial(_beside, program.module)}
                    exec(TENSORS, space)
                    exec(call, space)
                except Exception as error:  # noqa: BLE001 - what was launched before counts all the same
                    failed.append(f"{call.strip()}: {type(error).__name__}: {error}")
            for launch in record.launches:
                path = launch.file.relative_to(program.root).as_posix()
                for name, seen in launch.arguments.items():
                    if seen.kind == "tensor":
                        found.append(Arrival(path, launch.line, launch.kernel, name, seen.name))
    return list(dict.fromkeys(found)), failed


def _beside(module: str, name: str) -> ModuleType:
    """Another module of the same package."""
    return importlib.import_module(f"{module.rpartition('.')[0]}.{name}".lstrip("."))


def in_a_process(program: Program) -> tuple[list[Arrival], list[str]]:
    """`arrivals`, in a process of its own: what a package does to its process stays there."""
    said = {"name": program.name, "root": str(program.root), "module": program.module, "calls": program.calls}
    done = subprocess.run(
        [sys.executable, "-m", "tests.recorded.run", "--record", json.dumps(said)],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    if done.returncode:
        return [], [f"{program.module}: {done.stderr.strip().splitlines()[-1:]}"]
    answer = json.loads(done.stdout.splitlines()[-1])
    return [Arrival(**one) for one in answer["arrivals"]], answer["failed"]


def compare(root: Path, found: Iterable[Arrival]) -> Outcome:
    """Holds the analysis of the project at `root` to what arrived."""
    outcome = Outcome()
    by_path: dict[str, list[Arrival]] = {}
    for one in found:
        by_path.setdefault(one.path, []).append(one)
    if by_path:
        settings = Settings(root=root)
        program = indexed(root, discover([root], settings).files, 1, lambda *_: None)
        for path, here in by_path.items():
            with_deep_stack(partial(_compare_file, program, root, path, here, outcome))
    return outcome


def _compare_file(program: Analysed, root: Path, path: str, found: list[Arrival], outcome: Outcome) -> None:
    solver = Solver(program, Store(reader(root)))
    facts = list(_facts(solver, path))
    for one in found:
        values = [
            tuple(a for a in f.arguments[one.parameter].value if any(agree(a.guard, g) is not None for g in f.guards))
            for f in facts
            if f.place.span.line <= one.line <= f.place.span.end_line
            and f.kernel.entry.name == one.kernel
            and one.parameter in f.arguments
        ]
        where = f"{path}:{one.line}: `{one.parameter}` of `{one.kernel}`"
        if not values:
            outcome.wrong.append(f"{where}: a launch that the analysis does not see")
        elif not any(admits(solver, v, Seen("tensor", one.dtype), {}) for v in values):
            said = " || ".join(dict.fromkeys(show.value(solver, v) for v in values))
            outcome.wrong.append(f"{where} is {said} by the analysis, and really {one.dtype}")
        elif all(_is(v, one.dtype) for v in values):
            outcome.exact += 1
        else:
            outcome.admitted += 1


def _is(value: Value, dtype: str) -> bool:
    from dtypecheck.analysis.dtypexpr import exact

    return all(isinstance(a.what, Array) and exact(a.what.dtype) is named(dtype) for a in value)


def _facts(solver: Solver, path: str) -> Iterator[LaunchFact]:
    file = solver.program.by_path[path]
    for entry in file.functions:
        if entry.sites:
            yield from (f for f in launches(solver, FunctionDef(file, entry)) if isinstance(f, LaunchFact))


def check(programs: Iterable[Program]) -> Outcome:
    """Runs and compares programs; those of one root are compared at once."""
    whole = Outcome()
    by_root: dict[Path, list[Arrival]] = {}
    for program in programs:
        found, failed = in_a_process(program)
        whole.failed += [f"{program.name}: {line}" for line in failed]
        by_root.setdefault(program.root, []).extend(found)
    for root, found in by_root.items():
        whole.add(compare(root, dict.fromkeys(found)))
    return whole


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="*", help=f"of {', '.join(RELEASED)}; all of them by default")
    parser.add_argument("--cases", type=Path, help="a folder of cases, each with a case.toml")
    parser.add_argument("--record", help=argparse.SUPPRESS)
    parser.add_argument("-v", action="store_true", help="show the calls that failed")
    args = parser.parse_args()
    if args.record:
        said = json.loads(args.record)
        program = Program(said["name"], Path(said["root"]), said["module"], tuple(said["calls"]))
        found, failed = arrivals(program)
        print(json.dumps({"arrivals": [asdict(a) for a in found], "failed": failed}))
        return 0
    status = 0
    keys = args.packages or ([] if args.cases else list(RELEASED))
    runs = [(key, released(key, fetch(packages_named([key])[0]))) for key in keys]
    if args.cases:
        runs.append((str(args.cases), cases(args.cases)))
    for name, programs in runs:
        outcome = check(programs)
        print(f"{name}: {outcome.exact} foretold exactly, {outcome.admitted} admitted, {len(outcome.wrong)} wrong")
        for line in outcome.wrong:
            print(f"  WRONG {line}")
        for line in outcome.failed if args.v else ():
            print(f"  failed {line}")
        status |= bool(outcome.wrong)
    return status


if __name__ == "__main__":
    sys.exit(main())
