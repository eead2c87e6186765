"""What `value.attr` gives, by the kind of the value."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..core.dtypes import FLOATING, SIGNED, members
from ..semantics import rules
from ..semantics.table import lookup
from . import graph as g
from . import layers, names, objects, ranks
from .dtypexpr import UNKNOWN, Input, Of, evaluate, lift, symbols
from .frames import Frame
from .members import having
from .values import (
    Abstract, Array, ClassRef, Dictionary, DTypeRef, External, FunctionRef, Given, Instance, KernelRef, Launcher, Layer,
    Library, Many, Method, ModuleRef, Nil, Number, Partial, Sequence, Unknown, Value, just, union, under, unknown,
)  # fmt: skip

if TYPE_CHECKING:
    from .solve import Solver

SAME_DTYPE = frozenset({"T", "mT", "H", "mH", "data", "grad", "_data", "_local_tensor"})
"""Tensor attributes that are tensors of the same dtype."""

TENSORS_ONLY = frozenset(
    {"new_empty", "new_zeros", "new_ones", "new_full", "new_tensor", "new_empty_strided", "to", "type_as", "float", "half",
     "bfloat16", "double", "long", "short", "contiguous", "view", "view_as", "permute", "unsqueeze", "expand", "expand_as",
     "clone", "detach", "index_select", "masked_fill", "repeat_interleave"}
)  # fmt: skip
"""Methods that make a tensor of what is otherwise not known: what comes of them may be known."""

FACTS = {
    "ndim": "int", "is_cuda": "bool", "is_cpu": "bool", "requires_grad": "bool", "is_leaf": "bool", "itemsize": "int",
    "nbytes": "int", "is_sparse": "bool", "is_quantized": "bool", "is_meta": "bool", "size": "int",
}  # fmt: skip


def get(solver: Solver, node: g.Get, frame: Frame) -> Value:
    """`value.attr`, for each alternative of `value`."""
    owners = having(solver.force(node.value, frame), node.attr)
    return union(under(alt.guard, attribute(solver, alt.what, node.attr, node, frame)) for alt in owners)


def attribute(solver: Solver, what: Abstract, attr: str, node: g.Node, frame: Frame) -> Value:
    """One attribute of one abstract value."""
    match what:
        case Array():
            return _of_array(what, attr)
        case Instance():
            return objects.attribute(solver, what, attr, node, frame)
        case ClassRef():
            return objects.class_attribute(solver, what, attr, node)
        case Library(name):
            return names.member(solver, f"{name}.{attr}")
        case ModuleRef(module):
            return names.value_of(solver, solver.program.lookup(module, attr), node)
        case External():
            return just(_of_external(what, attr))
        case DTypeRef():
            return _of_dtype(what, attr)
        case Sequence(kind, items, fields):
            if attr in fields:
                return solver.demand(items[fields.index(attr)])
            return just(Method(f"{kind}.{attr}", what))
        case Dictionary():
            return just(Method(f"dict.{attr}", what))
        case Many(kind, _):
            return just(Method(f"{kind}.{attr}", what))
        case Number(kind):
            return just(Method(f"{kind}.{attr}", what))
        case Layer():
            return layers.attribute(what, attr)
        case Nil():
            return ()
        case FunctionRef() if attr == "default":
            return just(what)
        case KernelRef():
            return just(Launcher(what)) if attr in ("warmup", "run") else just(what) if attr == "fn" else unknown("kernel-attribute")
        case Partial(func) if attr == "func":
            return solver.demand(func)
        case Unknown(reason):
            if attr not in TENSORS_ONLY:
                return just(what)
            return just(Method(f"Tensor.{attr}", Array(UNKNOWN, None, what.origin, reason=reason)))
    return unknown("attribute", node.span)


def _of_array(array: Array, attr: str) -> Value:
    prefix = "ndarray" if array.numpy else "Tensor"
    if attr == "dtype":
        return just(DTypeRef(array.dtype, array.reason))
    if attr in SAME_DTYPE:
        return just(array)
    if attr == "shape":
        return just(_shape(array))
    if attr == "ndim" and array.ndim is not None:
        return just(Number("int", array.ndim, True))
    if attr == "device":
        return just(Library("torch.device"))
    if attr in FACTS and (attr != "size" or array.numpy):
        return just(Number(FACTS[attr]))
    if attr in ("real", "imag"):
        part = lift(rules.magnitude, (Input(array.dtype, ranks.of_tensor(array.ndim)),))
        return just(replace(array, dtype=part))
    return just(Method(f"{prefix}.{attr}", array))


def _shape(array: Array) -> Abstract:
    size = Given(just(Number("int")))
    return Many("tuple", (size,)) if array.ndim is None else Sequence("tuple", (size,) * array.ndim)


SIZES = frozenset({"shape", "device", "ndim", "is_cuda", "requires_grad"})


VIEWS = frozenset({"T", "mT", "H", "mH", "real", "imag"})
"""Attributes that are tensors, of what has them."""


def _of_external(what: External, attr: str) -> Abstract:
    """What is asked of an object tells what it is: what only tensors have makes it one."""
    if attr == "dtype":
        return DTypeRef(Of(what.symbol))
    if attr in SIZES:
        return _of_array(Array(Of(what.symbol)), attr)[0].what
    tensor = Array(Of(what.symbol), None, what.origin)
    if attr in VIEWS:
        return _of_array(tensor, attr)[0].what
    op = lookup(f"Tensor.{attr}")
    if op is not None and not op.attribute:
        return Method(f"Tensor.{attr}", tensor)
    return what.part(f"{what.symbol.path}.{attr}")


def _of_dtype(ref: DTypeRef, attr: str) -> Value:
    """`dtype.itemsize` and the predicates, where all dtypes of the set agree."""
    tests = {
        "is_floating_point": lambda d: bool(d.bit & FLOATING),
        "is_complex": lambda d: d.name.startswith("complex"),
        "is_signed": lambda d: bool(d.bit & (SIGNED | FLOATING)),
        "itemsize": lambda d: max(1, d.bits // 8),
    }
    if attr in tests and not symbols(ref.dtype):
        answers = {tests[attr](d) for d in members(evaluate(ref.dtype, {}))}
        if len(answers) == 1:
            answer = answers.pop()
            return just(Number("bool" if isinstance(answer, bool) else "int", answer, True))
    if attr in tests:
        return just(Number("int" if attr == "itemsize" else "bool"))
    return unknown("dtype-attribute")
