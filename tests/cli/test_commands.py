"""`explain`, `rules`, help and version."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from dtypecheck import __version__
from dtypecheck.checks.registry import RULES

Invoke = Callable[..., Result]


@pytest.mark.parametrize("args", [("--version",), ("check", "--version"), (".", "--version")])
def test_version(invoke: Invoke, args: tuple[str, ...]) -> None:
    result = invoke(*args)
    assert (result.exit_code, result.stdout) == (0, f"dtypecheck {__version__}\n")


@pytest.mark.parametrize("args", [(), ("--help",), ("-h",)])
def test_help_names_the_commands(invoke: Invoke, args: tuple[str, ...]) -> None:
    result = invoke(*args)
    assert result.exit_code == 0
    for word in ("check", "explain", "rules", "trace", "PATH"):
        assert word in result.stdout


def test_every_flag_of_check_has_help(invoke: Invoke) -> None:
    shown = invoke("check", "-h").stdout
    for flag in (
        "--rules",
        "--select",
        "--ignore",
        "--exclude",
        "--format",
        "-o",
        "--root",
        "--jobs",
        "--exit-zero",
    ):
        assert flag in shown
    for flag in ("--strict", "--statistics", "--show-possible", "-q", "-v", "--color"):
        assert flag in shown


@pytest.mark.parametrize("name", ["DT101", "dt101", "declared-argument"])
def test_explain_in_a_pipe_is_the_page_as_it_is_written(invoke: Invoke, name: str) -> None:
    result = invoke("explain", name)
    assert result.exit_code == 0
    assert result.stdout.startswith("# DT101 declared-argument\n\n## What it does\n")


def test_explain_for_a_terminal_is_laid_out(invoke: Invoke) -> None:
    shown = invoke("explain", "DT101", "--color", "always").stdout
    assert "\x1b[" in shown and "## What" not in shown and "What it does" in shown


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.code)
def test_every_rule_can_be_explained(invoke: Invoke, rule) -> None:
    result = invoke("explain", rule.code)
    assert result.exit_code == 0 and rule.slug in result.stdout


def test_explain_of_no_rule(invoke: Invoke) -> None:
    result = invoke("explain", "unstable-tpye")
    assert (result.exit_code, result.stderr) == (
        2,
        "error: no rule 'unstable-tpye'; did you mean 'unstable-type'?\n",
    )


def test_rules_lists_every_rule(invoke: Invoke) -> None:
    shown = invoke("rules").stdout
    for rule in RULES:
        assert f"{rule.code}  {rule.slug} " in shown
    assert "\npacks: " in shown


def test_rules_validate(project: Path, invoke: Invoke) -> None:
    (project / "good.toml").write_text('[kernels."k"]\nx_ptr = "int32"\n')
    (project / "bad.toml").write_text('[kernls."k"]\nx_ptr = "int32"\n')
    assert invoke("rules", "validate", "good.toml").stdout == "good.toml: ok\n"
    result = invoke("rules", "validate", "good.toml", "bad.toml")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: bad.toml:1:") and "kernels" in result.stderr
