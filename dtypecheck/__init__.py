"""A static dtype checker for Triton kernel call sites.

from dtypecheck import check
report = check(["src"])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .api import check as check
    from .api import confirm as confirm

__all__ = ["__version__", "check", "confirm"]


def __getattr__(name: str) -> object:
    """`check` and `confirm`, imported on first use: asking for the version must cost nothing."""
    if name in ("check", "confirm"):
        from . import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
