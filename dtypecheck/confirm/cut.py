"""Cuts a kernel out of its program: follows what it reads, and writes it all down in an order that runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..analysis.program import FunctionDef
from ..syntax.bindings import Binding
from ..syntax.excerpts import HEADER, Excerpt, Read
from . import standins
from .names import Builtin, Found, Home, Library, Names, Space, Text, Unfound, Value, Ways, allowed
from .platforms import answer, is_elsewhere
from .slices import FUTURE, HEAD, Chunk, Origin, Slice

GLUON = "triton.experimental.gluon"
EXTRA = "triton.language.extra."
"""Modules that Triton imports for nobody: whoever reads them as attributes has them from another's import."""
JIT_OPTIONS = ("do_not_specialize", "do_not_specialize_on_alignment", "noinline")
"""Options of `triton.jit` that change what is compiled."""


class CannotCut(Exception):
    """The kernel itself cannot be read."""


def cut(names: Names, kernel: FunctionDef, target: str) -> Slice:
    """The slice of one kernel for a target; what it reads and nobody defines is told, and left undefined."""
    found = names.text(kernel)
    if isinstance(found, Unfound):
        raise CannotCut(found.reason)
    made = _Cut(names, target)
    if any(b.module == "__future__" and b.attr == "annotations" for b in kernel.file.imports):
        made.chunks.insert(0, FUTURE)
    found = replace(found, jitted=True)
    name = made.text(found)
    configs, heuristics = made.suppliers(found)
    return Slice(
        name,
        tuple(made.chunks),
        configs,
        heuristics,
        tuple(made.missing.items()),
        tuple(dict.fromkeys(made.assumed)),
    )


