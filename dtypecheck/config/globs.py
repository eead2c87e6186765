"""Path patterns: a small, portable reading of what .gitignore files mean.

A pattern without a slash matches any one component of the path; with one, the path from the root. Either
way, what lies below a match matches too. `**` spans folders, `*` and `?` stay within one name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache

Matcher = Callable[[str], bool]


@cache
def compile_glob(pattern: str) -> re.Pattern[str]:
    """The pattern as an expression over a relative path with forward slashes."""
    text = pattern.replace("\\", "/").removeprefix("./").rstrip("/")
    anchored = "/" in text
    body = _translate(text.lstrip("/"))
    return re.compile(f"{'' if anchored else '(?:.*/)?'}{body}(?:/.*)?", re.DOTALL)


def matcher(patterns: Iterable[str]) -> Matcher:
    """Whether any of the patterns matches a path."""
    compiled = [compile_glob(p) for p in patterns]
    return lambda path: any(c.fullmatch(path) for c in compiled)


def _translate(text: str) -> str:
    out = ""
    i = 0
    while i < len(text):
        if text.startswith("**/", i):
            out, i = out + "(?:.*/)?", i + 3
        elif text.startswith("**", i):
            out, i = out + ".*", i + 2
        elif text[i] in "*?":
            out, i = out + ("[^/]*" if text[i] == "*" else "[^/]"), i + 1
        elif text[i] == "[" and "]" in text[i + 2 :]:
            end = text.index("]", i + 2)
            out, i = out + _set(text[i + 1 : end]), end + 1
        else:
            out, i = out + re.escape(text[i]), i + 1
    return out


def _set(inside: str) -> str:
    """A bracket set; a set that is no valid expression stands for itself."""
    negated = inside[0] in "!^"
    members = (inside[1:] if negated else inside).replace("\\", "\\\\").replace("[", "\\[")
    found = f"[{'^/' if negated else ''}{members}]"
    try:
        re.compile(found)
    except re.error:
        return re.escape(f"[{inside}]")
    return found
