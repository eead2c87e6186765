"""What is printed: text to the letter, JSON against its schema, and what flags change."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

import dtypecheck
from dtypecheck.cli.main import cli
from dtypecheck.core.spans import Place, Span
from dtypecheck.core.traces import Kind, Said, Trace, Traced, Way
from dtypecheck.report import trace_text
from dtypecheck.report.formats import Options

from .asking import FIXTURES, project
from .test_trails import CALLERS

SCHEMA = json.loads((Path(dtypecheck.__file__).parent / "report" / "trace_v1.schema.json").read_text("utf-8"))
TEXT = """\
a.py:5:5 y: one of 2: int32; float16
    |
  5 |     y = torch.empty_like(x)
    |     ^

int32
  called    a.py:9  inner(torch.zeros(n, dtype=torch.int32),...  in ids
  born      a.py:9  torch.zeros(n, dtype=torch.int32)            int32
  passed    a.py:9  torch.zeros(n, dtype=torch.int32)            int32, `x` of inner
  flows     a.py:5  torch.empty_like(x)                          int32, inherited

float16
  called    a.py:13  inner(made, 2)                      in words
  born      a.py:12  torch.ones(n, dtype=torch.float16)  float16
  passed    a.py:13  made                                float16, `x` of inner
  flows     a.py:5   torch.empty_like(x)                 float16, inherited
"""
BRANCHES = """
    import torch

    def run(x, n: int):
        if n > 3:
            y = x.half()
        else:
            y = None
        return y
    """
BRANCHES_TEXT = """\
a.py:9:5 return: one of 2: float16; None
    |
  9 |     return y
    |     ^^^^^^^^

float16
  when      a.py:5  n > 3     is true
  given     a.py:4  x         the dtype of `x` of run, a parameter
  cast      a.py:6  x.half()  float16
  here      a.py:9  return y  float16

None
  when      a.py:5  n > 3  is false
"""


def ask(monkeypatch: pytest.MonkeyPatch, root: Path, *args: str) -> Result:
    """The command line, run in a folder."""
    monkeypatch.chdir(root)
    return CliRunner().invoke(cli, ["trace", *args], catch_exceptions=False, prog_name="dtypecheck")


@pytest.mark.parametrize(
    ("source", "place", "text"), [(CALLERS, "a.py:5", TEXT), (BRANCHES, "a.py:9", BRANCHES_TEXT)]
)
def test_text_to_the_letter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, place: str, text: str
) -> None:
    result = ask(monkeypatch, project(tmp_path, a=source), place)
    assert (result.exit_code, result.stdout, result.stderr) == (0, text, "")


def test_json_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = json.loads(
        ask(monkeypatch, project(tmp_path, a=CALLERS), "a.py:5:y", "--format", "json").stdout
    )
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    (value,) = document["values"]
    assert (value["name"], value["path"], value["line"], value["column"]) == ("y", "a.py", 5, 5)
    assert (value["source"], value["complete"]) == ("y", True)
    assert value["ways"][1] == {
        "kind": "tensor",
        "value": "float16",
        "dtypes": ["float16"],
        "depends_on": [],
        "reason": None,
        "callers": [[{"function": "words", "path": "a.py", "line": 13, "column": 12}]],
        "when": [],
        "steps": [
            {
                "role": "born",
                "path": "a.py",
                "line": 12,
                "column": 12,
                "source": "torch.ones(n, dtype=torch.float16)",
                "dtype": "float16",
                "note": "",
            },
            {
                "role": "passed",
                "path": "a.py",
                "line": 13,
                "column": 18,
                "source": "made",
                "dtype": "float16",
                "note": "`x` of inner",
            },
            {
                "role": "flows",
                "path": "a.py",
                "line": 5,
                "column": 9,
                "source": "torch.empty_like(x)",
                "dtype": "float16",
                "note": "inherited",
            },
        ],
    }


def test_json_of_choices_symbols_and_ignorance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = """
        import torch

        def run(x: torch.Tensor, n: int):
            y = torch.frob(n) if n > 3 else x
            return y
        """
    document = json.loads(ask(monkeypatch, project(tmp_path, a=source), "a.py:5", "--format", "json").stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    lost, symbolic = document["values"][0]["ways"]
    assert (lost["kind"], lost["reason"], lost["dtypes"]) == ("unknown", "no-model(torch.frob)", [])
    place = {"path": "a.py", "line": 5, "column": 26}
    assert lost["when"] == [[{"choice": "n > 3", "outcome": True, "place": place}]]
    assert symbolic["depends_on"] == [{"parameter": "x", "function": "run"}]
    assert (symbolic["kind"], symbolic["dtypes"]) == ("tensor", [])


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_fixtures_kernel_and_host_fit_the_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("spec_decode/eagle.py:40", "spec_decode/eagle.py:100:num_rejected"):
        shown = ask(monkeypatch, FIXTURES, place, "--format", "json", "--root", ".").stdout
        jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(shown))


def test_quiet_says_what_it_is_and_verbose_shows_code_in_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(tmp_path, a=CALLERS)
    assert ask(monkeypatch, root, "a.py:5", "-q").stdout == "a.py:5:5 y: one of 2: int32; float16\n"
    assert "inner(torch.zeros(n, dtype=torch.int32), 1.0)" in ask(monkeypatch, root, "a.py:5", "-v").stdout


def test_colour_is_for_text_on_demand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project(tmp_path, a=CALLERS)
    assert "\x1b[" not in ask(monkeypatch, root, "a.py:5").stdout
    assert "\x1b[" in ask(monkeypatch, root, "a.py:5", "--color", "always").stdout
    assert "\x1b[" not in ask(monkeypatch, root, "a.py:5", "--color", "always", "--format", "json").stdout


def test_paths_follow_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project(tmp_path, a=CALLERS)
    (root / "inside").mkdir()
    assert ask(monkeypatch, root / "inside", "../a.py:5", "-q").stdout.startswith("../a.py:5:5 y")


def test_a_narrow_terminal_gets_code_and_remark_below(tmp_path: Path) -> None:
    place = Place("a.py", Span(1, 1, 1, 2))
    nothing = Trace(str(tmp_path), (Traced("x", place, ()),))
    assert trace_text.render(nothing, Options()) == "a.py:1:1 x: nothing: no way that is known leads here\n"
    more = Trace(str(tmp_path), (Traced("x", place, (Way(Said(Kind.NONE, "None")),), cut=True),))
    shown = trace_text.render(more, Options(width=40)).splitlines()
    assert shown == ["a.py:1:1 x: None", "", "None", "", "There are more ways than are told here."]


def test_values_of_one_statement_are_told_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = """
        import torch

        def run(n: int):
            a, b = torch.ones(n), None
            return a, b
        """
    shown = ask(monkeypatch, project(tmp_path, a=source), "a.py:5").stdout
    assert shown.count("a.py:5:5 a: float32\n") == shown.count("\n\na.py:5:8 b: None\n") == 1


def test_the_readme_shows_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (FIXTURES.parent / "README.md").read_text("utf-8")
    for args in (("rejection_sampler.py:126:num_sampled",), ("eagle.py:40", "-q")):
        shown = ask(monkeypatch, FIXTURES / "spec_decode", *args).stdout.splitlines()
        block = "\n".join(f"    {line}" if line else "" for line in shown)
        assert f"dtypecheck trace {' '.join(args)}\n{block}\n" in text
