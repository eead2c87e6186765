"""The report for people: order, layout, width, colour, and text that tries to steer the terminal."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from dtypecheck.core.diagnostics import Severity, Stats, Step
from dtypecheck.core.spans import Place, Span
from dtypecheck.report.formats import Options, render

from .samples import BARE, LIKE, TRITON, UNSTABLE, project, report

PLAIN = f"""\
sampler.py:2:19 DT201 unstable-type: `num_rejected_ptr` of `_prepare` gets int64; it compiles only with int32
    |
  2 |     num_sampled = sampled.new_empty(num_reqs)
    |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  born      sampler.py:2     sampled.new_empty(num_reqs)    int64, inherited from `sampled`
  flows     batch.py:2       torch.empty_like(num_sampled)  int64
  launched  pkg/eagle.py:2   x.num_rejected                 int64
  kernel    pkg/kernel.py:3  query_len -= num_rejected      int32 - int64 -> int64
  triton    {TRITON}
  siblings  strict_rejection_sample and synthetic_rejection_sample return int32 here
  fix       sampled.new_empty(num_reqs, dtype=torch.int32)

pkg/eagle.py:2:20 DT301 narrowing-store (possible): float32 is stored to int32 [bold]as is[/bold]
    |
  2 |     _prepare[(1,)](x.num_rejected, BLOCK=128)
    |                    ^^^^^^^^^^^^^^
  verdict   confirmed, triton 3.9.0 cuda:90: ...
  fix       cast it  (unsafe)

Found 1 error and 1 warning.
Triton confirms 1 of 1 finding.
Checked 3 launches in 4 files: 1 decided, 2 undecided (-v says why).
"""
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def test_plain_text_is_the_whole_story(tmp_path: Path) -> None:
    assert render("text", report(project(tmp_path), UNSTABLE, BARE)) == PLAIN


def test_colour_adds_codes_and_changes_no_text(tmp_path: Path) -> None:
    shown = render("text", report(project(tmp_path), UNSTABLE, BARE), Options(color=True))
    assert "\x1b[" in shown
    assert ANSI.sub("", shown) == PLAIN


@pytest.mark.parametrize("width", [30, 60, 80, 120])
def test_lines_keep_to_the_width_and_lose_no_word(tmp_path: Path, width: int) -> None:
    shown = render("text", report(project(tmp_path), UNSTABLE), Options(width=width))
    assert max(map(len, shown.splitlines())) <= width
    assert "".join(TRITON.split()) in "".join(shown.split())


def test_a_frame_too_wide_shows_the_marked_part(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f"x = [{'1, ' * 30}torch.zeros(3), {'2, ' * 30}]\n", encoding="utf-8")
    span = Span(1, 96, 1, 110)
    shown = render(
        "text", report(tmp_path, replace(BARE, primary=Place("a.py", span))), Options(width=50)
    ).splitlines()
    frame = shown[shown.index("    |") :][1:3]
    assert frame[0][frame[1].index("^") :].startswith("torch.zeros(3)")
    assert frame[1].count("^") == 14


def test_without_its_source_a_finding_has_no_frame(tmp_path: Path) -> None:
    shown = render("text", report(tmp_path, UNSTABLE))
    assert "^" not in shown
    assert "born      sampler.py:2     int64, inherited from `sampled`" in shown


def test_a_long_trace_loses_its_middle_until_all_is_asked_for(tmp_path: Path) -> None:
    trace = tuple(Step(LIKE, "flows", "int64", f"step {n}") for n in range(20))
    long = report(project(tmp_path), replace(UNSTABLE, trace=trace))
    shown = render("text", long)
    assert "(12 more steps: -v)" in shown
    assert [n for n in range(20) if f"step {n}\n" in shown] == [0, 1, 2, 3, 16, 17, 18, 19]
    assert all(f"step {n}\n" in render("text", long, Options(verbosity=1)) for n in range(20))


def test_paths_follow_the_working_directory_where_it_is_near(tmp_path: Path) -> None:
    found = report(project(tmp_path / "proj"), UNSTABLE)
    assert "proj/sampler.py:2:19 DT201" in render("text", found, Options(base=tmp_path))
    assert "\n../batch.py" not in render("text", found, Options(base=tmp_path / "proj"))
    assert "../batch.py:2" in render("text", found, Options(base=tmp_path / "proj" / "pkg"))
    assert render("text", found, Options(base=Path("/elsewhere/entirely"))).startswith("sampler.py:2:19")


def test_tabs_wide_characters_and_multi_line_spans_are_underlined_where_they_show(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("\tx = '漢字' + f(1,\n 2)\n", encoding="utf-8")
    span = Span(1, 13, 2, 4)
    shown = render("text", report(tmp_path, replace(BARE, primary=Place("a.py", span)))).splitlines()
    assert shown[2] == "  1 |     x = '漢字' + f(1,"
    assert shown[3] == "    |                  ^^^^"


def test_text_cannot_steer_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = '\x1b[31m\u202e'\n", encoding="utf-8")
    evil = replace(BARE, message="a\x1b]0;t\x07\nb", primary=Place("a.py", Span(1, 1, 1, 2)))
    for name in ("text", "concise"):
        shown = render(name, report(tmp_path, evil))
        assert "\x1b" not in shown and "\u202e" not in shown and "\x07" not in shown
        assert "a\\x1b]0;t\\x07 b" in shown


def test_a_clean_run_says_what_it_saw(tmp_path: Path) -> None:
    clean = report(tmp_path, stats=Stats(files=1, launches=1, launches_decided=1))
    assert render("text", clean) == "Found nothing.\nChecked 1 launch in 1 file: 1 decided, 0 undecided.\n"
    assert render("text", clean, Options(verbosity=-1)) == ""


def test_verbose_ranks_the_reasons_by_launches(tmp_path: Path) -> None:
    shown = render("text", report(tmp_path), Options(verbosity=1))
    assert shown.endswith(
        "launches not resolved:\n       1  kernel from a dict\n"
        "arguments not known:\nlaunches  arguments\n"
        "       2          3  no model of torch.foo\n       1          4  dynamic attribute\n"
    )


def test_concise_is_one_line_a_finding(tmp_path: Path) -> None:
    assert render("concise", report(tmp_path, UNSTABLE, BARE)) == (
        "sampler.py:2:19: DT201 unstable-type "
        "`num_rejected_ptr` of `_prepare` gets int64; it compiles only with int32\n"
        "pkg/eagle.py:2:20: DT301 narrowing-store float32 is stored to int32 [bold]as is[/bold]\n"
    )
    assert render("concise", report(tmp_path)) == ""


def test_warnings_alone_are_counted_as_such(tmp_path: Path) -> None:
    shown = render("text", report(tmp_path, *[replace(BARE, severity=Severity.WARNING)] * 2))
    assert "Found 2 warnings.\n" in shown
