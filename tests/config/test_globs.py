"""What a pattern matches."""

from __future__ import annotations

import pytest

from dtypecheck.config.globs import matcher


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        ("gen", "gen a/gen gen/x.py a/gen/b/x.py", "gen.py agen/x.py"),
        ("*_pb2.py", "x_pb2.py a/b/x_pb2.py", "x_pb2.pyi x_pb2.py2"),
        ("a/gen", "a/gen a/gen/x.py", "b/a/gen gen a/gen.py"),
        ("./a/gen/", "a/gen/x.py", "b/a/gen/x.py"),
        ("/gen", "gen gen/x.py", "a/gen"),
        ("a/*.py", "a/x.py", "a/b/x.py x.py"),
        ("a/**/x.py", "a/x.py a/b/c/x.py", "x.py b/a/x.py"),
        ("**/data/*", "data/x.py a/b/data/x.py", "a/datum/x.py"),
        ("a/**", "a/x a/b/c", "b/a/x"),
        ("t?.py", "t1.py a/tx.py", "t.py t12.py"),
        ("[ab].py", "a.py c/b.py", "c.py"),
        ("[!ab].py", "c.py", "a.py"),
        ("[z-a].py", "[z-a].py", "z.py"),
        ("a+b.py", "a+b.py", "aab.py"),
        ("a\\b", "a/b a/b/c", "ab"),
    ],
)
def test_pattern(pattern: str, yes: str, no: str) -> None:
    matches = matcher([pattern])
    assert [p for p in yes.split() if not matches(p)] == []
    assert [p for p in no.split() if matches(p)] == []


def test_no_pattern_matches_nothing() -> None:
    assert not matcher([])("a.py")
