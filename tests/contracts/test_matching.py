"""Patterns, their specificity, and what the program does not have."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtypecheck.contracts.matching import Contracts
from dtypecheck.contracts.model import RulesFile
from dtypecheck.contracts.patterns import parse, problem
from dtypecheck.contracts.reader import read_text
from dtypecheck.contracts.stale import Known, stale
from dtypecheck.core import dtypes as dt


def rules(text: str, name: str = "r", *, shipped: bool = False) -> RulesFile:
    found = read_text(text, f"{name}.toml", name=name, shipped=shipped)
    assert isinstance(found, RulesFile), [str(e) for e in found.errors]
    return found


def contracts(*texts: str) -> Contracts:
    return Contracts(rules(text, f"r{i}") for i, text in enumerate(texts))


@pytest.mark.parametrize(
    ("pattern", "matched", "missed"),
    [
        ("a.b", ["a.b"], ["a", "a.b.c", "x.a.b", "a_b"]),
        ("a.*", ["a.b", "a.b1"], ["a", "a.b.c"]),
        ("a.*_k", ["a._k", "a.x_k"], ["a.k", "a.b.x_k"]),
        ("**.k", ["k", "a.k", "a.b.k"], ["ak", "a.bk", "k.a"]),
        ("a.**", ["a", "a.b", "a.b.c"], ["ab", "b.a"]),
        ("a.**.k", ["a.k", "a.b.k", "a.b.c.k"], ["ak", "a.bk", "a.k.c"]),
        ("**", ["a", "a.b"], []),
        ("**.a.*.b", ["a.x.b", "z.a.x.b"], ["a.b", "a.x.y.b"]),
        ("**.f.<locals>.g", ["m.f.<locals>.g"], ["m.f.g"]),
    ],
)
def test_what_a_pattern_matches(pattern: str, matched: list[str], missed: list[str]) -> None:
    assert problem(pattern) is None
    assert [n for n in [*matched, *missed] if parse(pattern).matches(n)] == matched


def reference(pattern: list[str], name: list[str]) -> bool:
    """The textbook matcher, component by component."""
    if not pattern:
        return not name
    if pattern[0] == "**":
        return reference(pattern[1:], name) or (bool(name) and reference(pattern, name[1:]))
    inside = "[^.]+" if pattern[0] == "*" else re.escape(pattern[0]).replace(r"\*", "[^.]*")
    return bool(name) and re.fullmatch(inside, name[0]) is not None and reference(pattern[1:], name[1:])


@given(
    st.lists(st.sampled_from(["a", "b", "ab", "*", "a*", "*b", "**"]), min_size=1, max_size=5),
    st.lists(st.sampled_from(["a", "b", "ab", "abb"]), min_size=1, max_size=5),
)
def test_matching_agrees_with_the_textbook(pattern: list[str], name: list[str]) -> None:
    text = ".".join(pattern)
    if problem(text) is None:
        assert parse(text).matches(".".join(name)) == reference(pattern, name)


@pytest.mark.parametrize(
    "ranked",
    [
        ["**", "**.k", "a.**.k", "a.*.k", "a.**.*k2", "a.*.kernel", "a.b.k"],
        ["**.k", "**.*.k", "*.*.k", "a.*.k"],
        ["a.*x*", "a.*x", "a.x"],
        ["**.f", "**.m.**.f", "**.m.f", "*.m.f", "p.m.f"],
    ],
)
def test_specificity(ranked: list[str]) -> None:
    assert sorted(ranked, key=lambda p: parse(p).specificity) == ranked


COMPONENTS = ["a", "b", "z", "ab", "az", "zb", "azb"]
UNIVERSE = [".".join(n) for length in range(1, 5) for n in itertools.product(COMPONENTS, repeat=length)]
PATTERNS = st.lists(st.sampled_from(["a", "b", "*", "a*", "*b", "a*b", "**"]), min_size=1, max_size=4)


@settings(deadline=None)
@given(PATTERNS, PATTERNS)
def test_a_pattern_never_loses_to_one_that_names_more(one: list[str], two: list[str]) -> None:
    narrow, wide = ".".join(one), ".".join(two)
    if problem(narrow) is not None or problem(wide) is not None:
        return
    few = {n for n in UNIVERSE if parse(narrow).matches(n)}
    many = {n for n in UNIVERSE if parse(wide).matches(n)}
    if few < many:
        assert parse(narrow).specificity > parse(wide).specificity


def test_the_more_specific_pattern_wins_parameter_by_parameter() -> None:
    text = """
