"""How each described operation is called in the oracle test.

`T(*shape)` is a tensor whose dtype the test varies (2 by 2 where no shape is given), `N(value)` one whose
dtype stays. An operation without an entry is called with the parameters that its dtype rule reads.
"""

# ruff: noqa: C408, RUF024 (calls read best as calls; no sample is written to)
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dtypecheck.semantics.numpy_rules import NAMES


@dataclass(frozen=True)
class T:
    shape: tuple[int, ...] = (2, 2)

    def __init__(self, *shape: int) -> None:
        object.__setattr__(self, "shape", shape or (2, 2))


@dataclass(frozen=True)
class N:
    """A tensor of zeros of one dtype."""

    dtype: str
    shape: tuple[int, ...] = (2, 2)


@dataclass(frozen=True)
class D:
    """The dtype object of this name."""

    name: str


@dataclass(frozen=True)
class Group:
    """The process group of one, or its name."""

    by_name: bool = False


INDEX = N("int64")
LINE = N("int64", (2,))
MASK = N("bool")
X: Any = T()
Sample = dict[str, Any]

_SIZES: list[Sample] = [dict(size=((2, 3),)), dict(size=(2, 3)), dict(size=(4,)), dict(size=((),))]
_RANGES: list[Sample] = [
    dict(start=4),
    dict(start=0, end=4),
    dict(start=0, end=4, step=2),
    dict(start=4.0),
    dict(start=0, end=4, step=0.5),
]
_DATA: list[Any] = [1, True, 1.5, 2j, [1, 2], [True, False], [1, 2.5], [[1.0], [2.0]], [True, 2], (3, 4), []]


def _writes(**more: Any) -> list[Sample]:
    return [dict(input=X, dim=0, index=INDEX, **more)]


def _lines(**more: Any) -> list[Sample]:
    return [dict(input=X, dim=0, index=LINE, **more)]


def _reduced(*names: str) -> dict[str, list[Sample]]:
    forms: list[Sample] = [
        dict(input=X),
        dict(input=X, dim=0),
        dict(input=X, dim=-1, keepdim=True),
    ]
    return dict.fromkeys(names, forms)


def _several_dims(*names: str) -> dict[str, list[Sample]]:
    return {n: [*forms, dict(input=X, dim=(0, 1))] for n, forms in _reduced(*names).items()}


