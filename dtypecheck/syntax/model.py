"""What the index says about one file: names, definitions, launch-like sites, and nothing about meaning.

Every record is frozen and holds strings, integers, booleans and tuples of those (and spans), so that
it can be written to a cache as JSON and read back. Nothing here knows how it was found.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..core.spans import NOWHERE, Span

Site = tuple[int, int]
"""Line and column, both from 1, where a launch-like call starts."""


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """Why a file cannot be read or parsed: one line for the user."""

    path: str
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class ImportBinding:
    """A module-level import binds `name` to `module`, or to `attr` of it.

    `module` is absolute: the dots of a relative import are resolved (leading dots stay where they climb
    out of the tree). `import a.b.c` binds `a` to module "a". `context` says where the statement stands:
    "" , "try", "except", "type-checking", "if" or "else" (the innermost that applies).
    """

    name: str
    module: str
    attr: str | None
    context: str
    line: int


@dataclass(frozen=True, slots=True)
class ParamEntry:
    """One parameter; `kind` as in `core.ir.Param`; `annotation` is its source text or ""."""

    name: str
    kind: str
    has_default: bool
    annotation: str


@dataclass(frozen=True, slots=True)
class FunctionEntry:
    """One `def` or `async def`, wherever it stands.

    `qualname` is Python's `__qualname__`; conditional definitions share it and differ in `first_line`.
    Lines are physical and include the decorators. `decorators` holds the dotted name of each decorator
    or of what it calls ("?" where that is no dotted name). `calls` holds the last component of every
    callee anywhere inside, nested definitions included, sorted; of `k[grid](...)` that is `k`. `sites`
    holds the launch-like calls whose innermost function is this one: `k[grid](...)`, `x.warmup(...)`,
    `x.run(...)`, and `f(...)` where `f` was given `k[grid]` or a partial of it. (`outermost`, `outermost_line`) names the slice to lower: qualname and first line of
    the outermost enclosing definition, itself included. `nested` says that a function encloses it;
    `class_name` is the qualname of the class whose body it stands in, or "".
    """

    qualname: str
    name: str
    first_line: int
    last_line: int
    head: Span
    decorators: tuple[str, ...]
    params: tuple[ParamEntry, ...]
    calls: tuple[str, ...]
    sites: tuple[Site, ...]
    outermost: str
    outermost_line: int
    nested: bool
    class_name: str


@dataclass(frozen=True, slots=True)
class FieldEntry:
    """An annotated assignment of a class body."""

    name: str
    annotation: str
    has_default: bool
    line: int


@dataclass(frozen=True, slots=True)
class ClassEntry:
    """One `class`; `bases` and `decorators` are dotted text ("?" where there is none to give).

    A base `Generic[T]` is "Generic"; keywords such as `metaclass=` are left out. `methods` are the names
    of functions defined in its body, `constants` the names plainly assigned there.
    """

    qualname: str
    name: str
    bases: tuple[str, ...]
    decorators: tuple[str, ...]
    first_line: int
    last_line: int
    head: Span
    fields: tuple[FieldEntry, ...]
    methods: tuple[str, ...]
    constants: tuple[str, ...]
    outermost: str
    outermost_line: int


@dataclass(frozen=True, slots=True)
class OperatorEntry:
    """A function registered for a custom operator, "namespace::name", or "name" of a library that is not told.

    `function` is dotted text as the module reads it (`line` 0), or the qualname of the function that starts
    at `line`. `key` is the dispatch key, "" where none is told, "Meta" for a function that gives no data.
    """

    name: str
    function: str
    line: int
    key: str


@dataclass(frozen=True, slots=True)
class FileIndex:
    """What one file defines, imports and seems to launch.

    With a `fault`, everything else is empty. `mentions` is a subset of {"torch", "triton"}, in order.
    `constants` are (name, line) of module-level bindings by assignment, `for`, `with` and the like.
    `attribute_writes` are (attribute, qualname of the function that assigns it), `global_writes` (name,
    qualname of the function that declares it `global`). `module_sites` and `module_calls` are what stands
    outside every `def`, class bodies included. `libraries` are the namespaces of which a `Library` is made.
    """

    path: str
    module: str
    is_package: bool
    fault: SyntaxFault | None = None
    mentions: tuple[str, ...] = ()
    imports: tuple[ImportBinding, ...] = ()
    stars: tuple[str, ...] = ()
    functions: tuple[FunctionEntry, ...] = ()
    classes: tuple[ClassEntry, ...] = ()
    constants: tuple[tuple[str, int], ...] = ()
    attribute_writes: tuple[tuple[str, str], ...] = ()
    global_writes: tuple[tuple[str, str], ...] = ()
    compiled: tuple[str, ...] = ()
    """Dotted text of what is given to `torch.compile`."""
    operators: tuple[OperatorEntry, ...] = ()
    libraries: tuple[str, ...] = ()
    module_sites: tuple[Site, ...] = ()
    module_calls: tuple[str, ...] = ()


__all__ = [
    "NOWHERE",
    "ClassEntry",
    "FieldEntry",
    "FileIndex",
    "FunctionEntry",
    "ImportBinding",
    "OperatorEntry",
    "ParamEntry",
    "Site",
    "SyntaxFault",
]
