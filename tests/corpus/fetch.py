"""Fetches the packages of the corpus into a cache outside the repository: `python -m tests.corpus.fetch`.

Decides where the cache lies and when an entry of it is whole. pip finds, downloads and caches; nothing of a
package is built, installed or run. What cannot be had is a FetchError, never less of a corpus.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from .archives import Member, members
from .packages import Archive, Package, UnknownPackage, named

BACKEND = Path(__file__).parent / "backend"
PYTHON = "3.11"
"""The Python whose wheels are taken, whichever runs this."""
PLATFORMS = (
    "manylinux_2_34_x86_64",
    "manylinux_2_28_x86_64",
    "manylinux_2_24_x86_64",
    "manylinux2014_x86_64",
)
MARKER = ".complete"
PARTIAL = ".partial-"
ABANDONED = 3600
"""Seconds after which an unfinished folder is nobody's."""


class FetchError(RuntimeError):
    """A package that could not be had, and why."""


def cache_folder() -> Path:
    """`$DTYPECHECK_CORPUS`, else `dtypecheck-corpus` in the user's cache folder."""
    own = os.environ.get("DTYPECHECK_CORPUS")
    if own:
        return Path(own).absolute()
    caches = os.environ.get("XDG_CACHE_HOME")
    return (Path(caches) if caches else Path.home() / ".cache").absolute() / "dtypecheck-corpus"


def fetch(package: Package) -> Path:
    """The folder that holds the package's Python files; downloads them when they are not there."""
    cache = cache_folder()
    folder = cache / package.key
    if _is_whole(folder, package):
        return folder
    try:
        cache.mkdir(parents=True, exist_ok=True)
        _sweep(cache)
        with tempfile.TemporaryDirectory(dir=cache, prefix=PARTIAL, ignore_cleanup_errors=True) as place:
            archive = _download(package, Path(place))
            tree = Path(place, "tree")
            _write(tree, members(archive, package))
            (tree / MARKER).write_text(_mark(tree, package), encoding="ascii")
            _install(tree, folder, package)
    except OSError as error:
        raise FetchError(f"{package.requirement}: {error}") from error
    return folder


def _is_whole(folder: Path, package: Package) -> bool:
    """Whether everything that was written is still there."""
    try:
        return (folder / MARKER).read_text(encoding="ascii") == _mark(folder, package)
    except (OSError, UnicodeDecodeError):
        return False


def _mark(tree: Path, package: Package) -> str:
    sizes = [p.stat().st_size for p in tree.rglob("*") if p.is_file() and p.name != MARKER]
    return f"{package.sha256} {len(sizes)} files {sum(sizes)} bytes\n"


def _write(tree: Path, files: Iterator[Member]) -> None:
    tree.mkdir()
    for path, text in files:
        target = tree.joinpath(*path.parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text)


def _install(tree: Path, folder: Path, package: Package) -> None:
    """Puts a whole tree in its place; of two processes that do so at once, either wins."""
    if folder.exists() and not _is_whole(folder, package):
        shutil.rmtree(folder)
    try:
        tree.rename(folder)
    except OSError:
        if not _is_whole(folder, package):
            raise


def _sweep(cache: Path) -> None:
    """Removes what interrupted runs left."""
    for folder in cache.glob(f"{PARTIAL}*"):
        if time.time() - folder.stat().st_mtime > ABANDONED:
            shutil.rmtree(folder, ignore_errors=True)


def _download(package: Package, place: Path) -> Path:
    """The archive, by pip, with the hash that is pinned."""
    folder = place / "download"
    folder.mkdir()
    command = [*_pip(package), "--dest", str(folder), package.requirement]
    environment = os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    if package.archive is Archive.SDIST:
        environment["PYTHONPATH"] = str(BACKEND)
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, errors="replace", check=False
    )
    found = list(folder.iterdir())
    if done.returncode or len(found) != 1:
        said = (done.stderr or done.stdout).strip()[-2000:]
        raise FetchError(f"{package.requirement}: pip could not download it (exit {done.returncode})\n{said}")
    with found[0].open("rb") as file:
        digest = hashlib.sha256()
        while block := file.read(1 << 20):
            digest.update(block)
    if digest.hexdigest() != package.sha256:
        raise FetchError(
            f"{package.requirement}: {found[0].name} has sha256 {digest.hexdigest()}, not {package.sha256}"
        )
    return found[0]


def _pip(package: Package) -> list[str]:
    """`pip download` of just this archive, with no dependency and no build."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--progress-bar", "off"]
    if package.archive is Archive.SDIST:
        binary = ["--no-binary", package.name, "--no-build-isolation", "--use-pep517"]
        return [*command, *binary, "--ignore-requires-python"]
    target = ["--only-binary", ":all:", "--python-version", PYTHON, "--implementation", "cp"]
    return [*command, *target, *(word for p in PLATFORMS for word in ("--platform", p))]


def main(arguments: Sequence[str] | None = None) -> int:
    """Fetches the packages that are named."""
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.fetch", description=__doc__)
    parser.add_argument("packages", nargs="*", default=["default"], metavar="PACKAGE")
    try:
        for package in named(parser.parse_args(arguments).packages):
            started = time.perf_counter()
            folder = fetch(package)
            print(f"{package.key:32}{time.perf_counter() - started:7.1f} s  {folder}", flush=True)
    except (FetchError, UnknownPackage) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
