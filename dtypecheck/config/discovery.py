"""Which files make up the program that is analysed, and which of them are reported on.

Reads names only, never the text of a file. The order is that of the relative paths, on every system.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .errors import ConfigError
from .globs import Matcher, matcher
from .settings import Settings

DEFAULT_EXCLUDES = frozenset(
    {".git", ".hg", ".svn", ".venv", "venv", "build", "dist", "node_modules", "__pycache__", ".tox", ".nox"}
    | {".mypy_cache", ".pytest_cache", ".ruff_cache", ".eggs", "site-packages"}
)
"""Names of folders that hold no source of the project; what a user names is read all the same."""

_ENVIRONMENT = frozenset({"pyvenv.cfg", "conda-meta"})
"""What tells that a folder is an installed environment, whatever its name."""


@dataclass(frozen=True, slots=True)
class Program:
    """`files` and `reported` are paths relative to `root`, with forward slashes; `files` is sorted."""

    root: Path
    files: tuple[str, ...]
    reported: frozenset[str]
    notices: tuple[str, ...] = ()


@dataclass(slots=True)
class _Walk:
    """One traversal: what it may skip, the folders it has seen, and what it could not read."""

    root: str
    excluded: Matcher
    named: frozenset[str]
    seen: set[tuple[int, int]] = field(default_factory=set)
    notices: list[str] = field(default_factory=list)


def discover(paths: Sequence[str | os.PathLike[str]], settings: Settings) -> Program:
    """The program around `paths`; raises ConfigError for a path that is missing, unreadable or outside."""
    relative = [_relative(Path(os.path.abspath(p)), settings.root) for p in paths]
    named = frozenset(r for r in relative if r != ".")
    walk = _Walk(str(settings.root), matcher(settings.exclude), frozenset(relative))
    files = set(_python_files(walk, ""))
    for path in sorted(named):
        if walk.excluded(path):
            walk.notices.append(f"{path}: excluded by the configuration, not checked")
        elif (settings.root / path).is_file():
            files.add(path)
        elif not DEFAULT_EXCLUDES.isdisjoint(path.split("/")):
            files.update(_python_files(walk, path))
    folders = tuple("" if r == "." else f"{r}/" for r in relative)
    reported = frozenset(f for f in files if f in named or f.startswith(folders))
    if not reported:
        walk.notices.append(f"no Python files in {', '.join(os.fspath(p) for p in paths)}")
    return Program(settings.root, tuple(sorted(files)), reported, tuple(walk.notices))


def top_packages(files: Iterable[str]) -> frozenset[str]:
    """The names that the project's own packages are imported by: at the root, or in a `src` folder."""
    parts = (f.removeprefix("src/").split("/") for f in files)
    return frozenset(p[0] for p in parts if len(p) == 2 and p[1] == "__init__.py")


def _relative(path: Path, root: Path) -> str:
    """The name of `path` from the root: by where it really is, else by how it is spelt."""
    real = Path(os.path.realpath(path))
    for candidate in (real, Path(os.path.realpath(path.parent)) / path.name):
        if candidate.is_relative_to(root):
            return candidate.relative_to(root).as_posix()
    raise ConfigError(f"{path} is outside the root {root}")


def _python_files(walk: _Walk, folder: str) -> Iterator[str]:
    """The files at and below a folder; raises ConfigError where a named folder cannot be read."""
    pending = [folder]
    while pending:
        here = pending.pop()
        try:
            with os.scandir(os.path.join(walk.root, here)) as found:
                entries = sorted(found, key=lambda e: e.name)
        except OSError as error:
            if (here or ".") in walk.named:
                raise ConfigError(f"{here or walk.root}: cannot be read: {error.strerror or error}") from None
            walk.notices.append(f"{here or walk.root}: skipped, cannot be read: {error.strerror or error}")
            continue
        if here != folder and any(entry.name in _ENVIRONMENT for entry in entries):
            continue
        for entry in entries:
            relative = f"{here}/{entry.name}" if here else entry.name
            if _is_new_folder(walk, entry, relative):
                pending.append(relative)
            elif entry.name.endswith(".py") and _is_file(entry) and not walk.excluded(relative):
                yield relative


def _is_new_folder(walk: _Walk, entry: os.DirEntry[str], relative: str) -> bool:
    """Whether to descend.

    A link is followed only out of the root, and once: what is inside is found by its own name.
    """
    try:
        if entry.name in DEFAULT_EXCLUDES or not entry.is_dir() or walk.excluded(relative):
            return False
        if not entry.is_symlink():
            return True
        real = os.path.realpath(entry.path)
        if os.path.commonpath([real, walk.root]) in (walk.root, real):
            return False
        status = entry.stat()
    except (OSError, ValueError):
        return False
    key = (status.st_dev, status.st_ino)
    known = key in walk.seen
    walk.seen.add(key)
    return not known


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False