@dataclass(slots=True)
class _Cut:
    """A slice in the making. `taken` maps what was taken along to its name in the slice."""

    names: Names
    target: str
    chunks: list[Chunk] = field(default_factory=lambda: [HEAD])
    taken: dict[object, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=lambda: {"types", "triton", "annotations"})
    missing: dict[str, str] = field(default_factory=dict)
    assumed: list[str] = field(default_factory=list)

    # -- names -----------------------------------------------------------------------------------

    def reads(self, home: Home, excerpt: Excerpt, kernel: bool = False) -> dict[str, str]:
        """Takes along what an excerpt reads; the names that are called something else in the slice."""
        renamed: dict[str, str] = {}
        for read in excerpt.reads:
            name = self._read(home, read, kernel)
            if name and name != read.name:
                renamed[read.name] = name
        return renamed

    def _read(self, home: Home, read: Read, kernel: bool) -> str:
        """The name in the slice of what is read; "" where it stays undefined."""
        found = self.names.find(home, read.name)
        chain = read.dotted.split(".")[1:]
        full = ".".join([found.dotted, *chain]) if isinstance(found, Library) else read.dotted
        if not kernel and not full.startswith("triton."):
            said = answer(full, self.target)
            if said is not None:
                return self._answered(read, said)
        return self._take(found, read.name, chain)

    def _take(self, found: Found, name: str, chain: Sequence[str] = ()) -> str:
        match found:
            case Builtin():
                return name
            case Text():
                return self.text(found)
            case Value():
                return self._value(found, name)
            case Library(dotted):
                return self._library(dotted, name, chain)
            case Space(module):
                return self._space(module, name, chain)
            case Ways():
                return self._choice(found, name)
            case Unfound(reason):
                self.missing.setdefault(name, reason)
                return ""
        raise AssertionError(found)

    def _name(self, key: object, wanted: str) -> str:
        """A name of its own for what `key` stands for, the wanted one where that is free."""
        name, number = wanted, 2
        while name in self.used:
            name, number = f"{wanted}_{number}", number + 1
        self.used.add(name)
        self.taken[key] = name
        return name

    # -- what can be taken along -----------------------------------------------------------------

    def text(self, found: Text) -> str:
        """A function or class; what it needs when it runs may stand after it."""
        key = (found.home.file.path, found.defined.body.first_line)
        if key in self.taken:
            return self.taken[key]
        name = self._name(key, found.defined.name)
        lines = found.defined.renamed(self.reads(found.home, found.defined.body, found.jitted), name)
        decorators = self._kept(found)
        if found.jitted and not any(".jit" in d for d in decorators):
            decorators.append("triton.jit" + self._jit_options(found))
        indent = found.defined.indent
        head = ["", "", *([HEADER] if indent else []), *(f"{indent}@{decorator}" for decorator in decorators)]
        self.chunks.append(Chunk.definition(head, lines, Origin(*key)))
        return name

    def _kept(self, found: Text) -> list[str]:
        """Decorators of Triton's, or Python's, that make a function what it is for the compiler."""
        kept = []
        for decorator in found.defined.decorators:
            head = decorator.name.partition(".")[0]
            library = self.names.find(found.home, head) if head else None
            if isinstance(library, Library):
                dotted = ".".join([library.dotted, *decorator.name.split(".")[1:]])
                if dotted.startswith(GLUON) and dotted.endswith(".jit"):
                    gluon = self._library(GLUON, "gluon", ())
                    kept.append(f"{gluon}.jit{self._jit_options(found)}")
                elif allowed(dotted) and not dotted.endswith(".jit") and not decorator.arguments:
                    kept.append(decorator.name.replace(head, self._take(library, head), 1))
        return kept

    def _jit_options(self, found: Text) -> str:
        """The options that matter, as arguments of the decorator."""
        jit = next((d for d in found.defined.decorators if d.name.rpartition(".")[2] == "jit"), None)
        options = []
        for key, value in jit.arguments if jit else ():
            if key in JIT_OPTIONS:
                name = self._name(object(), key)
                self.expression(found.home, value, name)
                options.append(f"{key}={name}")
        return f"({', '.join(options)})" if options else ""

    def _value(self, found: Value, name: str) -> str:
        assigned = found.assigned
        key = (found.home.file.path, assigned.value.first_line, name, assigned.value.lines)
        if key in self.taken:
            return self.taken[key]
        given = self._name(key, name)
        self.expression(found.home, assigned.value, given, assigned.annotation, assigned.item)
        return given

    def expression(
        self, home: Home, value: Excerpt, name: str, annotation: str = "", item: int | None = None
    ) -> None:
        """`name = value`."""
        typed = f": {annotation}" if "constexpr" in annotation else ""
        self._expression(home, value, f"{name}{typed} = (", ")" if item is None else f")[{item}]")

    def _expression(self, home: Home, value: Excerpt, before: str, after: str) -> None:
        lines = value.renamed(self.reads(home, value))
        self.chunks.append(Chunk.expression(before, lines, after, Origin(home.file.path, value.first_line)))

    def _library(self, dotted: str, name: str, chain: Sequence[str]) -> str:
        if dotted == "importlib":
            return self._importlib(name)
        if not allowed(".".join([dotted, *chain])):
            self.missing.setdefault(name, f"`{dotted}` is neither Triton's nor torch's")
            return ""
        extra = ".".join(["triton", *chain[:3]])
        if dotted == "triton" and extra.startswith(EXTRA) and extra not in self.taken:
            self.taken[extra] = name
            self.chunks.append(Chunk.made(f"import {extra}"))
        if dotted == name == "triton":
            return name
        if dotted not in self.taken:
            given = self._name(dotted, name)
            owner, _, last = dotted.rpartition(".")
            line = f"from {owner} import {last} as {given}" if owner else f"import {dotted} as {given}"
            if dotted == "triton.language":
                line = f"import {dotted} as {given}"
            self.chunks.append(Chunk.made(line))
        return self.taken[dotted]

    def _importlib(self, name: str) -> str:
        if "importlib" not in self.taken:
            self.chunks.append(standins.importlib(self._name("importlib", name)))
        return self.taken["importlib"]

    def _space(self, module: str, name: str, chain: Sequence[str]) -> str:
        """A module of the program as a module object that holds what is read off it."""
        if module not in self.taken:
            self.chunks.append(standins.module(self._name(module, name)))
        space = self.taken[module]
        if chain:
            inner = self._take(self.names.member(module, chain[0]), chain[0], chain[1:])
            if inner and (module, chain[0]) not in self.taken:
                self.taken[module, chain[0]] = inner
                self.chunks.append(Chunk.made(f"{space}.{chain[0]} = {inner}"))
        return space

    def _choice(self, found: Ways, name: str) -> str:
        """`name = (one) if test else (other)`, as the module's own statements would choose.

        What a `try` looks for and does not find, a None, leaves what its `except` binds.
        """
        key = (found.home.file.path, "ways", name)
        if key in self.taken:
            return self.taken[key]
        given, replaces = self._name(key, name), found.options[0][0].fallback
        parts: list[Chunk] = []
        for number, (binding, option) in enumerate(found.options):
            before = dict(self.missing)
            inner = self._take(option, f"{name}_{number + 1}")
            self.missing = before if binding.fallback else self.missing
            if inner:
                tests = [self._test(found.home, binding)]
                if isinstance(option, Value) and replaces and not binding.fallback:
                    tests.append(f"{inner} is not None")
                test = " and ".join(filter(None, tests))
                line = f"{given} = {inner}"
                parts.append(Chunk.made(f"if {test}:", f"    {line}") if test else Chunk.made(line))
        self.chunks += parts
        return given

    def _test(self, home: Home, binding: Binding) -> str:
        """The condition of a binding as text, from names made for its parts; "" where there is none.

        A part that cannot be evaluated is taken to hold, unless it asks for another vendor.
        """
        parts = []
        for test in binding.tests:
            key = (home.file.path, test.text.first_line, test.text.lines)
            if key not in self.taken:
                name, before = self._name(key, "condition"), dict(self.missing)
                said = " ".join(line.strip() for line in test.text.lines)
                self.chunks.append(Chunk.made(f"{name} = {not is_elsewhere(said, self.target)}"))
                self.expression(home, test.text, name)
                if len(self.missing) > len(before):
                    self.assumed.append(f"`{said}` was taken for {not is_elsewhere(said, self.target)}")
                self.missing = before
            parts.append(self.taken[key] if test.holds else f"not {self.taken[key]}")
        return " and ".join(parts)

    def _answered(self, read: Read, said: str) -> str:
        """An object that answers for the target: a flag, a predicate, or what has such a method."""
        chain = read.dotted.split(".")[1:]
        if said.startswith("torch."):
            said = said.replace("torch", self._library("torch", "torch", ()), 1)
        self.assumed.append(f"`{read.dotted}` is {said} on {self.target}")
        value = standins.said(said, read.called)
        key = ("answer", read.dotted, read.called) if not chain else ("answers", read.name)
        if key not in self.taken:
            empty = "types.SimpleNamespace()" if chain else value
            self.chunks.append(Chunk.made(f"{self._name(key, read.name)} = {empty}"))
        if chain:
            self.chunks += standins.answers(self.taken[key], chain, value)
        return self.taken[key]

    # -- what decorators provide -----------------------------------------------------------------

    def suppliers(self, found: Text) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Functions that give the configs of autotuners and the values of heuristics, outermost first."""
        configs, heuristics = [], []
        for decorator in found.defined.decorators:
            given = dict(decorator.arguments)
            last = decorator.name.rpartition(".")[2]
            if "configs" in given or (last == "autotune" and "0" in given):
                configs.append(self._supplier(found.home, given.get("configs") or given["0"], "configs"))
            elif last == "heuristics" and given:
                heuristics.append(self._supplier(found.home, given.get("values") or given["0"], "heuristics"))
        return tuple(configs), tuple(heuristics)

    def _supplier(self, home: Home, value: Excerpt, wanted: str) -> str:
        before, name = dict(self.missing), self._name(object(), wanted)
        self._expression(home, value, f"{name} = lambda: (", ")")
        self.missing = before
        return name