SAMPLES: dict[str, list[Sample]] = {
    # made of a size
    **dict.fromkeys(("torch.empty", "torch.zeros", "torch.ones", "torch.rand", "torch.randn"), _SIZES),
    "torch.empty_strided": [dict(size=(2, 3), stride=(3, 1))],
    "torch.empty_permuted": [dict(size=(2, 3), physical_layout=(0, 1))],
    "torch.full": [dict(size=(2, 3), fill_value=v) for v in (1, True, 1.5, 2j)],
    "torch.arange": _RANGES,
    "torch.range": [dict(start=0, end=4), dict(start=0.0, end=4.0)],
    "torch.linspace": [dict(start=0, end=1, steps=3), dict(start=0.0, end=1.0, steps=3)],
    "torch.logspace": [dict(start=0, end=1, steps=3)],
    "torch.eye": [dict(n=3), dict(n=3, m=2)],
    "torch.tensor": [*(dict(data=d) for d in _DATA), dict(data=X), dict(data=T(2))],
    "torch.as_tensor": [*(dict(data=d) for d in _DATA), dict(data=X)],
    "torch.asarray": [*(dict(obj=d) for d in _DATA if d != []), dict(obj=X)],
    "torch.scalar_tensor": [dict(s=1), dict(s=1.5), dict(s=True)],
    "torch.from_dlpack": [dict(ext_tensor=X)],
    "torch.frombuffer": [dict(buffer=bytearray(64), dtype=D(n)) for n in ("int8", "float16", "float64")],
    "torch.Tensor": [dict(data=(2, 3)), dict(data=([1, 2],))],
    "torch.randint": [
        dict(low=0, high=5, size=(2, 3)),
        dict(low=5, high=(2, 3)),
        dict(low=5, high=(2,)),
    ],
    "torch.randperm": [dict(n=4)],
    "torch.normal": [
        dict(mean=X, std=1.0),
        dict(mean=X, std=N("float32")),
        dict(mean=0.0, std=X),
        dict(mean=0.0, std=1.0, size=(2, 3)),
    ],
    "torch.multinomial": [dict(input=X, num_samples=1)],
    "Tensor.multinomial": [dict(input=X, num_samples=1)],
    "full_like": [dict(input=X, fill_value=v) for v in (1, 1.5)],
    "randint_like": [dict(input=X, low=0, high=1)],
    **dict.fromkeys(
        ("Tensor.new_empty", "Tensor.new_zeros", "Tensor.new_ones"), [dict(self=X, **s) for s in _SIZES]
    ),
    "new_full": [dict(self=X, size=(2,), fill_value=1)],
    "new_empty_strided": [dict(self=X, size=(2, 3), stride=(3, 1))],
    "new_tensor": [dict(self=X, data=d) for d in (1, 1.5, [1, 2])],
    "Tensor.new": [dict(self=X, data=(2, 2))],
    "torch.complex": [dict(real=X, imag=X)],
    "torch.polar": [dict(abs=X, angle=X)],
    "tril_indices": [dict(row=3, col=3)],
    "triu_indices": [dict(row=3, col=3)],
    **dict.fromkeys(
        ("hann_window", "hamming_window", "blackman_window", "bartlett_window", "kaiser_window"),
        [dict(window_length=4)],
    ),
    # casts
    "Tensor.to": [
        *(dict(self=X, first=D(n)) for n in ("int32", "float16", "float8_e5m2", "float64")),
        dict(self=X, first="meta"),
        dict(self=X, first="meta", second=D("bfloat16")),
        dict(self=X, first="meta", dtype=D("int8")),
        dict(self=X, first=D("int8"), second=True),
        dict(self=X, first="meta", second=D("int8"), third=True),
        dict(self=X, first=X),
        dict(self=X, tensor=X),
        dict(self=X),
    ],
    "Tensor.type": [dict(self=X), dict(self=X, dtype=D("int32"))],
    "Tensor.type_as": [dict(self=X, other=T(2))],
    "Tensor.view": [
        dict(self=T(4, 16), size=(64,)),
        dict(self=T(4, 16), size=(2, 32)),
        dict(self=T(4, 16), size=((2, 2, 16),)),
        dict(self=T(4, 16), size=(D("uint8"),)),
        dict(self=T(4, 16), size=(D("int32"),)),
    ],
    "view_as_complex": [dict(input=X)],
    "copy_": [dict(self=X, src=X)],
    "resize_": [dict(self=X, sizes=(2, 3))],
    "resize_as_": [dict(self=X, other=N("int8"))],
    "set_": [dict(self=X, source=X)],
    **dict.fromkeys(("tril_", "triu_"), [dict(self=X, diagonal=1)]),
    "geometric_": [dict(self=X, p=0.5)],
    "Tensor.cuda": [],
    "Tensor.xpu": [],
    "Tensor.pin_memory": [],
    # shapes
    "torch.reshape": [dict(input=X, shape=(4,)), dict(input=X, shape=(1, 2, 2))],
    "Tensor.reshape": [
        dict(self=X, shape=(4,)),
        dict(self=X, shape=(1, 2, 2)),
        dict(self=X, shape=((1, 4),)),
    ],
    "view_as": [dict(self=X, other=N("int8", (4,)))],
    "reshape_as": [dict(self=X, other=N("int8", (4,)))],
    "expand_as": [dict(self=X, other=N("int8", (3, 2, 2)))],
    "expand": [dict(self=X, size=(3, -1, -1)), dict(self=X, size=((3, 2, 2),))],
    "broadcast_to": [dict(input=X, size=(3, 2, 2))],
    "squeeze": [dict(input=T(1, 2)), dict(input=T(1, 2), dim=0)],
    "squeeze_": [dict(self=T(1, 2))],
    "unsqueeze": [dict(input=X, dim=0)],
    "unsqueeze_": [dict(self=X, dim=0)],
    "flatten": [dict(input=X), dict(input=T(2, 2, 2), start_dim=1)],
    "unflatten": [dict(input=X, dim=1, sizes=(2, 1))],
    **dict.fromkeys(("transpose", "swapaxes", "swapdims"), [dict(input=X, dim0=0, dim1=1)]),
    **dict.fromkeys(("transpose_", "swapaxes_", "swapdims_"), [dict(self=X, dim0=0, dim1=1)]),
    **dict.fromkeys(("movedim", "moveaxis"), [dict(input=X, source=0, destination=1)]),
    "torch.permute": [dict(input=X, dims=(1, 0))],
    "Tensor.permute": [dict(self=X, dims=(1, 0)), dict(self=X, dims=((1, 0),))],
    "narrow": [dict(input=X, dim=0, start=0, length=1)],
    "select": [dict(input=X, dim=0, index=1)],
    "as_strided": [dict(input=X, size=(2,), stride=(1,))],
    "as_strided_": [dict(self=X, size=(2,), stride=(1,))],
    "Tensor.unfold": [dict(self=X, dimension=0, size=1, step=1)],
    "chunk": [dict(input=X, chunks=2)],
    "torch.split": [dict(tensor=X, split_size_or_sections=1), dict(tensor=X, split_size_or_sections=[1, 1])],
    "Tensor.split": [dict(self=X, split_size=1, dim=1)],
    "tensor_split": [dict(input=X, indices_or_sections=2)],
    "split_with_sizes": [dict(input=X, split_sizes=[1, 1])],
    **dict.fromkeys(("hsplit", "vsplit"), [dict(input=X, indices_or_sections=2)]),
    "dsplit": [dict(input=T(2, 2, 2), indices_or_sections=2)],
    **dict.fromkeys(("atleast_1d", "atleast_2d", "atleast_3d"), [dict(tensors=(X, X))]),
    "flip": [dict(input=X, dims=(0,))],
    "roll": [dict(input=X, shifts=1)],
    "diag": [dict(input=T(2)), dict(input=X)],
    "diag_embed": [dict(input=X)],
    "repeat": [dict(self=X, repeats=(3, 1, 1)), dict(self=X, repeats=((2, 1),))],
    "torch.tile": [dict(input=X, dims=(2,))],
    "Tensor.tile": [dict(self=X, dims=(2, 1))],
    "repeat_interleave": [dict(input=X, repeats=2), dict(input=X, repeats=2, dim=1)],
    "constant_pad_nd": [dict(input=X, pad=(1, 1))],
    # reductions
    **_several_dims("sum", "nansum", "mean", "nanmean", "amax", "amin", "any", "all", "std", "var"),
    **_reduced("prod", "argmax", "argmin", "median", "nanmedian"),
    **{
        n: [dict(input=X, dim=0), dict(input=X, dim=(0, 1), keepdim=True)]
        for n in ("logsumexp", "std_mean", "var_mean")
    },
    "count_nonzero": [dict(input=X), dict(input=X, dim=0)],
    "torch.norm": [dict(input=X), dict(input=X, p=2, dim=0)],
    "Tensor.norm": [dict(input=X), dict(input=X, p=2, dim=0, keepdim=True)],
    **dict.fromkeys(("linalg.norm", "vector_norm"), [dict(A=X), dict(A=X, ord=2, dim=0)]),
    **{n: [*_reduced(n)[n], dict(input=X, other=X), dict(input=X, dim=X)] for n in ("max", "min")},
    "mode": _reduced("mode")["mode"],
    "kthvalue": [dict(input=X, k=1), dict(input=X, k=1, dim=0, keepdim=True)],
    "aminmax": [dict(input=X), dict(input=X, dim=0)],
    **dict.fromkeys(("cummax", "cummin", "cumsum", "cumprod", "logcumsumexp"), [dict(input=X, dim=0)]),
    **dict.fromkeys(("cumsum_", "cumprod_"), [dict(self=X, dim=0)]),
    "topk": [dict(input=X, k=1)],
    **dict.fromkeys(("softmax", "log_softmax", "softmin"), [dict(input=X, dim=0)]),
    **dict.fromkeys(("quantile", "nanquantile"), [dict(input=X, q=0.5)]),
    "nonzero": [dict(input=X), dict(input=X, as_tuple=True)],
    "unique": [
        dict(input=X),
        dict(input=X, return_inverse=True),
        dict(input=X, return_inverse=True, return_counts=True),
        dict(input=X, return_counts=True),
    ],
    "unique_consecutive": [
        dict(input=X),
        dict(input=X, return_inverse=True),
        dict(input=X, return_counts=True),
    ],
    "bincount": [dict(input=T(3)), dict(input=N("int64", (3,)), weights=T(3))],
    "searchsorted": [dict(sorted_sequence=X, input=X), dict(sorted_sequence=X, input=X, out_int32=True)],
    "bucketize": [dict(input=X, boundaries=T(2)), dict(input=X, boundaries=T(2), out_int32=True)],
    "isin": [dict(elements=X, test_elements=X)],
    # products
    "torch.mm": [dict(input=X, mat2=X), dict(input=T(4, 4), mat2=T(4, 4), out_dtype=D("float32"))],
    "bmm": [dict(input=T(2, 2, 2), mat2=T(2, 2, 2))],
    "mv": [dict(input=X, vec=T(2))],
    **dict.fromkeys(("dot", "vdot"), [dict(input=T(2), tensor=T(2))]),
    **dict.fromkeys(("outer", "ger"), [dict(input=T(2), vec2=T(2))]),
    "matmul": [dict(input=X, other=X), dict(input=T(2, 2, 2), other=T(2))],
    "addmv": [dict(input=T(2), mat=X, vec=T(2))],
    "addr": [dict(input=X, vec1=T(2), vec2=T(2))],
    "addbmm": [dict(input=X, batch1=T(2, 2, 2), batch2=T(2, 2, 2))],
    "baddbmm": [dict(input=T(2, 2, 2), batch1=T(2, 2, 2), batch2=T(2, 2, 2))],
    "addmm_": [dict(self=X, first=X, second=X)],
    "addmv_": [dict(self=T(2), first=X, second=T(2))],
    "addr_": [dict(self=X, first=T(2), second=T(2))],
    "addbmm_": [dict(self=X, first=T(2, 2, 2), second=T(2, 2, 2))],
    "baddbmm_": [dict(self=T(2, 2, 2), first=T(2, 2, 2), second=T(2, 2, 2))],
    "einsum": [dict(equation="ij,jk->ik", operands=(X, X))],
    "tensordot": [dict(a=X, b=X, dims=1)],
    "chain_matmul": [dict(matrices=(X, X))],
    "multi_dot": [dict(tensors=[X, X])],
    "cross": [dict(input=T(2, 3), other=T(2, 3))],
    "trace": [dict(input=X)],
    "_int_mm": [dict(self=T(32, 32), mat2=T(32, 32))],
    "lerp": [dict(input=X, end=X, weight=0.5), dict(input=X, end=X, weight=X)],
    # lists
    **dict.fromkeys(
        (
            "cat",
            "concat",
            "concatenate",
            "hstack",
            "vstack",
            "dstack",
            "column_stack",
            "row_stack",
            "torch.stack",
        ),
        [dict(tensors=[X, X])],
    ),
    **dict.fromkeys(("block_diag", "meshgrid", "broadcast_tensors"), [dict(tensors=(X, X))]),
    "cartesian_prod": [dict(tensors=(T(2), T(2)))],
    "meshgrid": [dict(tensors=(T(2), T(2)))],
    "combinations": [dict(input=T(3))],
    # indices
    **{n: _writes(src=X) for n in ("scatter", "scatter_", "scatter_add", "scatter_add_")},
    **{n: _writes(src=X, reduce="sum") for n in ("scatter_reduce", "scatter_reduce_")},
    **{n: _lines(source=X) for n in ("index_add", "index_add_", "index_copy", "index_copy_")},
    **{n: _lines(source=X, reduce="amax") for n in ("index_reduce", "index_reduce_")},
    **{n: _lines(value=1) for n in ("index_fill", "index_fill_")},
    **{n: [dict(input=X, indices=(LINE,), values=X)] for n in ("index_put", "index_put_")},
    **{n: [dict(input=X, mask=MASK, source=X)] for n in ("masked_scatter", "masked_scatter_")},
    **{n: [dict(input=X, index=LINE, source=T(2))] for n in ("put", "put_")},
    "select_scatter": [dict(input=X, src=T(2), dim=0, index=0)],
    "slice_scatter": [dict(input=X, src=X)],
    "diagonal_scatter": [dict(input=X, src=T(2))],
    "masked_fill": [dict(input=X, mask=MASK, value=1), dict(input=X, mask=N("bool", (3, 1, 1)), value=1)],
    "masked_fill_": [dict(self=X, mask=MASK, value=1)],
    "index_select": [dict(input=X, dim=0, index=LINE)],
    "gather": [dict(input=X, dim=0, index=INDEX)],
    "take_along_dim": [dict(input=X, indices=INDEX), dict(input=X, indices=INDEX, dim=0)],
    "take": [dict(input=X, index=LINE)],
    "masked_select": [dict(input=X, mask=MASK)],
    "__getitem__": [dict(self=X, index=0), dict(self=X, index=MASK)],
    "torch.fill": [dict(input=X, value=1)],
    "fill_": [dict(self=X, value=1)],
    "fill_diagonal_": [dict(self=X, fill_value=1)],
    # element by element, beyond the rule's operands
    "where": [dict(condition=MASK, input=X, other=X)],
    "Tensor.where": [dict(input=X, condition=MASK, other=X)],
    "clamp": [dict(input=X, min=X, max=X), dict(input=X, min=X), dict(input=X, max=X)],
    "clip": [dict(input=X, min=X)],
    "clamp_": [dict(self=X, min=X)],
    "clip_": [dict(self=X, min=X)],
    "clamp_min_": [dict(self=X, bound=X)],
    "clamp_max_": [dict(self=X, bound=X)],
    **{
        n: [dict(input=X, other=X), *(dict(input=X, other=X, rounding_mode=m) for m in ("floor", "trunc"))]
        for n in ("div", "divide")
    },
    **dict.fromkeys(("isclose", "equal", "allclose"), [dict(input=X, other=X)]),
    # torch.nn.functional
    "glu": [dict(input=X)],
    "threshold": [dict(input=X, threshold=0, value=0)],
    "layer_norm": [dict(input=X, normalized_shape=(2,)), dict(input=X, normalized_shape=(2,), weight=T(2))],
    "rms_norm": [dict(input=X, normalized_shape=(2,))],
    "group_norm": [dict(input=X, num_groups=1)],
    "batch_norm": [dict(input=X, running_mean=T(2), running_var=T(2))],
    "functional.pad": [dict(input=X, pad=(1, 1))],
    "interpolate": [dict(input=T(1, 1, 4), scale_factor=2)],
    "avg_pool1d": [dict(input=T(1, 1, 4), kernel_size=2)],
    "avg_pool2d": [dict(input=T(1, 1, 4, 4), kernel_size=2)],
    "pixel_shuffle": [dict(input=T(1, 4, 2, 2), factor=2)],
    "pixel_unshuffle": [dict(input=T(1, 1, 4, 4), factor=2)],
    "functional.embedding": [dict(input=INDEX, weight=X)],
    "torch.embedding": [dict(weight=X, indices=INDEX)],
    "one_hot": [dict(tensor=INDEX, num_classes=3)],
    "linear": [dict(input=X, weight=X), dict(input=X, weight=X, bias=T(2))],
    "bilinear": [dict(input1=X, input2=X, weight=T(2, 2, 2))],
    "conv1d": [dict(input=T(1, 2, 4), weight=T(2, 2, 1))],
    "conv2d": [dict(input=T(1, 2, 4, 4), weight=T(2, 2, 1, 1))],
    "conv3d": [dict(input=T(1, 2, 4, 4, 4), weight=T(2, 2, 1, 1, 1))],
    "conv_transpose1d": [dict(input=T(1, 2, 4), weight=T(2, 2, 1))],
    "conv_transpose2d": [dict(input=T(1, 2, 4, 4), weight=T(2, 2, 1, 1))],
    "scaled_dot_product_attention": [dict(query=T(1, 1, 4, 4), key=T(1, 1, 4, 4), value=T(1, 1, 4, 4))],
    **dict.fromkeys(("cross_entropy", "nll_loss"), [dict(input=X, target=LINE)]),
    "binary_cross_entropy": [dict(input=X, target=X)],
    "functional.unfold": [dict(input=T(1, 1, 4, 4), kernel_size=2)],
    "functional.fold": [dict(input=T(1, 4, 9), output_size=(4, 4), kernel_size=2)],
    "torch.dropout": [dict(input=X, p=0.5, train=True)],
    # Fourier transforms
    **dict.fromkeys(("fftfreq", "rfftfreq"), [dict(n=4)]),
    # questions
    "is_same_size": [dict(self=X, other=X)],
    "autograd.grad": [dict(outputs=None, inputs=[X, X])],
    **dict.fromkeys(("is_nonzero", "item"), [dict(self=T(1))]),
    "torch.is_nonzero": [dict(input=T(1))],
    **dict.fromkeys(("torch.get_autocast_gpu_dtype", "torch.get_autocast_cpu_dtype"), [{}]),
    "torch.get_autocast_dtype": [dict(device_type=d) for d in ("cuda", "cpu")],
    "torch.promote_types": [dict(type1=D("int32"), type2=D(n)) for n in ("int8", "float16", "bool")],
    "torch.can_cast": [{"from_": D("int32"), "to": D("float16")}],
    "torch.finfo": [dict(type=D("float16"))],
    "torch.iinfo": [dict(type=D("int8"))],
    "torch.device": [dict(type="cpu")],
    "torch.manual_seed": [dict(seed=0)],
    "torch.set_default_dtype": [dict(d=D("float32"))],
    "torch.set_default_device": [dict(d=None)],
    "Tensor.size": [dict(self=X), dict(self=X, dim=0)],
    "Tensor.stride": [dict(self=X), dict(self=X, dim=0)],
}

