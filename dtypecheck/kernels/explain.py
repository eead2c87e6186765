"""Why a value has its type: the chain of steps behind a refusal, and the parameters that took part."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..core.spans import Span
from . import show
from .session import Refused
from .values import Element, Pointer, Tensor, Tup, Value

LIMIT = 12
"""Steps told of one chain."""
LONGEST = 200
"""Causes looked at for one value."""


@dataclass(frozen=True, slots=True)
class Step:
    """One station inside kernels; `function` is the qualified name of the helper it stands in, "" the
    kernel."""

    span: Span
    note: str
    function: str = ""


def parameters(values: Iterable[Value | None]) -> tuple[str, ...]:
    """The kernel's parameters that the types of these values come from, in order of discovery."""
    seen: set[int] = set()
    names: dict[str, None] = {}
    todo = list(_tensors(values))
    while todo:
        t = todo.pop()
        if id(t) in seen:
            continue
        seen.add(id(t))
        if t.op.startswith("param "):
            names[t.op[6:].partition("[")[0]] = None
        todo.extend(t.inputs)
    return tuple(names)


def chain(refused: Refused) -> tuple[Step, ...]:
    """The steps by which the refused operands got their types, first cause first."""
    steps: dict[Step, None] = {}
    for t in _tensors(refused.values):
        for step in _path(t):
            steps[step] = None
    frames = reversed(refused.frames)
    calls = [Step(span, "called here", "" if home is None else home.qualname) for home, span in frames]
    return (*tuple(steps)[-LIMIT:], *calls)


def path(value: Value) -> tuple[str, tuple[Step, ...]]:
    """The parameter that the type of a value comes from, or "", and the steps from there."""
    tensor = next(iter(_tensors((value,))), None)
    if tensor is None:
        return "", ()
    root = tensor
    for _ in range(LONGEST):
        following = _cause(root)
        if following is None:
            break
        root = following
    return (root.op[6:] if root.op.startswith("param ") else ""), tuple(_path(tensor))


def base(t: Tensor) -> str:
    """The parameter that an address is computed from, or ""."""
    while t.inputs:
        t = next((i for i in t.inputs if isinstance(i.element, Pointer)), t.inputs[0])
    return t.op[6:] if t.op.startswith("param ") else ""


def _tensors(values: Iterable[Value | None]) -> Iterable[Tensor]:
    for v in values:
        if isinstance(v, Tensor):
            yield v
        elif isinstance(v, Tup):
            yield from _tensors(v.items)


def _path(t: Tensor) -> list[Step]:
    """From the origin of one value's type to the value."""
    steps: list[Step] = []
    function = ""
    stack: list[str] = []
    for _ in range(LONGEST):
        if t.op.startswith(("call ", "again ")):
            stack.append(function)
            function = t.op.partition(" ")[2]
        elif t.op.startswith("argument ") and stack:
            function = stack.pop()
        note = _note(t)
        if note:
            steps.append(Step(t.span, note, function))
        following = _cause(t)
        if following is None:
            break
        t = following
    return steps[::-1]


def _cause(t: Tensor) -> Tensor | None:
    """The input that a value has its type from."""
    if not t.inputs:
        return None
    for one in reversed(t.inputs):
        if one.element == t.element:
            return one
    return t.inputs[0]


_SILENT = ("param", "argument", "literal", "index", "expand_dims", "broadcast", "reshape", "call", "again")


MANY = 4
"""More types than this are not told one by one."""


def _element(e: Element) -> str:
    """An element type; of many only how many they are."""
    if isinstance(e, Pointer) or e.bit_count() <= MANY:
        return show.element(e)
    return f"one of {e.bit_count()} types"


def _note(t: Tensor) -> str:
    word = t.op.partition(" ")[0]
    if word in _SILENT or isinstance(t.element, Pointer) or not t.op:
        return ""
    result = _element(t.element)
    if word == "load":
        name = base(t)
        return f"{result}, loaded from `{name}`" if name else f"{result}, loaded"
    if word == "range":
        bounds = ", ".join(_element(i.element) for i in t.inputs)
        return f"range over {bounds} -> {result}"
    if word in ("if", "loop", "ternary", "item"):
        return ""
    if len(t.inputs) == 2 and not word[0].isalpha():
        left, right = (_element(i.element) for i in t.inputs)
        return f"{left} {word} {right} -> {result}"
    inputs = ", ".join(_element(i.element) for i in t.inputs)
    return f"{word}({inputs}) -> {result}" if inputs else f"{word} -> {result}"
