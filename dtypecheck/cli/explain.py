"""`dtypecheck explain`: the page of a rule."""

from __future__ import annotations

import click

from .failure import Failure
from .terminal import color_option, wants_color, width, write


@click.command(short_help="Show the page of a rule.")
@click.argument("name", metavar="RULE")
@color_option
def explain(name: str, color: str) -> None:
    """Show what a rule finds, why it matters and how to mend it. RULE is a code or a slug."""
    from ..checks.registry import find_rule, page
    from ..checks.selection import rule_hint

    rule = find_rule(name)
    if rule is None:
        raise Failure(f"no rule '{name}'{rule_hint(name)}")
    text = page(rule)
    columns = width()
    if columns is None and not wants_color(color):
        write(text)
        return
    from ..report.pages import render_page

    write(render_page(text, columns or 80, wants_color(color)))
