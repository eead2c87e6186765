"""Targets and Triton releases: what is taken, what is refused, and the project's own pin."""

from __future__ import annotations

from pathlib import Path

import pytest

from dtypecheck.config.errors import ConfigError
from dtypecheck.config.load import read_config
from dtypecheck.config.targets import checked_releases, checked_targets, pinned


def test_targets_are_taken_as_they_are_spelt() -> None:
    assert checked_targets(("cuda:80", "hip:gfx942"), "--target") == ("cuda:80", "hip:gfx942")


@pytest.mark.parametrize("name", ["cuda80", "sm_90", "cuda:9", "hip:942", ""])
def test_other_targets_are_refused_with_what_was_expected(name: str) -> None:
    with pytest.raises(ConfigError, match="write cuda:90 or hip:gfx942"):
        checked_targets((name,), "--target")


@pytest.mark.parametrize(
    ("names", "expected"),
    [(("3.6.0",), ("3.6",)), (("3.8",), ("3.6",)), (("3.9.0", "3.6"), ("3.9", "3.6")), (("4.0",), ("3.9",))],
)
def test_a_release_follows_the_newest_rules_that_are_not_newer(names: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert checked_releases(names, "--triton") == expected


@pytest.mark.parametrize("name", ["2.1", "3.5.1", "newest", ""])
def test_releases_without_known_rules_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="no rules are known for Triton"):
        checked_releases((name,), "--triton")


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [("triton==3.6.0", ("3.6.0",)), ("triton >= 3.6", ()), ("triton-windows==3.6", ()), ("torch==2.11", ())],
)
def test_only_an_exact_requirement_pins(requirement: str, expected: tuple[str, ...]) -> None:
    assert pinned({"project": {"dependencies": ["numpy", requirement]}}) == expected
    assert pinned({"project": {"optional-dependencies": {"gpu": [requirement]}}}) == expected


def test_the_pin_of_a_project_holds_unless_its_table_says_more(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text('[project]\nname = "p"\ndependencies = ["triton==3.6.0"]\n')
    assert read_config(tmp_path).triton == ("3.6.0",)
    file.write_text(file.read_text() + '[tool.dtypecheck]\ntriton = "3.9"\ntarget = ["cuda:80"]\n')
    settings = read_config(tmp_path)
    assert settings.triton == ("3.9",)
    assert settings.target == ("cuda:80",)
