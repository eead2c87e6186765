"""Which members of a package's archive the corpus keeps: Python files, and the names of the project.

Yields bytes; writes nothing.
"""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from .packages import Archive, Package

Member = tuple[PurePosixPath, bytes]


def members(archive: Path, package: Package) -> Iterator[Member]:
    """What is kept of an archive, by its path in the corpus."""
    if package.archive is Archive.WHEEL:
        return _wheel(archive)
    return _sdist(archive, package.name)


def _wheel(archive: Path) -> Iterator[Member]:
    with zipfile.ZipFile(archive) as wheel:
        for info in wheel.infolist():
            path = PurePosixPath(info.filename)
            is_metadata = path.name == "METADATA" and path.parent.suffix == ".dist-info"
            if _is_plain(path) and (path.suffix == ".py" or is_metadata) and not info.is_dir():
                yield path, wheel.read(info)


def _sdist(archive: Path, folder: str) -> Iterator[Member]:
    """Without the folder that holds the whole archive, and without the project's tests and tools."""
    with tarfile.open(archive) as source:
        for info in source:
            path = PurePosixPath(*PurePosixPath(info.name).parts[1:])
            wanted = path == PurePosixPath("pyproject.toml") or (
                path.suffix == ".py" and path.parts[0] == folder
            )
            if info.isfile() and wanted and _is_plain(path):
                file = source.extractfile(info)
                assert file is not None
                yield path, file.read()


def _is_plain(path: PurePosixPath) -> bool:
    """Whether the path stays inside the folder that it is joined to, on every system."""
    return not path.is_absolute() and ".." not in path.parts and not any(":" in p for p in path.parts)
