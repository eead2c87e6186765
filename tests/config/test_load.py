"""`[tool.dtypecheck]`: every key, every mistake with its place, and flags on top."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from dtypecheck.config.errors import ConfigError
from dtypecheck.config.load import _KEYS, override, read_config, rules_from_flags, settings_for
from dtypecheck.config.settings import PathIgnores, Settings


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project to stand in: messages show its paths from here."""
    monkeypatch.chdir(tmp_path)
    return tmp_path.resolve()


def config(root: Path, text: str) -> Settings:
    (root / "pyproject.toml").write_text(text, encoding="utf-8")
    return read_config(root)


def faults(root: Path, text: str) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as error:
        config(root, text)
    return error.value.lines


def test_every_key_is_a_field_of_settings() -> None:
    keys = {k.replace("-", "_") for k in _KEYS}
    assert keys | {"project", "origins"} == {f.name for f in fields(Settings)}


@pytest.mark.parametrize(
    "text", ["", "[project]\nname = 'x'\n", "[tool]\n", "[tool.dtypecheck]\n", "tool = 1\n"]
)
def test_nothing_said_means_defaults(project: Path, text: str) -> None:
    assert config(project, text).select == ()


def test_no_file_means_defaults(project: Path) -> None:
    assert read_config(project) == Settings(project)


def test_every_key_is_read(project: Path) -> None:
    (project / "src").mkdir()
    settings = config(
        project,
        """
        [project]
        name = "mine"
        [tool.dtypecheck]
        root = "src"
        rules = ["vllm", "mine.toml", "conf/more"]
        select = ["DT1", "narrowing-store"]
        ignore = ["DT110"]
        exclude = ["gen"]
        jobs = 3
        strict = true
        exit-zero = true
        show-possible = true
        [tool.dtypecheck.per-file-ignores]
        "tests/**" = ["ALL"]
        """,
    )
    assert settings == Settings(
        root=project / "src",
        rules=("vllm", "mine.toml", "conf/more"),
        select=("DT1", "narrowing-store"),
        ignore=("DT110",),
        per_file_ignores=(PathIgnores("tests/**", ("ALL",)),),
        exclude=("gen",),
        jobs=3,
        strict=True,
        exit_zero=True,
        show_possible=True,
        project="mine",
    )
    assert settings.origin("select") == "pyproject.toml:7: select"
    assert settings.origin("per-file-ignores") == "pyproject.toml:14: per-file-ignores"


def test_rules_files_are_found_from_the_file_that_names_them(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "sub").mkdir()
    monkeypatch.chdir(project / "sub")
    settings = config(project, "[tool.dtypecheck]\nrules = ['vllm', 'conf/a.toml']\n")
    assert settings.rules == ("vllm", str(project / "conf" / "a.toml"))
    assert rules_from_flags(["vllm", "./a.toml"]) == ("vllm", "a.toml")


PATH_IGNORES = "per-file-ignores must be a table of patterns, each with an array of strings"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("selct = []", "unknown key 'selct' in [tool.dtypecheck]; did you mean 'select'?"),
        ("exit_zero = true", "unknown key 'exit_zero' in [tool.dtypecheck]; did you mean 'exit-zero'?"),
        ("qqqq = 1", "unknown key 'qqqq' in [tool.dtypecheck]"),
        ("select = 'DT1'", "select must be an array of strings, names of rules, not a string"),
        ("ignore = ['DT1', 2]", "ignore must be an array of strings, names of rules, not an array"),
        ("jobs = -1", "jobs must be an integer from 0 on, not an integer (-1)"),
        ("jobs = true", "jobs must be an integer from 0 on, not a boolean (true)"),
        ("jobs = 1.5", "jobs must be an integer from 0 on, not a float (1.5)"),
        ("strict = 1", "strict must be true or false, not an integer (1)"),
        ("strict = 2020-01-01", "strict must be true or false, not a date or time"),
        ("root = []", "root must be a string, the path of a directory, not an array"),
        ("root = 'nowhere'", "root: no such directory 'nowhere'"),
        ("per-file-ignores = ['a']", f"{PATH_IGNORES}, not an array"),
        ("per-file-ignores = {a = 'b'}", f"{PATH_IGNORES}, not a table"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_place(project: Path, line: str, message: str) -> None:
    assert faults(project, f"# a project\n[tool.dtypecheck]\n{line}\n") == (f"pyproject.toml:3: {message}",)


def test_all_mistakes_are_named_at_once(project: Path) -> None:
    found = faults(project, "[tool.dtypecheck]\nselct = []\nstrict = 1\n[tool.other]\nx = 1\n")
    assert [line.split(": ")[0] for line in found] == ["pyproject.toml:2", "pyproject.toml:3"]


def test_a_file_that_is_not_toml(project: Path) -> None:
    (line,) = faults(project, "[tool.dtypecheck\n")
    assert line.startswith("pyproject.toml: not valid TOML: ") and "line 1" in line
    (line,) = faults(project, "tool.dtypecheck = 1\n")
    assert line == "pyproject.toml: [tool.dtypecheck] must be a table"


def test_bytes_that_are_not_utf8(project: Path) -> None:
    (project / "pyproject.toml").write_bytes(b"# \xff\n")
    with pytest.raises(ConfigError, match="not valid TOML"):
        read_config(project)


def test_a_file_that_refuses(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(ConfigError, match=r"^pyproject.toml: cannot be read: Permission denied$"):
        read_config(project)


@pytest.mark.parametrize(
    ("flags", "select", "ignore"),
    [
        ({}, ("DT1",), ("DT110",)),
        ({"select": ("ALL",)}, ("ALL",), ()),
        ({"ignore": ("DT101",)}, ("DT1",), ("DT110", "DT101")),
        ({"select": ("ALL",), "ignore": ("DT3",)}, ("ALL",), ("DT3",)),
    ],
)
def test_a_flag_wins(
    project: Path, flags: dict[str, Any], select: tuple[str, ...], ignore: tuple[str, ...]
) -> None:
    settings = override(config(project, "[tool.dtypecheck]\nselect = ['DT1']\nignore = ['DT110']\n"), flags)
    assert (settings.select, settings.ignore) == (select, ignore)
    assert settings.origin("select") == ("--select" if "select" in flags else "pyproject.toml:2: select")


def test_the_root_flag_wins_over_the_file_and_brings_its_own(project: Path) -> None:
    for name, jobs in ((".", 1), ("inner", 2)):
        (project / name).mkdir(exist_ok=True)
        (project / name / "pyproject.toml").write_text(f"[tool.dtypecheck]\njobs = {jobs}\nroot = 'x'\n")
        (project / name / "x").mkdir()
    assert settings_for(["inner"]).root == project / "inner" / "x"
    assert settings_for(["inner"], root="inner").root == project / "inner"
    assert settings_for(["inner"], root=".").jobs == 1
    with pytest.raises(ConfigError, match=r"^--root nowhere: no such directory$"):
        settings_for(["inner"], root="nowhere")
