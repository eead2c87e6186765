"""What a claim leaves open, chosen so that the kernel should compile: by its own types first, by custom then.

The kernel's typing only proposes; whether a choice compiles is for Triton to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ..core import claims as c
from ..core.dtypes import BY_NAME as BY_TORCH
from ..core.dtypes import BY_TRITON
from ..kernels import signatures as s
from ..kernels.values import (
    ConstexprType,
    DescriptorType,
    KernelType,
    PointerType,
    ScalarType,
    TypeOf,
    UnknownType,
)
from ..semantics.triton_types import BY_BIT, BY_NAME, SCALARS, bits_of
from ..syntax.model import ParamEntry
from . import usual
from .narrowing import OPEN, Narrowing, Types, element, narrowed
from .usual import Draw

NUMBERS = {"int1": "bool", "int32": "int", "int64": "int", "uint64": "int", "fp32": "float"}
TENSORS = sum(s.bit for s in SCALARS if s.name != "fp8e4b15")
"""The element types that a torch tensor can have."""
ANY_TENSOR, ANY_NUMBER = PointerType(TENSORS), ScalarType(bits_of("int32", "int64", "fp32", "int1"))
BIG = 2**40
"""A number that takes 64 bits."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A complete launch: `arguments` for what the claim says, `guesses` for what decorators may provide instead.

    `assumed` tells what was chosen, by parameter.
    """

    arguments: dict[str, c.Argument]
    guesses: dict[str, c.Argument]
    assumed: dict[str, str]


@dataclass(slots=True)
class Completer:
    """Completes claims about one kernel; `addresses`, `described` and `ranks` are how its body uses its parameters."""

    narrowing: Narrowing
    params: tuple[ParamEntry, ...]
    addresses: frozenset[str]
    described: frozenset[str]
    ranks: Mapping[str, int]
    _memo: dict[object, tuple[Types, dict[str, object]]] = field(default_factory=dict)

    def first(self, given: Mapping[str, c.Argument], draw: Draw) -> Choice:
        """The launch with these arguments and usual ones, whatever the kernel's typing says."""
        return self._choice(given, {}, {}, draw)

    def complete(self, given: Mapping[str, c.Argument], draw: Draw) -> Choice:
        """The launch with these arguments, where nothing of it is left open."""
        types, flags = self._types(given, draw)
        return self._choice(given, types, flags, draw)

    def _choice(
        self, given: Mapping[str, c.Argument], types: Types, flags: Mapping[str, object], draw: Draw
    ) -> Choice:
        made = Choice({}, {}, {})
        for param in self.params:
            argument = given.get(param.name, c.Anything())
            chosen = self._chosen(param, argument, types.get(param.name), flags, draw)
            if chosen != argument and not _is_plain(param, argument):
                made.assumed[param.name] = shown(param.name, chosen)
            (made.guesses if param.name not in given else made.arguments)[param.name] = chosen
        return made

    # -- types -----------------------------------------------------------------------------------

    def _types(self, given: Mapping[str, c.Argument], draw: Draw) -> tuple[Types, dict[str, object]]:
        """One type for each parameter, and values of compile-time ones, with which the kernel's typing agrees."""
        key = (tuple(given.items()), draw.floating, draw.integer)
        found = self._memo.get(key)
        if found is None:
            found = self._memo[key] = self._search(given, draw)
        return found

    def _search(self, given: Mapping[str, c.Argument], draw: Draw) -> tuple[Types, dict[str, object]]:
        types = {name: t for name, t in self._signature(given) if t is not None}
        alike: dict[str, list[str]] = {}
        for name, argument in given.items():
            if isinstance(argument, c.Tensor) and argument.like:
                alike.setdefault(argument.like, []).append(name)
        for group in alike.values():
            types = self._together(types, group, draw)
        dtypes = {param.name: usual.is_type(param.name) for param in self.params}
        types = self.narrowing.narrow(types, lambda name, bits: _usual(name, types[name], bits, draw), dtypes)
        return types, self.narrowing.flags(types)

    def _together(self, types: Types, group: list[str], draw: Draw) -> Types:
        """One dtype for tensors that have one dtype between them."""
        names = [n for n in group if n in types and element(types[n]).bit_count() > 1]
        if not names:
            return types
        for bit in _usual(names[0], types[names[0]], element(types[names[0]]), draw):
            changed = types
            for name in names:
                changed = narrowed(changed, name, bit)
            if not self.narrowing.refuses(changed):
                return changed
        return types

    def _signature(self, given: Mapping[str, c.Argument]) -> Iterator[tuple[str, KernelType | None]]:
        for param in self.narrowing.function.params:
            argument = given.get(param.name)
            if argument is None and param.default is not None:
                continue
            described = _described(argument) if argument is not None else None
            made = s.parameter_type(param, described) if described is not None else UnknownType("open")
            if isinstance(made, UnknownType):
                made = self._open(param.name, s.is_constexpr(param.annotation))
            yield param.name, None if isinstance(made, s.Refusal) else made

    def _open(self, name: str, constexpr: bool) -> KernelType:
        if constexpr:
            return OPEN
        if name in self.described:
            return DescriptorType(TENSORS)
        return ANY_TENSOR if name in self.addresses else ANY_NUMBER

    # -- values ----------------------------------------------------------------------------------

    def _chosen(
        self, param: ParamEntry, argument: c.Argument, declared: KernelType | None, flags: Mapping[str, object], draw: Draw
    ) -> c.Argument:
        match argument:
            case c.Tensor(dtypes, _) if len(dtypes) != 1:
                return self._tensor(param.name, declared, dtypes, draw)
            case c.Descriptor(dtypes, rank) if len(dtypes) != 1:
                return c.Descriptor(self._tensor(param.name, declared, dtypes, draw).dtypes, rank)
            case c.Number(kind, None):
                return self._number(param, kind, flags, draw)
            case c.Anything():
                return self._anything(param, declared, flags, draw)
        return argument

    def _tensor(self, name: str, declared: KernelType | None, dtypes: tuple[str, ...], draw: Draw) -> c.Tensor:
        bits = element(declared) if declared is not None else 0
        scalar = BY_BIT.get(bits)
        torch = BY_TRITON.get(_signature_name(scalar.name)) if scalar is not None else None
        if torch is not None and torch.name in dtypes:
            return c.Tensor((torch.name,))
        return c.Tensor((usual.dtype(name, dtypes, draw),))

    def _number(self, param: ParamEntry, kind: str, flags: Mapping[str, object], draw: Draw) -> c.Argument:
        if "constexpr" not in param.annotation:
            return c.Number(kind, usual.number(param.name, kind, draw))
        return _constant(param.name, kind, flags, draw)

    def _anything(
        self, param: ParamEntry, declared: KernelType | None, flags: Mapping[str, object], draw: Draw
    ) -> c.Argument:
        match declared:
            case PointerType():
                return self._tensor(param.name, declared, tuple(BY_TORCH), draw)
            case DescriptorType():
                rank = self.ranks.get(param.name, 0)
                return c.Descriptor(self._tensor(param.name, declared, tuple(BY_TORCH), draw).dtypes, rank)
            case ScalarType(bits):
                scalar = BY_BIT.get(bits)
                kind = NUMBERS.get(scalar.name if scalar else "int32", "int")
                if scalar is not None and scalar.bits == 64:
                    return c.Number("int", BIG)
                return c.Number(kind, usual.number(param.name, kind, draw))
            case ConstexprType(TypeOf(bits), True) if isinstance(bits, int) and bits in BY_BIT:
                return c.TritonType(BY_BIT[bits].name)
            case ConstexprType(None, False, kind):
                return _constant(param.name, kind, flags, draw)
        if "constexpr" in param.annotation:
            return _constant(param.name, "", flags, draw)
        if param.name in self.addresses:
            return c.Tensor((usual.dtype(param.name, (*draw.floating, *draw.integer, "bool"), draw),))
        kind = "float" if usual.is_real(param.name) else "int"
        return c.Number(kind, usual.number(param.name, kind, draw))


