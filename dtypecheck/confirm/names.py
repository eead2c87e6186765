"""What a name of a kernel, or of an expression beside it, stands for: text to take along or a library object.

Definitions come from the program's own names; what a module assigns is told as text, and is not evaluated.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from dataclasses import dataclass

from ..analysis.program import (
    ClassDef,
    Definition,
    Foreign,
    FunctionDef,
    Missing,
    ModuleName,
    Program,
    Variable,
)
from ..analysis.store import Store
from ..syntax import bindings
from ..syntax.bindings import Assigned, Binding, Imported
from ..syntax.excerpts import Defined, Parsed
from ..syntax.model import FileIndex

LIBRARIES = frozenset(
    {
        "triton",
        "torch",
        "math",
        "operator",
        "functools",
        "itertools",
        "typing",
        "enum",
        "collections",
        "dataclasses",
        "packaging",
    }
)
"""What a slice may import: Triton, torch, and modules that touch nothing outside the process."""
QUESTIONS = ("os.environ", "os.getenv", "sys.version_info", "sys.platform")
"""What it may ask of the machine."""
ELSEWHERE = frozenset({"intel", "cann", "xpu", "npu", "musa", "mlu", "gcu"})
"""Vendors that Triton itself has no backend for."""
UNSAFE = frozenset(
    {"open", "exec", "eval", "compile", "__import__", "input", "breakpoint", "globals", "exit", "quit"}
)
SAFE = frozenset(dir(builtins)) - UNSAFE


@dataclass(frozen=True, slots=True)
class Home:
    """Where a name is read: a file, and the functions that enclose the reader, innermost first."""

    file: FileIndex
    around: tuple[FunctionDef, ...] = ()


@dataclass(frozen=True, slots=True)
class Text:
    """A function or class of the program."""

    defined: Defined
    home: Home
    jitted: bool


@dataclass(frozen=True, slots=True)
class Value:
    """An expression that is assigned somewhere."""

    assigned: Assigned
    home: Home


@dataclass(frozen=True, slots=True)
class Library:
    """A dotted name outside the program."""

    dotted: str


@dataclass(frozen=True, slots=True)
class Space:
    """A module of the program."""

    module: str


@dataclass(frozen=True, slots=True)
class Ways:
    """What competing statements bind, each with the tests that it stands under, in order."""

    options: tuple[tuple[Binding, Found], ...]
    home: Home


@dataclass(frozen=True, slots=True)
class Builtin:
    pass


@dataclass(frozen=True, slots=True)
class Unfound:
    reason: str


Found = Text | Value | Library | Space | Ways | Builtin | Unfound


class Names:
    """Resolves names of one program; parses each file that it takes text from once."""

    def __init__(self, program: Program, store: Store) -> None:
        self.program = program
        self.store = store
        self._parsed: dict[str, Parsed | None] = {}

    def parsed(self, path: str) -> Parsed | None:
        if path not in self._parsed:
            source = self.store.source(path)
            self._parsed[path] = Parsed(source) if source is not None else None
        return self._parsed[path]

    def home(self, function: FunctionDef) -> Home:
        """Where the free names of a function are looked for."""
        entry = function.entry
        around = [
            FunctionDef(function.file, e)
            for e in function.file.functions
            if entry.qualname.startswith(e.qualname + ".<locals>.")
            and e.first_line <= entry.first_line <= entry.last_line <= e.last_line
        ]
        return Home(function.file, tuple(sorted(around, key=lambda f: -f.entry.first_line)))

    def find(self, home: Home, name: str) -> Found:
        """What a free name stands for: first in the functions around, then in the module, then a builtin."""
        for function in home.around:
            found = self._local(home, function, name)
            if found is not None:
                return found
        return self.member(home.file.module, name)

    def member(self, module: str, name: str) -> Found:
        """What a name of a module stands for."""
        file = self.program.modules.get(module)
        if file is not None and len(self.program.names(file).imports.get(name, ())) > 1:
            home = Home(file)
            return self._ways(home, self._bindings(home, name))
        found = self.program.lookup(module, name)
        if isinstance(found[0], Missing) and name in SAFE:
            return Builtin()
        return self._definitions(found, name)

    def text(self, function: FunctionDef) -> Text | Unfound:
        """The text of one function."""
        parsed = self.parsed(function.file.path)
        defined = parsed.definition(function.entry.name, function.entry.head.line) if parsed else None
        if defined is None:
            return Unfound(f"`{function.entry.name}` cannot be read")
        return Text(defined, self.home(function), self._jitted(function, defined))

    def _jitted(self, function: FunctionDef, defined: Defined) -> bool:
        """Decorated as a kernel, also where triton is imported inside the function around."""
        return self.program.is_kernel(function) or any(
            d.name.endswith("triton.jit") for d in defined.decorators
        )

    # -- definitions -----------------------------------------------------------------------------

    def _definitions(self, found: tuple[Definition, ...], name: str) -> Found:
        if len(found) == 1:
            return self._one(found[0], name)
        functions = [d for d in found if isinstance(d, (FunctionDef, ClassDef))]
        if not functions:
            return self._one(found[0], name)
        home = Home(functions[0].file)
        return self._ways(home, self._bindings(home, functions[0].entry.name))

    def _one(self, found: Definition, name: str) -> Found:
        match found:
            case FunctionDef():
                return self.text(found)
            case ClassDef(file, entry):
                return self._class(file, entry.name, entry.head.line)
            case ModuleName(module):
                return Space(module)
            case Foreign(dotted):
                return Library(dotted)
            case Variable(file, variable):
                home = Home(file)
                return self._ways(home, self._bindings(home, variable))
            case Missing():
                return Unfound(f"`{name}` is not defined")
        raise AssertionError(found)

    def _class(self, file: FileIndex, name: str, line: int) -> Found:
        parsed = self.parsed(file.path)
        defined = parsed.definition(name, line) if parsed else None
        return Unfound(f"class `{name}`") if defined is None else Text(defined, Home(file), False)

    def _bindings(self, home: Home, name: str) -> tuple[Binding, ...]:
        parsed = self.parsed(home.file.path)
        return bindings.of_module(parsed, name) if parsed else ()

    def _ways(self, home: Home, found: Iterable[Binding]) -> Found:
        """What the statements bind. What stands in an `except` comes first: it holds where nothing replaces it."""
        options = [(binding, self._bound(home, binding)) for binding in found]
        usable = [o for o in options if _is_usable(o[1])]
        tried = [o for o in usable if not o[0].fallback]
        tried = tried[max((i for i, (binding, _) in enumerate(tried) if not binding.tests), default=0) :]
        fallbacks = [o for o in usable if o[0].fallback]
        if not tried or any(isinstance(option, (Value, Library)) for _, option in tried):
            tried = [*reversed(fallbacks), *tried]
        options = tried or options
        if not options:
            return Unfound("it is bound in a way that is not read")
        return options[0][1] if len(options) == 1 else Ways(tuple(options), home)

    def _bound(self, home: Home, binding: Binding) -> Found:
        match binding.how:
            case Assigned() as assigned:
                return Value(assigned, home)
            case Imported(module, attr):
                return self._imported(home, module, attr)
            case bindings.Defines(name, line):
                return self._defined(home, name, line)
        raise AssertionError(binding)

    def _imported(self, home: Home, module: str, attr: str | None) -> Found:
        found = self.program.imported(_absolute(home.file, module), attr)
        return self._definitions(found, attr or module)

    def _defined(self, home: Home, name: str, line: int) -> Found:
        for entry in home.file.functions:
            if entry.name == name and entry.head.line == line:
                return self.text(FunctionDef(home.file, entry))
        return self._class(home.file, name, line)

    def _local(self, home: Home, function: FunctionDef, name: str) -> Found | None:
        """What a name is in a function around a kernel; None where that does not bind it."""
        if any(p.name == name for p in function.entry.params):
            return Unfound(f"`{name}` is a parameter of `{function.entry.name}`, which makes the kernel")
        parsed = self.parsed(function.file.path)
        if parsed is None:
            return None
        found = bindings.of_function(parsed, function.entry.name, function.entry.head.line, name)
        if not found:
            return None
        inner = home.around.index(function)
        return self._ways(Home(home.file, home.around[inner:]), found)


def _absolute(file: FileIndex, module: str) -> str:
    """The module that a local import names; its dots count from the file's package."""
    dots = len(module) - len(module.lstrip("."))
    if not dots:
        return module
    parts = file.module.split(".") if file.is_package else file.module.split(".")[:-1]
    kept = parts[: len(parts) - dots + 1]
    return ".".join([*kept, module[dots:]] if module[dots:] else kept)


def _is_usable(found: Found) -> bool:
    """Whether a slice can have it: not what is not found, or stands in another library."""
    if isinstance(found, Library):
        elsewhere = (
            found.dotted.startswith("triton.language.extra.") and found.dotted.split(".")[3] in ELSEWHERE
        )
        return not elsewhere and found.dotted.partition(".")[0] in LIBRARIES | {"os", "sys", "importlib"}
    return not isinstance(found, Unfound)


def allowed(dotted: str) -> bool:
    """Whether a slice may use this object of a library."""
    return dotted.partition(".")[0] in LIBRARIES or dotted.startswith(QUESTIONS)
