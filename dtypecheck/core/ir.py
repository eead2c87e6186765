"""The intermediate representation: what the interpreters read instead of syntax trees.

A closed sum of frozen nodes. Lowering (`syntax.lower`) is the only producer. Nothing here knows
torch, Triton or libcst. What lowering does not understand is `Opaque` with a reason, never a guess.
Equality is identity: two occurrences of one text are two nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Union

from .spans import NOWHERE, Span

# -- expressions ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Const:
    """A literal: int, float, complex, bool, str, bytes, None or Ellipsis."""

    value: object
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """A variable read."""

    id: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    value: Expr
    attr: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Subscript:
    """`value[index]`; an index with commas is a `Display` of kind "tuple"."""

    value: Expr
    index: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Slice:
    lower: Expr | None
    upper: Expr | None
    step: Expr | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Arg:
    """One argument of a call; `star` is "", "*" or "**"; `span` covers the argument's value."""

    value: Expr
    keyword: str | None
    star: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    func: Expr
    args: tuple[Arg, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Unary:
    """`op` is "-", "+", "~" or "not"."""

    op: str
    operand: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    """`op` is Python's token: + - * / // % ** @ & | ^ << >>."""

    op: str
    left: Expr
    right: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Compare:
    """`left ops[0] rights[0] ops[1] rights[1] ...`; ops: == != < <= > >= is "is not" in "not in"."""

    left: Expr
    ops: tuple[str, ...]
    rights: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Logic:
    """`op` is "and" or "or"; two or more values."""

    op: str
    values: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Conditional:
    """`body if test else orelse`."""

    test: Expr
    body: Expr
    orelse: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Display:
    """A tuple, list or set display; `kind` is "tuple", "list" or "set"."""

    kind: str
    items: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Starred:
    """`*value` inside a display, a subscript or an assignment target."""

    value: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Mapping:
    """A dict display; a key of None is `**value`."""

    items: tuple[tuple[Expr | None, Expr], ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Lambda:
    params: tuple[Param, ...]
    body: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Generator:
    """One `for target in iter if ...` clause of a comprehension."""

    target: Expr
    iter: Expr
    conditions: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Comprehension:
    """`kind` is "list", "set", "dict" or "generator"; `key` is given for dict only."""

    kind: str
    key: Expr | None
    element: Expr
    generators: tuple[Generator, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Format:
    """An f-string; a part is `Const(str)` or the expression of a replacement field."""

    parts: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Walrus:
    """`name := value`."""

    name: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Yield:
    """`yield value`, or `yield from value` where `delegated`."""

    value: Expr | None
    delegated: bool
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Opaque:
    """An expression that lowering does not model; `reason` is counted."""

    reason: str
    span: Span


Expr = Union[
    Const, Name, Attribute, Subscript, Slice, Call, Unary, Binary, Compare, Logic, Conditional,
    Display, Starred, Mapping, Lambda, Comprehension, Format, Walrus, Yield, Opaque,
]  # fmt: skip

# -- statements ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """`t1 = t2 = value`; a target is Name, Attribute, Subscript, Display, Starred or Opaque."""

    targets: tuple[Expr, ...]
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class AugAssign:
    """`target op= value`; `op` without the equals sign."""

    target: Expr
    op: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class AnnAssign:
    """`target: annotation [= value]`."""

    target: Expr
    annotation: Expr
    value: Expr | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ExprStmt:
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    value: Expr | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Raise:
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Assert:
    test: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class If:
    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class For:
    target: Expr
    iter: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class While:
    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class With:
    """`with context as target, ...`: a target is None where there is no `as`."""

    items: tuple[tuple[Expr, Expr | None], ...]
    body: tuple[Stmt, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Try:
    """`handlers` holds the body of each except clause, and the name it binds if any."""

    body: tuple[Stmt, ...]
    handlers: tuple[tuple[str | None, tuple[Stmt, ...]], ...]
    orelse: tuple[Stmt, ...]
    final: tuple[Stmt, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Jump:
    """`kind` is "break", "continue" or "pass"."""

    kind: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Delete:
    targets: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Import:
    """A local import binds `name` to `module`, or to `attr` of it; `name` "*" is a star import.

    `module` keeps its leading dots; `import a.b` binds `a` and has module "a", attr None.
    """

    bindings: tuple[tuple[str, str, str | None], ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """`global` or `nonlocal` names."""

    kind: str
    names: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Define:
    """A nested `def` or `class` binds its name."""

    definition: Function | Class
    span: Span


Stmt = Union[
    Assign, AugAssign, AnnAssign, ExprStmt, Return, Raise, Assert, If, For, While, With, Try,
    Jump, Delete, Import, Scope, Define,
]  # fmt: skip

# -- definitions ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Param:
    """`kind` is "positional-only", "normal", "*" , "keyword-only" or "**"."""

    name: str
    kind: str
    annotation: Expr | None
    default: Expr | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """One function, lowered. `qualname` is dotted inside its module (`Class.method`, `f.<locals>.g`)."""

    name: str
    qualname: str
    params: tuple[Param, ...]
    body: tuple[Stmt, ...]
    decorators: tuple[Expr, ...]
    returns: Expr | None
    generator: bool
    span: Span
    head: Span = field(default=NOWHERE)
    """The span of the name in `def name`."""


@dataclass(frozen=True, slots=True, eq=False)
class Class:
    """A class body, lowered: `body` holds its assignments; methods are `Define` statements."""

    name: str
    qualname: str
    bases: tuple[Expr, ...]
    decorators: tuple[Expr, ...]
    body: tuple[Stmt, ...]
    span: Span


def walk(node: object) -> Iterator[object]:
    """A node, or each of a tuple of nodes, and every node below it."""
    pending = [node]
    while pending:
        at = pending.pop()
        if isinstance(at, tuple):
            pending += reversed(at)
        elif hasattr(at, "__dataclass_fields__") and not isinstance(at, Span):
            yield at
            pending += [getattr(at, name) for name in reversed(type(at).__slots__)]  # type: ignore[attr-defined]
