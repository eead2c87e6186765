"""The launched kernels of a folder, each cut out as a flat module: the product's own slices."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dtypecheck.analysis.program import FunctionDef, Program
from dtypecheck.analysis.solve import Solver
from dtypecheck.analysis.store import Store
from dtypecheck.config.progress import silent
from dtypecheck.confirm import cut as slices
from dtypecheck.confirm.names import Names
from dtypecheck.confirm.slices import Slice
from dtypecheck.core import ir
from dtypecheck.kernels.program_scope import scope_of
from dtypecheck.kernels.scope import Scope
from dtypecheck.pipeline import indexed, reader
from dtypecheck.syntax.index import index
from dtypecheck.syntax.source import Source, decode

from .scopes import Module, Root

FLAT = "flat.py"


class CannotCut(Exception):
    """Some name of the kernel does not resolve."""


@dataclass(frozen=True)
class Cut:
    """One kernel with all that it reads."""

    slice: Slice

    def text(self) -> str:
        return self.slice.text

    def typed(self) -> tuple[ir.Function, Scope]:
        """The kernel of the flat module, and the scope that it is typed in."""
        source = decode(self.slice.text.encode(), FLAT)
        assert isinstance(source, Source)
        file = index(source, "flat", False)
        solver = Solver(Program([file]), Store(lambda path: source if path == FLAT else None))
        (entry,) = (e for e in file.functions if e.qualname == self.slice.kernel)
        return solver.store.function(FunctionDef(file, entry)), scope_of(solver, file)


def cut(module: Module, node: ast.FunctionDef) -> Cut:
    """The kernel that this node defines."""
    assert module.root is not None
    names = _names(module.root.folder)
    file = names.program.by_path[str(Path(module.path).relative_to(module.root.folder))]
    entry = next((e for e in file.functions if e.name == node.name and e.head.line == node.lineno), None)
    if entry is None:
        raise CannotCut(f"no definition of {node.name}")
    made = slices.cut(names, FunctionDef(file, entry), "cuda:90")
    if made.missing or made.kernel != node.name:
        raise CannotCut(str(made.missing))
    return Cut(made)


@cache
def _names(folder: Path) -> Names:
    files = sorted(str(p.relative_to(folder)) for p in folder.rglob("*.py"))
    return Names(indexed(folder, files, 1, silent), Store(reader(folder)))


def jitted(node: ast.FunctionDef) -> bool:
    names = [ast.unparse(d).split("(")[0].split(".") for d in node.decorator_list]
    return any("jit" in n and "gluon" not in n for n in names)


def launched_names(trees: list[ast.Module]) -> set[str]:
    """Names that are subscripted and then called: `kernel[grid](...)`."""
    names = set()
    for tree in trees:
        for n in ast.walk(tree):
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Subscript):
                owner = n.func.value
                names.add(owner.id if isinstance(owner, ast.Name) else getattr(owner, "attr", ""))
    return names


def kernels(folder: Path) -> Iterator[tuple[Module, ast.FunctionDef]]:
    """(module, definition) of every launched kernel at module level below an import root."""
    root = Root(folder)
    modules = []
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(errors="replace")
        if "triton" not in text:
            continue
        parts = path.relative_to(folder).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        module = root.module(name)
        if module is not None:
            modules.append(module)
    launched = launched_names([m.tree for m in modules])
    for module in modules:
        for node in module.tree.body:
            inner = (
                [node]
                if isinstance(node, ast.FunctionDef)
                else getattr(node, "body", [])
                if isinstance(node, ast.If)
                else []
            )
            for n in inner:
                if isinstance(n, ast.FunctionDef) and n.name in launched and jitted(n):
                    yield module, n
