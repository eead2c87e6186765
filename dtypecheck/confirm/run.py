"""Confirms the findings of a report, one after the other."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..analysis.solve import Solver
from ..config.errors import ConfigError
from ..config.progress import Progress
from ..core.diagnostics import Diagnostic, Severity, State
from .bench import USUAL_TARGET, Bench, Machine
from .cache import Cache
from .options import Options
from .process import Gone, Worker
from .verdicts import judge


@contextlib.contextmanager
def bench(solver: Solver, options: Options) -> Iterator[Bench]:
    """A bench with its worker. Raises ConfigError where its interpreter cannot be run, or has no Triton."""
    worker = Worker(options.python, options.timeout)
    launcher = Worker(options.python, options.timeout, options.device) if options.device else None
    try:
        machine = _machine(launcher or worker, options)
        yield Bench(solver, worker, Cache(options.cache), machine, options.binary, launcher)
    finally:
        worker.close()
        if launcher is not None:
            launcher.close()


def confirmed(bench: Bench, findings: Iterable[Diagnostic], progress: Progress) -> tuple[Diagnostic, ...]:
    """The findings with their verdicts, in the same order; what is refuted is a note, and counts no more."""
    everything = tuple(findings)
    made = []
    for done, finding in enumerate(everything):
        progress("confirming", done, len(everything))
        verdict = judge(bench, finding)
        refuted = verdict.state is State.REFUTED
        made.append(
            replace(finding, verdict=verdict, severity=Severity.NOTE if refuted else finding.severity)
        )
    return tuple(made)


def _machine(worker: Worker, options: Options) -> Machine:
    try:
        told = worker.ask({"do": "hello", "device": options.device})
    except Gone as error:
        raise ConfigError(f"--python: {error}") from None
    if told["outcome"] == "taken":
        if options.device and not told["gpu"]:
            raise ConfigError(f"--launch: {options.python} sees no GPU; without --launch none is needed")
        target = f"cuda:{told['arch']}" if told["arch"] else USUAL_TARGET
        return Machine(told["triton"], told["python"], told["gpu"], target)
    raise ConfigError(
        f"confirm needs Triton, which {options.python} cannot import ({told['error']}): "
        "pip install 'dtypecheck[confirm]', or name an interpreter that has it with --python"
    )
