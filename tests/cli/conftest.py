"""A project to run the command line on, and what the analysis says about it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dtypecheck import api
from dtypecheck.cli.main import cli
from dtypecheck.core.diagnostics import Diagnostic, Stats

Invoke = Callable[..., Result]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of two files, as the working directory."""
    root = tmp_path.resolve() / "proj"
    (root / "pkg").mkdir(parents=True)
    (root / "pyproject.toml").write_text("[project]\nname = 'proj'\n")
    (root / "a.py").write_text("x = 1\n")
    (root / "pkg" / "b.py").write_text("y = 2\n")
    monkeypatch.chdir(root)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return root


@pytest.fixture
def invoke() -> Invoke:
    """The command line in this process; an exception other than an exit is passed on."""

    def run(*args: str) -> Result:
        return CliRunner().invoke(cli, args, catch_exceptions=False, prog_name="dtypecheck")

    return run


@pytest.fixture
def findings(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets what the analysis says, whatever the project holds."""

    def say(*found: Diagnostic, stats: Stats | None = None) -> None:
        outcome = found, stats or Stats(files=2, launches=2, launches_decided=1)
        monkeypatch.setattr(api, "run", lambda *_: outcome)

    return say
