"""Which size or stride of which tensor a number is: read off the value graph, no arithmetic is followed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, unique

from . import graph as g
from .binding import Slot
from .frames import Frame
from .values import Thunk

STEPS = 24


@unique
class Measure(Enum):
    """What is asked of a tensor."""

    SHAPE = "shape"
    STRIDE = "stride"
    COUNT = "numel"


@dataclass(frozen=True, slots=True)
class Size:
    """`tensor.shape[axis]`, `tensor.stride(axis)` or `tensor.numel()`.

    `axis` counts from the front; it is negative where the rank is not known. Equal `tensor`s are one object.
    """

    tensor: tuple[g.Node, Frame]
    measure: Measure
    axis: int

    def __str__(self) -> str:
        name = _name(self.tensor[0])
        match self.measure:
            case Measure.SHAPE:
                return f"{name}.shape[{self.axis}]"
            case Measure.STRIDE:
                return f"{name}.stride({self.axis})"
            case Measure.COUNT:
                return f"{name}.numel()"


def size_of(slot: Slot) -> Size | None:
    """The size that an argument is; None where it is anything else, or computed from sizes."""
    if not isinstance(slot, Thunk):
        return None
    node, frame = source(slot.node, slot.frame)
    match node:
        case g.Part(value=value, index=index, count=count, star=None):
            return _entry(*source(value, frame), index, count)
        case g.Item(value=value, index=g.Literal(value=int(index))):
            return _entry(*source(value, frame), index, None)
        case g.Apply(
            func=g.Get(value=value, attr="size" | "stride" as word),
            args=(g.Argument(value=g.Literal(value=int(index))),),
        ):
            return Size(source(value, frame), _measure(word), index)
        case g.Apply(func=g.Get(value=value, attr="numel"), args=()):
            return Size(source(value, frame), Measure.COUNT, 0)
        case g.Apply(func=g.Free(name="len"), args=(g.Argument(value=value, star=""),)):
            return Size(source(value, frame), Measure.SHAPE, 0)
    return None


def sizes_in(slot: Slot) -> Iterator[Size]:
    """The sizes that a number is computed from, by arithmetic alone."""
    if not isinstance(slot, Thunk):
        return
    pending = [(slot.node, slot.frame)]
    for node, frame in pending:
        if len(pending) > STEPS:
            return
        found = size_of(Thunk(node, frame))
        if found is not None:
            yield found
            continue
        node, frame = source(node, frame)
        match node:
            case g.Operate(operands=operands):
                pending += [(operand, frame) for operand in operands]
            case g.Apply(func=g.Get(attr="cdiv") | g.Free(name="cdiv" | "max" | "min" | "int"), args=args):
                pending += [(arg.value, frame) for arg in args]


def _entry(node: g.Node, frame: Frame, index: int, count: int | None) -> Size | None:
    """One entry of `x.shape`, `x.size()` or `x.stride()`; `count`: so many there are."""
    axis = index + count if count is not None and index < 0 else index
    match node:
        case g.Get(value=value, attr="shape"):
            return Size(source(value, frame), Measure.SHAPE, axis)
        case g.Apply(func=g.Get(value=value, attr="size" | "stride" as word), args=()):
            return Size(source(value, frame), _measure(word), axis)
    return None


def _measure(word: str) -> Measure:
    return Measure.STRIDE if word == "stride" else Measure.SHAPE


def source(node: g.Node, frame: Frame) -> tuple[g.Node, Frame]:
    """Where a value was made: through parameters to the caller's argument."""
    for _ in range(STEPS):
        match node:
            case g.Formal(name):
                given = frame.bound.get(name)
                if not isinstance(given, Thunk):
                    break
                node, frame = given.node, given.frame
            case g.Annotated(value=value) if value is not None:
                node = value
            case g.Elsewhere(value, home):
                node, frame = value, home
            case _:
                break
    return node, frame


def _name(node: g.Node) -> str:
    match node:
        case g.Formal(name) | g.Free(name):
            return name
        case g.Get(value, attr):
            owner = _name(value)
            return f"{owner}.{attr}" if owner else attr
    return "x"
