"""`dtypecheck confirm` as a command: what is printed, written, and returned."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dtypecheck.cli.main import cli

from .conftest import written
from .test_confirm import TAKEN, TOTAL


def invoke(*args: str) -> Result:
    return CliRunner().invoke(cli, ["confirm", *args], catch_exceptions=False, prog_name="dtypecheck")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one fault, as the working directory."""
    written(tmp_path, {"a.py": TOTAL.format(name="total", dtype="int64")})
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'case'\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    return tmp_path


@pytest.mark.usefixtures("triton")
def test_the_verdict_is_one_line_of_the_finding(project: Path) -> None:
    result = invoke(".")
    assert result.exit_code == 1
    (line,) = (x for x in result.stdout.splitlines() if x.startswith("  verdict "))
    assert line.startswith("  verdict   confirmed, triton ")
    assert "refused in these words (a.py:9); with `x_ptr` of int32 it compiles" in line
    assert "\nTriton confirms 1 of 1 finding.\n" in result.stdout
    assert result.stderr == ""
    assert list((project / "caches" / "dtypecheck" / "confirm").rglob("*.json"))


@pytest.mark.usefixtures("triton")
def test_json_carries_the_verdict(project: Path) -> None:
    result = invoke(".", "--format", "json", "--no-cache", "--binary")
    (found,) = json.loads(result.stdout)["findings"]
    assert found["verdict"]["state"] == "confirmed"
    assert found["verdict"]["by"].startswith("triton ")
    assert "`x_ptr` of int32 it compiles to a cubin of " in found["verdict"]["evidence"]
    assert not (project / "caches").exists()


@pytest.mark.usefixtures("triton")
def test_sarif_carries_the_verdict(project: Path) -> None:
    result = invoke(".", "--no-cache", "-q", "-o", "sarif:confirmed.sarif")
    assert result.exit_code == 1
    (found,) = json.loads((project / "confirmed.sarif").read_text())["runs"][0]["results"]
    assert (found["level"], found["suppressions"]) == ("error", [])
    assert found["properties"]["verdict"]["state"] == "confirmed"


@pytest.mark.usefixtures("triton")
def test_the_record_holds_until_the_source_changes(project: Path) -> None:
    from dtypecheck.api import check
    from dtypecheck.confirm.record import disagreements

    assert invoke(".", "-q", "--record", "verdicts.json", "--cache-dir", "kept").exit_code == 1
    text = (project / "verdicts.json").read_text()
    assert list(disagreements(text, check(["."]).findings, project)) == []
    (one,) = json.loads(text)["findings"]
    assert (one["code"], one["state"], one["path"]) == ("DT201", "confirmed", "a.py")
    source = project / "a.py"
    source.write_text(source.read_text() + "\n# something else\n")
    (said,) = disagreements(text, check(["."]).findings, project)
    assert said.endswith("DT201: its source has changed since")
    source.write_text("")
    (said,) = disagreements(text, check(["."]).findings, project)
    assert said.endswith("DT201 is recorded, and no longer found")
    assert list(disagreements("{", (), project)) == ["the record cannot be read"]


@pytest.mark.usefixtures("triton")
def test_nothing_found_is_nothing_to_confirm(project: Path) -> None:
    (project / "a.py").write_text(TAKEN.format(name="total", dtype="int32"))
    result = invoke(".")
    assert (result.exit_code, "Found nothing.\nChecked" in result.stdout) == (0, True)


def test_without_triton_one_line_says_what_to_install(project: Path) -> None:
    python = project / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -S -E "$@"\n')
    python.chmod(0o755)
    result = invoke(".", "--python", str(python))
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"error: confirm needs Triton, which {python} cannot import (")
    assert line.endswith(
        "): pip install 'dtypecheck[confirm]', or name an interpreter that has it with --python"
    )
    assert result.stdout == ""


def test_an_interpreter_that_is_not_there(project: Path) -> None:
    result = invoke(".", "--python", "nowhere/python")
    assert (result.exit_code, result.stderr) == (
        2,
        "error: --python: nowhere/python cannot be run: No such file or directory\n",
    )


@pytest.mark.usefixtures("triton")
def test_a_launch_needs_a_gpu(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    result = invoke(".", "--launch")
    assert result.exit_code == 2
    assert (
        result.stderr == f"error: --launch: {sys.executable} sees no GPU; without --launch none is needed\n"
    )


def test_help_names_every_flag() -> None:
    shown = invoke("--help").stdout
    for flag in (
        "--binary",
        "--launch",
        "--python",
        "--timeout",
        "--cache-dir",
        "--no-cache",
        "--record",
        "--target",
    ):
        assert flag in shown
