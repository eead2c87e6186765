"""All descriptions of library operations, by name.

Families are modules `torch_*` and `numpy_*` beside this one, each with a tuple `OPS`; a name that two
descriptions claim is an error in them, found when the table is built.
"""

from __future__ import annotations

from functools import cache

from . import (
    numpy_create,
    numpy_ops,
    torch_binary,
    torch_cast,
    torch_create,
    torch_fft,
    torch_index,
    torch_join,
    torch_linalg,
    torch_nn,
    torch_query,
    torch_reduce,
    torch_shape,
    torch_unary,
)
from .ops import Op

FAMILIES = (
    torch_create,
    torch_cast,
    torch_shape,
    torch_unary,
    torch_binary,
    torch_reduce,
    torch_linalg,
    torch_join,
    torch_index,
    torch_nn,
    torch_fft,
    torch_query,
    numpy_create,
    numpy_ops,
)


@cache
def table() -> dict[str, Op]:
    """Every name to its operation."""
    found: dict[str, Op] = {}
    for family in FAMILIES:
        for op in family.OPS:
            for name in op.names:
                if name in found:
                    raise ValueError(f"{family.__name__}: {name} is described twice")
                found[name] = op
    return found


_METHOD = "torch.Tensor."


def lookup(name: str) -> Op | None:
    """The operation of a dotted name, or None. `torch.Tensor.add` is the method `Tensor.add`."""
    if name.startswith(_METHOD):
        name = name[len("torch.") :]
    return table().get(name)
