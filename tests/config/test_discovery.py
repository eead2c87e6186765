"""Which files are read, which are reported on, and what is said about those that are neither."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from dtypecheck.config import discovery
from dtypecheck.config.discovery import discover, top_packages
from dtypecheck.config.errors import ConfigError
from dtypecheck.config.roots import existing, find_root
from dtypecheck.config.settings import Settings


def tree(root: Path, *names: str) -> Path:
    """Files (or, with a slash at the end, folders) below `root`, whose links are resolved."""
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir() if name.endswith("/") else path.write_text("")
    return root.resolve()


def found(root: Path, *paths: str, exclude: tuple[str, ...] = ()) -> discovery.Program:
    return discover([root / p for p in paths], Settings(root, exclude=exclude))


def refuse(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Folders of these names refuse to be listed, whoever asks."""
    scandir = os.scandir

    def guarded(path: Any) -> Any:
        if os.path.basename(os.fspath(path).rstrip("/")) in names:
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)


def test_the_whole_project_is_read_and_the_named_part_reported(tmp_path: Path) -> None:
    root = tree(tmp_path, "b.py", "a/y.py", "a/x.py", "a/notes.txt", "ab.py")
    program = found(root, "a")
    assert program.files == ("a/x.py", "a/y.py", "ab.py", "b.py")
    assert program.reported == {"a/x.py", "a/y.py"}
    assert found(root, "b.py").reported == {"b.py"}
    assert found(root, "").reported == set(program.files)
    assert found(root, "a/x.py", "ab.py").reported == {"a/x.py", "ab.py"}


@pytest.mark.parametrize(
    "name", [".git", ".venv", "venv", "build", "dist", "node_modules", "__pycache__", ".tox"]
)
def test_folders_without_sources_are_left_out_until_they_are_named(tmp_path: Path, name: str) -> None:
    root = tree(tmp_path, "a.py", f"p/{name}/x.py", f"p/{name}/y.py")
    assert found(root, "").files == ("a.py",)
    assert found(root, f"p/{name}").files == ("a.py", f"p/{name}/x.py", f"p/{name}/y.py")
    assert found(root, f"p/{name}/x.py").files == ("a.py", f"p/{name}/x.py")


def test_environments_are_told_by_what_they_hold(tmp_path: Path) -> None:
    root = tree(tmp_path, "a.py", "env/pyvenv.cfg", "env/lib/x.py", "conda/conda-meta/", "conda/y.py")
    assert found(root, "").files == ("a.py",)


def test_a_root_inside_an_excluded_folder_is_read(tmp_path: Path) -> None:
    root = tree(tmp_path / "site-packages" / "pkg", "a.py", "b/c.py")
    assert found(root, "").files == ("a.py", "b/c.py")


def test_excluded_paths_are_left_out_and_a_named_one_is_mentioned(tmp_path: Path) -> None:
    root = tree(tmp_path, "a.py", "gen/x.py", "p/gen/y.py", "p/z.py")
    assert found(root, "", exclude=("gen",)).files == ("a.py", "p/z.py")
    program = found(root, "gen/x.py", "a.py", exclude=("gen",))
    assert program.reported == {"a.py"}
    assert program.notices == ("gen/x.py: excluded by the configuration, not checked",)


def test_a_named_file_needs_no_suffix(tmp_path: Path) -> None:
    root = tree(tmp_path, "tool", "a.py")
    assert found(root, "tool").files == ("a.py", "tool")
    assert found(root, "a.py").files == ("a.py",)


def test_an_empty_folder_gives_a_notice(tmp_path: Path) -> None:
    root = tree(tmp_path, "empty/", "a.py")
    program = found(root, "empty")
    assert program.reported == frozenset()
    assert program.notices == (f"no Python files in {root / 'empty'}",)


def test_links_are_safe_and_nothing_is_read_twice(tmp_path: Path) -> None:
    root = tree(tmp_path / "root", "a/x.py")
    outside = tree(tmp_path / "out", "y.py", "d/z.py")
    (root / "a" / "up").symlink_to(root)
    (root / "a" / "twin").symlink_to(root / "a")
    (root / "lib").symlink_to(outside)
    (root / "lib2").symlink_to(outside)
    (outside / "again").symlink_to(outside)
    (outside / "back").symlink_to(root)
    (root / "all").symlink_to(tmp_path)
    (root / "gone.py").symlink_to(root / "nowhere.py")
    assert found(root, "").files == ("a/x.py", "lib/d/z.py", "lib/y.py")
    assert found(root, "lib").reported == {"lib/d/z.py", "lib/y.py"}


def test_a_folder_that_refuses_costs_one_notice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree(tmp_path, "a.py", "locked/x.py", "open/y.py")
    refuse(monkeypatch, "locked")
    program = found(root, "")
    assert program.files == ("a.py", "open/y.py")
    assert program.notices == ("locked: skipped, cannot be read: Permission denied",)


def test_a_named_folder_that_refuses_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree(tmp_path, "a.py", "locked/x.py")
    refuse(monkeypatch, "locked")
    with pytest.raises(ConfigError, match=r"^locked: cannot be read: Permission denied$"):
        found(root, "locked")


def test_a_root_that_refuses_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree(tmp_path / "locked", "a.py")
    refuse(monkeypatch, "locked")
    with pytest.raises(ConfigError, match=r"locked: cannot be read: Permission denied$"):
        found(root, "")


def test_a_path_outside_the_root_is_an_error(tmp_path: Path) -> None:
    root = tree(tmp_path / "root", "a.py")
    other = tree(tmp_path / "other", "b.py")
    with pytest.raises(ConfigError, match="outside the root"):
        discover([other], Settings(root))


def test_missing_paths_are_all_named() -> None:
    with pytest.raises(ConfigError) as error:
        existing(["nowhere/a.py", "nope"])
    assert error.value.lines == ("nowhere/a.py: no such file or directory", "nope: no such file or directory")


@pytest.mark.parametrize("marker", ["pyproject.toml", "setup.py", ".git/"])
def test_the_root_is_the_nearest_marked_folder(tmp_path: Path, marker: str) -> None:
    root = tree(tmp_path, "pyproject.toml", f"p/{marker}", "p/a/x.py", "p/b/y.py", "q/z.py")
    assert find_root([root / "p/a/x.py"]) == root / "p"
    assert find_root([root / "p"]) == root / "p"
    assert find_root([root / "p/a", root / "p/b/y.py"]) == root / "p"
    assert find_root([root / "p/a", root / "q"]) == root


def test_without_a_marker_the_root_is_the_common_parent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dtypecheck.config.roots.MARKERS", ("no-such-marker",))
    root = tree(tmp_path, "p/a/x.py", "p/b/y.py")
    assert find_root([root / "p/a/x.py"]) == root / "p/a"
    assert find_root([root / "p/a/x.py", root / "p/b"]) == root / "p"


def test_top_packages() -> None:
    files = ("vllm/__init__.py", "vllm/v1/__init__.py", "src/pkg/__init__.py", "__init__.py", "x.py")
    assert top_packages(files) == {"vllm", "pkg"}