_LEGACY = ("Float", "Double", "Half", "BFloat16", "Byte", "Char", "Short", "Int", "Long", "Bool")

_CUDA = [
    "Stream",
    "Event",
    "is_current_stream_capturing",
    "current_device",
    "get_device_name",
    "get_device_capability",
    "get_device_properties",
    "synchronize",
    "set_device",
]

_COLLECTIVES: dict[str, list[Sample]] = {
    "all_reduce": [dict(tensor=X), dict(tensor=X, async_op=True)],
    "broadcast": [dict(tensor=X, src=0)],
    "all_gather": [dict(tensor_list=[X], tensor=X)],
    "all_gather_into_tensor": [dict(output_tensor=X, input_tensor=X)],
    "reduce_scatter_tensor": [dict(output=X, input=X)],
    "all_to_all_single": [dict(output=X, input=X)],
}

_FUNCTIONAL: dict[str, Sample] = {
    "all_reduce": dict(self=X, reduceOp="sum"),
    "broadcast": dict(self=X, src=0),
    "all_gather_tensor": dict(self=X, gather_dim=0),
    "all_gather_tensor_autograd": dict(self=X, gather_dim=0),
    "reduce_scatter_tensor": dict(self=X, reduceOp="sum", scatter_dim=0),
    "reduce_scatter_tensor_autograd": dict(self=X, reduceOp="sum", scatter_dim=0),
    "all_to_all_single": dict(self=X, output_splits=None, input_splits=None),
    "all_to_all_single_autograd": dict(self=X, output_splits=[2], input_splits=[2]),
}

