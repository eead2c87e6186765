"""A kernel of a package as a flat module: itself, its helpers, the constants and imports they read."""

from __future__ import annotations

import ast
import builtins
import re
from dataclasses import dataclass, field
from pathlib import Path

from dtypecheck.kernels.scope import Constant, Helper, LibraryName, Missing
from dtypecheck.kernels.values import TypeOf
from dtypecheck.semantics.triton_types import BY_BIT

from .scopes import Module, Root


class CannotCut(Exception):
    """Some name of the kernel does not resolve."""


@dataclass
class Cut:
    """The text of the flat module, and its kernel's name."""

    imports: dict[str, None] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    functions: dict[str, str] = field(default_factory=dict)

    def text(self) -> str:
        head = ["import triton", "import triton.language as tl", *self.imports]
        head += [f"{name} = {value}" for name, value in self.constants.items()]
        return "\n".join(head) + "\n\n" + "\n\n".join(self.functions.values()) + "\n"


def definition(module: Module, name: str, line: int | None = None) -> ast.FunctionDef:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef) and node.name == name and (line is None or node.lineno == line):
            return node
    raise CannotCut(f"no definition of {name}")


def free_names(node: ast.FunctionDef) -> dict[str, None]:
    """Names that the function reads and does not bind, in order."""
    bound = {a.arg for a in (*node.args.args, *node.args.kwonlyargs, *node.args.posonlyargs)}
    if node.args.vararg:
        bound.add(node.args.vararg.arg)
    read: dict[str, None] = {}
    for part in (*node.body, *node.args.defaults, *(d for d in node.args.kw_defaults if d)):
        for n in ast.walk(part):
            if isinstance(n, ast.Name):
                if isinstance(n.ctx, ast.Store):
                    bound.add(n.id)
                else:
                    read[n.id] = None
    return {n: None for n in read if n not in bound}


def cut(module: Module, node: ast.FunctionDef) -> Cut:
    made = Cut()
    _function(made, module, node, node.name)
    return made


def _function(made: Cut, module: Module, node: ast.FunctionDef, name: str) -> None:
    if name in made.functions:
        return
    made.functions[name] = ""
    for free in free_names(node):
        _name(made, module, free)
    made.functions.pop(name)
    made.functions[name] = _source(module, node, name)


def _name(made: Cut, module: Module, name: str) -> None:
    found = module.resolve(name)
    match found:
        case Helper(function, scope):
            assert isinstance(scope, Module)
            inner = definition(scope, function.name, None)
            if function.name != name and name in made.functions:
                raise CannotCut("two helpers of one name")
            _function(made, scope, inner, function.name)
            if function.name != name:
                made.constants.setdefault(name, "None")
                raise CannotCut("renamed helper")
        case LibraryName(dotted):
            _library(made, name, dotted)
        case Constant(value, constexpr):
            if isinstance(value, TypeOf):
                scalar = BY_BIT[value.element]
                made.constants[name] = repr(scalar).replace("triton.language", "tl")
            else:
                text = (
                    f"float('{value}')"
                    if isinstance(value, float) and value in (float("inf"), -float("inf"))
                    else repr(value)
                )
                made.constants[name] = f"tl.constexpr({text})" if constexpr else text
        case Missing(reason):
            if not hasattr(builtins, name):
                raise CannotCut(f"{name}: {reason}")


def _library(made: Cut, name: str, dotted: str) -> None:
    if dotted == name and "." not in dotted:
        return
    owner, _, last = dotted.rpartition(".")
    if dotted == "triton.language":
        made.imports[f"import triton.language as {name}"] = None
    elif dotted == "triton":
        made.imports[f"import triton as {name}"] = None
    else:
        made.imports[f"from {owner} import {last} as {name}"] = None


def _source(module: Module, node: ast.FunctionDef, name: str) -> str:
    """The text of the definition, with the jit decorator alone and without annotations but constexpr."""
    lines = module.text.splitlines()[node.lineno - 1 : node.end_lineno]
    indent = len(lines[0]) - len(lines[0].lstrip())
    text = "\n".join(line[indent:] if line[:indent].strip() == "" else line for line in lines)
    tree = ast.parse(text).body[0]
    assert isinstance(tree, ast.FunctionDef)
    text = _without_annotations(text, tree)
    return "@triton.jit\n" + re.sub(r"^def \w+", f"def {name}", text)


def _without_annotations(text: str, tree: ast.FunctionDef) -> str:
    """Blanks parameter annotations that do not say constexpr, and the return annotation."""
    lines = text.splitlines()
    spans = []
    for a in (*tree.args.args, *tree.args.kwonlyargs):
        if a.annotation is not None:
            inner = ast.unparse(a.annotation)
            if "constexpr" not in inner:
                spans.append((a.annotation, a))
    for annotation, a in spans:
        if annotation.lineno == annotation.end_lineno == a.lineno:
            line = lines[a.lineno - 1]
            start = a.col_offset + len(a.arg)
            width = annotation.end_col_offset - start
            lines[a.lineno - 1] = line[:start] + " " * width + line[annotation.end_col_offset :]
    if tree.returns is not None:
        r = tree.returns
        line = lines[r.lineno - 1]
        at = line.rfind("->", 0, r.col_offset)
        if at >= 0 and r.end_lineno == r.lineno:
            lines[r.lineno - 1] = line[:at] + line[r.end_col_offset :]
    return "\n".join(lines)


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


def kernels(folder: Path):
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
