"""einops: the values of a tensor, or of an array, in another shape.

Checked against einops 0.8.
"""

from __future__ import annotations

from . import rules
from .describe import computed, op
from .ops import Is, Like, Op, Other, Result, Tensor, When


def _tensor(dtype: Result, view: bool = False) -> Tensor:
    return Tensor(dtype, view=view, array=None)


_SUMMED = _tensor(computed(rules.summed, "tensor"))

OPS: tuple[Op, ...] = (
    op("einops.rearrange", "tensor pattern", _tensor(computed(rules.common, "tensor"), view=True)),
    op("einops.repeat", "tensor pattern", _tensor(Like("tensor"))),
    op(
        "einops.reduce",
        "tensor pattern reduction",
        When(
            "reduction",
            _SUMMED,
            When(
                "reduction",
                _tensor(computed(rules.inexact, "tensor")),
                When("reduction", _tensor(Like("tensor")), Other("reduced"), Is(("min", "max"))),
                Is(("mean",)),
            ),
            Is(("sum", "prod")),
        ),
    ),
)
