"""Which parameters of a kernel are addresses, by how its body uses them; a look at names, not a typing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..core import ir
from .program import FunctionDef, Program
from .store import Store

ACCESSES = frozenset(
    {"load", "store", "make_block_ptr", "make_tensor_descriptor", "_experimental_make_tensor_descriptor",
     "experimental_device_tensormap_create2d", "load_tensor_descriptor", "advance"}
)  # fmt: skip
DEEPEST = 4


def pointers(program: Program, store: Store, kernel: FunctionDef, depth: int = 0) -> frozenset[str]:
    """The parameters that flow into an address, or are named as one."""
    found = store.pointers.get(kernel)
    if found is None:
        store.pointers[kernel] = frozenset()
        found = store.pointers[kernel] = frozenset(_pointers(program, store, kernel, depth))
    return found


def descriptors(store: Store, kernel: FunctionDef) -> frozenset[str]:
    """The parameters that the body uses as tensor descriptors: `p.load(...)`, `load_tensor_descriptor(p, ...)`."""
    function = store.function(kernel)
    names = {p.name for p in function.params}
    found: set[str] = set()
    for stmt in _statements(function.body):
        for call in _calls(stmt):
            match call.func:
                case ir.Attribute(value=ir.Name(id=name), attr=attr) if name in names and attr in METHODS:
                    found.add(name)
                case ir.Attribute(attr=attr) if attr.endswith("_tensor_descriptor") and call.args:
                    if isinstance(call.args[0].value, ir.Name):
                        found.add(call.args[0].value.id)
    return frozenset(found & names)


def ranks(store: Store, kernel: FunctionDef) -> dict[str, int]:
    """The dimensions of tensor descriptors, by the offsets that the body reads or writes them at."""
    found: dict[str, int] = {}
    for stmt in _statements(store.function(kernel).body):
        for call in _calls(stmt):
            match call:
                case ir.Call(ir.Attribute(ir.Name(id=name), attr), (ir.Arg(value=ir.Display(items=offsets)), *_)) if (
                    attr in METHODS
                ):
                    found[name] = len(offsets)
    return found


METHODS = frozenset({"load", "store", "gather", "scatter", "atomic_add", "atomic_max", "atomic_min"})
"""Methods of `tl.tensor_descriptor`."""


def _pointers(program: Program, store: Store, kernel: FunctionDef, depth: int) -> Iterator[str]:
    function = store.function(kernel)
    roots: dict[str, set[str]] = {p.name: {p.name} for p in function.params}
    reached: set[str] = set()
    for stmt in _statements(function.body):
        match stmt:
            case ir.Assign(targets=(ir.Name(id=name),), value=value):
                bases = _bases(value, roots)
                roots[name] = roots.get(name, set()) | bases if bases else bases
            case ir.AugAssign(target=ir.Name(id=name), value=value):
                roots[name] = roots.get(name, set()) | _bases(value, roots)
        for call in _calls(stmt):
            reached |= _reached(program, store, kernel, call, roots, depth)
    for param in function.params:
        if _is_constexpr(param):
            continue
        if param.name in reached or param.name.lower().endswith(("_ptr", "_ptrs", "ptr")):
            yield param.name


def _reached(
    program: Program, store: Store, kernel: FunctionDef, call: ir.Call, roots: dict[str, set[str]], depth: int
) -> set[str]:
    """The parameters that one call takes as addresses."""
    match call.func:
        case ir.Attribute(attr=attr) if attr in ACCESSES or attr.startswith("atomic_"):
            return _bases(call.args[0].value, roots) if call.args else set()
        case ir.Name(id=name) if depth < DEEPEST:
            for found in program.lookup(kernel.file.module, name):
                if isinstance(found, FunctionDef) and program.is_kernel(found):
                    inner = pointers(program, store, found, depth + 1)
                    names = [p.name for p in found.entry.params]
                    given = [(a.keyword or (names[i] if i < len(names) else ""), a) for i, a in enumerate(call.args)]
                    return set().union(*(_bases(a.value, roots) for n, a in given if n in inner), set())
    return set()


def _is_constexpr(param: ir.Param) -> bool:
    match param.annotation:
        case ir.Attribute(attr="constexpr") | ir.Name(id="constexpr"):
            return True
    return False


def _bases(node: ir.Expr, roots: dict[str, set[str]]) -> set[str]:
    """The parameters that an address expression starts from."""
    match node:
        case ir.Name(id=name):
            return roots.get(name, set())
        case ir.Binary(op="+" | "-", left=left, right=right):
            return _bases(left, roots) or _bases(right, roots)
        case ir.Call(func=ir.Attribute(value=value, attr="to" | "cast")):
            return _bases(value, roots)
        case ir.Call(func=ir.Attribute(attr="cast" | "multiple_of" | "make_block_ptr" | "advance"), args=(first, *_)):
            return _bases(first.value, roots)
        case ir.Conditional(body=body, orelse=orelse):
            return _bases(body, roots) | _bases(orelse, roots)
        case ir.Call(func=ir.Attribute(attr="where"), args=(_, one, other)):
            return _bases(one.value, roots) | _bases(other.value, roots)
    return set()


def _statements(body: Iterable[ir.Stmt]) -> Iterator[ir.Stmt]:
    for stmt in body:
        yield stmt
        for inner in ("body", "orelse"):
            nested = getattr(stmt, inner, None)
            if isinstance(nested, tuple):
                yield from _statements(nested)


def _calls(stmt: ir.Stmt) -> Iterator[ir.Call]:
    match stmt:
        case ir.Assign(value=value) | ir.ExprStmt(value=value) | ir.AugAssign(value=value):
            yield from _inside(value)
        case ir.AnnAssign(value=value) | ir.Return(value=value) if value is not None:
            yield from _inside(value)
        case ir.If(test=test) | ir.While(test=test):
            yield from _inside(test)
        case ir.For(iter=iterable):
            yield from _inside(iterable)


def _inside(node: ir.Expr) -> Iterator[ir.Call]:
    match node:
        case ir.Call(func=func, args=args):
            yield node
            yield from _inside(func)
            for arg in args:
                yield from _inside(arg.value)
        case ir.Binary(left=left, right=right):
            yield from _inside(left)
            yield from _inside(right)
        case ir.Attribute(value=value) | ir.Subscript(value=value) | ir.Unary(operand=value):
            yield from _inside(value)
        case ir.Compare(left=left, rights=rights):
            for part in (left, *rights):
                yield from _inside(part)
        case ir.Conditional(test=test, body=body, orelse=orelse):
            for part in (test, body, orelse):
                yield from _inside(part)
        case ir.Logic(values=items) | ir.Display(items=items):
            for part in items:
                yield from _inside(part)
