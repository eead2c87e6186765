"""What every kernel of a program accepts: launches are looked at first, by file, then kernels, one by one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from .analysis.facts import LaunchFact
from .analysis.launches import launches
from .analysis.pointers import descriptors, pointers
from .analysis.program import FunctionDef, Program
from .analysis.solve import Solver
from .analysis.store import Store
from .config.progress import Progress
from .contracts.matching import Contracts
from .core import ir
from .core.acceptance import KernelAcceptance
from .core.spans import Place
from .kernels.accepts import accepts
from .kernels.devices import called, gives_a_value
from .kernels.given import Given, joined, known, launched, unlaunched
from .kernels.launch import Typer, is_foreign
from .kernels.program_scope import scope_of
from .kernels.trial import Trial
from .kernels.typing import Rejected
from .pipeline import Held, indexed, reader, units
from .processes import as_one_run, each, workers

Name = tuple[str, int]
"""A definition, wherever it is spoken of: its path and first line."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked: kernels in the files `reported`, of the program that `files` below `root` are."""

    root: Path
    files: tuple[str, ...]
    reported: frozenset[str]
    held: Held
    jobs: int = 0


@dataclass(slots=True)
class _Launched:
    """The ways of a kernel's launches, and where they stand."""

    ways: list[Given] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Shared:
    """What every worker needs: set before workers fork, and read only."""

    order: Order
    program: Program
    store: Store
    launched: dict[Name, _Launched] = field(default_factory=dict)


_SHARED: list[_Shared] = []


def survey(order: Order, progress: Progress) -> tuple[KernelAcceptance, ...]:
    """The kernels of the reported files, by path and line."""
    return as_one_run(lambda: _survey(order, progress))


def _survey(order: Order, progress: Progress) -> tuple[KernelAcceptance, ...]:
    processes = workers(order.jobs, len(order.files))
    program = indexed(order.root, order.files, processes, progress)
    shared = _Shared(order, program, Store(reader(order.root)))
    _SHARED.append(shared)
    try:
        files = list(units(program, Contracts()))
        for found in each(_launches, files, processes, progress, "reading launches"):
            for name, one in found.items():
                here = shared.launched.setdefault(name, _Launched())
                here.ways += one.ways
                here.places += one.places
        names = [_name(f) for f in _kernels(shared)]
        return tuple(each(_examine, names, processes, progress, "trying kernels"))
    finally:
        _SHARED.pop()


def _kernels(shared: _Shared) -> list[FunctionDef]:
    """The kernels to tell of: what is launched, and what is no device function."""
    program = shared.program
    every = [f for f in program.functions() if program.is_kernel(f)]
    helpers = called(program, every)
    return [
        f
        for f in every
        if f.file.path in shared.order.reported
        and (_name(f) in shared.launched or not (f in helpers or gives_a_value(shared.store.function(f))))
    ]


def _name(function: FunctionDef) -> Name:
    return function.file.path, function.entry.first_line


# -- one unit ------------------------------------------------------------------------------------


def _launches(path: str) -> dict[Name, _Launched]:
    """What the launches of one file give, by kernel."""
    shared = _SHARED[-1]
    file = shared.program.by_path[path]
    solver = Solver(shared.program, shared.store.fresh())
    typers = [Typer(solver, target, shared.order.held.releases) for target in shared.order.held.targets]
    found: dict[Name, _Launched] = {}
    for function in (shared.program.module_function(file), *(FunctionDef(file, f) for f in file.functions)):
        for fact in launches(solver, function) if function.entry.sites else ():
            if isinstance(fact, LaunchFact):
                here = found.setdefault(_name(fact.kernel), _Launched())
                here.ways += [
                    way for typer in typers for way in launched(typer, fact) if way not in here.ways
                ]
                here.places += [fact.place] if fact.place not in here.places else []
    return found


def _examine(name: Name) -> KernelAcceptance:
    """One kernel, typed under what its launches give."""
    shared = _SHARED[-1]
    file = shared.program.by_path[name[0]]
    kernel = FunctionDef(file, next(f for f in file.functions if f.first_line == name[1]))
    given = shared.launched.get(name, _Launched())
    blank = KernelAcceptance(kernel.key, kernel.place, tuple(sorted(given.places)), ())
    if is_foreign(file.path):
        return replace(blank, reason="written for another compiler than Triton's own")
    store = shared.store
    solver = Solver(shared.program, store.fresh())
    function = solver.store.function(kernel)
    addresses = pointers(shared.program, store, kernel)
    trial = Trial(function, scope_of(solver, file), shared.order.held.releases, shared.order.held.targets)
    ways = joined(given.ways) or (unlaunched(function, addresses, descriptors(store, kernel)),)

    def site(rejected: Rejected) -> Place:
        home = store.path_of(rejected.home) if rejected.home is not None else None
        return Place(home or file.path, rejected.span)

    def place(param: ir.Param) -> Place:
        return Place(file.path, param.span)

    parameters, reason = accepts(trial, ways, known(given.ways), site, place)
    return replace(blank, parameters=parameters, reason=reason)
