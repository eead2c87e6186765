"""Annotations as contracts: Triton's against Triton itself, jaxtyping's against jaxtyping where installed."""

from __future__ import annotations

import inspect

import pytest

from dtypecheck.contracts import jaxtyping
from dtypecheck.contracts.annotations import CANONICAL, Force, Forced, forced
from dtypecheck.core import dtypes as dt

TEXTS = [
    "tl.int64", "tl.uint8", "tl.float16", "tl.bfloat16", "tl.float64", "tl.int1", "tl.float8e4nv",
    "tl.float8e5", "tl.float8e4b15", "triton.language.int64", "int64", "int", "float", "bool", "str",
    '"i64"', "'i64'", '"fp32"', '"u1"', '"i1"', '"*fp32"', '"*i32"', '"*kfp16"', '"const *fp32"', '"fp32*"',
    '"tl.int32"', '"*tl.int32"', '"int32_t"', '"half"', '"double"', '"void"', '"**fp32"', '"const fp32 *"',
    "tl.pointer_type(tl.float32)", "tl.pointer_type(tl.int64, 1)", "tl.constexpr", "constexpr",
    '"tl.constexpr"', '"constexpr"', "tl.const", "torch.Tensor", "torch.int32", "tl.tensor", "tl.dtype",
    "None", '"nonsense"', "list", "Optional[tl.constexpr]", "torch.dtype", '"torch.Tensor"', '"fp8e4b15"',
]  # fmt: skip


def as_triton_sees(annotation: object) -> tuple[str, bool, bool]:
    jit = pytest.importorskip("triton.runtime.jit")
    parameter = inspect.Parameter("x", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=annotation)
    param = jit.KernelParam(0, parameter, False, False)
    return param.annotation_type, param.is_constexpr, param.is_const


def as_we_see(found: Forced | None) -> tuple[str, bool, bool]:
    if found is None:
        return "", False, False
    prefix = {Force.POINTER: "*k" if found.const else "*", Force.SCALAR: ""}.get(found.force, "")
    return prefix + found.triton, found.force is Force.CONSTEXPR, found.const


@pytest.mark.parametrize("text", TEXTS)
def test_annotations_force_what_triton_says(text: str) -> None:
    from typing import Optional

    torch = pytest.importorskip("torch")
    triton = pytest.importorskip("triton")
    tl = triton.language
    scope = {"tl": tl, "triton": triton, "torch": torch, "constexpr": tl.constexpr, "int64": tl.int64}
    value = eval(text, {**scope, "Optional": Optional})
    assert as_we_see(forced(text)) == as_triton_sees(value)


@pytest.mark.parametrize("text", TEXTS)
def test_deferred_annotations_are_text_for_triton(text: str) -> None:
    pytest.importorskip("triton")
    assert as_we_see(forced(text, deferred=True)) == as_triton_sees(text)


def test_the_names_are_those_of_triton() -> None:
    utils = pytest.importorskip("triton._utils")
    assert utils.type_canonicalisation_dict == CANONICAL


def test_a_forced_type_carries_its_torch_dtype() -> None:
    assert forced('"*i64"') == Forced(Force.POINTER, "i64", dt.BY_NAME["int64"])
    assert forced("float") == Forced(Force.SCALAR, "fp32", dt.BY_NAME["float32"])
    assert forced('"fp8e4b15"') == Forced(Force.SCALAR, "fp8e4b15", None)
    assert forced("tl.const") == Forced(Force.CONST, const=True)


def test_annotations_that_are_not_understood_force_nothing() -> None:
    for text in ("", "f(x)[0]", "np.int64", "lambda: 0", '"', "tl.pointer_type(f(x))"):
        assert forced(text) is None


EXPECTED = {
    "Int32": dt.only("int32"),
    "BFloat16": dt.only("bfloat16"),
    "Bool": dt.only("bool"),
    "UInt8": dt.only("uint8"),
    "Int": dt.SIGNED,
    "UInt": dt.UNSIGNED,
    "Integer": dt.INTEGER,
    "Shaped": dt.ANY,
}


@pytest.mark.parametrize("name", EXPECTED)
def test_jaxtyping_names(name: str) -> None:
    assert jaxtyping.accepted(name) == jaxtyping.accepted(f"jaxtyping.{name}") == EXPECTED[name]


def test_float_is_any_width_but_no_integer() -> None:
    found = jaxtyping.accepted("Float")
    assert found is not None
    assert found & dt.INTEGER == 0
    assert found & dt.only("float16", "bfloat16", "float32", "float64", "float8_e4m3fn") != 0
    assert jaxtyping.accepted("Num") == jaxtyping.accepted("Real") | dt.only("complex64", "complex128")


@pytest.mark.parametrize("name", ["Tensor", "Int4", "Key", "int32", "", "Float8e4m3b11fnuz"])
def test_names_that_say_nothing_about_torch(name: str) -> None:
    assert jaxtyping.accepted(name) is None


def test_against_jaxtyping_itself() -> None:
    real = pytest.importorskip("jaxtyping")
    for name in dir(real):
        dtypes = getattr(getattr(real, name), "dtypes", None)
        if not isinstance(dtypes, (list, tuple)):
            continue
        expected = dt.mask(dt.BY_NAME[d] for d in dtypes if isinstance(d, str) and d in dt.BY_NAME)
        assert (jaxtyping.accepted(name) or 0) == expected, name
