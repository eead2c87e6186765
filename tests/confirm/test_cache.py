"""Answers that are kept: asked once, never trusted when they are not whole, and never a reason to fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from dtypecheck.confirm.cache import Cache

REQUEST = {"do": "compile", "target": "cuda:90"}
ANSWER = {"outcome": "refused", "error": "no", "stage": "mlir", "class": "RuntimeError", "lines": [3]}


def test_an_answer_is_kept_by_what_was_asked(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    key = cache.key(REQUEST, "3.9.0")
    cache.put(key, ANSWER)
    assert Cache(tmp_path).get(key) == ANSWER
    assert cache.key(REQUEST, "3.6.0") != key != cache.key({**REQUEST, "target": "cuda:80"}, "3.9.0")


@pytest.mark.parametrize(
    "content",
    [
        "", "{", "[]", "null", '{"key": "other", "answer": {"outcome": "taken"}}', '{"answer": {"outcome": "taken"}}',
        '{"key": KEY}', '{"key": KEY, "answer": []}', '{"key": KEY, "answer": {"outcome": "failed"}}',
        '{"key": KEY, "answer": {"outcome": "refused", "error": 3}}', "[" * 100_000,
    ],
)  # fmt: skip
def test_what_is_not_whole_is_not_there(tmp_path: Path, content: str) -> None:
    cache = Cache(tmp_path)
    key = cache.key(REQUEST, "3.9.0")
    cache.put(key, ANSWER)
    (file,) = tmp_path.rglob("*.json")
    file.write_text(content.replace("KEY", f'"{key}"'))
    assert cache.get(key) is None


def test_a_folder_that_is_none_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (None, tmp_path / "file", Path("/proc/nowhere")):
        cache = Cache(folder)
        key = cache.key(REQUEST, "3.9.0")
        cache.put(key, ANSWER)
        assert cache.get(key) is None
