"""torch.distributed: process groups, collectives, distributed tensors, symmetric memory."""

from __future__ import annotations

from collections.abc import Iterator

from .describe import given, like, op, same, spell
from .ops import Default, Nothing, Op, Other, Scalar, SizeRank, Tensor, Test, When

_D = "torch.distributed"
_F = f"{_D}._functional_collectives"
_M = f"{_D}._symmetric_memory"
_HANDLE = "torch._C._distributed_c10d._SymmetricMemory"

_STARTED = When("async_op", Other("work"), Nothing(), Test.TRUE)
"""What a collective that writes its arguments gives."""


def _collectives(words: str, params: str) -> Iterator[Op]:
    """Collectives that write into tensors that they are given."""
    for word in words.split():
        yield op(f"{_D}.{word}", f"{params} group async_op", _STARTED)


def _gathered(words: str, params: str, place: str = _F) -> Iterator[Op]:
    """Collectives that give a tensor of their own."""
    for word in words.split():
        yield op(f"{place}.{word}", params, like(params.split()[0]))


OPS: tuple[Op, ...] = (
    op(spell("get_world_size get_rank", _D), "group", Scalar("int")),
    op(spell("is_available is_initialized is_nccl_available is_gloo_available", _D), "", Scalar("bool")),
    op(f"{_D}.get_backend", "group", Scalar("str")),
    op(f"{_D}.barrier", "group async_op", _STARTED),
    *_collectives("all_reduce", "tensor op"),
    *_collectives("broadcast", "tensor src"),
    *_collectives("all_gather", "tensor_list tensor"),
    *_collectives("all_gather_into_tensor", "output_tensor input_tensor"),
    *_collectives("reduce_scatter_tensor", "output input op"),
    *_collectives("all_to_all_single", "output input output_split_sizes input_split_sizes"),
    *_gathered("all_reduce", "self reduceOp group"),
    *_gathered("broadcast", "self src group"),
    *_gathered("all_gather_tensor all_gather_tensor_autograd", "self gather_dim group"),
    *_gathered("reduce_scatter_tensor reduce_scatter_tensor_autograd", "self reduceOp scatter_dim group"),
    *_gathered("all_to_all_single all_to_all_single_autograd", "self output_splits input_splits group"),
    op(f"{_F}.wait_tensor torch.ops._c10d_functional.wait_tensor", "tensor", same("tensor")),
    *_gathered("all_reduce", "input op group_name", "torch.ops._c10d_functional"),
    *_gathered("all_gather_into_tensor", "input group_size group_name", "torch.ops._c10d_functional"),
    *_gathered("reduce_scatter_tensor", "input op group_size group_name", "torch.ops._c10d_functional"),
    *_gathered("all_to_all_single", "input output_splits input_splits name", "torch.ops._c10d_functional"),
    op(f"{_D}.tensor.DTensor.from_local", "local_tensor device_mesh placements", same("local_tensor")),
    op(f"{_D}.tensor.distribute_tensor", "tensor device_mesh placements", same("tensor")),
    op("Tensor.full_tensor Tensor.to_local Tensor.redistribute", "self", same("self")),
    op("Tensor.wait", "self", same("self")),
    op(f"{_M}.empty", "*size dtype", Tensor(given(Default()), SizeRank("size"))),
    op(f"{_M}.rendezvous", "tensor group", Other(_HANDLE)),
    op(f"{_HANDLE}.get_buffer", "rank sizes dtype", Tensor(given(Default()), SizeRank("sizes"))),
)
