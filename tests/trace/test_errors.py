"""Wrong questions get one line that says what is wrong and what there is, and exit status 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from .asking import project
from .test_output import ask

SOURCE = """\
import torch


def run(tokens: torch.Tensor, n: int):
    # nothing here
    total = torch.zeros(
        n,
    )
    assert n > 3
    return total
"""
WRONG = [
    ("a.py", "a.py: not FILE:LINE or FILE:LINE:NAME, such as sampler.py:41:num_sampled"),
    ("a.py:x", "a.py:x: not FILE:LINE or FILE:LINE:NAME, such as sampler.py:41:num_sampled"),
    ("aa.py:3", "aa.py: no such file; did you mean 'a.py'?"),
    ("pkg/none.py:3", "pkg/none.py: no such file"),
    ("pkg:3", "pkg: a file was expected"),
    ("a.py:11", "a.py:11: no such line; the file has 10"),
    ("a.py:0", "a.py:0: no such line; the file has 10"),
    ("bad.py:1", "bad.py:1: cannot be read: invalid syntax"),
    ("a.py:5", "nothing at a.py:5 has a value; the nearest lines with values: 4, 6"),
    ("a.py:9", "the statement at a.py:9 gives no value: name one of n"),
    ("a.py:10:totl", "no `totl` at a.py:10; did you mean `total`?; there: total"),
    ("a.py:10:quite_other", "no `quite_other` at a.py:10; there: total"),
    (
        "a.py:6:zeros()",
        "no `zeros()` at a.py:6; did you mean `torch.zeros()`?; "
        "there: torch, torch.zeros, torch.zeros(), total",
    ),
    ("empty.py:1", "nothing at empty.py:1 has a value"),
    ("out.py:1", "out.py: excluded by the configuration, not checked"),
]


@pytest.mark.parametrize(("place", "message"), WRONG, ids=[place for place, _ in WRONG])
def test_one_clear_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, message: str) -> None:
    root = project(tmp_path, a=SOURCE, bad="def (:\n", empty="# empty\n", out="x = 1\n")
    (root / "pyproject.toml").write_text("[tool.dtypecheck]\nexclude = ['out.py']\n", encoding="utf-8")
    (root / "pkg").mkdir()
    result = ask(monkeypatch, root, place)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"error: {message}\n")


def test_usage_names_the_argument(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = ask(monkeypatch, tmp_path)
    assert result.exit_code == 2
    assert "Missing argument 'FILE:LINE[:NAME]'" in result.stderr


def test_help_says_what_can_be_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = ask(monkeypatch, tmp_path, "-h").stdout
    for word in (
        "FILE:LINE[:NAME]",
        "--format",
        "--root",
        "--jobs",
        "--color",
        "-q",
        "-v",
        "Nothing is imported",
    ):
        assert word in shown


def test_nothing_of_the_project_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project(tmp_path, a="raise SystemExit(9)\nx = 1\n")
    result = ask(monkeypatch, root, "a.py:1")
    assert result.exit_code == 2
