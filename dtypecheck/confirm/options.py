"""How findings are confirmed: with which Triton, how far, and for how long."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

from .cache import usual_folder


@dataclass(frozen=True, slots=True)
class Options:
    """`python` is an interpreter that has Triton, `timeout` in seconds for one kernel; `cache` of None keeps
    nothing. `binary` compiles to the target's binary. `device` is where kernels are launched: "" for nowhere,
    "cuda", or "cpu" for Triton's interpreter, which tells values and no refusals."""

    python: str = sys.executable
    binary: bool = False
    device: str = ""
    timeout: float = 60.0
    cache: Path | None = field(default_factory=usual_folder)
