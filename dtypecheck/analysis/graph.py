"""The value graph of one host function: what each expression is, in terms of its formals.

Built once per function by `analysis.host`, from that function's text alone; `analysis.solve`
evaluates nodes on demand under a frame that binds the formals. Joins are gated by the test that
chose the path, so that values which come from one branch stay together. Equality is identity.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Union

from ..core import ir
from ..core.spans import NOWHERE, Span

if TYPE_CHECKING:
    from .frames import Frame

Path = tuple[tuple["Node", bool], ...]
"""Tests passed on the way to a point, outermost first, with their outcomes."""


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    value: object
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True, eq=False)
class Formal:
    """A parameter of this function."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Free:
    """A name that this function does not bind: of an enclosing function, the module, or builtins."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Get:
    """`value.attr`, read from the object as it stands elsewhere."""

    value: Node
    attr: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """`value.attr` after something was called that has the object in hand: `before`, or what methods assign."""

    value: Node
    attr: str
    before: Node
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """`value[index]`."""

    value: Node
    index: Node
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Span3:
    """A slice object: `lower:upper:step`."""

    lower: Node | None
    upper: Node | None
    step: Node | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Argument:
    """One argument of a call; `star` is "", "*" or "**"."""

    value: Node
    keyword: str | None
    star: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Apply:
    """A call."""

    func: Node
    args: tuple[Argument, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Operate:
    """An operator on one or two operands: Python's token, "neg", "invert", "pos", "not", "and", "or", "in"...

    `inplace` marks an augmented assignment.
    """

    op: str
    operands: tuple[Node, ...]
    span: Span
    inplace: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Gate:
    """`then` where `test` holds, else `otherwise`. A test of None is a choice nobody can decide."""

    test: Node | None
    then: Node
    otherwise: Node
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """One of several, each under its own path (the returns of a function)."""

    options: tuple[tuple[Path, Node], ...]
    span: Span


@dataclass(slots=True, eq=False)
class Cycle:
    """A variable at the head of a loop: `start` on entry, `step` (set when the body is done) after a turn."""

    name: str
    start: Node
    span: Span
    step: Node | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Pack:
    """A tuple, list or set; a `Spread` item stands for any number of them."""

    kind: str
    items: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    value: Node
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """A dict; a key of None is `**value`."""

    items: tuple[tuple[Node | None, Node], ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Each:
    """Some element of an iterable."""

    value: Node
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Collect:
    """A comprehension: any number of `element`s (under `key`, for a dict)."""

    kind: str
    key: Node | None
    element: Node
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Element `index` of an unpacked value with `count` targets; `rest` marks the starred one."""

    value: Node
    index: int
    count: int
    star: int | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Changed:
    """A container after `value[index] = new`, or after `.append(new)` where `index` is None."""

    value: Node
    index: Node | None
    new: Node
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Merged:
    """A container after `.update(new)` or `.extend(new)`."""

    value: Node
    new: Node
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A nested function or lambda; `env` is the enclosing function's variables, complete once that is built."""

    function: ir.Function | ir.Lambda
    env: dict[str, Node]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class LocalClass:
    definition: ir.Class
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Imported:
    """A local import: `module` with its leading dots, and the attribute taken from it."""

    module: str
    attr: str | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """An f-string."""

    parts: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Entered:
    """What `with value as x` binds."""

    value: Node
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Annotated:
    """A variable declared with an annotation and no value that tells more."""

    annotation: ir.Expr
    value: Node | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Elsewhere:
    """A node of another frame: what a partial was given where it was made."""

    value: Node
    frame: Frame
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Opaque:
    reason: str
    span: Span


Node = Union[
    Literal, Formal, Free, Get, Kept, Item, Span3, Apply, Operate, Gate, Choice, Cycle, Pack, Spread, Pairs, Each,
    Collect, Part, Changed, Merged, Closure, LocalClass, Imported, Text, Entered, Annotated, Elsewhere, Opaque,
]  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class CallSite:
    """A call as it stands in a function, and the path to it."""

    apply: Apply
    path: Path


@dataclass(frozen=True, slots=True, eq=False)
class Write:
    """`value.attr = new`."""

    value: Node
    attr: str
    new: Node
    path: Path
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """What a name, or an access path such as `self.x`, is at one place; `name` is "" for a call, "return" for a result."""

    name: str
    span: Span
    node: Node
    path: Path
    stored: bool


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """All that the rest of the program may ask about a function.

    `exit` maps a variable, or an access path such as `self.x`, to its node where the function ends;
    `defaults` maps a parameter to its default, whose names are all free.
    """

    function: ir.Function
    result: Node
    returns: tuple[tuple[Path, Node, Span], ...]
    calls: tuple[CallSite, ...]
    writes: tuple[Write, ...]
    exit: dict[str, Node]
    defaults: dict[str, Node]
    closures: tuple[Closure, ...] = ()
    sightings: tuple[Sighting, ...] = ()
    """In the order of evaluation; only where they were asked for."""
    numbers: dict[str, str] = field(default_factory=dict)
    """The kind of number that an annotation declares, by parameter, and by "return" for the result."""
