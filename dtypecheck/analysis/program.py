"""The program as the index sees it: which definition a name in a module stands for.

It resolves names through imports, re-exports, star imports and packages, and knows which functions
Triton compiles. It evaluates nothing: what a module-level expression gives is the solver's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Union

from ..core.spans import NOWHERE, Place
from ..syntax.model import ClassEntry, FileIndex, FunctionEntry, ImportBinding, OperatorEntry
from .compiled import Compiled
from .registered import Operators

MODULE = "<module>"
JIT = frozenset(
    {
        "triton.jit",
        "triton.runtime.jit",
        "triton.runtime.jit.jit",
        "triton.runtime.jit.JITFunction",
        "triton.experimental.gluon.jit",
        "triton.experimental.gluon._runtime.jit",
    }
)
"""The decorators that make a kernel (triton/runtime/jit.py, triton/experimental/gluon)."""


@dataclass(frozen=True, slots=True)
class FunctionDef:
    """A function and the file it stands in. `key` is its qualified name in the program."""

    file: FileIndex
    entry: FunctionEntry

    @property
    def key(self) -> str:
        return f"{self.file.module}.{self.entry.qualname}" if self.file.module else self.entry.qualname

    @property
    def place(self) -> Place:
        return Place(self.file.path, self.entry.head)

    def __hash__(self) -> int:
        return hash((self.file.path, self.entry.first_line))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, FunctionDef)
            and self.entry.first_line == other.entry.first_line
            and self.file.path == other.file.path
            and self.entry.qualname == other.entry.qualname
        )


@dataclass(frozen=True, slots=True)
class ClassDef:
    """A class and the file it stands in."""

    file: FileIndex
    entry: ClassEntry

    @property
    def key(self) -> str:
        return f"{self.file.module}.{self.entry.qualname}" if self.file.module else self.entry.qualname

    @property
    def place(self) -> Place:
        return Place(self.file.path, self.entry.head)

    def __hash__(self) -> int:
        return hash((self.file.path, self.entry.first_line))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ClassDef)
            and self.entry.first_line == other.entry.first_line
            and self.file.path == other.file.path
        )


@dataclass(frozen=True, slots=True)
class ModuleName:
    """A module of the program."""

    module: str


@dataclass(frozen=True, slots=True)
class Foreign:
    """A dotted name outside the program: `torch.empty`."""

    name: str


@dataclass(frozen=True, slots=True)
class Variable:
    """A module-level variable, to be evaluated."""

    file: FileIndex
    name: str


@dataclass(frozen=True, slots=True)
class Missing:
    """The module has no such name."""

    name: str


Definition = Union[FunctionDef, ClassDef, ModuleName, Foreign, Variable, Missing]


@dataclass(slots=True)
class _Names:
    """The module-level definitions of one file by name."""

    functions: dict[str, list[FunctionEntry]] = field(default_factory=dict)
    classes: dict[str, ClassEntry] = field(default_factory=dict)
    imports: dict[str, list[ImportBinding]] = field(default_factory=dict)
    constants: frozenset[str] = frozenset()


class Program:
    """All files of a project and the names between them. Files with a fault define nothing."""

    def __init__(self, files: Iterable[FileIndex]) -> None:
        self.files: tuple[FileIndex, ...] = tuple(sorted(files, key=lambda f: f.path))
        self.modules: dict[str, FileIndex] = {}
        for file in self.files:
            self.modules.setdefault(file.module, file)
        self.by_path: dict[str, FileIndex] = {file.path: file for file in self.files}
        self._packages = _packages(self.modules)
        self._names: dict[str, _Names] = {}
        self._lookups: dict[tuple[str, str], tuple[Definition, ...]] = {}
        self._orders: dict[ClassDef, list[ClassDef | str]] = {}
        self._kernels: dict[tuple[str, int], bool] = {}
        self._callers: dict[str, list[FunctionDef]] | None = None
        self._called: dict[tuple[str, bool], list[FunctionDef]] = {}
        self._writers: dict[str, list[FunctionDef]] | None = None
        self._subclasses: dict[str, list[ClassDef]] | None = None
        self.operators = Operators(self)
        self.compiled = Compiled(self)

    # -- what a file defines ---------------------------------------------------------------------

    def names(self, file: FileIndex) -> _Names:
        found = self._names.get(file.path)
        if found is None:
            found = self._names[file.path] = _names(file)
        return found

    def functions(self) -> Iterator[FunctionDef]:
        for file in self.files:
            for entry in file.functions:
                yield FunctionDef(file, entry)

    def module_function(self, file: FileIndex) -> FunctionDef:
        """The statements of a module as a function that runs when it is imported."""
        last = max((f.last_line for f in file.functions), default=1)
        entry = FunctionEntry(
            MODULE, MODULE, 1, last, NOWHERE, (), (), file.module_calls, file.module_sites, MODULE, 1, False, ""
        )
        return FunctionDef(file, entry)

    def classes(self) -> Iterator[ClassDef]:
        for file in self.files:
            for entry in file.classes:
                yield ClassDef(file, entry)

    def is_module(self, module: str) -> bool:
        """Whether `module` is a module or a package (also one without `__init__`) of the program."""
        return module in self.modules or module in self._packages

    def may_launch(self, file: FileIndex) -> bool:
        """Whether a kernel can be in reach: the file speaks of Triton, or imports from a file that does."""
        if "triton" in file.mentions:
            return True
        for binding in file.imports:
            for module in (binding.module, f"{binding.module}.{binding.attr}"):
                found = self.modules.get(module)
                if found is not None and ("triton" in found.mentions or found.is_package):
                    return True
        return False

    # -- names -----------------------------------------------------------------------------------

    def lookup(self, module: str, name: str, seen: frozenset[tuple[str, str]] = frozenset()) -> tuple[Definition, ...]:
        """What `name` stands for in a module; several where conditional definitions compete."""
        if seen:
            return self._lookup(module, name, seen)
        found = self._lookups.get((module, name))
        if found is None:
            found = self._lookups[module, name] = self._lookup(module, name, seen)
        return found

    def _lookup(self, module: str, name: str, seen: frozenset[tuple[str, str]]) -> tuple[Definition, ...]:
        if (module, name) in seen:  # `from . import name` in a package: its submodule
            return self._submodule(module, name)
        seen |= {(module, name)}
        file = self.modules.get(module)
        if file is None:
            return self._submodule(module, name)
        names = self.names(file)
        if name in names.functions:
            functions = _competing(names.functions[name])
            others: tuple[Definition, ...] = ()
            if not any(map(_at_margin, functions)):
                others = self._beside_functions(module, file, names, name, seen)
            return (*others, *(FunctionDef(file, e) for e in functions))
        if name in names.classes:
            return (ClassDef(file, names.classes[name]),)
        if name in names.imports:
            return self._imported(module, names.imports[name], seen)
        if name in names.constants:
            return (Variable(file, name),)
        for star in file.stars:
            if not self.is_module(star):
                if star.split(".")[0] in ("torch", "triton"):
                    return (Foreign(f"{star}.{name}"),)
                continue
            found = self.lookup(star, name, seen)
            if not isinstance(found[0], Missing):
                return found
        return self._submodule(module, name)

    def _beside_functions(
        self, module: str, file: FileIndex, names: _Names, name: str, seen: frozenset[tuple[str, str]]
    ) -> tuple[Definition, ...]:
        """What else a name may be that is defined as a function under some condition only."""
        if name in names.imports:
            found = self._imported(module, names.imports[name], seen)
            return () if isinstance(found[0], Missing) else found
        return (Variable(file, name),) if name in names.constants else ()

    def _submodule(self, module: str, name: str) -> tuple[Definition, ...]:
        dotted = f"{module}.{name}" if module else name
        return (ModuleName(dotted),) if self.is_module(dotted) else (Missing(name),)

    def _imported(
        self, module: str, bindings: list[ImportBinding], seen: frozenset[tuple[str, str]]
    ) -> tuple[Definition, ...]:
        """The binding to believe: one from triton or torch if any, else the first that leads somewhere."""
        options = [self.imported(self._beside(module, b.module), b.attr, seen) for b in bindings]
        for option in options:
            if isinstance(option[0], Foreign) and option[0].name.split(".")[0] in ("triton", "torch"):
                return option
        for option in options:
            if not isinstance(option[0], Missing):
                return option
        return options[0]

    def _beside(self, importer: str, module: str) -> str:
        """A script imports its neighbours by their plain names."""
        if not self.is_module(module):
            neighbour = f"{importer.rpartition('.')[0]}.{module}"
            if self.is_module(neighbour):
                return neighbour
        return module

    def imported(
        self, module: str, attr: str | None, seen: frozenset[tuple[str, str]] = frozenset()
    ) -> tuple[Definition, ...]:
        """What `import module` or `from module import attr` gives."""
        if not self.is_module(module):
            return (Foreign(module if attr is None else f"{module}.{attr}"),)
        return (ModuleName(module),) if attr is None else self.lookup(module, attr, seen)

    def dotted(self, module: str, text: str) -> tuple[Definition, ...]:
        """What a dotted name written in a module stands for, as far as definitions alone tell."""
        head, *rest = text.split(".")
        found = self.lookup(module, head)
        for part in rest:
            match found[0]:
                case ModuleName(inner):
                    found = self.lookup(inner, part)
                case Foreign(name):
                    found = (Foreign(f"{name}.{part}"),)
                case ClassDef(file, entry):
                    found = self._member(file, entry, part)
                case _:
                    return (Missing(text),)
        return found

    def _member(self, file: FileIndex, entry: ClassEntry, name: str) -> tuple[Definition, ...]:
        qualname = f"{entry.qualname}.{name}"
        for function in file.functions:
            if function.qualname == qualname:
                return (FunctionDef(file, function),)
        for inner in file.classes:
            if inner.qualname == qualname:
                return (ClassDef(file, inner),)
        return (Missing(name),)

    # -- kernels ---------------------------------------------------------------------------------

    def is_kernel(self, function: FunctionDef) -> bool:
        """Whether one of the decorators is Triton's jit, however it is imported."""
        key = (function.file.path, function.entry.first_line)
        known = self._kernels.get(key)
        if known is None:
            known = self._kernels[key] = any(self._is_jit(function.file, d) for d in function.entry.decorators)
        return known

    def _is_jit(self, file: FileIndex, decorator: str) -> bool:
        if not decorator or "triton" not in file.mentions:
            return False
        for found in self.dotted(file.module, decorator):
            if isinstance(found, Foreign) and found.name in JIT:
                return True
        return decorator == "triton.jit"

    def registered(self, file: FileIndex, entry: OperatorEntry) -> FunctionDef | None:
        """The function that a file registers for an operator."""
        if entry.line:
            found = (f for f in file.functions if f.first_line == entry.line and f.qualname == entry.function)
            return next((FunctionDef(file, f) for f in found), None)
        named = self.dotted(file.module, entry.function)[0]
        return named if isinstance(named, FunctionDef) else None

    # -- who uses what ---------------------------------------------------------------------------

    def callers(self, name: str, near: str) -> list[FunctionDef]:
        """The functions that call something of this simple name.

        Tests and benchmarks do not tell how the code that they exercise is used: they count only for
        what is defined in such a file (`near`) itself.
        """
        if self._callers is None:
            self._callers = {}
            for function in self.functions():
                if not function.entry.nested:
                    for called in function.entry.calls:
                        self._callers.setdefault(called, []).append(function)
        key = (name, is_trial(near))
        found = self._called.get(key)
        if found is None:
            everyone = self._callers.get(name, [])
            found = everyone if key[1] else [f for f in everyone if not is_trial(f.file.path)]
            self._called[key] = found
        return found

    def writers(self, attr: str) -> list[FunctionDef]:
        """The functions that assign an attribute of this name to something."""
        if self._writers is None:
            self._writers = {}
            for file in self.files:
                by_name: dict[str, FunctionEntry] = {}
                for entry in file.functions:
                    by_name.setdefault(entry.qualname, entry)
                for written, qualname in dict.fromkeys(file.attribute_writes):
                    if qualname in by_name:
                        self._writers.setdefault(written, []).append(FunctionDef(file, by_name[qualname]))
        return self._writers.get(attr, [])

    def global_writers(self, variable: Variable) -> list[FunctionDef]:
        """The functions that declare a module's variable `global`."""
        names = {qualname for name, qualname in variable.file.global_writes if name == variable.name}
        return [FunctionDef(variable.file, f) for f in variable.file.functions if f.qualname in names]

    def bases(self, cls: ClassDef) -> list[ClassDef | str]:
        """The direct bases: classes of the program, or dotted names of others."""
        found: list[ClassDef | str] = []
        for text in cls.entry.bases:
            if not text:
                continue
            match self.dotted(cls.file.module, text)[0]:
                case ClassDef() as base:
                    found.append(base)
                case Foreign(name):
                    found.append(name)
                case _:
                    found.append(text)
        return found

    def mro(self, cls: ClassDef) -> list[ClassDef | str]:
        """The class and its ancestors, depth first, each once (a good approximation of Python's order)."""
        known = self._orders.get(cls)
        if known is not None:
            return known
        order: dict[ClassDef | str, None] = {}
        stack: list[ClassDef | str] = [cls]
        while stack:
            at = stack.pop(0)
            if at in order:
                continue
            order[at] = None
            if isinstance(at, ClassDef):
                stack[:0] = self.bases(at)
        found = self._orders[cls] = list(order)
        return found

    def subclasses(self, cls: ClassDef) -> list[ClassDef]:
        """The direct and indirect subclasses in the program."""
        if self._subclasses is None:
            self._subclasses = {}
            for child in self.classes():
                for base in self.bases(child):
                    if isinstance(base, ClassDef):
                        self._subclasses.setdefault(base.key, []).append(child)
        found: dict[ClassDef, None] = {}
        stack = [cls]
        while stack:
            for child in self._subclasses.get(stack.pop().key, []):
                if child not in found:
                    found[child] = None
                    stack.append(child)
        return list(found)

    def method(self, cls: ClassDef, name: str) -> FunctionDef | None:
        """The method that instances of `cls` have under this name, inherited ones included."""
        for at in self.mro(cls):
            if isinstance(at, ClassDef) and name in at.entry.methods:
                found = self._member(at.file, at.entry, name)[0]
                if isinstance(found, FunctionDef):
                    return found
        return None


