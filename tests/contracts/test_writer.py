"""Contracts written as TOML read back as the same contracts."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from dtypecheck.contracts import packs
from dtypecheck.contracts.model import (
    WHOLE,
    ClassContract,
    FunctionContract,
    KernelContract,
    Kind,
    Level,
    RulesFile,
    ValueContract,
)
from dtypecheck.contracts.reader import read_text
from dtypecheck.contracts.schema import schema
from dtypecheck.contracts.writer import write
from dtypecheck.core import dtypes as dt
from dtypecheck.core.spans import NOWHERE, Place

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Place("r.toml", NOWHERE)
NAMES = st.sampled_from(["x_ptr", "y", "dtype", "why", "BLOCK", "é"])
PATTERNS = st.sampled_from(["p.k", "**.k", "p.*_k", "m.f.<locals>.k", "k"])
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Zs", "Zl", "Zp", "Cc")), max_size=8)
RESULT_NAMES = ["x", "num", "0", "3"]


def bare(rules: RulesFile) -> RulesFile:
    """`rules` with all places and paths forgotten."""

    def values(contracts: tuple[ValueContract, ...]) -> tuple[ValueContract, ...]:
        return tuple(replace(c, place=HERE) for c in contracts)

    return replace(
        rules,
        path="r.toml",
        shipped=False,
        kernels=tuple(replace(k, place=HERE, parameters=values(k.parameters)) for k in rules.kernels),
        functions=tuple(
            replace(f, place=HERE, parameters=values(f.parameters), returns=values(f.returns))
            for f in rules.functions
        ),
        classes=tuple(replace(c, place=HERE, fields=values(c.fields)) for c in rules.classes),
    )


def value(name: str, kinds: list[Kind]) -> st.SearchStrategy[ValueContract]:
    other = st.none() | st.sampled_from(["other", "another"])
    made = st.builds(
        ValueContract,
        name=st.just(name),
        place=st.just(HERE),
        dtypes=st.integers(1, dt.ANY),
        same_as=other,
        mixed_float8=st.booleans(),
        at_least=other,
        optional=st.booleans(),
        kind=st.sampled_from(kinds),
        why=WORDS,
        level=st.none() | st.sampled_from(list(Level)),
    )
    return made.map(lambda c: replace(c, mixed_float8=c.mixed_float8 and c.same_as is not None))


HOST = [Kind.VALUE, Kind.SCALAR, Kind.POINTER]


def values(names: st.SearchStrategy[str], kinds: list[Kind], least: int = 1) -> st.SearchStrategy:
    unique = st.lists(names, min_size=least, max_size=3, unique=True)
    return unique.flatmap(lambda ns: st.tuples(*(value(n, kinds) for n in ns)))


RETURNS = st.one_of(
    st.just(()),
    value(WHOLE, HOST).map(lambda v: (v,)),
    st.integers(1, 3).flatmap(lambda n: st.tuples(*(value(str(i), HOST) for i in range(n)))),
    values(st.sampled_from(RESULT_NAMES), HOST),
)
UNIQUE = {"max_size": 3, "unique_by": lambda entry: entry.pattern}
FILES = st.builds(
    RulesFile,
    name=st.just("r"),
    path=st.just("r.toml"),
    description=WORDS,
    targets=st.lists(st.sampled_from(["a", "b-c"]), unique=True).map(tuple),
    kernels=st.lists(
        st.builds(KernelContract, PATTERNS, st.just(HERE), values(NAMES, list(Kind))), **UNIQUE
    ).map(tuple),
    functions=st.lists(
        st.builds(FunctionContract, PATTERNS, st.just(HERE), values(NAMES, HOST, 0), RETURNS), **UNIQUE
    ).map(lambda fs: tuple(f for f in fs if f.parameters or f.returns)),
    classes=st.lists(st.builds(ClassContract, PATTERNS, st.just(HERE), values(NAMES, HOST)), **UNIQUE).map(
        tuple
    ),
)


@settings(max_examples=200, deadline=None)
@given(FILES)
def test_round_trip(rules: RulesFile) -> None:
    text = write(rules)
    found = read_text(text, "r.toml", name="r")
    assert isinstance(found, RulesFile), (text, [str(e) for e in found.errors])
    assert bare(found) == rules
    assert write(found) == text


@pytest.mark.parametrize("name", packs.packs())
def test_packs_survive_a_round_trip(name: str) -> None:
    pack = packs.read_pack(name)
    assert isinstance(pack, RulesFile)
    text = write(pack)
    found = read_text(text, "r.toml", name=name)
    assert isinstance(found, RulesFile)
    assert bare(found) == bare(pack)
    assert Draft202012Validator(schema()).is_valid(tomllib.loads(text))


def test_the_text_is_what_a_person_would_write() -> None:
    def v(name: str, **rest: object) -> ValueContract:
        return ValueContract(name, HERE, **rest)  # type: ignore[arg-type]

    rules = RulesFile(
        "lib",
        "",
        kernels=(
            KernelContract(
                "lib.k",
                HERE,
                (
                    v("x_ptr", dtypes=dt.only("int32")),
                    v("y_ptr", dtypes=dt.only("float16", "float32"), why='a "good" reason'),
                    v("z_ptr", dtypes=dt.FLOATING, same_as="y_ptr", optional=True),
                    v("n", dtypes=dt.ANY),
                    v("BLOCK", kind=Kind.CONSTEXPR),
                    v("never", dtypes=0),
                ),
            ),
        ),
        functions=(
            FunctionContract(
                "lib.f", HERE, (v("a", dtypes=dt.INDEX),), (v("0", dtypes=dt.only("int64")), v("1"))
            ),
        ),
    )
    assert write(rules, header="Start here.\nEdit freely.") == (
        "# Start here.\n"
        "# Edit freely.\n"
        "\n"
        "[pack]\n"
        'name = "lib"\n'
        "\n"
        '[kernels."lib.k"]\n'
        'x_ptr = "int32"\n'
        'y_ptr = { dtype = ["float16", "float32"], why = "a \\"good\\" reason" }\n'
        'z_ptr = { dtype = "floating", same_as = "y_ptr", optional = true }\n'
        'n = "any"\n'
        'BLOCK = "constexpr"\n'
        "# never: no dtype is accepted\n"
        "\n"
        '[functions."lib.f"]\n'
        'returns = ["int64", "any"]\n'
        "\n"
        '[functions."lib.f".params]\n'
        'a = "index"\n'
    )


def test_several_dtypes_of_one_result_are_no_tuple() -> None:
    either = dt.only("bool", "uint8")
    for name in (WHOLE, "0", "num"):
        returns = (ValueContract(name, HERE, dtypes=either),)
        rules = RulesFile("r", "r.toml", functions=(FunctionContract("f", HERE, returns=returns),))
        found = read_text(write(rules), "r.toml", name="r")
        assert isinstance(found, RulesFile) and bare(found) == rules
