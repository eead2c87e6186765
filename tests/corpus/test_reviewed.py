"""Judgements cover the findings that they were made for, and no others."""

from __future__ import annotations

from typing import Any

import pytest

from .reviewed import FILE, read, stale, unreviewed

ENTRY = """
[[finding]]
package = "xformers-0.0.35"
code = "DT301"
path = "p/m.py"
kernel = "p.m.k"
parameter = "x_ptr"
verdict = "Triton's TTIR shows the cast."
"""
FOUND = {"code": "DT301", "path": "p/m.py", "kernel": "p.m.k", "parameter": "x_ptr"}


def _finding(**changed: str) -> dict[str, Any]:
    return {**FOUND, "line": 3, "column": 5, "message": "m", **changed}


def test_the_file_is_valid() -> None:
    read(FILE.read_text("utf-8"))


def test_an_entry_covers_its_fault_wherever_it_stands() -> None:
    entries = read(ENTRY)
    assert not list(unreviewed(entries, [_finding(), _finding(line="9")]))
    assert not list(stale(entries, [_finding()]))


@pytest.mark.parametrize("name", FOUND)
def test_another_fault_is_not_covered(name: str) -> None:
    other = _finding(**{name: "other"})
    assert len(list(unreviewed(read(ENTRY), [other]))) == 1
    assert len(list(stale(read(ENTRY), [other]))) == 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('verdict = "Triton\'s TTIR shows the cast."', "", "entry 1: needs just package"),
        ("Triton's TTIR shows the cast.", " ", "entry 1: `verdict` is empty"),
        ("xformers-0.0.35", "xformers", "entry 1: xformers names no one release"),
        ("xformers-0.0.35", "xformers-9", "no package 'xformers-9' in the corpus"),
        ("[[finding]]", "[[findings]]", "unknown: findings"),
    ],
)
def test_a_wrong_entry_is_refused(old: str, new: str, message: str) -> None:
    assert old in ENTRY
    with pytest.raises((ValueError, LookupError), match=message):
        read(ENTRY.replace(old, new))
