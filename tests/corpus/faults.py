"""Copies of packages in which one text is changed. The cache of the corpus is never written to."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from .fetch import MARKER


def copy(folder: Path, to: Path, parts: Sequence[str] = ("",)) -> Path:
    """A copy, of some files and folders or of all of them.

    Its files are links to the originals where the file system can: replace them, never write to them.
    """
    to.mkdir(parents=True)
    for part in parts:
        source, target = folder / part, to / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            leave = shutil.ignore_patterns(MARKER)
            shutil.copytree(source, target, copy_function=_link, ignore=leave, dirs_exist_ok=True)
        else:
            _link(str(source), str(target))
    return to


def replace(file: Path, text: bytes) -> None:
    """Gives `file` another text, and leaves every other link to it as it was."""
    file.unlink()
    file.write_bytes(text)


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
