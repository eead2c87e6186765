"""`dtypecheck contracts`: what each kernel accepts, as a table, JSON, or a rules file to start from."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import __version__
from .failure import failing
from .outputs import Output, outputs_in, write_file
from .terminal import color_option, progress, remark, wants_color, width, write

if TYPE_CHECKING:
    from ..config.settings import Settings
    from ..core.acceptance import Inventory

FORMATS = ("text", "json", "toml")


@click.command(short_help="Show what each kernel accepts, per parameter.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    default="text",
    help="What is printed; toml is a rules file to start from. [default: text]",
)
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="FORMAT:PATH",
    callback=outputs_in(FORMATS),
    help="Write one more output to a file. [repeatable]",
)
@click.option("--exclude", multiple=True, metavar="GLOB", help="Paths to leave out. [repeatable]")
@click.option(
    "--root", metavar="DIR", help="The project. [default: nearest pyproject.toml, setup.py or .git]"
)
@click.option(
    "--target", multiple=True, metavar="ARCH", help="cuda:90, hip:gfx942... [repeatable; default: any]"
)
@click.option(
    "--triton",
    multiple=True,
    metavar="VERSION",
    help="A Triton release, as 3.9. [repeatable; default: the project's pin, else all known]",
)
@click.option("--jobs", type=click.IntRange(min=0), metavar="N", help="Processes; 0: one per processor.")
@click.option("-q", "--quiet", count=True, help="The table only.")
@click.option("-v", "--verbose", count=True, help="Why the rest is refused, and what launches give.")
@color_option
@click.version_option(__version__, prog_name="dtypecheck", message="%(prog)s %(version)s")
def contracts(paths: tuple[str, ...], **flags: Any) -> None:
    """Show what each kernel in PATH... accepts, per parameter: dtypes, numbers, None, and what must be alike.

    Given the rest: what is known of the other arguments at the project's launches counts; without a launch they
    may be anything. `any` means that nothing is refused.
    """
    from ..api import contracts as contracts_of

    verbosity = flags["verbose"] - flags["quiet"]
    with failing():
        settings = _settings(paths, flags)
        with progress(verbosity < 0) as tell:
            inventory = contracts_of(paths, settings, tell)
    for notice in inventory.notices if verbosity >= 0 else ():
        remark(f"notice: {notice}")
    output: Output
    for output in flags["outputs"]:
        write_file(output.path, _render(output.format, inventory, settings, verbosity))
    color = wants_color(flags["color"])
    write(_render(flags["format_"], inventory, settings, verbosity, color, width()))


def _settings(paths: tuple[str, ...], flags: dict[str, Any]) -> Settings:
    from ..config.load import settings_for

    given = {name: flags[name] for name in ("exclude", "target", "triton") if flags[name]}
    if flags["jobs"] is not None:
        given["jobs"] = flags["jobs"]
    return settings_for(paths, given, root=flags["root"])


def _render(
    name: str,
    inventory: Inventory,
    settings: Settings,
    verbosity: int,
    color: bool = False,
    width: int | None = None,
) -> str:
    if name == "toml":
        from ..contracts.draft import draft

        return draft(inventory, settings.project or Path(inventory.root).name)
    if name == "json":
        from ..report import inventory_json

        return inventory_json.render(inventory)
    from ..report import inventory_text
    from ..report.formats import Options

    return inventory_text.render(
        inventory, Options(color, width, Path(os.path.realpath(os.curdir)), verbosity)
    )
