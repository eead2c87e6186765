"""What a claim leaves open, chosen so that the kernel should compile: by its own types first, by custom then.

The kernel's typing only proposes; whether a choice compiles is for Triton to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ..core import claims as c
from ..core.dtypes import ANY, single
from ..core.dtypes import BY_NAME as DTYPES
from ..kernels.signatures import Refusal, is_constexpr, parameter_type
from ..kernels.values import (
    ConstexprType,
    DescriptorType,
    KernelType,
    PointerType,
    ScalarType,
    TypeOf,
    UnknownType,
)  # fmt: skip
from ..semantics.triton_types import BY_BIT, SCALARS, bits_of
from ..syntax.model import ParamEntry
from . import usual
from .arguments import described, likely, shown
from .narrowing import OPEN, Narrowing, Types, element, narrowed
from .usual import Draw

TENSORS = sum(s.bit for s in SCALARS if s.name != "fp8e4b15")
"""The element types that a torch tensor can have."""
ANY_TENSOR, ANY_NUMBER = PointerType(TENSORS), ScalarType(bits_of("int32", "int64", "fp32", "int1"))
DOUBLE = ScalarType(bits_of("fp64"))
NUMBERS = {"int1": "bool", "fp32": "float"}
"""The Python numbers that are no int, by the type that they have in a kernel."""
BIG = 2**40
"""A number that takes 64 bits."""

Given = Mapping[str, c.Argument]
Flags = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Choice:
    """A complete launch: `arguments` for what the claim says, `guesses` for what decorators may provide.

    `assumed` tells what was chosen, by parameter.
    """

    arguments: dict[str, c.Argument] = field(default_factory=dict)
    guesses: dict[str, c.Argument] = field(default_factory=dict)
    assumed: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Completer:
    """Completes claims about one kernel.

    `addresses`, `described` and `ranks` are how its body uses its parameters: as pointers, as descriptors,
    and of how many dimensions.
    """

    narrowing: Narrowing
    params: tuple[ParamEntry, ...]
    addresses: frozenset[str]
    described: frozenset[str]
    ranks: Mapping[str, int]
    _memo: dict[object, tuple[Types, Flags]] = field(default_factory=dict)

    def first(self, given: Given, draw: Draw) -> Choice:
        """The launch with these arguments and usual ones, whatever the kernel's typing says."""
        return self._choice(given, {}, {}, draw)

    def complete(self, given: Given, draw: Draw) -> Choice:
        """The launch with these arguments, where nothing of it is left open."""
        key = (tuple(given.items()), draw.floating, draw.integer, draw.by_name)
        found = self._memo.get(key)
        if found is None:
            types = self._types(given, draw)
            found = self._memo[key] = (types, self.narrowing.flags(types))
        return self._choice(given, *found, draw)

    def _choice(self, given: Given, types: Types, flags: Flags, draw: Draw) -> Choice:
        made = Choice()
        for param in self.params:
            argument = given.get(param.name, c.Anything())
            chosen = _Open(self, param, types.get(param.name), flags, draw).choose(argument)
            if chosen != argument and not (isinstance(argument, c.Number) and not _is_constexpr(param)):
                made.assumed[param.name] = shown(param.name, chosen)
            (made.guesses if param.name not in given else made.arguments)[param.name] = chosen
        return made

    # -- types -----------------------------------------------------------------------------------

    def _types(self, given: Given, draw: Draw) -> Types:
        """One type for each parameter, with which the kernel's typing agrees."""
        types = {name: t for name, t in self._signature(given) if t is not None}
        alike: dict[str, list[str]] = {}
        for name, argument in given.items():
            if isinstance(argument, c.Tensor) and argument.like:
                alike.setdefault(argument.like, []).append(name)
        for group in alike.values():
            types = self._together(types, group, draw)
        dtypes = frozenset(p.name for p in self.params if usual.is_type(p.name))
        return self.narrowing.narrow(types, lambda n, bits: likely(n, types[n], bits, draw), dtypes)

    def _together(self, types: Types, group: list[str], draw: Draw) -> Types:
        """One dtype for tensors that have one dtype between them."""
        names = [n for n in group if n in types and element(types[n]).bit_count() > 1]
        for bit in likely(names[0], types[names[0]], element(types[names[0]]), draw) if names else ():
            changed = types
            for name in names:
                changed = narrowed(changed, name, bit)
            if not self.narrowing.refuses(changed):
                return changed
        return types

    def _signature(self, given: Given) -> Iterator[tuple[str, KernelType | None]]:
        """What is known of the type of each parameter."""
        for param in self.narrowing.function.params:
            argument = given.get(param.name)
            if argument is None and param.default is not None:
                continue
            if isinstance(argument, c.Number) and argument.kind == "double":
                yield param.name, DOUBLE
                continue
            known = described(argument) if argument is not None else None
            made = parameter_type(param, known) if known is not None else UnknownType("open")
            if isinstance(made, UnknownType):
                made = self._any(param.name, is_constexpr(param.annotation))
            yield param.name, None if isinstance(made, Refusal) else made

    def _any(self, name: str, constexpr: bool) -> KernelType:
        if constexpr:
            return OPEN
        if name in self.described:
            return DescriptorType(TENSORS)
        return ANY_TENSOR if name in self.addresses else ANY_NUMBER