TRIALS = frozenset({"test", "tests", "testing", "benchmark", "benchmarks", "examples"})


def is_trial(path: str) -> bool:
    """Whether a file is a test, a benchmark or an example."""
    *folders, name = path.split("/")
    return not TRIALS.isdisjoint(folders) or name.startswith(("test_", "bench_", "benchmark_", "conftest"))


def _competing(entries: list[FunctionEntry]) -> list[FunctionEntry]:
    """The definitions of one name that can be in force: what stands at the margin replaces all before it."""
    last = max((i for i, e in enumerate(entries) if e.head.column <= len("async def ") + 1 and _at_margin(e)), default=0)
    return entries[last:]


def _at_margin(entry: FunctionEntry) -> bool:
    return entry.head.column in (len("def ") + 1, len("async def ") + 1)


def _packages(modules: dict[str, FileIndex]) -> frozenset[str]:
    found: set[str] = set()
    for module in modules:
        while "." in module:
            module = module.rpartition(".")[0]
            found.add(module)
    return frozenset(found)


def _names(file: FileIndex) -> _Names:
    names = _Names(constants=frozenset(name for name, _ in file.constants))
    for entry in file.functions:
        if entry.qualname == entry.name:
            names.functions.setdefault(entry.name, []).append(entry)
    for klass in file.classes:
        if klass.qualname == klass.name:
            names.classes[klass.name] = klass
    for binding in file.imports:
        names.imports.setdefault(binding.name, []).append(binding)
    return names
