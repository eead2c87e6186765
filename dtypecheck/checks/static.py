"""DT002 and DT004: what a file's text and the index alone tell."""

from __future__ import annotations

import os
from pathlib import Path

from ..analysis.program import ClassDef, FunctionDef, Program
from ..contracts.matching import Contracts
from ..contracts.stale import Known, stale
from ..core.diagnostics import Certainty, Diagnostic
from ..core.spans import Place
from ..syntax.model import SyntaxFault
from .registry import BY_CODE


def invalid_syntax(fault: SyntaxFault) -> Diagnostic:
    """DT002: a file that cannot be read or parsed."""
    rule = BY_CODE["DT002"]
    place = Place(fault.path, fault.span)
    return Diagnostic(rule.code, rule.slug, rule.severity, Certainty.PROVEN, fault.message, place)


def stale_rules(program: Program, contracts: Contracts, root: Path) -> list[Diagnostic]:
    """DT004: names in rules files that the program lacks."""
    if not contracts:
        return []
    rule = BY_CODE["DT004"]
    found = []
    for one in stale(contracts, _known(program)):
        place = Place(_relative(one.place.path, root), one.place.span)
        found.append(Diagnostic(rule.code, rule.slug, rule.severity, Certainty.PROVEN, str(one), place))
    return found


def _relative(path: str, root: Path) -> str:
    return Path(os.path.relpath(path, root)).as_posix() if os.path.isabs(path) else path


def _known(program: Program) -> Known:
    kernels: dict[str, frozenset[str]] = {}
    functions: dict[str, frozenset[str]] = {}
    for function in program.functions():
        names = frozenset(p.name for p in function.entry.params)
        (kernels if program.is_kernel(function) else functions)[function.key] = names
    classes = {cls.key: _attributes(program, cls) for cls in program.classes()}
    return Known(kernels, functions, classes)


def _attributes(program: Program, cls: ClassDef) -> frozenset[str]:
    """The fields, class-level names and assigned attributes of a class and its ancestors."""
    names: set[str] = set()
    for at in program.mro(cls):
        if isinstance(at, ClassDef):
            names |= {f.name for f in at.entry.fields} | set(at.entry.constants)
            prefix = at.entry.qualname + "."
            names |= {attr for attr, where in at.file.attribute_writes if where.startswith(prefix)}
    return frozenset(names)


__all__ = ["FunctionDef", "invalid_syntax", "stale_rules"]
