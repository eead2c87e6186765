"""Rules files that are wrong, and what the reader says: place, key, expectation, nearest spelling."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtypecheck.contracts.errors import Rejected, RulesError
from dtypecheck.contracts.model import Kind, Level, RulesFile, ValueContract, allowed
from dtypecheck.contracts.reader import read_file, read_text
from dtypecheck.contracts.sources import read, read_all
from dtypecheck.contracts.words import CLASSES
from dtypecheck.core import dtypes as dt


def rules(text: str) -> RulesFile:
    found = read_text(text, "r.toml", name="r")
    assert isinstance(found, RulesFile), [str(e) for e in found.errors]
    return found


def faults(text: str) -> tuple[RulesError, ...]:
    found = read_text(text, "r.toml", name="r")
    assert isinstance(found, Rejected), "accepted"
    return found.errors


def parameter(text: str) -> ValueContract:
    return rules(f'[kernels."p.k"]\n{text}\n').kernels[0].parameters[0]


def test_everything_a_file_can_say() -> None:
    file = rules(
        """
[pack]
name = "lib"
for = ["lib", "lib-gpu"]
description = "words  on\\n one line"
[kernels."lib.mod._kernel"]
x_ptr = "int32"
y_ptr = { dtype = ["bool", "float32"], same_as = "z_ptr", at_least = "x_ptr", why = "w", level = "warning" }
n = { kind = "scalar", dtype = "integer", optional = true }
BLOCK = "constexpr"
[functions."lib.**.f"]
params = { a = "index" }
returns = ["int64", { dtype = "int32", why = "count" }, "any"]
[functions.g]
returns = { dtype = ["int32", "int64"] }
[functions.h.returns]
num_sampled = "int32"
0 = "bool"
[fields."lib.**.Out"]
num = { dtype = "int32", level = "off" }
"""
    )
    assert (file.name, file.targets, file.description) == ("lib", ("lib", "lib-gpu"), "words on one line")
    x, y, n, block = file.kernels[0].parameters
    assert (x.name, x.dtypes, x.kind, x.level) == ("x_ptr", dt.only("int32"), Kind.VALUE, None)
    assert y.dtypes == dt.only("bool", "float32")
    assert (y.same_as, y.at_least, y.why, y.level) == ("z_ptr", "x_ptr", "w", Level.WARNING)
    assert (n.kind, n.dtypes, n.optional) == (Kind.SCALAR, dt.INTEGER, True)
    assert (block.kind, block.dtypes) == (Kind.CONSTEXPR, dt.ANY)
    f, g, h = file.functions
    assert [(c.name, c.position, c.dtypes) for c in f.returns] == [
        ("0", 0, dt.only("int64")),
        ("1", 1, dt.only("int32")),
        ("2", 2, dt.ANY),
    ]
    assert f.parameters[0].dtypes == dt.INDEX
    assert [(c.is_whole, c.dtypes) for c in g.returns] == [(True, dt.INDEX)]
    assert [(c.name, c.position) for c in h.returns] == [("num_sampled", None), ("0", 0)]
    assert file.classes[0].fields[0].level is Level.OFF


def test_places_are_those_of_the_keys() -> None:
    file = rules(
        '[kernels."p.k"]\nx = "int32"\n  "y" = { dtype = "bool" }\n[functions.f]\nreturns = ["bool", "any"]\n'
    )
    kernel = file.kernels[0]
    assert (kernel.place.path, kernel.place.span.line, kernel.place.span.column) == ("r.toml", 1, 10)
    assert [(p.place.span.line, p.place.span.column) for p in kernel.parameters] == [(2, 1), (3, 3)]
    assert [r.place.span.column for r in file.functions[0].returns] == [12, 20]


@pytest.mark.parametrize(
    ("text", "dtypes"),
    [
        ('x = "int32"', dt.only("int32")),
        ('x = ["int32", "bool"]', dt.only("int32", "bool")),
        ('x = ["bool", "integer"]', dt.BOOL | dt.INTEGER),
        ('x = "float8"', dt.mask(d for d in dt.ALL if d.name.startswith("float8_"))),
        ('x = { why = "only words" }', dt.ANY),
    ],
)
def test_dtypes(text: str, dtypes: int) -> None:
    assert parameter(text).dtypes == dtypes


KERNEL = '[kernels."p.k"]\n'
FUNCTION = '[functions."p.f"]\n'

WRONG = {
    "typo": (
        KERNEL + 'x = "int23"',
        'r.toml:2:1: kernels."p.k".x: unknown dtype "int23"',
        'did you mean "int32"?',
    ),
    "alias": (KERNEL + 'x = "half"', 'unknown dtype "half"', 'write "float16"'),
    "triton name": (KERNEL + 'x = "fp32"', 'unknown dtype "fp32"', 'write "float32"'),
    "torch prefix": (KERNEL + 'x = "torch.int64"', 'unknown dtype "torch.int64"', 'write "int64"'),
    "in array": (
        KERNEL + 'x = ["int32",\n  "it64"]',
        'r.toml:3:3: kernels."p.k".x[1]',
        'did you mean "int64"?',
    ),
    "class typo": (KERNEL + 'x = "integr"', 'unknown dtype "integr"', 'did you mean "integer"?'),
    "kind typo": (KERNEL + 'x = "constexp"', 'unknown dtype "constexp"', 'did you mean "constexpr"?'),
    "kind as dtype": (KERNEL + 'x = { dtype = "scalar" }', 'unknown dtype "scalar"', '{ kind = "scalar" }'),
    "kind in result": (
        FUNCTION + 'returns = ["constexpr"]',
        'unknown dtype "constexpr"',
        "for kernel parameters",
    ),
    "key": (
        KERNEL + 'x = { dtype = "int32", optionl = true }',
        'r.toml:2:24: kernels."p.k".x.optionl',
        '"optional"?',
    ),
    "section": ('[kernel."p.k"]\nx = "int32"', 'r.toml:1:2: kernel: unknown section "kernel"', '"kernels"?'),
    "pack key": ('[pack]\nfro = "x"', 'pack.fro: unknown key "fro"', '"for"?'),
    "pack target": (
        '[pack]\nfor = ["a", "b c"]',
        'r.toml:2:13: pack.for[1]: "b c" is no project name',
        "vllm",
    ),
    "function key": (FUNCTION + 'x = "int32"', 'unknown key "x"', "params = { x = ... }"),
    "unquoted name": ('[kernels.p.k]\nx = "int32"', 'kernels.p.k.x: unknown key "x"', "needs quotes"),
    "path": ('[kernels."p/k.py"]\nx = "int32"', "dotted, not a path", '"p.k"'),
    "double dot": ('[kernels."p..k"]\nx = "int32"', "empty", "extra dot"),
    "star inside": ('[kernels."p.a**.k"]\nx = "int32"', "must stand alone", "'*'"),
    "stars twice": ('[kernels."**.**.k"]\nx = "int32"', "nothing but wildcards between", "once"),
    "space": ('[kernels."p k"]\nx = "int32"', "' ' cannot stand", "letters"),
    "digit": ('[kernels."p.1k"]\nx = "int32"', "starts with a digit", "qualified"),
    "empty name": ('[kernels.""]\nx = "int32"', "name is empty", "qualified"),
    "level": (KERNEL + 'x = { level = "warn" }', 'unknown level "warn"', '"warning"?'),
    "kind": (KERNEL + 'x = { kind = "scaler" }', "unknown kind of a parameter", '"scalar"?'),
    "kind of field": (
        '[fields.C]\nx = { kind = "constexpr" }',
        'unknown kind of a field "constexpr"',
        "scalar, pointer",
    ),
    "mixed": (KERNEL + "x = { mixed_float8 = true }", "nothing to be the same as", "same_as"),
    "self": (KERNEL + 'x = { same_as = "x" }', "compared with itself", "another"),
    "reference": (KERNEL + 'x = { at_least = "a b" }', '"a b" is no name', "another"),
    "integer": (KERNEL + "x = 3", "an integer cannot stand here", "dtype or class word"),
    "date": (KERNEL + "x = 2020-01-01", "a date cannot stand here", "dtype or class word"),
    "boolean": (KERNEL + "x = true", "a boolean cannot stand here", "dtype or class word"),
    "in dtype": (KERNEL + "x = { dtype = 1.5 }", "a float cannot stand here", "torch dtype"),
    "in list": (KERNEL + 'x = ["int32", 3]', "an integer cannot stand here", "torch dtype"),
    "optional": (KERNEL + 'x = { optional = "yes" }', "a string cannot stand here", "true or false"),
    "level type": (
        KERNEL + "x = { level = 1 }",
        "an integer cannot stand here",
        '"error" or "warning" or "off"',
    ),
    "why": (KERNEL + 'x = { why = " " }', "the string is empty", "says something"),
    "why type": (KERNEL + "x = { why = [] }", "an array cannot stand here", "a string"),
    "empty list": (KERNEL + "x = []", "the array is empty", "at least one dtype"),
    "empty table": (KERNEL + "x = {}", "the table is empty", "such as"),
    "empty kernel": (KERNEL, "the table is empty", "at least one key"),
    "empty returns": (FUNCTION + "returns = []", "the array is empty", "each position"),
    "empty parts": (FUNCTION + "returns = {}", "the table is empty", "such as"),
    "empty params": (
        FUNCTION + 'params = {}\nreturns = "bool"',
        "the table is empty",
        "at least one parameter",
    ),
    "params type": (FUNCTION + 'params = ["int32"]', "an array cannot stand here", "table of parameters"),
    "section type": ("kernels = 3", "an integer cannot stand here", "table of qualified names"),
    "pattern type": ('[kernels]\n"p.k" = "int32"', "a string cannot stand here", '[kernels."p.k"]'),
    "pack type": ("pack = []", "an array cannot stand here", "a table"),
    "parameter name": (KERNEL + '"*args" = "int32"', '"*args" is no parameter name', '"args"'),
    "result name": (FUNCTION + 'returns = { "01" = "int32" }', '"01" is no result name', "a position"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_a_fault_says_where_what_and_the_cure(case: str) -> None:
    text, says, cure = WRONG[case]
    (fault,) = faults(text)
    line = str(fault)
    assert "\n" not in line
    assert says in line
    assert cure in line
    assert fault.line >= 1 and fault.column >= 1


def test_all_faults_of_a_file_come_at_once_and_in_order() -> None:
    text = '[kernels."p.k"]\ny = 3\nx = "int23"\n[oops]\n[fields.C]\nf = { whi = "x", level = "loud" }\n'
    found = faults(text)
    assert [(f.line, f.key) for f in found] == [
        (2, 'kernels."p.k".y'),
        (3, 'kernels."p.k".x'),
        (4, "oops"),
        (6, "fields.C.f.whi"),
        (6, "fields.C.f.level"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("a = 1\nb = \n", 2, 5), ('a = "x', 1, 7), ("[a]\n[a]\n", 2, 3), ("a = [1,\n", 2, 1)],
)
def test_bad_toml_has_a_place(text: str, line: int, column: int) -> None:
    (fault,) = faults(text)
    assert fault.message.startswith("not TOML: ")
    assert not re.search(r"\(at ", fault.message)
    assert fault.line == line
    assert abs(fault.column - column) <= 1


def test_extremes_of_toml_are_faults_not_tracebacks() -> None:
    for text in (
        "a = " + "[" * 5000 + "]" * 5000,
        "a = " + "9" * 9000,
        "a = 1\x00",
        "[" + "a." * 3000 + "a]",
    ):
        found = read_text(text, "r.toml", name="r")
        assert isinstance(found, Rejected) and len(found.errors) == 1


def test_windows_lines_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    path = tmp_path / "w.toml"
    path.write_bytes(b'\xef\xbb\xbf[kernels."p.k"]\r\nx = "int32"\r\ny = "int23"\r\n')
    found = read_file(path)
    assert isinstance(found, Rejected)
    assert [(e.line, e.column) for e in found.errors] == [(3, 1)]


def test_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "latin.toml"
    path.write_bytes('# ok é\nwhy = "'.encode() + b'\xe9"\n')
    found = read_file(path, shown="latin.toml")
    assert isinstance(found, Rejected)
    assert str(found.errors[0]).startswith("latin.toml:2:8: byte 0xe9 is not UTF-8")
    path.write_bytes("a = 1".encode("utf-16"))
    found = read_file(path)
    assert isinstance(found, Rejected) and "UTF-16" in found.errors[0].hint


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("")
    for source, says in {
        "mien.toml": 'no such file; expected a rules file; did you mean "mine.toml"?',
        "./": "this is a folder; expected a rules file; name one of its files: mine.toml",
        "a\0b.toml": "cannot be read",
    }.items():
        found = read(source, tmp_path)
        assert isinstance(found, Rejected)
        assert says in str(found.errors[0])
        assert "\n" not in str(found.errors[0])


def test_a_name_is_a_pack_before_it_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "vllm").mkdir()
    found = read("vllm", tmp_path)
    assert isinstance(found, RulesFile) and found.shipped
    (tmp_path / "vllm.toml").write_text('[kernels."p.k"]\nx = "int32"\n')
    found = read("./vllm.toml", tmp_path)
    assert isinstance(found, RulesFile) and not found.shipped


def test_an_unknown_pack_names_those_known() -> None:
    found = read("vlm")
    assert isinstance(found, Rejected)
    assert "neither a pack nor a file; expected a pack (" in str(found.errors[0])
    assert 'did you mean "vllm"?' in str(found.errors[0])


def test_several_sources_give_all_their_faults(tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text('[kernels."p.k"]\nx = "int32"\n')
    (tmp_path / "bad.toml").write_text('[kernels."p.k"]\nx = "int23"\n')
    files, errors = read_all(["good.toml", "bad.toml", "nope"], tmp_path)
    assert [f.name for f in files] == ["good"]
    assert [e.path for e in errors] == ["bad.toml", "nope"]


def test_an_empty_file_declares_nothing() -> None:
    assert rules("# nothing yet\n").kernels == ()


def test_allowed_meets_the_set_and_the_compared_values() -> None:
    contract = parameter('x = { dtype = ["float16", "float32", "int32"], at_least = "y" }')
    assert allowed(contract, {}) == contract.dtypes
    assert allowed(contract, {"y": dt.BY_NAME["int32"]}) == dt.only("float32", "int32")
    same = parameter('x = { dtype = "floating", same_as = "y" }')
    assert allowed(same, {"y": dt.BY_NAME["bfloat16"]}) == dt.only("bfloat16")
    assert allowed(same, {"y": dt.BY_NAME["int8"]}) == 0
    mixed = parameter('x = { same_as = "y", mixed_float8 = true }')
    assert allowed(mixed, {"y": dt.BY_NAME["float8_e5m2"]}) == CLASSES["float8"]
    assert allowed(mixed, {"y": dt.BY_NAME["float16"]}) == dt.only("float16")


PIECES = st.sampled_from(
    [
        *("[kernels]", '[kernels."p.k"]', "[functions.f]", "[fields.C.x]", "[pack]", "[[kernels]]"),
        *("\n", "\r\n", " = ", "{", "}", "[", "]", ",", ".", "#", "\\", '"""', "\x00", "é"),
        *("x", "returns", "params", "dtype", "for", "name", "same_as", "level", "why"),
        *('"int32"', '"any"', "'half'", '"**"', '""', "true", "3", "1.5", "1979-05-27"),
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=14).map("".join)))
def test_no_text_is_a_traceback_and_every_fault_is_in_the_file(text: str) -> None:
    found = read_text(text, "r.toml", name="r")
    if isinstance(found, Rejected):
        assert found.errors
        for fault in found.errors:
            assert 1 <= fault.line <= text.count("\n") + 1
            assert fault.column >= 1
            assert "\n" not in str(fault) and str(fault).startswith("r.toml:")


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_damaged_pack_is_read_or_refused(data: st.DataObject) -> None:
    text = (Path(__file__).parents[2] / "fixtures" / "spec_decode.rules.toml").read_text(encoding="utf-8")
    start = data.draw(st.integers(0, len(text)))
    end = min(len(text), start + data.draw(st.integers(0, 30)))
    damaged = text[:start] + data.draw(PIECES) + text[end:]
    assert isinstance(read_text(damaged, "r.toml", name="r"), (RulesFile, Rejected))