SAMPLES |= {
    **{f"torch.distributed.{name}": calls for name, calls in _COLLECTIVES.items()},
    **{
        f"torch.distributed._functional_collectives.{name}": [{**call, "group": Group()}]
        for name, call in _FUNCTIONAL.items()
    },
    **{f"torch.distributed.{n}": [{}] for n in ("get_world_size", "get_rank", "get_backend", "barrier")},
    "_c10d_functional.all_reduce": [dict(input=X, op="sum", group_name=Group(True))],
    "_c10d_functional.all_gather_into_tensor": [dict(input=X, group_size=1, group_name=Group(True))],
    "_c10d_functional.reduce_scatter_tensor": [dict(input=X, op="sum", group_size=1, group_name=Group(True))],
    "_c10d_functional.all_to_all_single": [
        dict(input=X, output_splits=[2], input_splits=[2], name=Group(True))
    ],
    "einops.rearrange": [dict(tensor=X, pattern="a b -> b a"), dict(tensor=[X, X], pattern="n a b -> a b n")],
    "einops.repeat": [dict(tensor=X, pattern="a b -> b 3 a")],
    "einops.reduce": [
        dict(tensor=X, pattern="a b -> b", reduction=how) for how in ("sum", "prod", "mean", "min", "max")
    ],
}

