"""`dtypecheck trace`: what a value is, when, and where it comes from, with source lines."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import __version__
from .failure import Failure, failing
from .terminal import color_option, progress, remark, wants_color, width, write

if TYPE_CHECKING:
    from ..config.settings import Settings

FORMATS = ("text", "json")
_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?::(?P<name>.*))?", re.DOTALL)


@click.command(short_help="Show what a value is, and where it comes from.")
@click.argument("place", metavar="FILE:LINE[:NAME]")
@click.option(
    "--format", "format_", type=click.Choice(FORMATS), default="text", help="What is printed. [default: text]"
)
@click.option(
    "--root", metavar="DIR", help="The project. [default: nearest pyproject.toml, setup.py or .git]"
)
@click.option("--target", metavar="ARCH", help="For kernels: cuda:90, hip:gfx942... [default: any]")
@click.option("--triton", metavar="VERSION", help="For kernels: a release, as 3.9. [default: newest known]")
@click.option("--jobs", type=click.IntRange(min=0), metavar="N", help="Processes; 0: one per processor.")
@click.option("-q", "--quiet", count=True, help="What the value is, and no more.")
@click.option("-v", "--verbose", count=True, help="Long code in full.")
@color_option
@click.version_option(__version__, prog_name="dtypecheck", message="%(prog)s %(version)s")
def trace(place: str, **flags: Any) -> None:
    """Show what the value NAME at a line of a file is, and where it comes from.

    NAME is a variable, an attribute such as self.x, or a call such as f(); without it, what the statement
    gives. Each thing that the value can be is told with the callers and tests that lead to it, and with every
    station from its birth on. A kernel's variable is told for each launch. Nothing is imported or run.
    """
    from ..api import trace as trace_at

    path, line, name = _asked(place)
    verbosity = flags["verbose"] - flags["quiet"]
    with failing():
        settings = _settings(path, flags)
        with progress(verbosity < 0) as tell:
            found = trace_at(path, line, name, settings, tell)
    for notice in found.notices if verbosity >= 0 else ():
        remark(f"notice: {notice}")
    if flags["format_"] == "json":
        from ..report import trace_json

        write(trace_json.render(found))
        return
    from ..report import trace_text
    from ..report.formats import Options

    base = Path(os.path.realpath(os.curdir))
    write(trace_text.render(found, Options(wants_color(flags["color"]), width(), base, verbosity)))


def _asked(place: str) -> tuple[str, int, str | None]:
    """FILE, LINE and NAME."""
    found = _PLACE.fullmatch(place)
    if found is None:
        raise Failure(f"{place}: not FILE:LINE or FILE:LINE:NAME, such as sampler.py:41:num_sampled")
    return found["file"], int(found["line"]), found["name"] or None


def _settings(path: str, flags: dict[str, Any]) -> Settings:
    from ..config.errors import did_you_mean
    from ..config.load import settings_for

    folder, _, last = path.replace(os.sep, "/").rpartition("/")
    if not os.path.lexists(path):
        beside = os.listdir(folder or ".") if os.path.isdir(folder or ".") else []
        raise Failure(f"{path}: no such file{did_you_mean(last, [n for n in beside if n.endswith('.py')])}")
    given: dict[str, Any] = {name: (flags[name],) for name in ("target", "triton") if flags[name]}
    if flags["jobs"] is not None:
        given["jobs"] = flags["jobs"]
    return settings_for([path], given, root=flags["root"])
