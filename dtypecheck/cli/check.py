"""`dtypecheck check`: what is printed where, and the exit status."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..report.formats import FOR_READERS, Options, Rule, render
from .failure import failing
from .options import checking_options, settings_of
from .outputs import Output, write_file
from .terminal import progress, remark, wants_color, width, write

if TYPE_CHECKING:
    from ..config.settings import Settings
    from ..core.diagnostics import Report


@click.command(short_help="Check files and folders; the default command.")
@checking_options
@click.pass_context
def check(ctx: click.Context, /, paths: tuple[str, ...], **flags: Any) -> None:
    """Check the project around PATH... and report on what touches them.

    The whole project is read, since a launch and the birth of its tensor often stand in different files.
    Nothing of it is imported or run.
    """
    with failing():
        settings = settings_of(ctx, paths, flags)
        report = _run(paths, settings, flags["verbose"] < flags["quiet"])
    show(ctx, report, settings, flags)


def show(ctx: click.Context, report: Report, settings: Settings, flags: dict[str, Any]) -> None:
    """Prints a report as the flags say, and ends the command."""
    verbosity = flags["verbose"] - flags["quiet"]
    for notice in report.notices if verbosity >= 0 else ():
        remark(f"notice: {notice}")
    _print(report, flags, verbosity)
    ctx.exit(exit_status(report, settings))


def exit_status(report: Report, settings: Settings) -> int:
    """1 for findings that count, else 0."""
    from ..core.diagnostics import Severity

    counted = {Severity.ERROR, Severity.WARNING} if settings.strict else {Severity.ERROR}
    return int(any(f.severity in counted for f in report.findings) and not settings.exit_zero)


def _run(paths: tuple[str, ...], settings: Settings, quiet: bool) -> Report:
    from ..api import check as check_paths

    with progress(quiet) as tell:
        return check_paths(paths, settings, tell)


def _rules() -> tuple[Rule, ...]:
    """All rules, for formats that tell of them."""
    from ..checks.registry import RULES, page

    return tuple(Rule(r.code, r.slug, r.level, r.summary, page(r)) for r in RULES)


def _print(report: Report, flags: dict[str, Any], verbosity: int) -> None:
    """The files first: they are complete even if nobody reads standard output."""
    plain = Options(base=Path(os.path.realpath(os.curdir)), verbosity=verbosity, rules=_rules)
    output: Output
    for output in flags["outputs"]:
        write_file(output.path, render(output.format, report, plain))
    color = flags["format_"] in FOR_READERS and wants_color(flags["color"])
    write(render(flags["format_"], report, replace(plain, color=color, width=width())))
    if flags["statistics"]:
        from ..report.summary import statistics

        lines = [line.plain for line in statistics(report.stats)]
        if flags["format_"] == "text":
            write("\n" + "\n".join(lines) + "\n")
        else:
            remark("\n".join(lines))
