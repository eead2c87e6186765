"""What kernels are found to accept: against Triton, and how parameters hang together."""

from __future__ import annotations

from pathlib import Path

import pytest

from dtypecheck.core.acceptance import Parameter, Takes
from dtypecheck.core.dtypes import BY_NAME, FLOATING, only
from dtypecheck.core.spans import Place
from dtypecheck.kernels.accepts import accepts
from dtypecheck.kernels.given import Given, joined, known, unlaunched, whole
from dtypecheck.kernels.trial import ANY_TENSOR, ELEMENTS, NONE, NUMBERS, Trial
from dtypecheck.kernels.values import ConstexprType, KernelType, PointerType, ScalarType, UnknownType

from .accepting import Tally, compare, subjects
from .scopes import Module

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
HEAD = "import triton\nimport triton.language as tl\n\n@triton.jit\n"
INT = ScalarType(BY_NAME["int32"].bit)

CARRIED = """\
def k(p, q):
    x = tl.load(p)
    for i in range(4):
        x += tl.load(q)
    tl.store(p, x)
"""


def tensor(*names: str) -> PointerType:
    return PointerType(only(*names))


def found(
    source: str, *ways: dict[str, KernelType], target: str = "any", releases: tuple[str, ...] = ("3.9",)
) -> dict[str, Parameter]:
    """The parameters of the kernel `k`, given these ways of launching it."""
    module = Module("m", "m.py", HEAD + source)
    function = module.function("k")
    trial = Trial(function, module, releases, (target,))
    names = frozenset(p.name for p in function.params if p.name.islower() and len(p.name) == 1)
    given = [Given(tuple(way.items())) for way in ways] or [unlaunched(function, names, frozenset())]

    def site(rejected: object) -> Place:
        return Place("m.py", rejected.span)  # type: ignore[attr-defined]

    parameters, reason = accepts(trial, joined(given), known(given), site, lambda p: Place("m.py", p.span))
    assert not reason, reason
    return {p.name: p for p in parameters}


# -- against Triton ------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["dt20", "dt30", "gumbel", "eagle", "rejection"])
def test_fixture_kernels_accept_what_is_said(triton, tmp_path, part: str) -> None:
    """A dtype that is said to be accepted compiles, and one that is said to be refused is refused."""
    oracle, version = triton
    tally = Tally()
    for subject, types in subjects(FIXTURES, tmp_path, lambda module: part in module):
        compare(subject, oracle, version, types, tally, most=2)
    assert not tally.wrong, "\n".join(tally.wrong[:10])
    assert tally.counts["accepted"] > 20 and tally.counts["refused"] > 20, tally


# -- one parameter -------------------------------------------------------------------------------------


def test_nothing_refused_is_everything() -> None:
    p = found("def k(p):\n    tl.store(p, 1.0)\n")["p"]
    assert (p.takes, p.accepted, p.restricted, p.undecided) == (Takes.POINTER, ELEMENTS, False, 0)


def test_a_refusal_has_tritons_words_and_its_statement() -> None:
    p = found("def k(p, q):\n    x = tl.load(p)\n    tl.store(q, x & 1)\n")["p"]
    assert p.accepted == ELEMENTS & ~FLOATING
    refusal = next(r for r in p.refused if r.dtype == only("float32"))
    words = "invalid operands of type triton.language.float32 and triton.language.float32"
    assert (refusal.message, refusal.place.span.line) == (words, 7)


def test_what_launches_give_the_others_counts() -> None:
    given = {"p": tensor("int32"), "q": ANY_TENSOR}
    assert found(CARRIED, given)["q"].accepted & only("int32", "int64", "float32") == only("int32")
    more = found(CARRIED, given, {"p": tensor("float32"), "q": tensor("int8")})["q"]
    assert more.accepted & only("int32", "int64", "float32") == only("int32", "int64", "float32")
    assert more.gets == only("int8")


def test_numbers() -> None:
    source = "def k(p, n, x):\n    for i in range(n):\n        tl.store(p, x + 1.0)\n"
    parameters = found(source, {"p": ANY_TENSOR, "n": INT, "x": INT})
    assert (parameters["n"].takes, parameters["x"].takes) == (Takes.SCALAR, Takes.SCALAR)
    assert (parameters["n"].accepted, parameters["x"].accepted) == (NUMBERS & ~only("float32"), NUMBERS)


def test_an_unused_parameter_may_be_anything() -> None:
    q = found("def k(p, q):\n    tl.store(p, 0)\n")["q"]
    assert (q.takes, q.optional, q.because) == (Takes.ANYTHING, True, "not used")


def test_annotations_decide() -> None:
    parameters = found('def k(p: "*fp32", n: tl.int64, N: tl.constexpr):\n    tl.store(p, n)\n')
    p, n, constant = parameters.values()
    assert (p.takes, p.forced, n.takes, n.forced) == (
        Takes.POINTER,
        only("float32"),
        Takes.SCALAR,
        only("int64"),
    )
    assert constant.takes is Takes.CONSTEXPR


def test_none_where_the_kernel_tests_it() -> None:
    p, q = found("def k(p, q):\n    if q is not None:\n        tl.store(p, tl.load(q))\n").values()
    assert (p.optional, q.optional, q.because) == (False, True, "tested on line 6")


