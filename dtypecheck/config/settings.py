"""The settings of one run, complete: every default is decided here and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class PathIgnores:
    """Rules that are off for findings in the files that `pattern` matches."""

    pattern: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """`root` is absolute, with links resolved; names of rules are as the user wrote them, not yet checked."""

    root: Path
    rules: tuple[str, ...] = ()
    """Packs by name, rules files by a path that holds from the working directory."""
    select: tuple[str, ...] = ()
    """Empty: each rule's default level."""
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[PathIgnores, ...] = ()
    exclude: tuple[str, ...] = ()
    """Globs over paths relative to the root, on top of `discovery.DEFAULT_EXCLUDES`."""
    target: tuple[str, ...] = ()
    """Architectures such as `cuda:90`; empty: what Triton takes anywhere."""
    triton: tuple[str, ...] = ()
    """Triton releases; empty: every one that is known."""
    jobs: int = 0
    """Worker processes; 0: one per processor."""
    strict: bool = False
    exit_zero: bool = False
    show_possible: bool = False
    project: str | None = None
    """The name of the distribution, where its pyproject.toml says it."""
    origins: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Where a configuration file sets a key, as `file:line`; keys as they are spelt there."""

    def origin(self, key: str) -> str:
        """The prefix of a message about the value of `key`: its place in the file, or its flag."""
        return f"{self.origins[key]}: {key}" if key in self.origins else f"--{key}"
