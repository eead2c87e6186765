"""Copies of packages in which one text is changed. The cache of the corpus is never written to."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from .fetch import MARKER


def copy(folder: Path, to: Path) -> Path:
    """A copy whose files are links to the originals where the file system can: replace them, never write."""
    shutil.copytree(folder, to, copy_function=_link, ignore=shutil.ignore_patterns(MARKER))
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