def test_a_flag_decides() -> None:
    source = "def k(p, q, FLAG: tl.constexpr):\n    if FLAG:\n        tl.store(p, tl.load(q) << 1)\n"
    q = found(source)["q"]
    assert (q.accepted, q.restricted, q.takes, q.strictly) == (ELEMENTS, False, Takes.POINTER, False)
    assert (q.optional, q.unless) == (True, "FLAG")
    assert {r.dtype for r in q.refused} >= {only("float16"), only("float32")}
    assert {r.where for r in q.refused} == {"FLAG"}
    given: dict[str, KernelType] = {"p": ANY_TENSOR, "q": ANY_TENSOR, "FLAG": ConstexprType(True)}
    assert found(source, given)["q"].restricted


def test_an_older_release_may_take_more() -> None:
    source = "def k(p, q):\n    x = tl.load(p)\n    tl.store(q, tl.where(x == 255, 0, 1))\n"
    assert not found(source)["p"].accepted & only("int8")
    assert found(source, releases=("3.9", "3.6"))["p"].accepted & only("int8")


def test_a_target_takes_its_own_float8() -> None:
    source = "def k(p):\n    tl.store(p, tl.load(p))\n"
    assert found(source, target="cuda:80")["p"].accepted & only("float8_e4m3fn", "float8_e5m2") == only(
        "float8_e5m2"
    )


def test_an_undecided_kernel_says_why() -> None:
    module = Module("m", "m.py", HEAD + "def k(p):\n    nowhere.odd(p)\n")
    module.cache["nowhere"] = type(module.resolve("triton"))("nowhere")
    trial = Trial(module.function("k"), module, ("3.9",), ("any",))
    way = unlaunched(trial.function, frozenset("p"), frozenset())
    assert accepts(trial, [way], {}, lambda r: Place("", r.span), lambda p: Place("", p.span))[0] == ()


# -- two parameters ------------------------------------------------------------------------------------

DOT = """\
def k(a, b, c):
    i = tl.arange(0, 32)
    at = i[:, None] * 32 + i[None, :]
    tl.store(c + at, tl.dot(tl.load(a + at), tl.load(b + at)))
"""


def test_operands_of_dot_are_the_same_or_both_float8() -> None:
    a, b, c = found(DOT).values()
    assert (a.same_as, b.same_as, b.mixed, c.same_as) == ("", "a", True, "")


def test_float8_is_not_mixed_where_there_is_one() -> None:
    assert found(DOT, target="cuda:80")["b"].mixed is False


def test_branches_make_alike() -> None:
    parameters = found(
        "def k(p, q, r):\n"
        "    if tl.program_id(0) > 0:\n"
        "        x = tl.load(p)\n"
        "    else:\n"
        "        x = tl.load(q)\n"
        "    tl.store(r, x)\n"
    )
    assert (parameters["q"].same_as, parameters["q"].mixed, parameters["r"].same_as) == ("p", False, "")


def test_three_alike_name_the_first() -> None:
    source = DOT.replace("def k(a, b, c)", "def k(a, b, c, d)").replace(
        "tl.store", "tl.store(c + at, tl.dot(tl.load(b + at), tl.load(d + at)))\n    tl.store"
    )
    parameters = found(source)
    assert (parameters["b"].same_as, parameters["d"].same_as) == ("a", "a")


def test_a_carried_variable_is_at_least_as_wide() -> None:
    parameters = found(CARRIED.replace("+=", "|="))
    assert (parameters["p"].at_least, parameters["q"].at_least) == ("q", "")


def test_other_pairs_are_told_one_by_one() -> None:
    (depends,) = found(CARRIED)["q"].depends
    assert depends.other == "p"
    assert (only("float32"), only("int64")) in depends.pairs
    assert (only("int64"), only("float32")) not in depends.pairs


def test_independent_parameters_have_no_relation() -> None:
    for p in found("def k(p, q):\n    tl.store(p, tl.load(q).to(tl.float32))\n").values():
        assert (p.same_as, p.at_least, p.depends) == ("", "", ())


# -- ways ----------------------------------------------------------------------------------------------


def way(**types: KernelType) -> Given:
    return Given(tuple(types.items()))


def test_ways_of_one_kind_are_joined() -> None:
    ways = [
        way(p=tensor("int32"), N=ConstexprType(1)),
        way(p=tensor("int64"), N=ConstexprType(2)),
        way(p=NONE),
    ]
    assert joined(ways) == (way(p=tensor("int32", "int64"), N=ConstexprType(None, False)), way(p=NONE))


def test_one_way_for_all_knows_no_kind_that_differs() -> None:
    made = whole([way(p=tensor("int32"), n=INT), way(p=NONE, n=INT)]).signature
    assert isinstance(made["p"], UnknownType) and made["n"] == INT


def test_many_ways_become_few() -> None:
    kinds: tuple[KernelType, ...] = (ANY_TENSOR, INT, NONE)
    ways = joined(way(p=p, q=q) for p in kinds for q in kinds)
    assert len(ways) == 6
    assert isinstance(ways[-1].signature["p"], UnknownType) or isinstance(
        ways[-1].signature["q"], UnknownType
    )
