"""Scopes over source text for tests: one module, or the modules of a folder, resolved by `ast` alone."""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass, field
from pathlib import Path

from dtypecheck.core import ir
from dtypecheck.kernels.scope import Constant, Global, Helper, LibraryName, Missing
from dtypecheck.kernels.values import TypeOf
from dtypecheck.semantics.triton_types import LANGUAGE
from dtypecheck.syntax.index import index
from dtypecheck.syntax.lower import lower_one
from dtypecheck.syntax.source import decode


@dataclass
class Module:
    """One module; `root` finds its siblings for imports."""

    name: str
    path: str
    text: str
    root: Root | None = None
    package: bool = False
    cache: dict[str, Global] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.source = decode(self.text.encode(), self.path)
        self.index = index(self.source, self.name, self.package)
        self.tree = ast.parse(self.text)
        self.functions: dict[str, list] = {}
        for entry in self.index.functions:
            self.functions.setdefault(entry.qualname, []).append(entry)
        self.bindings: dict[str, list[ast.stmt]] = {}
        self._collect(self.tree.body)

    def _collect(self, body: list[ast.stmt]) -> None:
        for node in body:
            match node:
                case ast.Import(names=names) | ast.ImportFrom(names=names):
                    for a in names:
                        bound = a.asname or (
                            a.name if isinstance(node, ast.ImportFrom) else a.name.partition(".")[0]
                        )
                        self.bindings.setdefault(bound, []).append(node)
                case ast.Assign(targets=[ast.Name(id=n)]) | ast.AnnAssign(target=ast.Name(id=n)):
                    self.bindings.setdefault(n, []).append(node)
                case ast.FunctionDef(name=n):
                    self.bindings.setdefault(n, []).append(node)
                case ast.If():
                    self._collect(node.body)
                    self._collect(node.orelse)
                case ast.Try():
                    self._collect(node.body)
                    for handler in node.handlers:
                        self._collect(handler.body)

    def function(self, qualname: str, line: int | None = None) -> ir.Function:
        entries = self.functions[qualname]
        entry = next((e for e in entries if line is None or e.first_line <= line <= e.last_line), entries[0])
        return lower_one(self.source, entry)

    def resolve(self, name: str) -> Global:
        found = self.cache.get(name)
        if found is None:
            self.cache[name] = Missing("cycle")
            found = self.cache[name] = self._resolve(name)
        return found

    def _resolve(self, name: str) -> Global:
        nodes = self.bindings.get(name)
        if not nodes:
            for node in self.tree.body:
                if isinstance(node, ast.ImportFrom) and node.names[0].name == "*" and self.root:
                    found = self.root.member(self._absolute(node), name)
                    if not isinstance(found, Missing):
                        return found
            return Missing(
                "not defined in module",
                not any(
                    isinstance(n, ast.ImportFrom) and n.names[0].name == "*" for n in ast.walk(self.tree)
                ),
            )
        for node in nodes:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                found = self._import(name, node)
                if isinstance(found, LibraryName):
                    return found
        return self._binding(name, nodes[0])

    def _binding(self, name: str, node: ast.stmt) -> Global:
        match node:
            case ast.FunctionDef():
                return Helper(self.function(name, node.lineno), self)
            case ast.Import() | ast.ImportFrom():
                return self._import(name, node)
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                return self._value(value)
        return Missing("binding")

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self.name.split(".")
        parts = parts[: len(parts) - node.level + (1 if self.package else 0)]
        return ".".join([*parts, *([node.module] if node.module else [])])

    def _import(self, name: str, node: ast.Import | ast.ImportFrom) -> Global:
        for a in node.names:
            bound = a.asname or (a.name if isinstance(node, ast.ImportFrom) else a.name.partition(".")[0])
            if bound != name:
                continue
            if isinstance(node, ast.Import):
                dotted = a.name if a.asname else a.name.partition(".")[0]
            else:
                module = self._absolute(node)
                if module.partition(".")[0] != "triton" and self.root:
                    return self.root.member(module, a.name)
                dotted = f"{module}.{a.name}"
            return (
                LibraryName(dotted)
                if dotted.partition(".")[0] == "triton"
                else Missing(f"import of {dotted}")
            )
        return Missing("import")

    def _value(self, node: ast.expr) -> Global:
        match node:
            case ast.Call(func=ast.Attribute(attr="constexpr") | ast.Name(id="constexpr"), args=[inner]):
                found = self._value(inner)
                return (
                    Constant(found.value, True)
                    if isinstance(found, Constant)
                    else Missing("constexpr expression")
                )
            case ast.Constant(value=value):
                return Constant(value, False)
            case ast.Name(id=other):
                return self.resolve(other)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str(word))]):
                return Constant(float(word), False)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                found = self._value(inner)
                if isinstance(found, Constant) and isinstance(found.value, (int, float)):
                    return Constant(-found.value, found.constexpr)
            case ast.BinOp(left=left, op=op, right=right):
                return self._operation(self._value(left), op, self._value(right))
        return Missing("module expression")

    def _operation(self, a: Global, op: ast.operator, b: Global) -> Global:
        table = {
            ast.Add: "__add__",
            ast.Sub: "__sub__",
            ast.Mult: "__mul__",
            ast.Div: "__truediv__",
            ast.Pow: "__pow__",
        }
        if isinstance(a, Constant) and isinstance(b, Constant) and type(op) in table:
            x, y = a.value, b.value
            if isinstance(x, (int, float)) and isinstance(y, (int, float)):
                x, y = (float(x), float(y)) if float in (type(x), type(y)) else (x, y)
                return Constant(getattr(x, table[type(op)])(y), a.constexpr or b.constexpr)
        return Missing("module expression")

    def _attribute(self, node: ast.Attribute) -> Global:
        owner = (
            self._value(node.value) if not isinstance(node.value, ast.Name) else self.resolve(node.value.id)
        )
        if isinstance(owner, LibraryName):
            scalar = LANGUAGE.get(node.attr) if owner.name == "triton.language" else None
            return Constant(TypeOf(scalar.bit), True) if scalar else LibraryName(f"{owner.name}.{node.attr}")
        if isinstance(node.value, ast.Name) and node.value.id == "math" and hasattr(math, node.attr):
            return Constant(getattr(math, node.attr), False)
        return Missing("module expression")


@dataclass
class Root:
    """A folder of modules below one import root."""

    folder: Path
    modules: dict[str, Module | None] = field(default_factory=dict)

    def module(self, name: str) -> Module | None:
        if name not in self.modules:
            self.modules[name] = self._load(name)
        return self.modules[name]

    def _load(self, name: str) -> Module | None:
        base = self.folder.joinpath(*name.split("."))
        for path, package in ((base.with_suffix(".py"), False), (base / "__init__.py", True)):
            if path.is_file():
                try:
                    return Module(name, str(path), path.read_text(), self, package)
                except (SyntaxError, UnicodeDecodeError):
                    return None
        return None

    def member(self, module: str, name: str) -> Global:
        found = self.module(module)
        if found is not None:
            resolved = found.resolve(name)
            if not isinstance(resolved, Missing):
                return resolved
        inner = self.module(f"{module}.{name}")
        if inner is not None:
            return Missing(f"module {module}.{name}")
        return Missing(f"import of {module}.{name}")