@dataclass(frozen=True, slots=True)
class _Open:
    """One parameter whose argument is to be chosen; `declared` is the type that was proposed for it."""

    of: Completer
    param: ParamEntry
    declared: KernelType | None
    flags: Flags
    draw: Draw

    def choose(self, argument: c.Argument) -> c.Argument:
        """The argument, with what is open in it chosen."""
        match argument:
            case c.Tensor(dtypes) if len(dtypes) != 1:
                return self.tensor(dtypes)
            case c.Descriptor(dtypes, rank) if len(dtypes) != 1:
                return c.Descriptor(self.tensor(dtypes).dtypes, rank)
            case c.Number("double", _):
                return argument
            case c.Number(kind, None):
                return self.constant(kind) if _is_constexpr(self.param) else self.number(kind)
            case c.Anything():
                return self.anything()
        return argument

    def tensor(self, dtypes: tuple[str, ...]) -> c.Tensor:
        proposed = single(element(self.declared) & ANY) if self.declared is not None else None
        if proposed is not None and proposed.name in dtypes:
            return c.Tensor((proposed.name,))
        return c.Tensor((usual.dtype(self.param.name, dtypes, self.draw),))

    def number(self, kind: str) -> c.Number:
        return c.Number(kind, usual.number(kind, self.draw))

    def constant(self, kind: str) -> c.Argument:
        """A compile-time value: what the kernel's typing chose its way by, else a usual one."""
        guess, value = usual.constant(self.param.name, kind, self.draw), self.flags.get(self.param.name)
        if isinstance(value, bool):
            agrees = isinstance(guess, c.Number) and bool(guess.value) is value
            return guess if agrees or kind == "float" else c.Number("bool", value)
        if isinstance(value, (int, float, str)):
            return c.Number(type(value).__name__, value)
        return guess

    def anything(self) -> c.Argument:
        name = self.param.name
        match self.declared:
            case PointerType():
                return self.tensor(tuple(DTYPES))
            case DescriptorType():
                return c.Descriptor(self.tensor(tuple(DTYPES)).dtypes, self.of.ranks.get(name, 0))
            case ScalarType(bits):
                scalar = BY_BIT.get(bits)
                if scalar is not None and scalar.bits == 64:
                    return c.Number("int", BIG)
                return self.number(NUMBERS.get(scalar.name, "int") if scalar else "int")
            case ConstexprType(TypeOf(bits), True) if isinstance(bits, int) and bits in BY_BIT:
                return c.TritonType(BY_BIT[bits].name)
            case ConstexprType(None, False, kind):
                return self.constant(kind)
        if _is_constexpr(self.param):
            return self.constant("")
        if name in self.of.addresses:
            return self.tensor((*self.draw.floating, *self.draw.integer, "bool"))
        return self.number("float" if usual.is_real(name) else "int")


def _is_constexpr(param: ParamEntry) -> bool:
    return "constexpr" in param.annotation
