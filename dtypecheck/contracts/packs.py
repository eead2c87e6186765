"""The rules files that ship with the tool, and which of them a project takes by itself."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

from .errors import Rejected, RulesError
from .model import RulesFile
from .reader import read_file

_PACKAGE = Path(__file__).resolve().parent.parent
_FOLDERS = (_PACKAGE / "_rules", _PACKAGE.parent / "rules")
"""Where packs lie in an installed package, and in a source checkout or an editable install."""


def folder() -> Path | None:
    """The folder that holds the packs, if this copy of the tool has one."""
    return next((f for f in _FOLDERS if f.is_dir()), None)


@lru_cache(maxsize=1)
def packs() -> tuple[str, ...]:
    """The names of the packs, sorted."""
    base = folder()
    return tuple(sorted(p.stem for p in base.glob("*.toml"))) if base else ()


def find(name: str) -> Path | None:
    """The file of a pack, or None where no pack has this name."""
    base = folder()
    return base / f"{name}.toml" if base is not None and name in packs() else None


@cache
def read_pack(name: str) -> RulesFile | Rejected:
    """A pack by its name."""
    path = find(name)
    if path is None:
        return Rejected((RulesError(name, 0, 0, "", "no such pack", ", ".join(packs())),))
    return read_file(path, shown=f"rules/{name}.toml", shipped=True)


def packs_for(project_name: str | None, import_names: Iterable[str] = ()) -> tuple[str, ...]:
    """The packs that say they are for this distribution, or for a package that the project defines."""
    wanted = {normalized(n) for n in (project_name, *import_names) if n}
    found = []
    for name in packs():
        match read_pack(name):
            case RulesFile(targets=targets) if wanted & {normalized(t) for t in targets}:
                found.append(name)
    return tuple(found)


def normalized(name: str) -> str:
    """A distribution or import name in the form in which two spellings of it are equal."""
    return re.sub(r"[-_.]+", "-", name).lower()
