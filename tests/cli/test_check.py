"""`check`: flags, formats, what goes to which stream, and exit statuses."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from dtypecheck.core.spans import Place, Span

from .samples import ERROR, POSSIBLE, WARNING

Invoke = Callable[..., Result]
Say = Callable[..., None]


@pytest.mark.parametrize("args", [("check", "."), (".",), ("a.py",), ("-q", "."), ("--select", "DT1", ".")])
def test_check_is_the_default_command(
    project: Path, invoke: Invoke, findings: Say, args: tuple[str, ...]
) -> None:
    findings(ERROR)
    result = invoke(*args)
    assert result.exit_code == 1
    assert result.stdout.startswith(
        "a.py:1:1 DT101 declared-argument: `p` of `k` gets int64, declared int32\n"
    )


@pytest.mark.parametrize(
    ("found", "flags", "status"),
    [
        ((), "", 0),
        ((ERROR,), "", 1),
        ((WARNING,), "", 0),
        ((WARNING,), "--strict", 1),
        ((ERROR,), "--exit-zero", 0),
        ((ERROR,), "--strict --exit-zero", 0),
        ((ERROR,), "--ignore declared-argument", 0),
        ((ERROR,), "--select DT3", 0),
        ((ERROR,), "--select DT3,DT101", 1),
        ((WARNING,), "--strict --ignore DT1 --ignore DT301", 0),
        ((POSSIBLE,), "", 0),
        ((POSSIBLE,), "--show-possible", 1),
        ((replace(ERROR, code="DT110"),), "", 0),
        ((replace(ERROR, code="DT110"),), "--select ALL", 1),
    ],
)
def test_exit_status(
    project: Path, invoke: Invoke, findings: Say, found: Any, flags: str, status: int
) -> None:
    findings(*found)
    assert invoke(".", *flags.split()).exit_code == status


@pytest.mark.parametrize(
    ("config", "flags", "status"),
    [
        ("exit-zero = true", "", 0),
        ("exit-zero = true", "--no-exit-zero", 1),
        ("ignore = ['DT101']", "", 0),
        ("ignore = ['DT101']", "--select DT101", 1),
        ("select = ['DT3']", "--select DT1", 1),
        ("exclude = ['a.py']", "", 0),
        ("exclude = ['a.py']", "--exclude b.py", 1),
        ("per-file-ignores = {'a.py' = ['DT1']}", "", 0),
        ("per-file-ignores = {'pkg' = ['DT1']}", "", 1),
    ],
)
def test_configuration_and_the_flag_that_wins(
    project: Path, invoke: Invoke, findings: Say, config: str, flags: str, status: int
) -> None:
    (project / "pyproject.toml").write_text(f"[tool.dtypecheck]\n{config}\n")
    findings(ERROR)
    assert invoke(".", *flags.split()).exit_code == status


def test_a_finding_belongs_to_each_path_that_it_touches(project: Path, invoke: Invoke, findings: Say) -> None:
    elsewhere = Place("pkg/b.py", Span(1, 1, 1, 2))
    for touching in ({"launch": elsewhere}, {"kernel_site": elsewhere}, {"birth": elsewhere}):
        findings(replace(ERROR, **touching))
        assert invoke("pkg").exit_code == 1
        assert invoke("a.py").exit_code == 1
    findings(ERROR)
    assert invoke("pkg").exit_code == 0


def test_formats(project: Path, invoke: Invoke, findings: Say) -> None:
    findings(WARNING, ERROR)
    concise = invoke(".", "--format", "concise")
    assert concise.stdout == (
        "a.py:1:1: DT101 declared-argument `p` of `k` gets int64, declared int32\n"
        "a.py:1:1: DT301 narrowing-store narrows\n"
    )
    document = json.loads(invoke(".", "--format", "json").stdout)
    assert [f["code"] for f in document["findings"]] == ["DT101", "DT301"]
    wrong = invoke(".", "--format", "yaml")
    assert wrong.exit_code == 2 and "'yaml'" in wrong.stderr


def test_further_outputs(project: Path, invoke: Invoke, findings: Say) -> None:
    findings(ERROR)
    (project / "old.txt").write_text("old")
    (project / "old.txt").chmod(0o600)
    result = invoke(".", "-o", "json:out.json", "-o", "concise:old.txt", "--color", "always")
    assert "\x1b[" in result.stdout
    assert json.loads((project / "out.json").read_text())["findings"][0]["code"] == "DT101"
    assert (
        project / "old.txt"
    ).read_text() == "a.py:1:1: DT101 declared-argument `p` of `k` gets int64, declared int32\n"
    assert (project / "old.txt").stat().st_mode & 0o777 == 0o600
    umask = os.umask(0)
    os.umask(umask)
    assert (project / "out.json").stat().st_mode & 0o777 == 0o666 & ~umask
    assert sorted(p.name for p in project.iterdir()) == [
        "a.py",
        "old.txt",
        "out.json",
        "pkg",
        "pyproject.toml",
    ]


def test_an_output_may_be_a_device(project: Path, invoke: Invoke, findings: Say) -> None:
    findings(ERROR)
    assert invoke(".", "-o", f"json:{os.devnull}").exit_code == 1
    assert not Path(os.devnull).is_file()


def test_a_failed_write_leaves_the_old_file(
    project: Path, invoke: Invoke, findings: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    findings(ERROR)
    (project / "out.json").write_text("old")

    def refuse(*_: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    result = invoke(".", "-o", "json:out.json")
    assert (result.exit_code, result.stderr) == (2, "error: out.json: cannot be written: Permission denied\n")
    assert (project / "out.json").read_text() == "old"
    assert not list(project.glob(".dtypecheck-*"))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("json", "'json' is not FORMAT:PATH"),
        ("json:", "'json:' is not FORMAT:PATH"),
        ("jsn:x", "'jsn' is no format (text, concise, json, sarif); did you mean 'json'?"),
    ],
)
def test_wrong_outputs(project: Path, invoke: Invoke, value: str, message: str) -> None:
    result = invoke(".", "-o", value)
    assert result.exit_code == 2 and message in result.stderr


def test_an_output_in_a_folder_that_is_not_there(project: Path, invoke: Invoke) -> None:
    result = invoke(".", "-o", "json:no/out.json")
    assert (result.exit_code, result.stderr) == (
        2,
        "error: no/out.json: cannot be written: No such file or directory\n",
    )


def test_notices_go_to_standard_error_unless_quiet(project: Path, invoke: Invoke) -> None:
    result = invoke(".", "--ignore", "DT4011", "--format", "json")
    assert result.exit_code == 0
    assert result.stderr == "notice: --ignore: unknown rule 'DT4011'; did you mean 'DT401'?\n"
    json.loads(result.stdout)
    quiet = invoke(".", "--ignore", "DT4011", "-q")
    assert (quiet.stdout, quiet.stderr) == ("", "")


def test_an_empty_folder_is_no_fault(project: Path, invoke: Invoke) -> None:
    (project / "empty").mkdir()
    result = invoke("empty")
    assert (result.exit_code, result.stderr) == (0, "notice: no Python files in empty\n")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("nowhere.py",), "error: nowhere.py: no such file or directory\n"),
        (("a.py", "x", "y"), "error: x: no such file or directory\nerror: y: no such file or directory\n"),
        (
            ("explian", "DT101"),
            "error: explian: no such file or directory, and no command; did you mean 'explain'?\n",
        ),
        ((".", "--select", "DT4011"), "error: --select: unknown rule 'DT4011'; did you mean 'DT401'?\n"),
        ((".", "--root", "nowhere"), "error: --root nowhere: no such directory\n"),
        (("..", "--root", "."), "outside the root"),
        ((".", "--jobs", "-1"), "-1 is not in the range"),
        ((".", "--jbos", "1"), "No such option"),
        (("check",), "Missing argument 'PATH...'"),
        ((".", "--rules", "nowhere.toml"), "error: nowhere.toml: no such file"),
        ((".", "--rules", "no-such-pack"), '"no-such-pack" is neither a pack nor a file'),
    ],
)
def test_wrong_usage(project: Path, invoke: Invoke, args: tuple[str, ...], message: str) -> None:
    result = invoke(*args)
    assert result.exit_code == 2
    assert message.lower() in result.stderr.lower()
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            "selct = []",
            "error: pyproject.toml:2: unknown key 'selct' in [tool.dtypecheck]; did you mean 'select'?\n",
        ),
        (
            "select = ['DT4011']",
            "error: pyproject.toml:2: select: unknown rule 'DT4011'; did you mean 'DT401'?\n",
        ),
        ("jobs = 'x'", "error: pyproject.toml:2: jobs must be an integer from 0 on, not a string\n"),
    ],
)
def test_wrong_configuration(project: Path, invoke: Invoke, config: str, message: str) -> None:
    (project / "pyproject.toml").write_text(f"[tool.dtypecheck]\n{config}\n")
    result = invoke("pkg/b.py")
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", message)


def test_a_wrong_rules_file_is_named_with_its_place(project: Path, invoke: Invoke) -> None:
    (project / "r.toml").write_text('[kernels."k"]\nx_ptr = "int23"\n')
    result = invoke(".", "--rules", "r.toml")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: r.toml:2:") and "int32" in result.stderr


def test_a_folder_that_refuses(project: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    scandir = os.scandir

    def guarded(path: Any) -> Any:
        if os.path.basename(os.fspath(path)) == "pkg":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    named, around = invoke("pkg"), invoke(".")
    assert (named.exit_code, named.stderr) == (2, "error: pkg: cannot be read: Permission denied\n")
    assert (around.exit_code, around.stderr) == (
        0,
        "notice: pkg: skipped, cannot be read: Permission denied\n",
    )


def test_statistics_follow_the_text_and_never_mix_with_json(
    project: Path, invoke: Invoke, findings: Say
) -> None:
    findings()
    assert "\nlaunches                       2\n" in invoke(".", "--statistics").stdout
    result = invoke(".", "--statistics", "--format", "json")
    json.loads(result.stdout)
    assert "launches                       2\n" in result.stderr


def test_colour_is_for_terminals_or_on_demand(project: Path, invoke: Invoke, findings: Say) -> None:
    findings(ERROR)
    assert "\x1b[" not in invoke(".").stdout
    assert "\x1b[" in invoke(".", "--color", "always").stdout
    assert "\x1b[" not in invoke(".", "--color", "always", "--format", "json").stdout
