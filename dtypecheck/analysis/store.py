"""Summaries on demand: lowers and summarises a function, a class body or a module when asked.

A summary depends on the text it summarises and on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable

from ..core import ir
from ..core.spans import NOWHERE, Span
from ..syntax import lower
from ..syntax.model import FileIndex
from ..syntax.source import Source
from . import graph as g
from .frames import Frame
from .host import summarize
from .program import MODULE, ClassDef, FunctionDef

EMPTY = ir.Function("<missing>", "<missing>", (), (), (), None, False, NOWHERE)


class Store:
    """Text, IR and summaries, each made once. `read` gives the source of a path, or None.

    `watch`: summaries say what each name is where it stands (see `reveal`).
    """

    def __init__(self, read: Callable[[str], Source | None], watch: bool = False) -> None:
        self._read = read
        self.watch = watch
        self._sources: dict[str, Source | None] = {}
        self._functions: dict[FunctionDef, ir.Function] = {}
        self._summaries: dict[FunctionDef, g.Summary] = {}
        self._bodies: dict[str | ClassDef, g.Summary] = {}
        self._modules: dict[str, Frame] = {}
        self._classes: dict[ClassDef, Frame] = {}
        self._roots: dict[FunctionDef, Frame] = {}
        self._closures: dict[g.Closure, g.Summary] = {}
        self._annotations: dict[ClassDef, dict[str, ir.Expr]] = {}
        self.supplied: dict[FunctionDef, frozenset[str]] = {}
        self.pointers: dict[FunctionDef, frozenset[str]] = {}

    def fresh(self) -> Store:
        """The same texts, IR and summaries, with no frame in use yet."""
        other = Store(self._read, self.watch)
        other._sources, other._functions, other._summaries = self._sources, self._functions, self._summaries
        other._closures, other._annotations = self._closures, self._annotations
        other.pointers = self.pointers
        other._bodies = self._bodies
        return other

    def source(self, path: str) -> Source | None:
        if path not in self._sources:
            self._sources[path] = self._read(path)
        return self._sources[path]

    def text(self, path: str, span: Span) -> str:
        """The source text of a span, on one line; "" where there is none."""
        source = self.source(path)
        if source is None or span.line < 1:
            return ""
        lines = source.lines[span.line - 1 : span.end_line]
        if not lines:
            return ""
        if span.line == span.end_line:
            return lines[0][span.column - 1 : span.end_column - 1]
        parts = [lines[0][span.column - 1 :], *lines[1:-1], lines[-1][: span.end_column - 1]]
        return " ".join(part.strip() for part in parts)

    def function(self, definition: FunctionDef) -> ir.Function:
        """The IR of a function; an empty one where it cannot be lowered."""
        found = self._functions.get(definition)
        if found is None:
            source = self.source(definition.file.path)
            found = EMPTY if source is None else lower.lower_one(source, definition.entry)
            self._functions[definition] = found
        return found

    def path_of(self, function: ir.Function) -> str | None:
        """The file that a lowered function stands in."""
        return next((d.file.path for d, f in self._functions.items() if f is function), None)

    def lowered(self, qualname: str) -> list[FunctionDef]:
        """The functions of this name, in any module, of which the IR was asked for."""
        return [d for d in self._functions if d.entry.qualname == qualname]

    def summary(self, definition: FunctionDef) -> g.Summary:
        found = self._summaries.get(definition)
        if found is None:
            found = self._summaries[definition] = summarize(self.function(definition), self.watch)
        return found

    def root_frame(self, definition: FunctionDef) -> Frame:
        """The frame of a function that nobody is known to call."""
        if definition.entry.qualname == MODULE:
            return self.module_frame(definition.file)
        found = self._roots.get(definition)
        if found is None:
            found = self._nested_frame(definition) if definition.entry.nested else None
            if found is None:
                owner = owner_of(definition)
                found = Frame(
                    self.summary(definition), definition.file, definition.key, function=definition, owner=owner
                )
            self._roots[definition] = found
        return found

    def _nested_frame(self, definition: FunctionDef) -> Frame | None:
        """The frame of a nested function, inside the root frame of the function around it."""
        entry = definition.entry
        around = [
            e
            for e in definition.file.functions
            if e.first_line <= entry.first_line and entry.last_line <= e.last_line and e.qualname != entry.qualname
            and entry.qualname.startswith(e.qualname + ".<locals>.")
        ]
        if not around:
            return None
        outer = self.root_frame(FunctionDef(definition.file, max(around, key=lambda e: e.first_line)))
        for closure in outer.summary.closures:
            if closure.function.span.line <= entry.head.line <= closure.function.span.end_line:
                if isinstance(closure.function, ir.Function) and closure.function.name == entry.name:
                    summary = self.closure(closure, closure.function)
                    return Frame(
                        summary, definition.file, definition.key, function=definition, outer=outer, env=closure.env
                    )
        return None

    def closure(self, closure: g.Closure, function: ir.Function) -> g.Summary:
        """The summary of a nested function or lambda, made once per definition."""
        found = self._closures.get(closure)
        if found is None:
            found = self._closures[closure] = summarize(function, self.watch)
        return found

    def annotations(self, cls: ClassDef) -> dict[str, ir.Expr]:
        """The annotations of a class body's fields."""
        found = self._annotations.get(cls)
        if found is None:
            body = self.class_frame(cls).summary.function.body
            found = self._annotations[cls] = {
                s.target.id: s.annotation for s in body if isinstance(s, ir.AnnAssign) and isinstance(s.target, ir.Name)
            }
        return found

    def module_frame(self, file: FileIndex) -> Frame:
        """The module body as a frame: its variables are the summary's `exit`."""
        found = self._modules.get(file.path)
        if found is None:
            summary = self._bodies.get(file.path)
            if summary is None:
                source = self.source(file.path)
                body = lower.lower_module(source, file) if source is not None else EMPTY
                summary = self._bodies[file.path] = summarize(body, self.watch)
            found = self._modules[file.path] = Frame(summary, file, file.module)
        return found

    def class_frame(self, cls: ClassDef) -> Frame:
        """The class body's assignments as a frame: its class-level values are the summary's `exit`."""
        found = self._classes.get(cls)
        if found is None:
            summary = self._bodies.get(cls)
            if summary is None:
                source = self.source(cls.file.path)
                body = lower.lower_class_body(source, cls.file, cls.entry) if source is not None else EMPTY
                summary = self._bodies[cls] = summarize(body, self.watch)
            found = self._classes[cls] = Frame(summary, cls.file, cls.key)
        return found


def owner_of(definition: FunctionDef) -> ClassDef | None:
    """The class whose method a function is; None for plain functions, static and class methods."""
    decorators = {d.rpartition(".")[2] for d in definition.entry.decorators}
    return None if decorators & {"staticmethod", "classmethod"} else class_around(definition)


def class_of(definition: FunctionDef) -> ClassDef | None:
    """The class that a class method gets as its first argument; None for any other function."""
    is_class_method = any(d.rpartition(".")[2] == "classmethod" for d in definition.entry.decorators)
    return class_around(definition) if is_class_method else None


def class_around(definition: FunctionDef) -> ClassDef | None:
    entry = definition.entry
    if not entry.class_name or entry.nested:
        return None
    for cls in definition.file.classes:
        if cls.qualname == entry.class_name and cls.first_line <= entry.first_line <= cls.last_line:
            return ClassDef(definition.file, cls)
    return None
