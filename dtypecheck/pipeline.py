"""The stages in order: index every file, find what concerns launches, state facts, judge them.

The unit of work is one file: whatever the number of processes, each file's facts come from a fresh
solver, so a report does not depend on how the work was shared out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from .analysis import declarations
from .analysis.census import Census, census
from .analysis.facts import Fact, LaunchFact, Unresolved
from .analysis.launches import launches
from .analysis.program import ClassDef, FunctionDef, Program
from .analysis.solve import Solver
from .analysis.store import Store
from .checks.judge import Case
from .checks.registry import BY_CODE
from .checks.rules import Records, conclude, judge, record
from .checks.static import invalid_syntax, stale_rules
from .checks.trouble import internal_error
from .config.progress import Progress
from .contracts.matching import Contracts
from .core.diagnostics import Diagnostic, Stats
from .kernels.launch import Typer
from .processes import as_one_run, each, keep, workers
from .syntax.index import index
from .syntax.model import FileIndex
from .syntax.modules import module_name
from .syntax.source import Source, read

UNITS_PER_COLLECTION = 24
"""Frames refer to each other; they are collected between units, where few are alive."""


@dataclass(frozen=True, slots=True)
class Held:
    """What launches are held to: target architectures ("any" for what some target takes), Triton releases."""

    targets: tuple[str, ...]
    releases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Job:
    """What a run is about: `files` are paths relative to `root`; `codes` are the rules that are on."""

    root: Path
    files: tuple[str, ...]
    contracts: Contracts
    codes: frozenset[str]
    jobs: int
    held: Held
    show_possible: bool = False


@dataclass(slots=True)
class Result:
    """What one unit, or all of them, gave."""

    findings: list[Diagnostic] = field(default_factory=list)
    census: Census = field(default_factory=Census)
    records: Records = field(default_factory=dict)

    def add(self, other: Result) -> None:
        """Counts another unit in."""
        self.findings += other.findings
        self.census.add(other.census)
        self.remember(other.records)

    def remember(self, records: Records) -> None:
        for code, found in records.items():
            self.records.setdefault(code, []).extend(found)


def run(job: Job, progress: Progress) -> tuple[tuple[Diagnostic, ...], Stats]:
    """All findings of a program, each once, in order, and what was counted."""
    return as_one_run(lambda: _run(job, progress))


def _run(job: Job, progress: Progress) -> tuple[tuple[Diagnostic, ...], Stats]:
    processes = workers(job.jobs, len(job.files))
    program = indexed(job.root, job.files, processes, progress)
    whole = Result()
    for file in program.files:
        if file.fault is not None:
            whole.findings.append(invalid_syntax(file.fault))
    whole.findings += stale_rules(program, job.contracts, job.root)
    paths = list(units(program, job.contracts))
    _SHARED.append(_Shared(job, program, Store(reader(job.root))))
    try:
        for result in each(_examine, paths, processes, progress, "checking"):
            whole.add(result)
    finally:
        _SHARED.pop()
    whole.findings += conclude(whole.records)
    kernels = sum(program.is_kernel(f) for f in program.functions())
    return _once(whole.findings), whole.census.stats(len(program.files), kernels)


def indexed(root: Path, files: Iterable[str], processes: int, progress: Progress) -> Program:
    """The program that these files are; what is read here is there to stay."""
    indexes = list(each(_index, [(str(root), path) for path in files], processes, progress, "indexing"))
    keep()
    return Program(indexes)


def units(program: Program, contracts: Contracts) -> Iterator[str]:
    """The files that launch something, or hold something that rules files speak of."""
    for file in program.files:
        if (file.module_sites or any(f.sites for f in file.functions)) and program.may_launch(file):
            yield file.path
        elif contracts and any(_declared(contracts, file)):
            yield file.path


def _declared(contracts: Contracts, file: FileIndex) -> Iterator[bool]:
    for function in file.functions:
        rules = contracts.function(FunctionDef(file, function).key)
        yield bool(rules.returns or rules.parameters)
    for cls in file.classes:
        yield bool(contracts.fields(ClassDef(file, cls).key))


# -- one unit ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Shared:
    """What every worker needs: set before workers fork, and read only."""

    job: Job
    program: Program
    store: Store
    done: list[str] = field(default_factory=list)
    """The units that this process has done."""


_SHARED: list[_Shared] = []


def _examine(path: str) -> Result:
    unit = _SHARED[-1]
    if len(unit.done) % UNITS_PER_COLLECTION == 0:
        keep()
    file = unit.program.by_path[path]
    solver = Solver(unit.program, unit.store.fresh(), unit.job.contracts)
    typers = tuple(Typer(solver, target, unit.job.held.releases) for target in unit.job.held.targets)
    case = Case(solver, unit.job.contracts, typers, unit.job.show_possible)
    result = Result()
    found: list[LaunchFact | Unresolved] = []
    definitions = [FunctionDef(file, function) for function in file.functions]
    for definition in (unit.program.module_function(file), *definitions):
        try:
            if definition.entry.sites:
                here = list(launches(solver, definition))
                found += here
                launched = [f for f in here if isinstance(f, LaunchFact)]
                result.findings += judge(case, launched, unit.job.codes)
                result.remember(record(case, launched, unit.job.codes))
            result.findings += judge(case, _declared_facts(solver, unit.job.contracts, definition), unit.job.codes)
        except Exception as error:  # noqa: BLE001 - the checker's own fault is a finding, the run goes on
            result.findings.append(internal_error(definition, error))
    for cls in file.classes:
        owner = ClassDef(file, cls)
        try:
            facts = declarations.fields(solver, unit.job.contracts, owner)
            result.findings += judge(case, facts, unit.job.codes)
        except Exception as error:  # noqa: BLE001
            result.findings.append(internal_error(owner, error))
    result.census = census(solver, found)
    result.census.decided = sum(typers[0].settled.values())
    unit.done.append(path)
    return result


def _declared_facts(solver: Solver, contracts: Contracts, function: FunctionDef) -> Iterator[Fact]:
    yield from declarations.returns(solver, contracts, function)
    yield from declarations.parameters(solver, contracts, function)


def _index(item: tuple[str, str]) -> FileIndex:
    root, path = item
    module, is_package = module_name(path)
    return index(read(Path(root, path), path), module, is_package)


def reader(root: Path) -> Callable[[str], Source | None]:
    """Reads files below a root."""

    def read_below(path: str) -> Source | None:
        source = read(root / path, path)
        return source if isinstance(source, Source) else None

    return read_below


def _once(findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """One finding per fault: contexts and launches that show the same one are told once."""
    kept: dict[object, list[Diagnostic]] = {}
    for one in sorted(findings, key=lambda f: f.order):
        told = () if BY_CODE[one.code].per_place else (one.kernel, one.parameter, one.message)
        kept.setdefault(one.condition or (one.code, one.primary, *told), []).append(one)
    return tuple(_with_others(same) for same in kept.values())


def _with_others(same: list[Diagnostic]) -> Diagnostic:
    """The first of the findings that are told as one; where they share a condition, with the other kernels."""
    first, *others = same
    kernels = dict.fromkeys(f.kernel for f in others if f.condition and f.kernel != first.kernel)
    if not kernels:
        return first
    names = ", ".join(f"`{kernel.rpartition('.')[2]}`" for kernel in kernels)
    verb = "does" if len(kernels) == 1 else "do"
    return replace(first, notes=(*first.notes, ("also", f"nor {verb} {names}")))
