"""Builtins and standard-library functions that pass values through, and what Triton's host helpers give."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from . import attributes, binding, calls, names
from . import graph as g
from .construct import fields, is_record
from .containers import pairs
from .frames import Frame
from .store import class_of
from .values import (
    Abstract, Array, ClassRef, Dictionary, External, FunctionRef, Given, Instance, Library, Many, Nil, Number, Partial,
    Sequence, Thunk, Value, just, under, union, unknown,
)  # fmt: skip

if TYPE_CHECKING:
    from .solve import Solver

KERNEL_WRAPPERS = frozenset({"jit", "autotune", "heuristics", "wrap_triton", "capture_triton", "Autotuner", "JITFunction"})
"""What takes a kernel and gives it back, tuned or wrapped (triton.runtime, torch.library)."""

TRITON_NUMBERS = {
    "triton.next_power_of_2": "int", "triton.runtime.driver.active.get_current_device": "int",
    "triton.runtime.driver.active.get_current_target": "number", "triton.set_allocator": "number",
}  # fmt: skip

NUMBERS = {
    "builtins.len": "int", "builtins.int": "int", "builtins.float": "float", "builtins.bool": "bool",
    "builtins.str": "str", "builtins.repr": "str", "builtins.abs": "number", "builtins.round": "number",
    "builtins.sum": "number", "builtins.divmod": "number", "builtins.pow": "number", "builtins.hash": "int",
    "builtins.id": "int", "builtins.ord": "int", "builtins.all": "bool", "builtins.any": "bool",
    "builtins.isinstance": "bool", "builtins.issubclass": "bool", "builtins.hasattr": "bool", "builtins.callable": "bool",
    "math.ceil": "int", "math.floor": "int", "math.prod": "number", "math.gcd": "int", "math.log2": "float",
    "math.log": "float", "math.sqrt": "float", "math.exp": "float", "math.pow": "float", "os.getenv": "str",
    "os.environ.get": "str", "torch.cuda.is_available": "bool", "torch.cuda.get_device_properties": "number",
    "torch.cuda.current_device": "int", "torch.cuda.device_count": "int", "torch.is_grad_enabled": "bool",
    "torch.compiler.is_compiling": "bool", "time.time": "float", "time.perf_counter": "float",
}  # fmt: skip


def _first(args: tuple[g.Argument, ...]) -> g.Argument | None:
    return args[0] if args and not args[0].star else None


def _mapped(solver: Solver, args: tuple[g.Argument, ...], frame: Frame, step: Callable[[Abstract], Value]) -> Value:
    arg = _first(args)
    if arg is None:
        return unknown("arguments(builtin)")
    return union(under(alt.guard, step(alt.what)) for alt in solver.force(arg.value, frame))


def _same(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    """Gives its first argument back."""
    return _mapped(solver, args, frame, just)


def _cast(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    """typing.cast(T, x)."""
    return _same(solver, args[1:], node, frame)


def _partial(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    arg = _first(args)
    if arg is None:
        return unknown("partial", node.span)
    return just(Partial(Thunk(arg.value, frame), args[1:], frame))


def _decorator(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    """`wrap(f)` is `f`; `wrap(options)` is a decorator that gives `f` back."""
    arg = _first(args)
    if arg is not None:
        value = solver.force(arg.value, frame)
        if not all(isinstance(alt.what, Number) for alt in value):
            return value
    return just(Library("functools.lru_cache"))


def _getattr(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    """getattr(x, "name"[, default]) where the name is known."""
    if len(args) < 2 or any(a.star for a in args):
        return unknown("getattr", node.span)
    def step(what: Abstract, name: Abstract) -> Value:
        match what, name:
            case _, Number("str", str() as attr, True):
                return attributes.attribute(solver, what, attr, node, frame)
            case Library(home), External(symbol):
                return just(name.part(f"{home}.{symbol.path}"))
        return unknown("dynamic-attribute", node.span)

    owners, asked = (solver.force(arg.value, frame) for arg in args[:2])
    return union(under(both, step(what, name)) for what, name, both in pairs(owners, asked))


def _listed(kind: str) -> Callable[..., Value]:
    def listed(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
        """list(x), tuple(x), sorted(x)...: the same elements."""
        if not args:
            return just(Sequence(kind, ()))

        def step(what: Abstract) -> Value:
            match what:
                case Sequence(_, items):
                    return just(Sequence(kind, items))
                case Many(_, elements):
                    return just(Many(kind, elements))
            return just(Many(kind, (Thunk(g.Each(args[0].value, node.span), frame),)))

        return _mapped(solver, args, frame, step)

    return listed


def _reversed(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    def step(what: Abstract) -> Value:
        match what:
            case Sequence(_, items):
                return just(Sequence("list", items[::-1]))
            case Many(_, elements):
                return just(Many("list", elements))
        return unknown("reversed", node.span)

    return _mapped(solver, args, frame, step)


def _sorted(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    """The same elements in an order that is not known; filter gives some of them."""
    return just(Many("list", (Thunk(g.Each(args[-1].value, node.span), frame),))) if args else unknown("sorted")


def _filter(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    return _sorted(solver, args[1:2], node, frame)


def _map(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    """map(f, xs, ...): what f gives for elements."""
    if len(args) < 2 or any(a.star for a in args):
        return unknown("map", node.span)
    given = tuple(g.Argument(g.Each(a.value, a.span), None, "", a.span) for a in args[1:])
    return just(Many("list", (Thunk(g.Apply(args[0].value, given, node.span), frame),)))


def _range(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    return just(Many("range", (Given(just(Number("int"))),)))


def _enumerate(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    arg = _first(args)
    if arg is None:
        return unknown("enumerate", node.span)
    pair = Sequence("tuple", (Given(just(Number("int"))), Thunk(g.Each(arg.value, arg.span), frame)))
    return just(Many("list", (Given(just(pair)),)))


def _zip(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    if any(a.star for a in args):
        return unknown("zip", node.span)
    entry = Sequence("tuple", tuple(Thunk(g.Each(a.value, a.span), frame) for a in args if a.keyword is None))
    return just(Many("list", (Given(just(entry)),)))


def _dict(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    items = tuple((a.keyword, Thunk(a.value, frame)) for a in args if a.keyword is not None)
    if all(a.keyword is not None for a in args):
        return just(Dictionary(items))
    arg = _first(args)
    if arg is not None:
        value = solver.force(arg.value, frame)
        if len(value) == 1 and isinstance(value[0].what, Dictionary):
            return just(Dictionary(value[0].what.items + items, value[0].what.rest))
    return just(Dictionary(items, (Given(unknown("dict", node.span)),)))


def _extreme(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    """min and max of numbers."""
    kinds = set()
    for arg in args:
        for alt in solver.force(arg.value, frame):
            kinds.add(alt.what.kind if isinstance(alt.what, Number) else "number")
    return just(Number(kinds.pop() if len(kinds) == 1 else "number"))


def _super(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    """super(): the object, or the class, seen as (an instance of) the first base that the project has."""
    of_class = class_of(frame.function) if frame.function is not None else None
    cls = frame.owner or of_class
    if cls is None or not frame.summary.function.params:
        return unknown("super", node.span)
    receiver = frame.summary.function.params[0]
    for base in solver.program.bases(cls):
        if not isinstance(base, str):
            if of_class is not None:
                return just(ClassRef(base))
            found = solver.force(g.Formal(receiver.name, receiver.span), frame)
            what = found[0].what if len(found) == 1 else None
            if isinstance(what, Instance):
                return just(Instance(base, what.made, what.symbol))
            return just(Instance(base))
    return unknown("super", node.span)


def _replace(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    """dataclasses.replace(x, field=value)."""
    passed, _, is_open = binding.spread(solver, args[1:], frame)
    given = {one.keyword for one in passed}

    def step(what: Abstract) -> Value:
        if not isinstance(what, Instance) or not is_record(solver, what.cls) or is_open:
            return unknown("replace", node.span)
        kept = (name for name, _ in fields(solver, what.cls) if name not in given)
        made = tuple(g.Argument(g.Get(args[0].value, name, node.span), name, "", node.span) for name in kept)
        return calls.call(solver, ClassRef(what.cls), args[1:] + made, node, frame)

    return _mapped(solver, args, frame, step)


def _namespace(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    """types.SimpleNamespace(name=value): a name that the program assigns to anything later is not known."""
    passed, positions, is_open = binding.spread(solver, args, frame)
    if positions or is_open or any(one.keyword is None for one in passed):
        return unknown("namespace", node.span)
    fields_of = tuple(one.keyword or "" for one in passed)
    slots = tuple(
        Given(unknown("assigned-elsewhere", node.span)) if solver.program.writers(name) else one.slot
        for name, one in zip(fields_of, passed, strict=True)
    )
    return just(Sequence("namespace", slots, fields_of))


def _import_module(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    """importlib.import_module("name"), where the name is known."""

    def step(what: Abstract) -> Value:
        match what:
            case Number("str", str() as name, True) if name[:1] != ".":
                return names.value_of(solver, solver.program.imported(name, None), node)
        return unknown("dynamic-import", node.span)

    return _mapped(solver, args[:1], frame, step)


def _nothing(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    return just(Nil())


def _type(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    def step(what: Abstract) -> Value:
        return just(ClassRef(what.cls)) if isinstance(what, Instance) else unknown("type", node.span)

    return _mapped(solver, args, frame, step)


def _next(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    arg = _first(args)
    return solver.force(g.Each(arg.value, node.span), frame) if arg is not None else unknown("next", node.span)


def _cdiv(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    """triton.cdiv(x, y): `(x + (y - 1)) // y`, of tensors as of numbers."""
    operands = [a.value for a in args if not a.star]
    if len(operands) != 2 or not any(isinstance(a.what, Array) for o in operands for a in solver.force(o, frame)):
        return just(Number("int"))
    x, y = operands
    less = g.Operate("-", (y, g.Literal(1, node.span)), node.span)
    return solver.force(g.Operate("//", (g.Operate("+", (x, less), node.span), y), node.span), frame)


def _raises(solver: Solver, args: tuple[g.Argument, ...], node: g.Node, frame: Frame) -> Value:
    """What cannot be called: nothing comes out."""
    return ()


SPECIAL: dict[str, Callable[..., Value]] = {
    "torch.dtype": _raises,
    "functools.partial": _partial,
    "functools.lru_cache": _decorator,
    "functools.cache": _decorator,
    "functools.wraps": _decorator,
    "torch.compile": _decorator,
    "torch.no_grad": _decorator,
    "torch.inference_mode": _decorator,
    "torch.compiler.disable": _decorator,
    "torch._dynamo.disable": _decorator,
    "typing.cast": _cast,
    "triton.cdiv": _cdiv,
    "triton.Config": _same,
    "triton.language.constexpr": _same,
    "triton.language.core.constexpr": _same,
    "triton.runtime.Config": _same,
    "triton.runtime.autotuner.Config": _same,
    "copy.copy": _same,
    "copy.deepcopy": _same,
    "torch.detach": _same,
    "weakref.proxy": _same,
    "builtins.getattr": _getattr,
    "builtins.list": _listed("list"),
    "builtins.tuple": _listed("tuple"),
    "builtins.set": _listed("set"),
    "builtins.frozenset": _listed("set"),
    "builtins.sorted": lambda solver, args, node, frame: _sorted(solver, args[:1], node, frame),
    "builtins.reversed": _reversed,
    "builtins.map": _map,
    "builtins.filter": _filter,
    "builtins.iter": _same,
    "builtins.next": _next,
    "builtins.range": _range,
    "builtins.enumerate": _enumerate,
    "builtins.zip": _zip,
    "builtins.dict": _dict,
    "collections.OrderedDict": _dict,
    "builtins.min": _extreme,
    "builtins.max": _extreme,
    "builtins.super": _super,
    "builtins.type": _type,
    "builtins.print": _nothing,
    "builtins.setattr": _nothing,
    "dataclasses.replace": _replace,
    "msgspec.structs.replace": _replace,
    "attrs.evolve": _replace,
    "attr.evolve": _replace,
    "copy.replace": _replace,
    "importlib.import_module": _import_module,
    "types.SimpleNamespace": _namespace,
    "torch.nn.ModuleList": _listed("list"),
    "torch.nn.ParameterList": _listed("list"),
    "torch.nn.ModuleDict": _dict,
    "torch.nn.ParameterDict": _dict,
}
"""How the functions that pass values through do it."""
