"""The library: from paths and settings to a report.

Decides the order of the stages and what of the findings is reported. Prints nothing, and reads no flag.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .checks.selection import select_rules
from .config.discovery import Program, discover, top_packages
from .config.errors import ConfigError
from .config.load import settings_for
from .config.progress import Progress, silent
from .config.settings import Settings
from .config.targets import RELEASES, checked_releases, checked_targets
from .contracts.matching import Contracts
from .contracts.model import RulesFile
from .contracts.packs import packs_for
from .contracts.sources import read_all
from .core.acceptance import Inventory
from .core.diagnostics import Certainty, Diagnostic, Report
from .core.traces import Trace
from .inventory import Order, survey
from .pipeline import Held, Job, indexed, reader, run
from .tracing import Question, answer

if TYPE_CHECKING:
    from .confirm.options import Options


def check(
    paths: Sequence[str | os.PathLike[str]],
    settings: Settings | None = None,
    progress: Progress = silent,
) -> Report:
    """Check the project around `paths`, and report on what touches them.

    Without `settings`, those of the project's pyproject.toml. Raises ConfigError for a path that cannot be
    read and for wrong configuration; nothing that the checked files hold makes it raise.
    """
    started = time.perf_counter()
    settings = settings or settings_for(paths)
    selection = select_rules(settings)
    program = discover(paths, settings)
    held = _held(settings)
    declared = Contracts(_contracts(program, settings))
    job = Job(settings.root, program.files, declared, selection.codes, settings.jobs, held, settings.show_possible)
    findings, stats = run(job, progress)
    kept = [f for f in findings if selection.keeps(f) and _is_reported(f, program, settings)]
    return Report(
        root=str(settings.root),
        findings=tuple(sorted(kept, key=lambda f: f.order)),
        stats=replace(stats, seconds=time.perf_counter() - started),
        notices=(*selection.notices, *program.notices),
    )


def confirm(
    paths: Sequence[str | os.PathLike[str]],
    settings: Settings | None = None,
    options: Options | None = None,
    progress: Progress = silent,
) -> Report:
    """Check, then try each finding with Triton itself, in a process of its own: the findings carry its verdicts.

    Needs the extra `confirm`. Raises ConfigError as `check` does, and where there is no Triton.
    """
    from .analysis.solve import Solver
    from .analysis.store import Store
    from .confirm.options import Options
    from .confirm.run import bench, confirmed

    started = time.perf_counter()
    settings = settings or settings_for(paths)
    report = check(paths, settings, progress)
    program = indexed(settings.root, discover(paths, settings).files, 1, progress)
    with bench(Solver(program, Store(reader(settings.root))), options or Options()) as at:
        findings = confirmed(at, report.findings, progress)
    stats = replace(report.stats, seconds=time.perf_counter() - started)
    return replace(report, findings=findings, stats=stats)


def contracts(
    paths: Sequence[str | os.PathLike[str]],
    settings: Settings | None = None,
    progress: Progress = silent,
) -> Inventory:
    """What each kernel in `paths` accepts, given what the launches of the project around them give it.

    Raises ConfigError as `check` does.
    """
    started = time.perf_counter()
    settings = settings or settings_for(paths)
    program = discover(paths, settings)
    held = _held(settings)
    order = Order(settings.root, program.files, program.reported, held, settings.jobs)
    kernels = survey(order, progress)
    named = ", ".join(os.fspath(p) for p in paths)
    nothing = () if kernels or not program.reported else (f"no Triton kernels in {named}",)
    return Inventory(
        root=str(settings.root),
        kernels=kernels,
        releases=held.releases,
        targets=held.targets,
        seconds=time.perf_counter() - started,
        notices=(*program.notices, *nothing),
    )


def trace(
    path: str | os.PathLike[str],
    line: int,
    name: str | None = None,
    settings: Settings | None = None,
    progress: Progress = silent,
) -> Trace:
    """What a value at a line is, and where it comes from: `name`, or what the statement there gives.

    Raises ConfigError as `check` does, and where there is no such file, line or value.
    """
    if os.path.isdir(path):
        raise ConfigError(f"{os.fspath(path)}: a file was expected")
    settings = settings or settings_for([path])
    program = discover([path], settings)
    if not program.reported:
        raise ConfigError(program.notices[0])
    (file,) = program.reported
    question = Question(settings.root, program.files, file, line, name, _held(settings), settings.jobs)
    return Trace(str(settings.root), answer(question, progress), program.notices)


def _held(settings: Settings) -> Held:
    return Held(
        checked_targets(settings.target, settings.origin("target")) or ("any",),
        checked_releases(settings.triton, settings.origin("triton")) or RELEASES,
    )


def _is_reported(finding: Diagnostic, program: Program, settings: Settings) -> bool:
    """A finding belongs to a path when its birth, its launch or its kernel stands there."""
    if finding.certainty is Certainty.POSSIBLE and not settings.show_possible:
        return False
    places = (finding.primary, finding.birth, finding.launch, finding.kernel_site)
    return any(p is not None and p.path in program.reported for p in places)


def _contracts(program: Program, settings: Settings) -> tuple[RulesFile, ...]:
    """The rules files that the user names, and the packs that say they are for this project."""
    packages = top_packages(program.files)
    own = [n for n in packs_for(settings.project, packages) if n not in settings.rules]
    files, errors = read_all((*own, *settings.rules))
    if errors:
        raise ConfigError(*map(str, errors))
    return files
