"""Verdicts, sets, flags, chains and blame; Triton is not needed here."""

from __future__ import annotations

from pathlib import Path

import pytest

from dtypecheck.core import ir
from dtypecheck.core.dtypes import only
from dtypecheck.kernels.blame import blame
from dtypecheck.kernels.session import StoreFact
from dtypecheck.kernels.signatures import (
    ConstantArgument,
    NoneArgument,
    NumberArgument,
    ObjectArgument,
    TensorArgument,
    TupleArgument,
    annotated,
    parameter_type,
)  # fmt: skip
from dtypecheck.kernels.together import together
from dtypecheck.kernels.trial import Trial
from dtypecheck.kernels.typing import Accepted, Rejected, Undecided, type_kernel
from dtypecheck.kernels.values import ConstexprType, KernelType, PointerType, ScalarType, TupleType
from dtypecheck.semantics.triton_errors import Refusal
from dtypecheck.semantics.triton_types import ANY, bits_of

from .agreement_core import parameter
from .scopes import Module, Root

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
HEAD = "import triton\nimport triton.language as tl\n\n@triton.jit\n"


def verdict(body: str, version: str = "3.9", target: str = "cuda:90", **types: KernelType | str):
    signature = {n: parameter(t) if isinstance(t, str) else t for n, t in types.items()}
    inner = body.replace("\n", "\n    ")
    module = Module("m", "m.py", f"{HEAD}def k({', '.join(types)}):\n    {inner}\n")
    return type_kernel(module.function("k"), signature, module, version, target)


EAGLE = {
    "last_token_indices_ptr": "*i64", "eagle_input_ids_ptr": "*i32", "eagle_positions_ptr": "*i64",
    "eagle_query_start_loc_ptr": "*i32", "eagle_seq_lens_ptr": "*i32", "target_input_ids_ptr": "*i32",
    "target_positions_ptr": "*i64", "idx_mapping_ptr": "*i32", "last_sampled_ptr": "*i64",
    "next_prefill_tokens_ptr": "*i32", "num_sampled_ptr": "*i32", "num_rejected_ptr": "*i32",
    "query_start_loc_ptr": "*i32", "seq_lens_ptr": "*i32", "max_num_reqs": "i32",
}  # fmt: skip


@pytest.fixture(scope="module")
def eagle() -> tuple[ir.Function, Module]:
    module = Root(FIXTURES).module("spec_decode.eagle")
    assert module is not None
    return module.function("_prepare_eagle_inputs_kernel"), module


def eagle_types(block: KernelType = ConstexprType(1024), **changes: str) -> dict[str, KernelType]:
    types = {n: parameter(t) for n, t in {**EAGLE, **changes}.items()}
    return {**types, "BLOCK_SIZE": block}


@pytest.mark.parametrize(
    "block", [ConstexprType(1024), ConstexprType(None, False, "int"), ConstexprType(None, False)]
)
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, None),
        ({"num_sampled_ptr": "*i64"}, None),
        ({"last_sampled_ptr": "*i32"}, None),
        (
            {"num_rejected_ptr": "*i64"},
            "initial value for `i` is of type int64[], but the then block redefines it as int32[]",
        ),
        (
            {"next_prefill_tokens_ptr": "*i64"},
            "Mismatched type for next_token between then block (int32) and else block (int64)",
        ),
        ({"query_start_loc_ptr": "*i64"}, "initial value for `i` is of type int64[]"),
    ],
)
def test_the_fault_that_started_it(eagle, changes, words, block) -> None:
    function, scope = eagle
    outcome = type_kernel(function, eagle_types(block, **changes), scope).outcome
    if words is None:
        assert isinstance(outcome, Accepted)
    else:
        assert isinstance(outcome, Rejected)
        assert outcome.code == "DT201"
        assert outcome.message.startswith(words)


def test_the_chain_tells_how_the_type_arose(eagle) -> None:
    function, scope = eagle
    outcome = type_kernel(function, eagle_types(num_rejected_ptr="*i64"), scope).outcome
    assert isinstance(outcome, Rejected)
    notes = [step.note for step in outcome.chain]
    assert notes[:3] == [
        "int64, loaded from `num_rejected_ptr`",
        "int32 - int64 -> int64",
        "range over int32, int64, int32 -> int64",
    ]
    assert "num_rejected_ptr" in outcome.parameters


@pytest.mark.parametrize("culprit", ["num_rejected_ptr", "next_prefill_tokens_ptr", "query_start_loc_ptr"])
def test_blame_names_the_one_argument(eagle, culprit) -> None:
    function, scope = eagle
    types = eagle_types(**{culprit: "*i64"})
    outcome = type_kernel(function, types, scope).outcome
    assert isinstance(outcome, Rejected)
    found = blame(function, types, scope, outcome)
    assert found[0].changes[0][0] == culprit
    assert found[0].changes[0][1] & bits_of("int32")


