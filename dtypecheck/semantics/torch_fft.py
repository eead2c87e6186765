"""torch.fft: real to complex, complex to real, complex to complex."""

from __future__ import annotations

from . import rules
from .describe import computed, given, op, spell
from .ops import Default, ExactRank, Op, SameRank, Tensor

OPS: tuple[Op, ...] = (
    op(
        spell("fft ifft fft2 ifft2 fftn ifftn", "torch.fft"),
        "input n dim norm",
        Tensor(computed(rules.transformed, "input"), SameRank("input")),
        out=True,
    ),
    op(
        spell("rfft ihfft rfft2 rfftn", "torch.fft"),
        "input n dim norm",
        Tensor(computed(rules.real_transformed, "input"), SameRank("input")),
        out=True,
    ),
    op(
        spell("irfft hfft irfft2 irfftn", "torch.fft"),
        "input n dim norm",
        Tensor(computed(rules.untransformed, "input"), SameRank("input")),
        out=True,
    ),
    op(
        spell("fftfreq rfftfreq", "torch.fft"),
        "n d * dtype",
        Tensor(given(Default()), ExactRank(1)),
        out=True,
    ),
    op(
        spell("fftshift ifftshift", "torch.fft"),
        "input dim",
        Tensor(computed(rules.first, "input"), SameRank("input")),
    ),
)