def _is_plain(param: ParamEntry, argument: c.Argument) -> bool:
    """Whether a run-time number alone was chosen: its value changes no type."""
    return isinstance(argument, c.Number) and "constexpr" not in param.annotation


def _constant(name: str, kind: str, flags: Mapping[str, object], draw: Draw) -> c.Argument:
    """A compile-time value: what the kernel's typing chose its way by, else a usual one."""
    value = flags.get(name, _NONE)
    if isinstance(value, (bool, int, float, str)) and not isinstance(value, bool):
        return c.Number(type(value).__name__, value)
    guess = usual.constant(name, kind, draw)
    if isinstance(value, bool) and kind != "float" and bool(guess) is not value:
        return c.Number("bool", value)
    return guess


_NONE = object()


def _described(argument: c.Argument) -> s.Argument | None:
    """An argument as the kernel's typing describes it; None where nothing is known."""
    match argument:
        case c.Tensor(dtypes):
            return s.TensorArgument(sum(BY_TORCH[d].bit for d in dtypes))
        case c.Descriptor(dtypes):
            return s.DescriptorArgument(sum(BY_TORCH[d].bit for d in dtypes))
        case c.Number("str", value):
            return s.ConstantArgument(value, value is not None, "str")
        case c.Number(kind, value):
            return s.NumberArgument(kind, value if isinstance(value, (int, float)) else None)
        case c.Nothing():
            return s.NoneArgument()
        case c.TritonType(name):
            return s.ConstantArgument(TypeOf(BY_NAME[name].bit))
        case c.Items(items, fields):
            inner = tuple(_described(i) or s.AnyArgument("open") for i in items)
            return s.TupleArgument(inner, fields or None)
    return None


def _usual(name: str, declared: KernelType, bits: int, draw: Draw) -> Iterator[int]:
    """The types that a parameter of this name most often has, of those that it may have."""
    if isinstance(declared, ScalarType):
        first = "fp32" if usual.is_real(name) else "int32"
        yield from (BY_NAME[n].bit for n in (first, "int32", "fp32") if BY_NAME[n].bit & bits)
        return
    names = tuple(t.name for t in BY_TORCH.values() if t.bit & bits)
    for chosen in usual.dtypes(name, names, draw):
        yield BY_TORCH[chosen].bit


def _signature_name(name: str) -> str:
    """`int32` as a signature spells it."""
    if name == "int1":
        return "u1"
    return name.replace("uint", "u").replace("int", "i")


def shown(name: str, argument: c.Argument) -> str:
    """An assumption in words."""
    match argument:
        case c.Tensor((dtype,)) | c.Descriptor((dtype,)):
            return f"{name} of {dtype}"
        case c.Number(_, value):
            return f"{name}={value!r}"
        case c.TritonType(type_):
            return f"{name}=tl.{type_}"
    return f"{name} of some kind"