def test_blame_names_the_smallest_set() -> None:
    body = "x = 0\nif n > 0:\n    x = tl.load(p) + tl.load(q)\ntl.store(r, x)"
    types = {"p": parameter("*fp32"), "q": parameter("*fp32"), "r": parameter("*fp32"), "n": parameter("i32")}
    inner = body.replace("\n", "\n    ")
    module = Module("m", "m.py", f"{HEAD}def k(p, q, r, n):\n    {inner}\n")
    outcome = type_kernel(module.function("k"), types, module).outcome
    assert isinstance(outcome, Rejected)
    assert not blame(module.function("k"), types, module, outcome)
    found = together(Trial(module.function("k"), module, ("3.9",), ("any",)), types, outcome)
    assert found is not None
    assert {name for name, _ in found.changes} == {"p", "q"}
    assert found.choices == ((bits_of("int32"),) * 2,)


# -- sets ----------------------------------------------------------------------------------------------


def test_a_set_is_refused_only_where_every_member_is() -> None:
    body = "x = tl.load(p)\ntl.store(q, x & 1)"
    assert isinstance(verdict(body, p=PointerType(ANY), q="*i32").outcome, Undecided)
    floats = PointerType(bits_of("fp16", "bf16", "fp32"))
    outcome = verdict(body, p=floats, q="*i32").outcome
    assert isinstance(outcome, Rejected) and outcome.refusal.id == "bitwise-float"
    integers = PointerType(bits_of("int32", "int64"))
    assert isinstance(verdict(body, p=integers, q="*i32").outcome, Accepted)


def test_ignorance_can_be_enough() -> None:
    """An unknown type minus int64 is never int32."""
    body = "n = tl.load(p) - tl.load(q)\nx = 0\nif b:\n    x = n\ntl.store(q, x)"
    outcome = verdict(body, p=PointerType(ANY), q="*i64", b="i1").outcome
    assert isinstance(outcome, Rejected) and outcome.code == "DT201"


def test_a_possible_refusal_names_itself() -> None:
    outcome = verdict("tl.store(p, tl.exp(tl.load(p)))", p=PointerType(bits_of("fp16", "fp32"))).outcome
    assert isinstance(outcome, Undecided)
    assert outcome.possible is not None and outcome.possible.refusal.id == "math-dtype"


# -- flags ---------------------------------------------------------------------------------------------

FLAG = ConstexprType(None, False)


def test_a_fault_behind_a_flag_is_not_proven() -> None:
    body = "x = 0\nif C:\n    if n > 0:\n        x = 1.0\ntl.store(p, x)"
    assert isinstance(verdict(body, p="*fp32", n="i32", C=FLAG).outcome, Accepted)


def test_a_fault_on_both_sides_of_a_flag_is() -> None:
    body = "x = 0\nif C:\n    y = 1.0\nelse:\n    y = 2.0\nif n > 0:\n    x = y\ntl.store(p, x)"
    result = verdict(body, p="*fp32", n="i32", C=FLAG)
    assert isinstance(result.outcome, Rejected) and result.runs == 2


def test_one_flag_has_one_value() -> None:
    """`if C` and `if not C` never both hold: no run sees `x` as both."""
    body = "x = 0\nif C:\n    x = 1.0\nif not C:\n    x = x & 1\ntl.store(p, x)"
    assert isinstance(verdict(body, p="*fp32", C=FLAG).outcome, Accepted)


def test_too_many_flags_are_undecided() -> None:
    flags = {f"F{i}": FLAG for i in range(8)}
    tests = "\n".join(f"if F{i}:\n    n += 1" for i in range(8))
    outcome = verdict(f"{tests}\nx = n & 1.5\ntl.store(p, x)", p="*fp32", n="i32", **flags).outcome
    assert isinstance(outcome, Undecided) and outcome.reason == "too many unknown flags"


# -- releases and targets ------------------------------------------------------------------------------


def test_the_version_decides() -> None:
    body = "tl.store(p, tl.load(q) == 255)"
    assert isinstance(verdict(body, "3.6", p="*i1", q="*i8").outcome, Accepted)
    outcome = verdict(body, "3.9", p="*i1", q="*i8").outcome
    assert isinstance(outcome, Rejected) and outcome.refusal.id == "literal-range"