UNCALLED: dict[str, str] = {
    **dict.fromkeys(
        (f"torch.distributed._symmetric_memory.{n}" for n in ("empty", "rendezvous")), "needs a device"
    ),
    "torch._C._distributed_c10d._SymmetricMemory.get_buffer": "needs a device",
    "Tensor.cuda": "needs a device",
    "Tensor.xpu": "needs a device",
    "Tensor.pin_memory": "needs a device",
    **dict.fromkeys((f"torch.cuda.{n}Tensor" for n in _LEGACY), "needs a device"),
    **dict.fromkeys((f"torch.cuda.{n}" for n in _CUDA), "needs a device"),
    "Tensor.record_stream": "needs a device",
    "Tensor.grad": "None before a backward pass",
    "Tensor.backward": "needs a graph of operations",
    "Tensor.numpy": "compared with the operations of numpy",
    "torch.from_numpy": "compared with the operations of numpy",
    "torch._scaled_mm": "needs a device",
    "torch._grouped_mm": "needs a device",
    "torch.nn.functional.grouped_mm": "needs a device",
    "torch._scaled_grouped_mm": "needs a device",
    "torch.ops.aten._scaled_mm_v2": "needs a device",
    "torch.nn.functional.scaled_mm": "needs a device",
}
"""Operations that this machine cannot call, and why: the only ones that the oracle leaves out."""

