"""Products of matrices and vectors in torch, and linear algebra. Most want operands of one dtype."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.dtypes import BY_NAME
from . import rules
from .describe import INT32, computed, either, given, inplace, like, op, spell
from .ops import ExactRank, Fixed, Like, Op, SameRank, Several, Tensor

_A = Tensor(computed(rules.inexact, "A"))
_INVERSE = "inv pinv cholesky"


def _products(word: str, params: str, ndim: int, more: str = "") -> Iterator[Op]:
    """Products of matrices: functions take an `out_dtype`, methods do not."""
    dtype = computed(rules.alike, params)
    outcome = Tensor(given(dtype, "out_dtype"), ExactRank(ndim))
    yield op(f"torch.{word}", f"{params} out_dtype {more}", outcome, out=True)
    yield op(f"Tensor.{word}", f"{params} {more}", Tensor(dtype, ExactRank(ndim)))


OPS: tuple[Op, ...] = (
    op(
        f"{either('matmul')} torch.linalg.matmul operator.@",
        "input other",
        Tensor(computed(rules.alike, "input other")),
        out=True,
    ),
    *_products("mm", "input mat2", 2),
    *_products("bmm", "input mat2", 3),
    op(either("mv"), "input vec", Tensor(computed(rules.alike, "input vec"), ExactRank(1)), out=True),
    op(
        either("dot vdot"),
        "input tensor",
        Tensor(computed(rules.alike, "input tensor"), ExactRank(0)),
        out=True,
    ),
    op(either("inner"), "input other", Tensor(computed(rules.alike, "input other")), out=True),
    op(
        either("outer ger"),
        "input vec2",
        Tensor(computed(rules.common, "input vec2"), ExactRank(2)),
        out=True,
    ),
    op(either("kron"), "input other", Tensor(computed(rules.common, "input other")), out=True),
    *_products("addmm", "input mat1 mat2", 2, "* beta alpha"),
    op(
        either("addmv"),
        "input mat vec * beta alpha",
        Tensor(computed(rules.alike, "input mat vec"), ExactRank(1)),
        out=True,
    ),
    op(
        either("addr"),
        "input vec1 vec2 * beta alpha",
        Tensor(computed(rules.common, "input vec1 vec2"), ExactRank(2)),
        out=True,
    ),
    op(
        either("addbmm"),
        "input batch1 batch2 * beta alpha",
        Tensor(computed(rules.alike, "input batch1 batch2"), ExactRank(2)),
        out=True,
    ),
    *_products("baddbmm", "input batch1 batch2", 3, "* beta alpha"),
    *inplace("addmm_ addmv_ addr_ addbmm_ baddbmm_", "self first second * beta alpha"),
    op("torch.einsum", "equation *operands", Tensor(computed(rules.alike, "operands"))),
    op("torch.tensordot", "a b dims", Tensor(computed(rules.alike, "a b")), out=True),
    op("torch.chain_matmul", "*matrices", Tensor(computed(rules.alike, "matrices"), ExactRank(2)), out=True),
    op("torch.linalg.multi_dot", "tensors", Tensor(computed(rules.alike, "tensors")), out=True),
    op("torch.linalg.vecdot", "x y", Tensor(computed(rules.inexact_alike, "x y")), out=True),
    op(
        "torch.cross Tensor.cross torch.linalg.cross",
        "input other dim",
        Tensor(computed(rules.alike, "input other"), SameRank("input")),
        out=True,
    ),
    op(either("trace"), "input", Tensor(computed(rules.summed, "input"), ExactRank(0))),
    op("torch._int_mm", "self mat2", Tensor(INT32, ExactRank(2)), out=True),
    op(
        "torch._scaled_mm",
        "self mat2 scale_a scale_b bias scale_result out_dtype",
        Tensor(given(Like("self"), "out_dtype"), ExactRank(2)),
    ),
    op(
        "torch.nn.functional.scaled_mm",
        "mat_a mat_b scale_a scale_recipe_a scale_b scale_recipe_b swizzle_a swizzle_b bias output_dtype",
        Tensor(given(Fixed(BY_NAME["bfloat16"]), "output_dtype"), ExactRank(2)),
    ),
    op(
        "torch.ops.aten._scaled_mm_v2",
        "self mat2 scale_a recipe_a swizzle_a scale_b recipe_b swizzle_b bias out_dtype",
        Tensor(given(Like("self"), "out_dtype"), ExactRank(2)),
    ),
    op("torch._grouped_mm", "self mat2 offs bias out_dtype", Tensor(given(Like("self"), "out_dtype"))),
    op(
        "torch.nn.functional.grouped_mm",
        "mat_a mat_b * offs bias out_dtype",
        Tensor(given(Like("mat_a"), "out_dtype")),
    ),
    op(
        "torch._scaled_grouped_mm",
        "self mat2 scale_a scale_b offs bias scale_result out_dtype",
        Tensor(given(Fixed(BY_NAME["bfloat16"]), "out_dtype")),
    ),
    op(spell(_INVERSE, "torch.linalg"), "A", like("A", SameRank("A")), out=True),
    op("torch.linalg.matrix_exp", "A", like("A", SameRank("A"))),
    op("torch.inverse Tensor.inverse", "input", like("input", SameRank("input")), out=True),
    op("torch.linalg.det", "A", like("A", SameRank("A", -2)), out=True),
    op("torch.linalg.solve", "A B", Tensor(computed(rules.inexact_alike, "A B")), out=True),
    op("torch.linalg.qr", "A mode", Several((_A, _A), ("Q", "R"))),
    op(
        "torch.linalg.svd",
        "A full_matrices",
        Several((_A, Tensor(computed(rules.inexact_magnitude, "A")), _A), ("U", "S", "Vh")),
    ),
    op("torch.linalg.eigh", "A UPLO", Several((Tensor(computed(rules.inexact_magnitude, "A")), _A))),
)