def test_block_pointers_are_not_decided_where_they_are_gone() -> None:
    body = "b = tl.make_block_ptr(p, (64,), (1,), (0,), (16,), (0,))\ntl.store(b, tl.load(b))"
    assert isinstance(verdict(body, "3.6", p="*fp16").outcome, Accepted)
    assert isinstance(verdict(body, "3.9", p="*fp16").outcome, Undecided)


@pytest.mark.parametrize(
    ("target", "refused"), [("cuda:80", True), ("cuda:90", False), ("hip:gfx942", False)]
)
def test_the_target_decides(target, refused) -> None:
    outcome = verdict("tl.store(p, tl.load(p))", "3.9", target, p="*fp8e4nv").outcome
    assert isinstance(outcome, Rejected) is refused
    if isinstance(outcome, Rejected):
        assert outcome.code == "DT205"


def test_what_is_not_understood_is_undecided() -> None:
    outcome = verdict("x = mystery(n)\ntl.store(p, x)", p="*i32", n="i32").outcome
    assert isinstance(outcome, Rejected) and outcome.code == ""
    module = Module(
        "m",
        "m.py",
        HEAD.replace("import triton\n", "import triton\nimport other\n", 1)
        + "def k(p):\n    tl.store(p, other.f(p))\n",
    )
    outcome = type_kernel(module.function("k"), {"p": parameter("*i32")}, module).outcome
    assert isinstance(outcome, Undecided)


def test_stores_are_noted() -> None:
    result = verdict("tl.store(p, tl.load(q))", p="*i32", q="*fp32")
    stores = [f for f in result.facts if isinstance(f, StoreFact)]
    assert [(s.value.element, s.element, s.operation) for s in stores] == [
        (bits_of("fp32"), bits_of("int32"), "store")
    ]


# -- signatures ----------------------------------------------------------------------------------------


def _param(text: str) -> ir.Param:
    module = Module("m", "m.py", f"{HEAD}def k({text}):\n    pass\n")
    return module.function("k").params[0]


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        (NumberArgument("int", 1), ConstexprType(1)),
        (NumberArgument("int", 16), ScalarType(bits_of("int32"))),
        (NumberArgument("int", 2**31 - 1), ScalarType(bits_of("int32"))),
        (NumberArgument("int", 2**31), ScalarType(bits_of("int64"))),
        (NumberArgument("int", 2**63), ScalarType(bits_of("uint64"))),
        (NumberArgument("bool", True), ScalarType(bits_of("int1"))),
        (NumberArgument("float", 1.0), ScalarType(bits_of("fp32"))),
        (NoneArgument(), ConstexprType(None)),
        (ConstantArgument(3), ConstexprType(3)),
        (TensorArgument(only("bfloat16")), PointerType(bits_of("bf16"))),
        (
            TupleArgument((NumberArgument("int", 1), NumberArgument("float", 2.0))),
            TupleType((ConstexprType(1), ScalarType(bits_of("fp32")))),
        ),
    ],
)
def test_arguments_are_specialised(argument, expected) -> None:
    assert parameter_type(_param("x"), argument) == expected


def test_what_triton_cannot_specialise() -> None:
    for argument in (
        NumberArgument("int", 2**64),
        ObjectArgument("str", "a"),
        TensorArgument(only("complex64")),
    ):
        assert isinstance(parameter_type(_param("x"), argument), Refusal)
    assert parameter_type(_param("x: tl.constexpr"), ObjectArgument("str", "a")) == ConstexprType(
        "a", True, "str"
    )


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("tl.int64", ScalarType(bits_of("int64"))),
        ("'i64'", ScalarType(bits_of("int64"))),
        ("int", ScalarType(bits_of("int32"))),
        ("float", ScalarType(bits_of("fp32"))),
        ("bool", ScalarType(bits_of("int1"))),
        ("tl.pointer_type(tl.float32)", PointerType(bits_of("fp32"))),
        ("'*fp32'", PointerType(bits_of("fp32"))),
        ("torch.Tensor", None),
        ("tl.tensor", None),
        ("tl.constexpr", None),
    ],
)
def test_annotations_force_types(annotation, expected) -> None:
    param = _param(f"x: {annotation}")
    assert annotated(param.annotation) == expected
    if expected is not None:
        assert parameter_type(param, NumberArgument("int", 1)) == expected


def test_a_const_pointer_is_not_stored_through() -> None:
    declared = parameter_type(_param("x: tl.const"), TensorArgument(only("float32")))
    assert declared == PointerType(bits_of("fp32"), True)
    outcome = verdict("tl.store(p, 1.0)", p=declared).outcome
    assert isinstance(outcome, Rejected) and outcome.refusal.id == "const-ptr-store"
