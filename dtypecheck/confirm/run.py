"""Confirms the findings of a report, one after the other."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..analysis.solve import Solver
from ..config.errors import ConfigError
from ..config.progress import Progress
from ..core.diagnostics import Diagnostic, Severity, State
from .bench import Bench, Machine
from .cache import Cache
from .options import Options
from .process import Gone, Worker
from .verdicts import judge


@contextlib.contextmanager
def bench(solver: Solver, options: Options) -> Iterator[Bench]:
    """A bench with its worker. Raises ConfigError where its interpreter cannot be run, or has no Triton."""
    worker = Worker(options.python, options.timeout, options.launch)
    try:
        yield Bench(solver, worker, Cache(options.cache), _machine(worker, options), options.binary)
    finally:
        worker.close()


def confirmed(bench: Bench, findings: Iterable[Diagnostic], progress: Progress) -> tuple[Diagnostic, ...]:
    """The findings with their verdicts, in the same order; what is refuted counts no more, and stays as a note."""
    everything = tuple(findings)
    made = []
    for done, finding in enumerate(everything):
        progress("confirming", done, len(everything))
        verdict = judge(bench, finding)
        refuted = verdict.state is State.REFUTED
        made.append(replace(finding, verdict=verdict, severity=Severity.NOTE if refuted else finding.severity))
    return tuple(made)


def _machine(worker: Worker, options: Options) -> Machine:
    try:
        told = worker.ask({"do": "hello"})
    except Gone as error:
        raise ConfigError(f"--python: {error}") from None
    if told["outcome"] == "taken":
        machine = Machine(told["triton"], told["python"], told["gpu"])
        if options.launch and not machine.gpu:
            raise ConfigError(f"--launch: {options.python} sees no GPU; without --launch none is needed")
        return machine
    raise ConfigError(
        f"confirm needs Triton, which {options.python} cannot import ({told['error']}): "
        "pip install 'dtypecheck[confirm]', or name an interpreter that has it with --python"
    )
