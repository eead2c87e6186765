"""Where the project around the named paths begins."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from .errors import ConfigError

MARKERS = ("pyproject.toml", "setup.py", ".git")


def existing(paths: Sequence[str | os.PathLike[str]]) -> tuple[Path, ...]:
    """The paths, absolute; raises for those that are not there."""
    named = [Path(os.path.abspath(p)) for p in paths]
    missing = [
        f"{os.fspath(given)}: no such file or directory"
        for given, path in zip(paths, named, strict=True)
        if not os.path.lexists(path)
    ]
    missing += [f"{p}: a link to nothing" for p in named if os.path.islink(p) and not p.exists()]
    if missing:
        raise ConfigError(*missing)
    return tuple(named)


def find_root(paths: Sequence[Path]) -> Path:
    """The nearest folder with a marker at or above the common parent of `paths`; else that parent."""
    folders = [p if p.is_dir() else p.parent for p in (Path(os.path.realpath(p)) for p in paths)]
    try:
        common = Path(os.path.commonpath(folders))
    except ValueError:
        raise ConfigError(
            "the paths lie on different drives: name one --root, or run once for each"
        ) from None
    for folder in (common, *common.parents):
        if any(os.path.lexists(folder / marker) for marker in MARKERS):
            return folder
    return common
