"""The flags that `check` and `confirm` share, and the settings that they make."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .. import __version__
from ..report.formats import FORMATS
from .failure import Failure
from .outputs import outputs_in
from .terminal import color_option

if TYPE_CHECKING:
    from ..config.settings import Settings

F = TypeVar("F", bound=Callable[..., Any])

NAMES = "RULES"

_FLAGS: tuple[Callable[[Any], Any], ...] = (
    click.argument("paths", metavar="PATH...", nargs=-1, required=True),
    click.option(
        "--rules", multiple=True, metavar="FILE_OR_PACK", help="A rules file, or a pack by its name. [repeatable]"
    ),
    click.option(
        "--select", multiple=True, metavar=NAMES, help="Rules to turn on: codes, slugs, prefixes (DT1), ALL."
    ),
    click.option("--ignore", multiple=True, metavar=NAMES, help="Rules to turn off."),
    click.option("--exclude", multiple=True, metavar="GLOB", help="Paths to leave out. [repeatable]"),
    click.option(
        "--format",
        "format_",
        type=click.Choice(list(FORMATS)),
        default="text",
        help="What is printed. [default: text]",
    ),
    click.option(
        "-o",
        "--output",
        "outputs",
        multiple=True,
        metavar="FORMAT:PATH",
        callback=outputs_in(FORMATS),
        help="Write one more output to a file. [repeatable]",
    ),
    click.option(
        "--root", metavar="DIR", help="The project. [default: nearest pyproject.toml, setup.py or .git]"
    ),
    click.option(
        "--target", multiple=True, metavar="ARCH", help="cuda:90, hip:gfx942... [repeatable; default: any]"
    ),
    click.option(
        "--triton",
        multiple=True,
        metavar="VERSION",
        help="A Triton release, as 3.9. [repeatable; default: the project's pin, else all known]",
    ),
    click.option("--jobs", type=click.IntRange(min=0), metavar="N", help="Processes; 0: one per processor."),
    click.option("--strict/--no-strict", default=None, help="Exit with 1 for warnings too."),
    click.option("--exit-zero/--no-exit-zero", default=None, help="Exit with 0 whatever is found."),
    click.option(
        "--show-possible/--no-show-possible", default=None, help="Show what depends on an unknown dtype too."
    ),
    click.option("--statistics", is_flag=True, help="Show how many launches were found, resolved and decided."),
    click.option("-q", "--quiet", count=True, help="Findings only."),
    click.option("-v", "--verbose", count=True, help="Whole traces, and why launches stayed undecided."),
    color_option,
    click.version_option(__version__, prog_name="dtypecheck", message="%(prog)s %(version)s"),
)


def checking_options(command: F) -> F:
    """The flags of every command that checks, above those of its own."""
    for flag in reversed(_FLAGS):
        command = flag(command)
    return command


def settings_of(ctx: click.Context, paths: tuple[str, ...], flags: dict[str, Any]) -> Settings:
    """Configuration, with the flags that were given on top."""
    from ..config.load import rules_from_flags, settings_for

    _expect_a_path(ctx, paths[0])
    given: dict[str, Any] = {}
    for name in ("select", "ignore"):
        if flags[name]:
            given[name] = _split(flags[name])
    if flags["rules"]:
        given["rules"] = rules_from_flags(flags["rules"])
    for name in ("exclude", "target", "triton"):
        if flags[name]:
            given[name] = flags[name]
    for name in ("jobs", "strict", "exit_zero", "show_possible"):
        if flags[name] is not None:
            given[name] = flags[name]
    return settings_for(paths, given, root=flags["root"])


def _expect_a_path(ctx: click.Context, word: str) -> None:
    """A mistyped command arrives here as a path that is not there."""
    from ..config.errors import did_you_mean

    group = ctx.parent.command if ctx.parent else None
    if isinstance(group, click.Group) and word.isalpha() and not os.path.lexists(word):
        hint = did_you_mean(word, group.commands)
        if hint:
            raise Failure(f"{word}: no such file or directory, and no command{hint}")


def _split(values: Iterable[str]) -> tuple[str, ...]:
    """`A,B` and repeated flags alike."""
    return tuple(name.strip() for value in values for name in value.split(",") if name.strip())
