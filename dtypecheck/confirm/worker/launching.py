"""Launches of slices on a GPU, on arguments that no kernel can be harmed by."""

from __future__ import annotations

from typing import Any


def machine() -> dict[str, Any]:
    """What this interpreter has: Triton, torch, a GPU."""
    import sys

    import triton

    return {"outcome": "taken", "triton": triton.__version__, "python": sys.version.split()[0], "gpu": ""}


def launch(kernel: Any, given: Any, request: dict[str, Any]) -> dict[str, Any]:
    raise NotImplementedError
