"""What a value of a program is, and where it comes from: the project is read, and asked about one line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .analysis.program import FunctionDef, Program
from .analysis.reveal import NoSubject, subjects
from .analysis.solve import Solver
from .analysis.store import Store
from .analysis.trails import trail
from .config.errors import ConfigError
from .config.progress import Progress
from .core.traces import Traced
from .kernels.launch import Typer
from .kernels.sights import sights
from .pipeline import Held, indexed, reader
from .processes import as_one_run, workers
from .syntax.model import FileIndex


@dataclass(frozen=True, slots=True)
class Question:
    """A value at a line of the program that `files` below `root` are; no name: what the statement gives."""

    root: Path
    files: tuple[str, ...]
    path: str
    line: int
    name: str | None
    held: Held
    jobs: int = 0


def answer(question: Question, progress: Progress) -> tuple[Traced, ...]:
    """The values that are asked about; raises ConfigError where there is none."""
    return as_one_run(lambda: _answer(question, progress))


def _answer(question: Question, progress: Progress) -> tuple[Traced, ...]:
    processes = workers(question.jobs, len(question.files))
    program = indexed(question.root, question.files, processes, progress)
    store = Store(reader(question.root), watch=True)
    file = program.by_path[question.path]
    _check_line(file, store, question.line)
    solver = Solver(program, store)
    kernel = _kernel_at(program, file, question.line)
    try:
        if kernel is not None:
            typer = Typer(solver, question.held.targets[0], question.held.releases)
            return sights(typer, kernel, question.line, question.name)
        return tuple(trail(solver, s) for s in subjects(solver, file, question.line, question.name))
    except NoSubject as error:
        raise ConfigError(str(error)) from None


def _check_line(file: FileIndex, store: Store, line: int) -> None:
    if file.fault is not None:
        raise ConfigError(f"{file.path}:{file.fault.span.line}: cannot be read: {file.fault.message}")
    source = store.source(file.path)
    lines = list(source.lines) if source is not None else []
    last = len(lines) - (lines[-1:] == [""])
    if not 0 < line <= last:
        raise ConfigError(f"{file.path}:{line}: no such line; the file has {last}")


def _kernel_at(program: Program, file: FileIndex, line: int) -> FunctionDef | None:
    """The kernel or device function whose body a line is in."""
    around = [FunctionDef(file, e) for e in file.functions if e.first_line <= line <= e.last_line]
    inner = max(around, key=lambda f: f.entry.first_line, default=None)
    return inner if inner is not None and program.is_kernel(inner) else None
