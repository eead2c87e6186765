"""Which rules are on, from names, prefixes and ALL."""

from __future__ import annotations

from pathlib import Path

import pytest

from dtypecheck.checks.registry import FAMILIES, RULES, find_rule, page
from dtypecheck.checks.selection import select_rules
from dtypecheck.config.errors import ConfigError
from dtypecheck.config.settings import PathIgnores, Settings

DEFAULT = {r.code for r in RULES if r.level != "off"}
OWN = {"DT001", "DT002"}
ALL = {r.code for r in RULES}


def codes(select: str = "", ignore: str = "") -> frozenset[str]:
    return select_rules(
        Settings(Path("/x"), select=tuple(select.split()), ignore=tuple(ignore.split()))
    ).codes


@pytest.mark.parametrize(
    ("select", "ignore", "on"),
    [
        ("", "", DEFAULT),
        ("ALL", "", ALL),
        ("all", "", ALL),
        ("DT110", "", OWN | {"DT110"}),
        ("divergent-dtype", "", OWN | {"DT110"}),
        ("dt110", "", OWN | {"DT110"}),
        ("DT10", "", OWN | {"DT101", "DT102", "DT103"}),
        ("DT4 DT501", "", OWN | {"DT401", "DT402", "DT403", "DT404", "DT501"}),
        ("", "DT1", DEFAULT - {"DT101", "DT102", "DT103", "DT111"}),
        ("", "ALL", set()),
        ("", "DT002 internal-error", DEFAULT - OWN),
        ("DT1", "DT110 DT111", OWN | {"DT101", "DT102", "DT103"}),
        ("DT101", "DT1", OWN | {"DT101"}),
        ("declared-argument", "DT10", OWN | {"DT101"}),
        ("DT10", "DT10", OWN),
        ("ALL", "DT", set()),
    ],
)
def test_selection(select: str, ignore: str, on: set[str]) -> None:
    assert codes(select, ignore) == on


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("DT999", ""),
        ("unstable-tpye", "; did you mean 'unstable-type'?"),
        ("DT4011", "; did you mean 'DT401'?"),
        ("D", ""),
    ],
)  # fmt: skip
def test_unknown_names(name: str, hint: str) -> None:
    with pytest.raises(ConfigError) as error:
        codes(select=name)
    (line,) = error.value.lines
    assert line.startswith(f"--select: unknown rule '{name}'") and line.endswith(hint)
    chosen = select_rules(Settings(Path("/x"), ignore=(name,)))
    assert chosen.codes == DEFAULT
    assert chosen.notices[0].startswith(f"--ignore: unknown rule '{name}'")


def test_per_file_ignores() -> None:
    entries = (PathIgnores("tests", ("DT1", "nonsense")),)
    chosen = select_rules(Settings(Path("/x"), per_file_ignores=entries))
    assert not chosen.is_on("DT101", "tests/a.py")
    assert chosen.is_on("DT101", "src/a.py")
    assert chosen.is_on("DT201", "tests/a.py")
    assert chosen.notices == ("--per-file-ignores: unknown rule 'nonsense'",)


def test_the_registry_is_sound() -> None:
    assert [r.code for r in RULES] == sorted({r.code for r in RULES})
    assert len({r.slug for r in RULES}) == len(RULES)
    assert {r.level for r in RULES} == {"error", "warning", "off"}
    assert {r.code[:3] for r in RULES} == set(FAMILIES)
    assert find_rule("nothing") is None


HEADINGS = ["## What it does", "## Why it is bad", "## Example", "## Fix", "## See also"]


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.code)
def test_a_page_has_its_headings_or_is_the_summary(rule) -> None:
    lines = page(rule).split("\n")
    assert lines[0] == f"# {rule.code} {rule.slug}"
    headings = [line for line in lines if line.startswith("## ")]
    assert headings in ([], HEADINGS)
    assert headings or rule.summary[1:] in page(rule)


def test_the_rules_of_the_first_version_have_pages() -> None:
    written = {r.code for r in RULES if "## Fix" in page(r)}
    assert written >= {"DT001", "DT002", "DT004", "DT101", "DT102", "DT103", "DT110", "DT401", "DT402"}
