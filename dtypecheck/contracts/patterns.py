"""Patterns of qualified names: what they match, and which of two is more specific.

A pattern is a dotted name. In it `*` stands for any text inside one component (or for one whole
component), and the component `**` for any number of components, none included.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

Specificity = tuple[bool, int, int, int, int]
"""Greater is more specific: exact; then more literal characters; then fewer `**`; then more components;
then fewer `*`. So a pattern never loses to one that names more than it does."""

_STRAY = re.compile(r"[^\w*.<>-]")
_TWICE = re.compile(r"\*\*\.(?:\*\.)*\*\*")
_PATH = re.compile(r"[/\\]|\.py$")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern, compiled. `exact` patterns hold no wildcard and are looked up, not matched."""

    text: str
    exact: bool
    specificity: Specificity
    expression: re.Pattern[str] = field(repr=False)

    def matches(self, qualified: str) -> bool:
        return self.expression.fullmatch(qualified) is not None


@cache
def parse(text: str) -> Pattern:
    """The compiled form of a pattern for which `problem` finds nothing wrong."""
    components = text.split(".")
    deep = components.count("**")
    shallow = sum(c.count("*") for c in components if c != "**")
    literal = len(text.replace("*", "").replace(".", ""))
    exact = deep == shallow == 0
    specificity = (exact, literal, -deep, len(components), -shallow)
    return Pattern(text, exact, specificity, re.compile(_expression(components)))


def _expression(components: list[str]) -> str:
    """`**` takes its own dots: one before each component it stands for, but at the start after each."""
    parts: list[str] = []
    for i, component in enumerate(components):
        if component == "**":
            whole = len(components) == 1
            parts.append(r".*" if whole else r"(?:[^.]+\.)*" if i == 0 else r"(?:\.[^.]+)*")
            continue
        if i > 0 and not (i == 1 and components[0] == "**"):
            parts.append(r"\.")
        parts.append("[^.]+" if component == "*" else _inside(component))
    return "".join(parts)


def _inside(component: str) -> str:
    return "[^.]*".join(re.escape(piece) for piece in component.split("*"))


def problem(text: str) -> tuple[str, str] | None:
    """What is wrong with a pattern, and a hint; None for a good one."""
    if not text:
        return "the name is empty", "write a qualified name such as pkg.module.kernel"
    if _PATH.search(text):
        dotted = re.sub(r"[/\\]", ".", text.removesuffix(".py")).strip(".")
        return "a name is dotted, not a path", f'write "{dotted}" and the name defined there'
    stray = _STRAY.search(text)
    if stray:
        return f"{stray[0]!r} cannot stand in a qualified name", "use letters, digits, _ . * and **"
    for component in text.split("."):
        if not component:
            return "a part of the name between dots is empty", "remove the extra dot"
        if "**" in component and component != "**":
            return f"'**' must stand alone between dots, not in '{component}'", "use '*' inside a part"
        if component[0].isdigit():
            return f"'{component}' starts with a digit", "write a qualified name such as pkg.module.kernel"
    if _TWICE.search(text):
        return "there is nothing but wildcards between two '**'", "write '**' once"
    return None
