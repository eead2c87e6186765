"""The key locator against `tomllib`: the same key paths, and each span holds its own key."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtypecheck.contracts.errors import quote
from dtypecheck.contracts.locator import LocatorError, locate

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TEXTS = st.text(
    st.characters(codec="utf-8", exclude_characters="\r\x7f", exclude_categories=("Cs", "Cc")), max_size=6
)
BARE = st.text("abcxyz019_-", min_size=1, max_size=4)
BLANK = st.sampled_from(["", " ", "\t", "  "])
GAP = st.sampled_from(["", " ", "\n", " # a ] comment , with } \" ' = [x]\n", "\n\n  "])


@st.composite
def keys(draw: st.DrawFn) -> str:
    """One key part in one of its spellings."""
    kind = draw(st.sampled_from(["bare", "basic", "literal"]))
    if kind == "bare":
        return draw(BARE)
    text = draw(TEXTS)
    if kind == "literal":
        return "'" + text.replace("'", "") + "'"
    escaped = quote(text)
    return escaped.replace("a", "\\u0061", 1) if draw(st.booleans()) else escaped


@st.composite
def strings(draw: st.DrawFn) -> str:
    text = draw(st.text(st.sampled_from("ab #=[]{},.\"'\\\n"), max_size=12))
    kind = draw(st.sampled_from(["basic", "literal", "long", "long literal"]))
    if kind == "literal":
        return "'" + text.replace("'", "").replace("\n", "") + "'"
    if kind == "long literal":
        return "'''" + text.replace("'''", "''").rstrip("'") + draw(st.sampled_from(["", "'", "''"])) + "'''"
    escaped = text.replace("\\", "\\\\")
    if kind == "long":
        body = escaped.replace('"""', '""\\"').rstrip('"')
        return '"""' + body + draw(st.sampled_from(["", '"', '""'])) + '"""'
    return '"' + escaped.replace('"', '\\"').replace("\n", "\\n") + '"'


SCALARS = st.one_of(
    strings(),
    st.sampled_from(["1", "-7", "0xff", "1e3", "true", "inf", "1979-05-27 07:32:00", "07:32:00", "1.5"]),
)


def dotted(parts: list[str], blank: str) -> str:
    return f"{blank}.{blank}".join(parts)


@st.composite
def pairs(draw: st.DrawFn, values: st.SearchStrategy[str]) -> str:
    key = dotted(draw(st.lists(keys(), min_size=1, max_size=2)), draw(BLANK))
    return f"{key}{draw(BLANK)}={draw(BLANK)}{draw(values)}"


def nested(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    @st.composite
    def arrays(draw: st.DrawFn) -> str:
        items = draw(st.lists(values, max_size=3))
        body = ("," + draw(GAP)).join(item + draw(GAP) for item in items)
        return "[" + draw(GAP) + body + ("," if items and draw(st.booleans()) else "") + draw(GAP) + "]"

    @st.composite
    def tables(draw: st.DrawFn) -> str:
        return "{" + draw(BLANK) + f"{draw(BLANK)},".join(draw(st.lists(pairs(values), max_size=3))) + "}"

    return st.one_of(arrays(), tables())


VALUES = st.recursive(SCALARS, nested, max_leaves=6)


@st.composite
def documents(draw: st.DrawFn) -> str:
    lines: list[str] = []
    for _ in range(draw(st.integers(0, 6))):
        kind = draw(st.sampled_from(["pair", "pair", "table", "array", "blank"]))
        indent, end = draw(BLANK), draw(st.sampled_from(["", "  # comment \" ' ] =", "\t"]))
        if kind == "pair":
            lines.append(indent + draw(pairs(VALUES)) + end)
        elif kind == "blank":
            lines.append(end)
        else:
            head = dotted(draw(st.lists(keys(), min_size=1, max_size=3)), draw(BLANK))
            opening, closing = ("[[", "]]") if kind == "array" else ("[", "]")
            lines.append(indent + opening + draw(BLANK) + head + draw(BLANK) + closing + end)
    return "\n".join(lines) + draw(st.sampled_from(["", "\n"]))


def paths(value: Any, path: tuple[str | int, ...] = ()) -> set[tuple[str | int, ...]]:
    """Every key path of a parsed document."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = set() if not path else {path}
    for key, inner in items:
        found |= paths(inner, (*path, key))
    return found


def text_of(text: str, span: Any) -> str:
    line = text.split("\n")[span.line - 1]
    return line[span.column - 1 : span.end_column - 1]


@settings(max_examples=300, deadline=None)
@given(documents())
def test_locator_finds_exactly_the_paths_of_tomllib(text: str) -> None:
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    located = locate(text)
    assert set(located) == paths(document)
    for path, span in located.items():
        written = text_of(text, span)
        assert written
        if isinstance(path[-1], str):
            assert tomllib.loads(f"{written} = 1") == {path[-1]: 1}


def test_the_generator_makes_mostly_valid_documents() -> None:
    """Guards the property above against testing nothing."""
    valid = rich = 0

    @settings(max_examples=150, deadline=None, database=None, derandomize=True)
    @given(documents())
    def count(text: str) -> None:
        nonlocal valid, rich
        try:
            found = paths(tomllib.loads(text))
        except tomllib.TOMLDecodeError:
            return
        valid += 1
        rich += any(isinstance(part, int) for path in found for part in path)

    count()
    assert valid > 40 and rich > 10


EXAMPLE = '''\
a.b = 1
[x."y.z".'w']   # [not.this]
k = { q = [1, "a]", { r = 2 }], s = """x = 1
[y]""" } # c
[[p]]
z = [
  1, # ] hi
  "two",
]
[[p]]
[p.q]
h = 2
'''


@pytest.mark.parametrize(
    ("path", "line", "column", "written"),
    [
        (("a", "b"), 1, 3, "b"),
        (("x", "y.z"), 2, 4, '"y.z"'),
        (("x", "y.z", "w"), 2, 10, "'w'"),
        (("x", "y.z", "w", "k"), 3, 1, "k"),
        (("x", "y.z", "w", "k", "q", 1), 3, 15, '"a]"'),
        (("x", "y.z", "w", "k", "q", 2, "r"), 3, 23, "r"),
        (("x", "y.z", "w", "k", "s"), 3, 33, "s"),
        (("p", 0, "z", 1), 8, 3, '"two"'),
        (("p", 1), 10, 3, "p"),
        (("p", 1, "q", "h"), 12, 1, "h"),
    ],
)
def test_places_of_an_example(path: tuple[str | int, ...], line: int, column: int, written: str) -> None:
    span = locate(EXAMPLE)[path]
    assert (span.line, span.column) == (line, column)
    assert text_of(EXAMPLE, span) == written


def test_a_table_header_wins_over_its_mention_in_a_longer_header() -> None:
    assert locate("[a.b]\nx = 1\n[a]\ny = 2\n")[("a",)].line == 3


@pytest.mark.parametrize("text", ["a", "= 1", "[a", "a = [1", 'a = "', "a = {b = 1", "[[a]"])
def test_text_that_is_no_toml_is_refused_not_guessed(text: str) -> None:
    with pytest.raises(LocatorError):
        locate(text)
