"""The runner is strict both ways, and rewrites no more than it may."""

from __future__ import annotations

from pathlib import Path

import pytest

from .comments import BadComment, comments
from .fixes import wrong_fixes
from .judge import accept, disagreements
from .projects import Fixture, fixtures
from .truth import truth

KERNEL = """
import torch
import triton
import triton.language as tl

@triton.jit
def zero(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x_ptr + i, 0, mask=i < n)

def host(n):
"""
GOOD = "    x = torch.empty(n, dtype=torch.int32)\n    zero[(1,)](x, n, BLOCK=16)\n    return x\n"
BAD = "    zero[(1,)](torch.empty(n), BLOCK=16)\n"
SAID = '"`zero` gets no `n`, a parameter without default"'


def fixture(folder: Path, body: str) -> Fixture:
    (folder / "case.py").write_text(f"{KERNEL}{body}", "utf-8")
    (found,) = fixtures(folder)
    return found


def messages(folder: Path, body: str) -> list[str]:
    return [d.message for d in disagreements(fixture(folder, body))]


def trailing(body: str, comment: str) -> str:
    """`body` with a comment at the end of its first line."""
    first, _, rest = body.partition("\n")
    return f"{first}  {comment}\n{rest}"


@pytest.mark.parametrize(
    "body",
    [
        GOOD,
        trailing(GOOD, "# reveal: int32"),
        trailing(GOOD, "# ok: DT401"),
        f"    # expect: DT401 {SAID}\n{BAD}",
        f"    # expect: DT401 proven @5 {SAID}\n{BAD}",
        trailing(BAD, "# expect: DT401"),
        trailing(GOOD, "# todo-reveal: int64"),
        trailing(GOOD, "# todo-expect: DT401"),
        "    # reveal[x]: int32\n    # prose stays prose: a list, a word\n" + GOOD,
        "    s = '# expect: DT401'\n" + GOOD,
    ],
)
def test_what_holds_is_silent(tmp_path: Path, body: str) -> None:
    assert messages(tmp_path, body) == []


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (BAD, "unexpected"),
        (trailing(GOOD, "# expect: DT401"), "no such finding"),
        (f"    # expect: DT401 @9 {SAID}\n{BAD}", f"# expect: DT401 @5 {SAID}"),
        (f"    # expect: DT401 possible\n{BAD}", "# expect: DT401 proven"),
        (trailing(GOOD, "# reveal: int64"), "# reveal: int32"),
        (trailing(GOOD, "# reveal[y]: int64"), "there: n, torch, torch.empty, torch.empty(), torch.int32, x"),
        (trailing(GOOD, "# todo-reveal: int32"), "the gap is closed"),
        (trailing(BAD, "# todo-expect: DT401"), "the gap is closed"),
        (trailing(GOOD, "# ok: DT110"), "is not on here"),
        (f"    # ok: DT401\n    # expect: DT401\n{BAD}", "not ok"),
        (trailing(GOOD, "# trace[x]: born torch.zeros"), "# trace[x]: born torch.empty"),
    ],
)
def test_what_does_not_hold_is_told(tmp_path: Path, body: str, said: str) -> None:
    found = messages(tmp_path, body)
    assert found and said in found[0], found


def test_a_comment_alone_speaks_of_the_next_code_line(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("# expect: DT401\n\n# prose\n# ok: DT402\nx = 1  # reveal: int\n", "utf-8")
    assert [(c.at, c.line, c.kind) for c in comments(file)] == [
        (1, 5, "expect"),
        (4, 5, "ok"),
        (5, 5, "reveal"),
    ]


@pytest.mark.parametrize("text", ["# fixture: colour=red\n", "# reveal[x: int32\n"])
def test_what_cannot_be_read_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.py").write_text(text, "utf-8")
    with pytest.raises(BadComment):
        for found in fixtures(tmp_path):
            disagreements(found)


def test_accept_rewrites_the_text_after_the_colon_only(tmp_path: Path) -> None:
    body = BAD + trailing(GOOD, "# reveal: int64 ")
    left = accept(disagreements(fixture(tmp_path, body)))
    text = (tmp_path / "case.py").read_text("utf-8")
    assert text == f"{KERNEL}{body.replace('reveal: int64 ', 'reveal: int32 ')}"
    assert ["unexpected" in d.message for d in left] == [True]


def test_accept_adds_no_expectation(tmp_path: Path) -> None:
    made = fixture(tmp_path, BAD)
    before = (tmp_path / "case.py").read_bytes()
    assert len(accept(disagreements(made))) == 1
    assert (tmp_path / "case.py").read_bytes() == before


def test_execution_refutes_a_wrong_analysis(tmp_path: Path) -> None:
    """A torch that does not do what its documentation says is found out."""
    body = GOOD.replace("    return x", "    return x  # reveal: int32")
    good = truth(fixture(tmp_path, body + "\n# run: host(4)\n"))
    assert not good.wrong and good.compared > 3
    changed = (
        "\ntorch_empty = torch.empty\ndef lie(n, dtype):\n    return torch_empty(n, dtype=torch.int64)\n"
    )
    call = "\n# run: [setattr(torch, 'empty', lie), host(4), setattr(torch, 'empty', torch_empty)]\n"
    bad = truth(fixture(tmp_path, body + changed + call))
    assert any("really tensor int64" in w for w in bad.wrong), bad.wrong


def test_fixes_are_compared_with_the_file_beside(tmp_path: Path) -> None:
    rules = '[pack]\nname = "case"\n[kernels."case.zero"]\nx_ptr = "int32"\n'
    (tmp_path / "case.rules.toml").write_text(rules, "utf-8")
    body = "    # fixture: unsafe-fixes\n    zero[(1,)](torch.empty(n), n, BLOCK=16)\n"
    made = fixture(tmp_path, body)
    fixed = f"{KERNEL}{body.replace('empty(n)', 'empty(n, dtype=torch.int32)')}"
    (tmp_path / "case.fixed.py").write_text(fixed, "utf-8")
    assert list(wrong_fixes(made)) == []
    (tmp_path / "case.fixed.py").write_text(KERNEL + body, "utf-8")
    assert len(list(wrong_fixes(made))) == 1
