"""The scope of a kernel in a real program: names resolved through the index, module constants through the solver."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..analysis import graph as g
from ..analysis.program import ClassDef, Definition, Foreign, FunctionDef, Missing, ModuleName, Variable
from ..analysis.values import Abstract, DTypeRef, Guard, KernelRef, Library, Nil, Number, Value
from . import scope as s

if TYPE_CHECKING:
    from ..analysis.solve import Solver
    from ..syntax.model import FileIndex

LIBRARIES = ("triton", "math", "builtins")


@dataclass(frozen=True, slots=True, eq=False)
class ProgramScope:
    """The module-level names of one file, as kernels of that file see them."""

    solver: Solver
    file: FileIndex

    def resolve(self, name: str) -> s.Global:
        """What a free name of a kernel stands for; kernels inside functions see only module-level names."""
        found = self.solver.program.lookup(self.file.module, name)
        if len(found) == 1:
            return self._defined(name, found[0])
        return _either(
            (frozenset({((self.file.path, name, i), True)}), self._defined(name, one))
            for i, one in enumerate(found)
        )

    def _defined(self, name: str, found: Definition) -> s.Global:
        match found:
            case FunctionDef():
                return self._function(found)
            case Foreign(dotted):
                return _library(dotted)
            case Variable(file, variable):
                return self._variable(file, variable)
            case Missing():
                return s.Missing(f"unresolved name {name}", undefined=False)
            case ModuleName(module):
                return s.Missing(f"module {module}")
            case ClassDef():
                return s.Missing(f"class {name}")
        return s.Missing(name)

    def _function(self, found: FunctionDef) -> s.Global:
        if not self.solver.program.is_kernel(found):
            return s.Missing(f"not a jit function: {found.entry.name}")
        return s.Helper(self.solver.store.function(found), scope_of(self.solver, found.file))

    def _variable(self, file: FileIndex, name: str) -> s.Global:
        frame = self.solver.store.module_frame(file)
        node = frame.summary.exit.get(name)
        if node is None:
            return s.Missing(f"module variable {name}")
        self.solver.fuel = max(self.solver.fuel, 400)
        return self._constant(self.solver.force(node, frame), _is_constexpr(node), name)

    def _constant(self, value: Value, constexpr: bool, name: str) -> s.Global:
        if not value:
            return s.Missing(f"module variable {name}")
        return _either((alt.guard, self._one(alt.what, constexpr, name)) for alt in value)

    def _one(self, what: Abstract, constexpr: bool, name: str) -> s.Global:
        match what:
            case Number(_, literal, True):
                return s.Constant(literal, constexpr)
            case Nil():
                return s.Constant(None, constexpr)
            case KernelRef(function):
                return self._function_of(function)
            case Library(dotted):
                return _library(dotted)
            case DTypeRef():
                return s.Missing(f"host dtype {name}")
        return s.Missing(f"module variable {name}")

    def _function_of(self, function: FunctionDef) -> s.Global:
        return s.Helper(self.solver.store.function(function), scope_of(self.solver, function.file))


def _either(options: Iterable[tuple[Guard, s.Global]]) -> s.Global:
    """One of the options; the first that is missing where one is, the only one where all are the same."""
    kept = tuple(options)
    missing = [one for _, one in kept if isinstance(one, s.Missing)]
    if missing:
        return missing[0]
    return kept[0][1] if all(one == kept[0][1] for _, one in kept) else s.Either(kept)


def _library(dotted: str) -> s.Global:
    """Kernels read Triton's names and a few of Python's; any other library object is not modelled."""
    return s.LibraryName(dotted) if dotted.split(".")[0] in LIBRARIES else s.Missing(f"object of {dotted}")


def _is_constexpr(node: g.Node) -> bool:
    """Whether a module variable is a `tl.constexpr` object: by call, or by annotation."""
    match node:
        case g.Annotated(_, value, _) if value is not None:
            return "constexpr" in repr(node.annotation) or _is_constexpr(value)
        case g.Apply(func=g.Get(attr="constexpr") | g.Free(name="constexpr")):
            return True
    return False


def scope_of(solver: Solver, file: FileIndex) -> ProgramScope:
    """The one scope of a file, for one solver."""
    found = solver.scopes.get(file.path)
    if found is None:
        found = solver.scopes[file.path] = ProgramScope(solver, file)
    assert isinstance(found, ProgramScope)
    return found
