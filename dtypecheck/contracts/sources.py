"""What a user names as rules: packs by their stem, files by their path."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from . import packs
from .errors import Rejected, RulesError
from .model import RulesFile
from .packs import read_pack
from .reader import read_file
from .words import nearest


def read(source: str, base: Path | None = None) -> RulesFile | Rejected:
    """The rules that a user names: a pack by its stem, or a file relative to `base`.

    A pack wins over a file of the same name; `./vllm.toml` always means the file.
    """
    if source in packs.packs():
        return read_pack(source)
    path = Path(source) if base is None else base / source
    if re.search(r"[/\\]|\.toml$", source) or _exists(path):
        return read_file(path, shown=source)
    known = packs.packs()
    guess = nearest(source, known)
    hint = f'did you mean "{guess}"?' if guess else "a file is named with its path or its .toml suffix"
    message = f'"{source}" is neither a pack nor a file'
    return Rejected((RulesError(source, 0, 0, "", message, f"a pack ({', '.join(known)}) or a file", hint),))


def read_all(
    sources: Iterable[str], base: Path | None = None
) -> tuple[tuple[RulesFile, ...], tuple[RulesError, ...]]:
    """Every source read, in order: the good files, and the faults of the others."""
    files: list[RulesFile] = []
    errors: list[RulesError] = []
    for source in sources:
        match read(source, base):
            case RulesFile() as file:
                files.append(file)
            case Rejected(found):
                errors.extend(found)
    return tuple(files), tuple(errors)


def _exists(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
