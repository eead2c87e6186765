"""`dtypecheck confirm`: the flags of `check`, and those that say how Triton is asked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .check import show
from .failure import failing
from .options import checking_options, settings_of
from .outputs import write_file
from .terminal import progress

if TYPE_CHECKING:
    from ..confirm.options import Options


@click.command(short_help="Check, and prove each finding with Triton itself.")
@checking_options
@click.option("--binary", is_flag=True, help="Compile to the target's binary, not to Triton's IR alone.")
@click.option("--launch", is_flag=True, help="Launch faulty kernels and mended ones; needs a GPU.")
@click.option("--python", metavar="PATH", help="An interpreter that has Triton. [default: this one]")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1),
    default=60.0,
    metavar="SECONDS",
    help="For one kernel. [default: 60]",
)
@click.option("--cache-dir", metavar="DIR", help="Where answers are kept. [default: the user's cache folder]")
@click.option("--no-cache", is_flag=True, help="Ask again, and keep nothing.")
@click.option(
    "--record", metavar="FILE", help="Write the verdicts to a file, with the digests of their sources."
)
@click.pass_context
def confirm(ctx: click.Context, /, paths: tuple[str, ...], **flags: Any) -> None:
    """Check the project around PATH..., then prove each finding with Triton, with no GPU needed.

    Each kernel is cut out of the project and given to Triton in a process of its own, with the arguments of
    the launch, and with the argument to blame mended. The project itself is not imported. Needs the extra:
    pip install 'dtypecheck[confirm]'.
    """
    from ..api import confirm as confirm_paths

    with failing():
        settings = settings_of(ctx, paths, flags)
        with progress(flags["verbose"] < flags["quiet"]) as tell:
            report = confirm_paths(paths, settings, _options(flags), tell)
    if flags["record"]:
        import datetime

        from ..confirm.record import render

        write_file(flags["record"], render(report, datetime.datetime.now(datetime.timezone.utc).date()))
    show(ctx, report, settings, flags)


def _options(flags: dict[str, Any]) -> Options:
    from ..confirm.options import Options

    given: dict[str, Any] = {"binary": flags["binary"], "timeout": flags["timeout"]}
    if flags["launch"]:
        given["device"] = "cuda"
    if flags["python"]:
        given["python"] = flags["python"]
    if flags["no_cache"]:
        given["cache"] = None
    elif flags["cache_dir"]:
        given["cache"] = Path(flags["cache_dir"])
    return Options(**given)
