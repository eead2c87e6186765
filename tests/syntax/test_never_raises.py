"""No source makes the syntax layer raise: real code, cut, spliced and mutated, and arbitrary bytes."""

from __future__ import annotations

from pathlib import Path

import rich
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dtypecheck.core.ir_text import text
from dtypecheck.syntax.index import index
from dtypecheck.syntax.source import Source, decode

from .sources import everything
from .test_index import DEFINITIONS, IMPORTS
from .test_positions import ODD

SEEDS = [code.encode() for code in (ODD, DEFINITIONS, IMPORTS)]
SEEDS += [(Path(rich.__file__).parent / name).read_bytes() for name in ("_ratio.py", "align.py", "region.py")]
SCRAPS = [b"\0", b"\xff", b"\xc3", b"\xef\xbb\xbf", b"# coding: utf-7\n", b"\r", b"\f", b"\t", b"\n", b"\\"]
SCRAPS += [
    b"(",
    b")",
    b"'",
    b'"""',
    b"f'{",
    b"#",
    b":",
    b"*",
    b"@",
    b":=",
    b"0x",
    b"1_",
    b"async ",
    b"await ",
]
SCRAPS += [
    b"yield ",
    b"lambda: ",
    b" for x in y",
    b"if x:\n",
    b"class A: ",
    b"def f(): ",
    b"match x:\n case y: z\n",
]
CALM = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def survives(data: bytes) -> bool:
    """Reads these bytes to the end; whether they parsed."""
    found = decode(data, "a.py")
    facts = index(found, "a", False)
    if facts.fault is not None:
        assert facts.fault.message and "\n" not in facts.fault.message
        assert facts.fault.span.line >= 1 and facts.fault.span.column >= 1
        assert not facts.functions
        return False
    assert isinstance(found, Source)
    for node in everything(found):
        assert text(node)  # type: ignore[arg-type]
    return True


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A piece of real code with a few cuts, doublings and insertions."""
    data = draw(st.sampled_from(SEEDS))
    start = draw(st.integers(0, len(data) - 1))
    data = data[start : start + draw(st.integers(50, 1500))]
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(data)))
        end = min(len(data), at + draw(st.integers(0, 40)))
        scrap = draw(st.sampled_from([b"", data[at:end] * 2, *SCRAPS]))
        data = data[:at] + scrap + data[end:]
    return data


@CALM
@given(mutated())
def test_mutated_code(data: bytes) -> None:
    survives(data)


@st.composite
def lines_dropped(draw: st.DrawFn) -> bytes:
    """Real code without some of its lines: it often still parses."""
    lines = draw(st.sampled_from(SEEDS)).splitlines(keepends=True)
    gone = draw(st.sets(st.integers(0, len(lines) - 1), max_size=6))
    return b"".join(line for i, line in enumerate(lines) if i not in gone)


@CALM
@given(lines_dropped())
def test_code_without_some_lines(data: bytes) -> None:
    survives(data)


@CALM
@given(st.binary(max_size=200))
def test_arbitrary_bytes(data: bytes) -> None:
    survives(data)


@CALM
@given(st.text(alphabet="ab(){}[]'\"\\\n\t :=,.*@#f1é\f\r", max_size=80))
def test_arbitrary_punctuation(code: str) -> None:
    survives(code.encode())


def test_the_seeds_themselves_are_read() -> None:
    """What is mutated is good code before that: otherwise the tests above would say nothing."""
    assert all(survives(seed) for seed in SEEDS)
