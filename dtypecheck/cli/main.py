"""The command group, and what becomes of a run that ends early."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from .. import __version__
from .check import check
from .confirm import confirm
from .contracts import contracts
from .explain import explain
from .rules import rules
from .trace import trace

HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
INTERRUPTED = 130


class _Group(click.Group):
    """A group whose first word may be a path: `dtypecheck src` means `dtypecheck check src`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args:
            args = ["--help"]
        if args[0] not in self.commands and args[0] not in ("-h", "--help", "--version"):
            args = ["check", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_Group, context_settings=HELP)
@click.version_option(__version__, prog_name="dtypecheck", message="%(prog)s %(version)s")
def cli() -> None:
    """Find the Triton launch whose tensor has a dtype that the kernel cannot take.

    `dtypecheck PATH...` is short for `dtypecheck check PATH...`.

    Exit status: 0 nothing found, 1 findings, 2 wrong usage, configuration or rules file.
    """


for _command in (check, confirm, contracts, explain, rules, trace):
    cli.add_command(_command)


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit; an interrupt ends it without a traceback."""
    try:
        status = cli.main(args=argv, prog_name="dtypecheck", standalone_mode=False)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    sys.exit(status if isinstance(status, int) else 0)
