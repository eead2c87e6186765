"""A process group of one, in which collectives and distributed tensors can be called on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
import torch.distributed as dist
from torch.distributed import _functional_collectives as collectives
from torch.distributed._functional_collectives import wait_tensor
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Replicate, distribute_tensor


@contextmanager
def world() -> Iterator[None]:
    """The group, for as long as it is needed."""
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        yield
    finally:
        dist.destroy_process_group()


def _spread(tensor: torch.Tensor) -> DTensor:
    return DTensor.from_local(tensor, init_device_mesh("cpu", (1,)), [Replicate()])


def _waited(call: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """A functional collective and the wait for it."""
    return lambda *args, **keywords: wait_tensor(call(*args, **keywords))


_FUNCTIONAL = """
    all_reduce broadcast all_gather_tensor all_gather_tensor_autograd reduce_scatter_tensor
    reduce_scatter_tensor_autograd all_to_all_single all_to_all_single_autograd
"""
_OPERATORS = "all_reduce all_gather_into_tensor reduce_scatter_tensor all_to_all_single"

CALLS: dict[str, Callable[..., Any]] = {
    "Tensor.full_tensor": lambda self: _spread(self).full_tensor(),
    "Tensor.to_local": lambda self: _spread(self).to_local(),
    "Tensor.wait": lambda self: collectives.all_reduce(self, "sum", dist.group.WORLD).wait(),
    "Tensor.redistribute": lambda self: _spread(self).redistribute(placements=[Replicate()]),
    "torch.distributed.tensor.DTensor.from_local": _spread,
    "torch.distributed.tensor.distribute_tensor": lambda tensor: distribute_tensor(
        tensor, init_device_mesh("cpu", (1,)), [Replicate()]
    ),
    **{f"{collectives.__name__}.{n}": _waited(getattr(collectives, n)) for n in _FUNCTIONAL.split()},
    **{
        f"torch.ops._c10d_functional.{n}": _waited(getattr(torch.ops._c10d_functional, n))
        for n in _OPERATORS.split()
    },
}
"""How what needs a distributed tensor, makes one, or must be waited for is called."""
