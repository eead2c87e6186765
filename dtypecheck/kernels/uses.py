"""How a kernel's body reads a parameter; a look at names, not a typing."""

from __future__ import annotations

from ..core import ir
from .semantics import is_constexpr

ORDERED = frozenset({"<", "<=", ">", ">="})


def only_compared(function: ir.Function, name: str) -> bool:
    """Whether every read of a compile-time parameter compares it with a value of the run, as masks do."""
    compiled = frozenset(p.name for p in function.params if is_constexpr(p.annotation))
    reads = compared = 0
    for node in ir.walk(function.body):
        match node:
            case ir.Name(id=found) if found == name:
                reads += 1
            case ir.Compare(left=left, ops=ops, rights=rights) if ORDERED.issuperset(ops):
                parts = (left, *rights)
                if any(_is_of_the_run(part, compiled) for part in parts):
                    compared += sum(isinstance(part, ir.Name) and part.id == name for part in parts)
    return reads == compared > 0


def _is_of_the_run(part: ir.Expr, compiled: frozenset[str]) -> bool:
    """Whether an expression reads a variable, or calls something."""
    return any(
        isinstance(node, ir.Call) or (isinstance(node, ir.Name) and node.id not in compiled)
        for node in ir.walk(part)
    )