_SHAPES: list[Sample] = [dict(shape=(2, 3)), dict(shape=4), dict(shape=())]

SAMPLES |= {
    **dict.fromkeys(("numpy.zeros", "numpy.ones", "numpy.empty"), _SHAPES),
    "numpy.full": [dict(shape=(2, 3), fill_value=v) for v in (1, True, 1.5, 2j)],
    "numpy.full_like": [dict(a=X, fill_value=1)],
    "numpy.arange": [
        dict(start=4),
        dict(start=4.0),
        dict(start=0, stop=4, step=0.5),
    ],
    "numpy.linspace": [dict(start=0, stop=1)],
    "numpy.logspace": [dict(start=0, stop=1)],
    "numpy.eye": [dict(N=3)],
    "numpy.identity": [dict(n=3)],
    **dict.fromkeys(
        ("numpy.array", "numpy.asarray", "numpy.asanyarray"),
        [*(dict(object=d) for d in _DATA), dict(object=X)],
    ),
    **dict.fromkeys(("ascontiguousarray", "asfortranarray"), [dict(a=[1, 2]), dict(a=X)]),
    "numpy.frombuffer": [dict(buffer=bytes(64))],
    "numpy.fromiter": [dict(iter=[1, 2], dtype=D("int32"))],
    "random.rand": [dict(shape=(2, 3))],
    "random.randn": [dict(shape=(2, 3))],
    **dict.fromkeys(
        (f"random.{n}" for n in ("random", "standard_normal", "uniform", "normal", "exponential")),
        [dict(size=(2, 3)), {}],
    ),
    "random.randint": [dict(low=0, high=2, size=(2,))],
    **dict.fromkeys(
        (f"numpy.random.Generator.{n}" for n in ("random", "standard_normal")),
        [dict(size=(2, 3)), {}, dict(size=(2,), dtype=D("float32"))],
    ),
    **dict.fromkeys(
        (f"numpy.random.Generator.{n}" for n in ("uniform", "normal", "exponential")), [dict(size=(2, 3)), {}]
    ),
    "numpy.random.Generator.integers": [dict(low=0, high=2, size=(2,)), dict(low=2)],
    **{f"numpy.random.Generator.{n}": [dict(x=T(3))] for n in ("permutation", "shuffle")},
    "numpy.random.default_rng": [{}, dict(seed=0)],
    "numpy.random.permutation": [dict(x=T(3))],
    "numpy.where": [dict(condition=MASK), dict(condition=MASK, x=X, y=X)],
    "numpy.clip": [dict(a=X, a_min=X, a_max=X)],
    "ndarray.clip": [dict(a=X, a_min=X, a_max=X)],
    **{
        f"{place}.{n}": [dict(a=X), dict(a=X, axis=0), dict(a=X, axis=0, keepdims=True)]
        for place in ("numpy", "ndarray")
        for n in ["sum", "prod", "mean", "std", "var", "max", "min", "argmax", "argmin", "any", "all"]
    },
    "numpy.amax": [dict(a=X), dict(a=X, axis=0)],
    "numpy.amin": [dict(a=X), dict(a=X, axis=0)],
    "numpy.count_nonzero": [dict(a=X), dict(a=X, axis=0)],
    **{
        f"{place}.{n}": [dict(a=X), dict(a=X, axis=0)]
        for place in ("numpy", "ndarray")
        for n in ("cumsum", "cumprod")
    },
    "numpy.searchsorted": [dict(a=T(2), v=T(2))],
    "numpy.digitize": [dict(x=T(2), bins=T(2))],
    "numpy.bincount": [dict(x=T(2))],
    "numpy.isin": [dict(element=X, test_elements=X)],
    **dict.fromkeys(("numpy.concatenate", "numpy.stack"), [dict(arrays=[X, X])]),
    **dict.fromkeys(
        ("numpy.vstack", "numpy.hstack", "numpy.dstack", "numpy.column_stack"), [dict(tup=[X, X])]
    ),
    **dict.fromkeys(("numpy.split", "numpy.array_split"), [dict(a=X, parts=2)]),
    **dict.fromkeys(("numpy.repeat", "ndarray.repeat"), [dict(a=X, repeats=2), dict(a=X, repeats=2, axis=0)]),
    "numpy.tile": [dict(a=X, reps=2)],
    "numpy.pad": [dict(a=X, pad_width=1)],
    "numpy.roll": [dict(a=X, shift=1)],
    **dict.fromkeys(("numpy.take", "ndarray.take"), [dict(a=X, indices=[0])]),
    "numpy.take_along_axis": [dict(a=X, indices=INDEX, axis=0)],
    "numpy.broadcast_to": [dict(a=X, shape=(3, 2, 2))],
    "numpy.expand_dims": [dict(a=X, axis=0)],
    "numpy.reshape": [dict(a=X, shape=(4,)), dict(a=X, shape=-1)],
    "ndarray.reshape": [dict(a=X, shape=(4,)), dict(a=X, shape=(1, 4)), dict(a=X, shape=((1, 4),))],
    "ndarray.transpose": [dict(a=X, axes=(1, 0)), dict(a=X)],
    **dict.fromkeys(("numpy.array_equal", "numpy.allclose"), [dict(a=X, b=X)]),
    "ndarray.astype": [dict(a=X, dtype=D(n)) for n in ("int8", "float16", "bool_", "complex64")]
    + [dict(a=X, dtype=t) for t in (int, float, bool, "int32")],
    "ndarray.view": [dict(a=T(4, 16), dtype=D("uint8")), dict(a=T(4, 16), dtype=D("int32")), dict(a=X)],
    "ndarray.fill": [dict(a=X, value=1)],
    "ndarray.sort": [dict(a=X)],
    "numpy.result_type": [dict(a=X, b=X)],
    "numpy.promote_types": [dict(a=D("int8"), b=D(n)) for n in ("uint8", "float16", "int64")],
    "ndarray.__getitem__": [dict(a=X, index=0)],
    "ndarray.item": [dict(a=T(1))],
    **{f"numpy.{n}": [dict(value=1)] for n in NAMES if n != "bool"},
    **{
        f"numpy.{k}{b}": [dict(value=1)]
        for k, b in (
            *((k, b) for k in ("int", "uint") for b in (8, 16, 32, 64)),
            *(("float", b) for b in (16, 32, 64)),
            ("complex", 64),
            ("complex", 128),
        )
    },
}
