"""Rules files drafted from what kernels accept: never stricter than what was found."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dtypecheck.contracts.draft import TRITON, draft, rules, widened
from dtypecheck.contracts.model import Kind, RulesFile
from dtypecheck.contracts.reader import read_text
from dtypecheck.core import dtypes as dt
from dtypecheck.core.acceptance import Inventory, KernelAcceptance, Parameter, Refusal, Takes
from dtypecheck.core.spans import Place, Span

HERE = Place("k.py", Span(1, 1, 1, 2))


def refusing(accepted: int) -> tuple[Refusal, ...]:
    return tuple(Refusal(d.bit, "no", HERE) for d in dt.members(TRITON & ~accepted))


def pointer(name: str, accepted: int, **more: object) -> Parameter:
    return Parameter(name, HERE, Takes.POINTER, accepted=accepted, refused=refusing(accepted), **more)  # type: ignore[arg-type]


def inventory(*kernels: tuple[str, tuple[Parameter, ...]]) -> Inventory:
    return Inventory("/p", tuple(KernelAcceptance(k, HERE, (), ps) for k, ps in kernels), ("3.9",), ("any",))


def read(found: Inventory) -> RulesFile:
    made = read_text(draft(found, "p"), "r.toml", name="p")
    assert isinstance(made, RulesFile), made
    return made


@given(st.integers(1, TRITON).map(lambda bits: bits & TRITON).filter(bool))
def test_what_is_written_reads_back(accepted: int) -> None:
    kernel = read(inventory(("m.k", (pointer("x", accepted),)))).kernels[0]
    assert kernel.parameters[0].dtypes & TRITON == accepted


@given(st.integers(0, TRITON).map(lambda bits: bits & TRITON))
def test_widening_adds_no_dtype_of_tritons(accepted: int) -> None:
    assert widened(accepted) & TRITON == accepted


def test_two_definitions_of_one_name_are_either() -> None:
    half, whole = dt.only("float16"), dt.only("int32")
    one = (pointer("x", half, same_as="y"), pointer("y", half))
    other = (pointer("x", whole, optional=True), Parameter("y", HERE, Takes.SCALAR))
    x, y = rules(inventory(("m.k", one), ("m.k", other)), "p").kernels[0].parameters
    assert (x.dtypes, x.same_as, x.optional, x.kind) == (half | whole, None, True, Kind.POINTER)
    assert y.kind is Kind.VALUE


def test_what_is_not_decided_is_allowed() -> None:
    p = Parameter("x", HERE, Takes.POINTER, accepted=0, undecided=TRITON, optional=None)
    contract = rules(inventory(("m.k", (p,))), "p").kernels[0].parameters[0]
    assert (contract.dtypes, contract.optional) == (dt.ANY, True)


def test_a_kind_that_is_not_certain_is_not_declared() -> None:
    loose = Parameter("x", HERE, Takes.POINTER, strictly=False, accepted=TRITON)
    assert rules(inventory(("m.k", (loose,))), "p").kernels[0].parameters[0].kind is Kind.VALUE


def test_undecided_kernels_stand_in_a_comment() -> None:
    found = Inventory("/p", (KernelAcceptance("m.k", HERE, (), (), "why not"),), ("3.9",), ("any",))
    assert "#   m.k: why not\n" in draft(found, "p")
    assert read(found).kernels == ()


def test_names_that_a_pattern_cannot_have() -> None:
    names = [k.pattern for k in read(inventory(("a.1b c.k", (pointer("x", TRITON),)))).kernels]
    assert names == ["a.*b*c.k"]
