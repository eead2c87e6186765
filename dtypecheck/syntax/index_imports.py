"""Module-level imports: names bound, and relative modules made absolute."""

from __future__ import annotations

import ast

from .index_scope import Collector
from .model import ImportBinding


def visit_import(collector: Collector, node: ast.Import, context: str) -> None:
    """`import a`, `import a.b.c` (binds `a`), `import a.b as x` (binds `x` to the module a.b)."""
    for alias in node.names:
        if alias.asname is None:
            top = alias.name.partition(".")[0]
            collector.imports.append(ImportBinding(top, top, None, context, node.lineno))
        else:
            collector.imports.append(ImportBinding(alias.asname, alias.name, None, context, node.lineno))


def visit_import_from(collector: Collector, node: ast.ImportFrom, context: str) -> None:
    """`from m import a as b`, with any number of leading dots, and `from m import *`."""
    module = absolute(collector.module, collector.is_package, node.level, node.module or "")
    for alias in node.names:
        if alias.name == "*":
            collector.stars.append(module)
        else:
            name = alias.asname or alias.name
            collector.imports.append(ImportBinding(name, module, alias.name, context, node.lineno))


def absolute(module: str, is_package: bool, level: int, name: str) -> str:
    """What `level` dots and `name` mean inside `module`; dots that climb out of the tree stay."""
    if level == 0:
        return name
    package = module.split(".") if module else []
    if not is_package:
        package = package[:-1]
    above = level - 1
    if above >= len(package) and above > 0:
        return "." * (above - len(package) + 1) + name
    base = package[: len(package) - above]
    return ".".join([*base, name] if name else base)
