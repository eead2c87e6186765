"""What kernels accept, as text and JSON: wording, width, colour."""

from __future__ import annotations

import json
import re

import pytest

from dtypecheck.core import dtypes as dt
from dtypecheck.core.acceptance import (
    Dependence,
    Inventory,
    KernelAcceptance,
    Parameter,
    Refusal,
    Takes,
)
from dtypecheck.core.spans import Place, Span
from dtypecheck.report import inventory_json, inventory_text, phrases
from dtypecheck.report.formats import Options

HERE = Place("k.py", Span(3, 5, 3, 6))
THERE = Place("k.py", Span(9, 1, 9, 2))
ANY = phrases.POINTED
INT64, HALF, FLOAT = (dt.only(n) for n in ("int64", "float16", "float32"))
PARAMETERS = (
    Parameter("free", HERE, Takes.POINTER, accepted=ANY, gets=HALF),
    Parameter(
        "ids", HERE, Takes.POINTER, accepted=ANY & ~INT64, refused=(Refusal(INT64, "wide [b]", THERE),)
    ),
    Parameter("w", HERE, Takes.POINTER, accepted=ANY, refused=(Refusal(HALF, "half", THERE, "not FAST"),)),
    Parameter("p", HERE, Takes.POINTER, accepted=ANY, optional=True, unless="HAS_P", at_least="w"),
    Parameter("q", HERE, Takes.POINTER, accepted=HALF | FLOAT, same_as="w", mixed=True, refused=()),
    Parameter("b", HERE, Takes.ANYTHING, accepted=ANY, optional=True, because="tested on line 4"),
    Parameter("n", HERE, Takes.SCALAR, accepted=dt.only("int32", "int64", "bool")),
    Parameter("m", HERE, Takes.SCALAR, accepted=dt.only("int32")),
    Parameter("u", HERE, Takes.POINTER, undecided=ANY, reason="odd name", optional=None),
    Parameter("d", HERE, Takes.POINTER, accepted=ANY, depends=(Dependence("w", ((HALF, INT64),)),)),
    Parameter("f", HERE, Takes.SCALAR, accepted=ANY, forced=INT64),
    Parameter("BLOCK", HERE, Takes.CONSTEXPR),
)
INVENTORY = Inventory(
    "/somewhere",
    (
        KernelAcceptance("m.k", HERE, (THERE,), PARAMETERS),
        KernelAcceptance("m.x", THERE, (), (), "object of elsewhere"),
    ),
    ("3.9", "3.6"),
    ("any",),
    1.5,
)
TEXT = """\
k.py:3 m.k  1 launch
  free   pointer                    any
  ids    pointer                    any but int64
  w      pointer                    any but float16; float16 where FAST
  p      pointer                    any; None unless HAS_P; at least as wide as w
  q      pointer                    float16, float32; same as w (float8 may be mixed)
  b      pointer or scalar or None  any
  n      scalar                     bool, int
  m      scalar                     int below 2**31
  u      pointer                    not decided: any
  d      pointer                    any; depends on w
  f      scalar                     any, taken as int64
  BLOCK  constexpr

k.py:9 m.x  no launches
  not decided: object of elsewhere

2 kernels, 1 not decided, 12 parameters.
"""
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def test_text() -> None:
    assert inventory_text.render(INVENTORY, Options()) == TEXT


def test_verbose_says_why() -> None:
    shown = inventory_text.render(INVENTORY, Options(verbosity=1))
    for line in (
        "    not int64: k.py:9 wide [b]",
        "    not float16 where not FAST: k.py:9 half",
        "    not, with w: float16 beside int64",
        "    not decided: odd name",
        "    None: tested on line 4",
        "    gets float16",
    ):
        assert line in shown.splitlines()


def test_colour_adds_codes_and_changes_no_text() -> None:
    shown = inventory_text.render(INVENTORY, Options(color=True))
    assert "\x1b[" in shown and ANSI.sub("", shown) == TEXT


@pytest.mark.parametrize("width", [30, 60, 100])
def test_lines_keep_to_the_width(width: int) -> None:
    shown = inventory_text.render(INVENTORY, Options(width=width, verbosity=1))
    assert max(map(len, shown.splitlines())) <= width


def test_json_has_every_key_for_every_parameter() -> None:
    found = json.loads(inventory_json.render(INVENTORY))
    assert (found["version"], found["triton"], found["target"]) == (1, ["3.9", "3.6"], ["any"])
    assert len({tuple(p) for k in found["kernels"] for p in k["parameters"]}) == 1
    kernel = found["kernels"][0]
    w = next(p for p in kernel["parameters"] if p["name"] == "w")
    refusal = {
        "dtype": "float16",
        "where": "not FAST",
        "triton_error": "half",
        "path": "k.py",
        "line": 9,
        "column": 1,
    }
    assert w["refused"] == [refusal] and w["any"] is True
    assert found["kernels"][1]["decided"] is False


@pytest.mark.parametrize(
    ("accepted", "words"),
    [
        (ANY, "any"),
        (0, "none"),
        (dt.INTEGER, "integer"),
        (dt.INTEGER | dt.BOOL, "any but floating"),
        (dt.FLOATING & ANY, "floating"),
        (ANY & ~INT64, "any but int64"),
        (HALF | INT64, "int64, float16"),
        (dt.SIGNED, "signed"),
    ],
)
def test_sets_in_few_words(accepted: int, words: str) -> None:
    assert phrases.dtypes(accepted) == words


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("bool", "int32", "int64", "float32"), "any"),
        (("int64",), "int from 2**31 on"),
        (("float32",), "float"),
        ((), "none"),
    ],
)
def test_numbers_in_the_words_of_python(names: tuple[str, ...], words: str) -> None:
    assert phrases.numbers(dt.only(*names)) == words
