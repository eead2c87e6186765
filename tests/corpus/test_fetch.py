"""The cache of the corpus: whole entries only, whatever interrupted the last run. Downloads nothing."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from .archives import members
from .fetch import FetchError, cache_folder, fetch
from .packages import PACKAGES, Archive, Package, UnknownPackage, named


def _wheel(names: Sequence[str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as wheel:
        for name in names:
            wheel.writestr(name, f"# {name}\n")
    return buffer.getvalue()


def _sdist(names: Sequence[str]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as source:
        for name in names:
            info = tarfile.TarInfo(name)
            source.addfile(info, io.BytesIO())
        link = tarfile.TarInfo("demo-1/demo/link.py")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/hostname"
        source.addfile(link)
    return buffer.getvalue()


CONTENT = _wheel(["demo/a.py", "demo/b.so", "demo-1.dist-info/METADATA", "demo/METADATA", "../c.py", "/d.py"])
DEMO = Package("demo", "1", hashlib.sha256(CONTENT).hexdigest())


@pytest.fixture
def downloads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """An empty cache, and pip replaced by one that gives CONTENT; lists what was asked of it."""
    asked: list[str] = []

    def pip(command: Sequence[str], **_: object) -> subprocess.CompletedProcess[str]:
        asked.append(command[-1])
        Path(command[command.index("--dest") + 1], "demo-1.whl").write_bytes(CONTENT)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setenv("DTYPECHECK_CORPUS", str(tmp_path / "cache"))
    monkeypatch.setattr("subprocess.run", pip)
    return asked


def _names(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_keeps_python_and_metadata_and_downloads_once(downloads: list[str]) -> None:
    folder = fetch(DEMO)
    assert _names(folder) == [".complete", "demo-1.dist-info/METADATA", "demo/a.py"]
    assert fetch(DEMO) == folder
    assert downloads == ["demo==1"]
    assert os.listdir(cache_folder()) == ["demo-1"]


@pytest.mark.parametrize("lost", [".complete", "demo/a.py"])
def test_a_damaged_entry_is_fetched_anew(downloads: list[str], lost: str) -> None:
    (fetch(DEMO) / lost).unlink()
    assert (fetch(DEMO) / lost).is_file()
    assert len(downloads) == 2


def test_an_entry_of_another_archive_is_fetched_anew(downloads: list[str]) -> None:
    marker = fetch(DEMO) / ".complete"
    marker.write_text(marker.read_text().replace(DEMO.sha256, "0" * 64))
    fetch(DEMO)
    assert len(downloads) == 2


def test_what_an_interrupted_run_left_is_removed_when_it_is_old(downloads: list[str]) -> None:
    old, new = (cache_folder() / f".partial-{name}" for name in ("old", "new"))
    for folder in (old, new):
        folder.mkdir(parents=True)
    os.utime(old, (0, 0))
    fetch(DEMO)
    assert (old.exists(), new.exists()) == (False, True)


def test_another_hash_is_an_error_and_leaves_nothing(downloads: list[str]) -> None:
    with pytest.raises(FetchError, match=f"demo==1: demo-1.whl has sha256 {DEMO.sha256}, not 0000"):
        fetch(Package("demo", "1", "0" * 64))
    assert os.listdir(cache_folder()) == []


def test_a_failing_pip_is_an_error_with_its_words(
    downloads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def pip(command: Sequence[str], **_: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, "", "ERROR: no network")

    monkeypatch.setattr("subprocess.run", pip)
    with pytest.raises(FetchError, match=r"demo==1: pip could not download it \(exit 1\)\nERROR: no network"):
        fetch(DEMO)


def test_of_a_source_archive_only_the_package_is_kept(tmp_path: Path) -> None:
    names = [
        "demo-1/pyproject.toml",
        "demo-1/demo/a.py",
        "demo-1/tests/b.py",
        "demo-1/setup.py",
        "demo-1/demo/../x.py",
    ]
    archive = tmp_path / "demo-1.tar.gz"
    archive.write_bytes(_sdist(names))
    package = Package("demo", "1", "", archive=Archive.SDIST)
    assert [str(path) for path, _ in members(archive, package)] == ["pyproject.toml", "demo/a.py"]


def test_packages_are_named_by_key_name_or_set() -> None:
    assert [p.key for p in named(["vllm"])] == ["vllm-0.20.0", "vllm-0.33.0"]
    assert [p.key for p in named(["vllm-0.20.0", "vllm"])] == ["vllm-0.20.0", "vllm-0.33.0"]
    assert named(["all"]) == PACKAGES
    assert set(named(["default"])) < set(PACKAGES)
    with pytest.raises(UnknownPackage, match="no package 'vlm' in the corpus"):
        named(["vlm"])
