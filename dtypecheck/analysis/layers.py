"""torch.nn layers: objects whose parameters have one dtype, and the methods of modules.

Sources: the constructors and `forward` of torch.nn in torch 2.13.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.dtypes import named
from ..core.provenance import Move, Origin
from . import graph as g
from .dtypexpr import DTypeExpr, Known, known
from .frames import Frame
from .program import ClassDef
from .values import (
    Abstract, Array, DTypeRef, Instance, Layer, Library, Method, Nil, Number, Value, just, unknown,
)  # fmt: skip

if TYPE_CHECKING:
    from .solve import Solver

PARAMETRIC = frozenset(
    {
        "Linear", "Embedding", "EmbeddingBag", "Conv1d", "Conv2d", "Conv3d", "LayerNorm", "RMSNorm", "GroupNorm",
        "BatchNorm1d", "BatchNorm2d", "ConvTranspose1d", "ConvTranspose2d", "Bilinear",
    }
)  # fmt: skip
"""Layers with a `dtype` keyword, whose parameters and, for inputs of that dtype, results have it."""

PLAIN = frozenset({"ReLU", "SiLU", "GELU", "Dropout", "Identity", "Softmax", "Sigmoid", "Tanh"})
"""Layers without parameters: the result has the input's dtype."""

CASTS = {"half": "float16", "float": "float32", "double": "float64", "bfloat16": "bfloat16"}
MODULE_METHODS = frozenset(
    {*CASTS, "to", "cuda", "cpu", "eval", "train", "requires_grad_", "type", "register_buffer", "register_parameter",
     "parameters", "named_parameters", "buffers", "modules", "children", "state_dict", "load_state_dict", "apply"}
)  # fmt: skip
FLUENT = frozenset({"to", "cuda", "cpu", "eval", "train", "requires_grad_", "apply", *CASTS})
"""Module methods that return the module."""

ARRAYS = frozenset({"weight", "bias", "running_mean", "running_var"})


def is_module(solver: Solver, cls: ClassDef) -> bool:
    """Whether a class of the project is an nn.Module (directly, or through a base that we cannot see)."""
    return any(isinstance(at, str) and at.rpartition(".")[2].endswith("Module") for at in solver.program.mro(cls))


def construct(solver: Solver, name: str, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value | None:
    """`torch.nn.Linear(...)`; None where `name` is no layer known here."""
    home, _, last = name.rpartition(".")
    if name == "torch.nn.Sequential":
        return _sequential(solver, args, node, frame)
    if not home.startswith("torch.nn") or last not in PARAMETRIC | PLAIN:
        return None
    dtype: DTypeExpr = Known(named("float32").bit)  # type: ignore[union-attr]
    for arg in args:
        if arg.keyword == "dtype":
            value = solver.force(arg.value, frame)
            if len(value) != 1:
                return unknown("layer-dtype", node.span)
            if isinstance(value[0].what, DTypeRef):
                dtype = value[0].what.dtype
            elif not isinstance(value[0].what, Nil):
                return unknown("layer-dtype", node.span)
    return just(Layer(last, dtype, Origin(Move.BORN, frame.place(node.span), name, dtype=dtype)))


def _sequential(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    """Layers in a row: the result has the dtype of the last one that has parameters."""
    found: Layer | None = None
    for arg in args:
        value = solver.force(arg.value, frame)
        if arg.star or len(value) != 1 or not isinstance(value[0].what, Layer):
            return unknown("layers", node.span)
        found = value[0].what if value[0].what.name in PARAMETRIC else found
    return just(found) if found is not None else unknown("layers", node.span)


def attribute(layer: Layer, attr: str) -> Value:
    """`layer.weight`, and the methods that cast a layer."""
    if attr in ARRAYS and layer.name in PARAMETRIC:
        return just(Array(layer.dtype, None, layer.origin))
    if attr in MODULE_METHODS or attr == "forward":
        return just(Method(f"Module.{attr}", layer))
    return just(Number("number"))


def call(solver: Solver, layer: Layer, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    """A layer applied to a tensor: torch refuses floating inputs of another dtype than the parameters'."""
    if layer.name in PARAMETRIC:
        origin = Origin(Move.DERIVED, frame.place(node.span), layer.name, layer.origin, layer.dtype)
        return just(Array(layer.dtype, None, origin))
    if args and not args[0].star:
        return solver.force(args[0].value, frame)
    return unknown("arguments(layer)", node.span)


def method(solver: Solver, name: str, what: Abstract, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    """A method of a module: those that cast change what its parameters are."""
    if name not in FLUENT:
        return just(Nil()) if name.startswith("register_") else unknown(f"no-model(Module.{name})", node.span)
    if name in CASTS or name == "to":
        dtype = _cast(solver, name, args, frame)
        if isinstance(what, Layer) and dtype is not None:
            return just(Layer(what.name, dtype, Origin(Move.CAST, frame.place(node.span), name, what.origin, dtype)))
        if isinstance(what, Instance) and dtype is not None:
            return unknown("module-cast", node.span)
    return just(what)


def _cast(solver: Solver, name: str, args: tuple[g.Argument, ...], frame: Frame) -> DTypeExpr | None:
    if name in CASTS:
        target = named(CASTS[name])
        assert target is not None
        return known(target)
    for arg in args:
        value = solver.force(arg.value, frame)
        if len(value) == 1 and isinstance(value[0].what, DTypeRef):
            return value[0].what.dtype
    return None


__all__ = ["Library", "attribute", "call", "construct", "is_module", "method"]
