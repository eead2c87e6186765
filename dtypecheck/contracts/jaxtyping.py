"""What jaxtyping's annotations say about the dtype of a torch tensor.

`Float32[Tensor, "n d"]` is a contract. Names that no torch dtype satisfies (`Int4`, `Key`) say
nothing here: they are None, as unknown names are.
"""

from __future__ import annotations

from ..core import dtypes as dt
from ..core.dtypes import DTypes

_FLOAT8 = {
    "Float8e4m3fn": "float8_e4m3fn",
    "Float8e4m3fnuz": "float8_e4m3fnuz",
    "Float8e5m2": "float8_e5m2",
    "Float8e5m2fnuz": "float8_e5m2fnuz",
}

_SINGLE = {
    **_FLOAT8,
    "Bool": "bool",
    **{f"UInt{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
    **{f"Int{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"Float{bits}": f"float{bits}" for bits in (16, 32, 64)},
    "BFloat16": "bfloat16",
    "Complex64": "complex64",
    "Complex128": "complex128",
}

_FLOAT: DTypes = dt.only(*_FLOAT8.values(), "bfloat16", "float16", "float32", "float64")
_COMPLEX: DTypes = dt.only("complex64", "complex128")

NAMES: dict[str, DTypes] = {
    **{name: dt.only(torch_name) for name, torch_name in _SINGLE.items()},
    "UInt": dt.UNSIGNED,
    "Int": dt.SIGNED,
    "Integer": dt.INTEGER,
    "Float": _FLOAT,
    "Complex": _COMPLEX,
    "Inexact": _FLOAT | _COMPLEX,
    "Real": _FLOAT | dt.INTEGER,
    "Num": _FLOAT | dt.INTEGER | _COMPLEX,
    "Shaped": dt.ANY,
}
"""jaxtyping class -> the torch dtypes that it accepts."""


def accepted(name: str) -> DTypes | None:
    """The dtypes that a jaxtyping class accepts; `name` may be qualified, as in `jaxtyping.Int32`."""
    return NAMES.get(name.rpartition(".")[2])
