"""What names stand for: variables of enclosing functions, of modules, builtins, and definitions."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

from ..core import ir
from ..core.dtypes import named
from ..semantics.numpy_rules import scalar
from . import graph as g
from .dtypexpr import Symbol, known
from .frames import Frame
from .program import ClassDef, Definition, Foreign, FunctionDef, Missing, ModuleName, Variable
from .values import (
    Alternative, ClassRef, ClosureRef, DTypeRef, External, FunctionRef, KernelRef, Library, ModuleRef, Number, Value,
    either, fillable, just, union, under, unknown,
)  # fmt: skip

if TYPE_CHECKING:
    from .solve import Solver

BUILTINS = frozenset(dir(builtins))

DTYPE_HOMES = ("torch", "numpy", "np", "jax.numpy")

PLATFORM = frozenset({"torch.version.hip", "torch.version.cuda"})
"""What is known once a target is chosen: None on the other vendor's machines."""

CONSTANTS = {
    "math.inf": float("inf"),
    "math.pi": 3.141592653589793,
    "math.e": 2.718281828459045,
    "torch.inf": float("inf"),
    "torch.pi": 3.141592653589793,
    "typing.TYPE_CHECKING": False,
    "typing_extensions.TYPE_CHECKING": False,
}


def free(solver: Solver, node: g.Free, frame: Frame) -> Value:
    """A free name: first in the functions around, then in the module, then a builtin."""
    at: Frame | None = frame
    while at is not None:
        if at.env is not None and at.outer is not None:
            found = at.env.get(node.name)
            if found is not None:
                return solver.force(found, at.outer)
        at = at.outer
    return global_name(solver, frame, node.name, node)


def global_name(solver: Solver, frame: Frame, name: str, node: g.Node) -> Value:
    """A name of the module that `frame` runs in."""
    definitions = solver.program.lookup(frame.file.module, name)
    if isinstance(definitions[0], Missing) and name in BUILTINS:
        return just(Library(f"builtins.{name}"))
    return value_of(solver, definitions, node)


def imported(solver: Solver, node: g.Imported, frame: Frame) -> Value:
    """A local import; its leading dots count from the package of the module it stands in."""
    module = absolute(frame, node.module)
    return value_of(solver, solver.program.imported(module, node.attr), node)


def absolute(frame: Frame, module: str) -> str:
    dots = len(module) - len(module.lstrip("."))
    if not dots:
        return module
    parts = frame.file.module.split(".")
    if not frame.file.is_package:
        parts = parts[:-1]
    kept = parts[: len(parts) - (dots - 1)] if dots > 1 else parts
    return ".".join([*kept, module[dots:]] if module[dots:] else kept)


def value_of(solver: Solver, definitions: tuple[Definition, ...], node: g.Node) -> Value:
    """The value of what a name was found to stand for; competing definitions are alternatives."""
    if len(definitions) == 1:
        return _one(solver, definitions[0], node)
    key = ("definition", definitions[0])
    return union(
        under(frozenset({(key, number)}), _one(solver, definition, node))
        for number, definition in enumerate(definitions)
    )


def _one(solver: Solver, definition: Definition, node: g.Node) -> Value:
    match definition:
        case FunctionDef():
            return just(function_value(solver, definition))
        case ClassDef():
            return just(ClassRef(definition))
        case ModuleName(module):
            return just(ModuleRef(module))
        case Foreign(name):
            return just(library(name))
        case Variable():
            value = solver.once(("variable", definition), lambda: _variable(solver, definition))
            return value or unknown("module-variable", node.span)
        case Missing():
            return unknown("unresolved-name", node.span)
    raise AssertionError(definition)


def _variable(solver: Solver, variable: Variable) -> Value:
    """What the module leaves in a variable, or functions that declare it `global`; empty where none does."""
    frame = solver.store.module_frame(variable.file)
    values: list[Value] = []
    found = frame.summary.exit.get(variable.name)
    if found is not None:
        values.append(fillable(solver.force(found, frame)))
        solver.assume(("variable", variable), values[0])
    for writer in solver.program.global_writers(variable):
        inner = solver.store.root_frame(writer)
        left = inner.summary.exit.get(variable.name)
        if left is not None:
            values.append(solver.force(left, inner))
    solver.cycles.pop(("variable", variable), None)
    return either([v for v in values if v])


def function_value(solver: Solver, function: FunctionDef) -> KernelRef | FunctionRef:
    return KernelRef(function) if solver.program.is_kernel(function) else FunctionRef(function)


OPERATORS = "torch.ops."


def member(solver: Solver, name: str) -> Value:
    """A dotted name outside the program, `torch.ops` included: there the program may have put functions."""
    if name.startswith(OPERATORS):
        namespace, _, rest = name[len(OPERATORS) :].partition(".")
        short, _, overload = rest.partition(".")
        operator = solver.program.operators.operator(namespace, short) if short and not overload else None
        if operator is not None:
            function = operator.real[0] if len(operator.real) == 1 else operator.fake
            if function is None:
                return unknown(f"several-functions({name})")
            return just(FunctionRef(function, None, operator.fake))
    return just(library(name))


def library(name: str) -> Library | DTypeRef | Number | External:
    """A dotted name outside the program; dtypes and constants are known by name."""
    if name in PLATFORM:
        return External(Symbol("platform", name))
    if name in CONSTANTS:
        value = CONSTANTS[name]
        return Number("bool" if isinstance(value, bool) else "float", value, True)
    home, _, last = name.rpartition(".")
    if home == "torch.limits":
        return Number("int" if last == "bits" else "number")
    if home in DTYPE_HOMES:
        dtype = scalar(last) if home in ("numpy", "np") else named(last)
        if dtype is not None:
            return DTypeRef(known(dtype))
    return Library(name)


def local(solver: Solver, node: g.Closure | g.LocalClass, frame: Frame) -> Value:
    """A nested definition: a kernel where it is decorated as one."""
    if isinstance(node, g.LocalClass):
        for entry in frame.file.classes:
            if entry.first_line <= node.span.line <= entry.last_line and entry.name == node.definition.name:
                return just(ClassRef(ClassDef(frame.file, entry)))
        return unknown("local-class", node.span)
    if isinstance(node.function, ir.Function):
        line = node.function.head.line
        for function in frame.file.functions:
            if function.head.line == line and function.name == node.function.name:
                definition = FunctionDef(frame.file, function)
                if solver.program.is_kernel(definition) or _locally_jitted(node.function):
                    return just(KernelRef(definition))
    return just(ClosureRef(node, frame))


def _locally_jitted(function: ir.Function) -> bool:
    """`@triton.jit` where triton is imported inside the enclosing function."""
    for decorator in function.decorators:
        target = decorator.func if isinstance(decorator, ir.Call) else decorator
        match target:
            case ir.Attribute(value=ir.Name(id="triton"), attr="jit"):
                return True
    return False


def only(value: Value) -> Alternative | None:
    """The one alternative of a value that has just one."""
    return value[0] if len(value) == 1 else None
