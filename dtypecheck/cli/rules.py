"""`dtypecheck rules`: the rules and packs known here, and the check of a rules file."""

from __future__ import annotations

import click

from .failure import Failure
from .terminal import write


@click.group(invoke_without_command=True, short_help="List rules and packs; check a rules file.")
@click.pass_context
def rules(ctx: click.Context) -> None:
    """List the rules with their default levels, and the packs that ship with the tool."""
    if ctx.invoked_subcommand is not None:
        return
    from ..checks.registry import RULES
    from ..contracts.packs import packs

    lines = [f"{r.code}  {r.slug:<22}{r.level:<9}{r.summary}" for r in RULES]
    lines += ["", f"packs: {', '.join(packs()) or 'none'}"]
    write("\n".join(lines) + "\n")


@rules.command(short_help="Check rules files.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
def validate(files: tuple[str, ...]) -> None:
    """Check rules files (or packs, by name) and say everything that is wrong with them."""
    from ..contracts.sources import read_all

    good, errors = read_all(files)
    for file in good:
        write(f"{file.path}: ok\n")
    if errors:
        raise Failure(*map(str, errors))
