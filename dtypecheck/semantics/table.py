"""All descriptions of library operations, by name.

Families are modules beside this one, each with a tuple `OPS`; a name that two descriptions claim is an
error in them, found when the table is built. `FAMILIES` are checked against the libraries themselves;
`DOCUMENTED` rests on what other libraries say of themselves.
"""

from __future__ import annotations

from functools import cache

from . import (
    einops_ops,
    numpy_create,
    numpy_ops,
    third_party,
    torch_binary,
    torch_cast,
    torch_create,
    torch_distributed,
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
    torch_distributed,
    numpy_create,
    numpy_ops,
    einops_ops,
)

DOCUMENTED = third_party


@cache
def table() -> dict[str, Op]:
    """Every name to its operation."""
    found: dict[str, Op] = {}
    for family in (*FAMILIES, DOCUMENTED):
        for op in family.OPS:
            for name in op.names:
                if name in found:
                    raise ValueError(f"{family.__name__}: {name} is described twice")
                found[name] = op
    return found


_METHOD = "torch.Tensor."
_OPERATOR = "torch.ops."


def lookup(name: str) -> Op | None:
    """The operation of a dotted name, or None. `torch.Tensor.add` is the method `Tensor.add`."""
    if name.startswith(_OPERATOR):
        return _operator(name)
    if name.startswith(_METHOD):
        name = name[len("torch.") :]
    return table().get(name)


def _operator(name: str) -> Op | None:
    """`torch.ops.NAMESPACE.NAME`, or an overload of it; those of ATen are torch's own functions."""
    namespace, _, rest = name[len(_OPERATOR) :].partition(".")
    short = rest.partition(".")[0]
    own = table().get(f"{_OPERATOR}{namespace}.{short}")
    if own is not None or namespace != "aten":
        return own
    homes = ("torch", "Tensor", "torch.nn.functional")
    return next((found for home in homes if (found := table().get(f"{home}.{short}")) is not None), None)
