"""A static dtype checker for Triton kernel call sites.

from dtypecheck import check
report = check(["src"])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .api import check as check

__all__ = ["__version__", "check"]


def __getattr__(name: str) -> object:
    """`check`, imported on first use: asking for the version must cost nothing."""
    if name == "check":
        from .api import check

        return check
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
