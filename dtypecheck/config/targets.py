"""Which targets and Triton releases a launch is held to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .errors import ConfigError, did_you_mean

RELEASES = ("3.9", "3.6")
"""The Triton releases whose rules are known, newest first. What lies between follows the older one."""
EXAMPLES = ("cuda:80", "cuda:89", "cuda:90", "cuda:100", "cuda:120", "hip:gfx90a", "hip:gfx942", "hip:gfx950")

_TARGET = re.compile(r"cuda:\d{2,3}|hip:gfx[0-9a-f]{3,4}")
_VERSION = re.compile(r"(\d+)\.(\d+)(?:\.\w+)*")
_PIN = re.compile(r"\s*triton\s*(?:\[[^\]]*\])?\s*==\s*([0-9][\w.]*)")


def checked_targets(names: Iterable[str], origin: str) -> tuple[str, ...]:
    """The targets; raises ConfigError for one that is not spelt as `cuda:90` or `hip:gfx942`."""
    found = tuple(names)
    wrong = [n for n in found if not _TARGET.fullmatch(n)]
    if wrong:
        lines = [f"{origin}: unknown target '{n}'{did_you_mean(n, EXAMPLES)}; write cuda:90 or hip:gfx942" for n in wrong]
        raise ConfigError(*lines)
    return found


def checked_releases(names: Iterable[str], origin: str) -> tuple[str, ...]:
    """The releases to hold launches to, by the rules that are known for them; newest first."""
    found: dict[str, None] = {}
    for name in names:
        match = _VERSION.fullmatch(name)
        version = (int(match[1]), int(match[2])) if match else (0, 0)
        if version < (3, 6):
            raise ConfigError(f"{origin}: no rules are known for Triton '{name}'; write 3.6 or newer, as in 3.9.0")
        found["3.9" if version >= (3, 9) else "3.6"] = None
    return tuple(r for r in RELEASES if r in found)


def pinned(document: Mapping[str, Any]) -> tuple[str, ...]:
    """The Triton release that a pyproject.toml pins with `==`, in its dependencies or extras."""
    for line in _requirements(document):
        match = _PIN.match(line)
        if match:
            return (match[1],)
    return ()


def _requirements(document: Mapping[str, Any]) -> Iterator[str]:
    project = document.get("project")
    if not isinstance(project, Mapping):
        return
    groups = project.get("optional-dependencies")
    lists = [project.get("dependencies"), *(groups.values() if isinstance(groups, Mapping) else ())]
    for one in lists:
        if isinstance(one, list):
            yield from (item for item in one if isinstance(item, str))