[kernels."a.b.k"]
x = "int32"
[kernels."**.k"]
x = "int64"
y = "int64"
[kernels."a.*.k"]
y = { dtype = "bool", why = "closer" }
z = "int8"
"""
    declared = contracts(text).kernel("a.b.k")
    assert {n: c.dtypes for n, c in declared.items()} == {
        "x": dt.only("int32"),
        "y": dt.only("bool"),
        "z": dt.only("int8"),
    }
    assert set(contracts(text).kernel("q.k")) == {"x", "y"}
    assert contracts(text).kernel("q.other") == {}


def test_between_equals_the_later_file_wins_and_in_a_file_the_later_key() -> None:
    one, two = '[kernels."a.k"]\nx = "int32"\n', '[kernels."a.k"]\nx = "int64"\n'
    assert contracts(one, two).kernel("a.k")["x"].dtypes == dt.only("int64")
    assert contracts(two, one).kernel("a.k")["x"].dtypes == dt.only("int32")
    twins = '[kernels."*.k"]\nx = "int32"\n[kernels."a.*"]\nx = "int64"\n'
    assert contracts(twins).kernel("a.k")["x"].dtypes == dt.only("int64")


def test_a_later_pattern_does_not_beat_an_exact_name() -> None:
    exact, wild = '[fields."m.C"]\nx = "int32"\n', '[fields."**.C"]\nx = "int64"\n'
    for order in itertools.permutations([exact, wild]):
        found = contracts(*order).field("m.C", "x")
        assert found is not None and found.dtypes == dt.only("int32")
    assert contracts(exact).field("m.C", "y") is None


def test_results_are_one_value_or_parts_never_both() -> None:
    wild = '[functions."**.f"]\nreturns = ["int32", "int64"]\nparams = { a = "bool" }\n'
    whole = '[functions."m.f"]\nreturns = "int8"\n'
    part = '[functions."m.f".returns]\n1 = "bool"\n'
    assert {n: c.dtypes for n, c in contracts(wild, whole).function("m.f").returns.items()} == {
        "": dt.only("int8")
    }
    assert {n: c.dtypes for n, c in contracts(wild, part).function("m.f").returns.items()} == {
        "0": dt.only("int32"),
        "1": dt.only("bool"),
    }
    assert set(contracts(wild, whole).function("m.f").parameters) == {"a"}


def test_nothing_declared_is_falsy() -> None:
    assert not Contracts() and not contracts("[pack]\n") and contracts('[fields.C]\nx = "bool"\n')


KNOWN = Known(
    kernels={"p.a.my_kernel": frozenset({"x_ptr", "n"}), "p.b.other": frozenset({"y_ptr"})},
    functions={"p.a.sample": frozenset({"logits"})},
    classes={"p.a.Output": frozenset({"num_sampled"})},
    results={"p.a.sample": frozenset({"0", "1"})},
)


def stale_in(text: str) -> list[tuple[int, str, str, str | None]]:
    return [(s.place.span.line, s.what, s.name, s.suggestion) for s in stale(contracts(text), KNOWN)]


@pytest.mark.parametrize(
    ("text", "what", "name", "suggestion"),
    [
        ('[kernels."p.a.my_kernl"]\nx_ptr = "int32"', "kernel", "p.a.my_kernl", "p.a.my_kernel"),
        ('[kernels."p.moved.my_kernel"]\nx_ptr = "int32"', "kernel", "p.moved.my_kernel", "p.a.my_kernel"),
        ('[kernels."q.**"]\nx_ptr = "int32"', "kernel", "q.**", None),
        ('[kernels."p.a.my_kernel"]\nx_pt = "int32"', "parameter", "x_pt", "x_ptr"),
        ('[kernels."**.my_kernel"]\nx_ptr = { same_as = "m" }', "parameter", "m", None),
        ('[functions."p.a.sampel"]\nreturns = "int32"', "function", "p.a.sampel", "p.a.sample"),
        ('[functions."p.a.sample"]\nparams = { logit = "int32" }', "parameter", "logit", "logits"),
        ('[functions."p.a.sample"]\nreturns = { same_as = "logit" }', "parameter", "logit", "logits"),
        ('[functions."p.a.sample".returns]\n2 = "int32"', "result", "2", None),
        ('[fields."p.a.Outputs"]\nx = "bool"', "class", "p.a.Outputs", "p.a.Output"),
        ('[fields."**.Output"]\nnum_sample = "bool"', "field", "num_sample", "num_sampled"),
    ],
)
def test_stale_names_and_what_was_meant(text: str, what: str, name: str, suggestion: str | None) -> None:
    ((_, *found),) = stale_in(text)
    assert found == [what, name, suggestion]
    assert name in str(stale(contracts(text), KNOWN)[0])


def test_live_names_are_not_stale() -> None:
    text = """
[kernels."p.**"]
x_ptr = { same_as = "n" }
y_ptr = "int32"
[functions."**.sample"]
params = { logits = "floating" }
returns = ["int64", { dtype = "int32" }]
[fields."p.a.Output"]
num_sampled = "int32"
"""
    assert stale_in(text) == []


def test_stale_entries_are_in_file_order_and_packs_are_spared() -> None:
    text = '[fields.Gone]\nx = "bool"\n[kernels.gone]\nx = "bool"\n'
    assert [line for line, *_ in stale_in(text)] == [1, 3]
    pack = Contracts([rules(text, shipped=True)])
    assert stale(pack, KNOWN) == ()
    assert len(stale(pack, KNOWN, shipped=True)) == 2
