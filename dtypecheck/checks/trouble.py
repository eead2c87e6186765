"""DT001: the checker failed on one definition; everything else was checked."""

from __future__ import annotations

from pathlib import Path
from traceback import extract_tb

from ..analysis.program import ClassDef, FunctionDef
from ..core.diagnostics import Certainty, Diagnostic
from .registry import BY_CODE


def internal_error(definition: FunctionDef | ClassDef, error: Exception) -> Diagnostic:
    """What went wrong and where, short enough for a report of the fault."""
    rule = BY_CODE["DT001"]
    frames = extract_tb(error.__traceback__)
    where = f"{Path(frames[-1].filename).stem}:{frames[-1].lineno}" if frames else "?"
    said = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    message = (
        f"dtypecheck failed on `{definition.entry.qualname}` ({said}, at {where}); the rest was checked. "
        f"To reproduce: dtypecheck --select DT001 {definition.file.path}"
    )
    return Diagnostic(rule.code, rule.slug, rule.severity, Certainty.PROVEN, message, definition.place)
