"""What a kernel value is made of: walks over the operations behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from .values import BlockPointer, Descriptor, Pointer, Tensor, Value

SHAPING = frozenset({"broadcast", "expand_dims", "index", "reshape", "ravel", "permute", "squeeze", "item"})
"""Operations that move elements and leave them as they are."""
JOINING = frozenset({"argument", "call", "again", "loop", "if", "ternary", "return"})
"""Where a value passes into a helper and out of it, or ways of control meet."""
SAME = SHAPING | JOINING
"""Behind these stands the same number."""
ARITHMETIC = SAME | {"+", "-", "*", "//", "%", "cast", "where", "minimum", "maximum"}
"""Integer arithmetic as it is done on indices."""


def word(t: Tensor) -> str:
    """The operation that made a value: `load`, `+`, `sum`, `param`."""
    return t.op.partition(" ")[0].removeprefix("tl.")


def behind(start: Iterable[Tensor], through: Callable[[Tensor], bool]) -> Iterator[Tensor]:
    """These values and what they are made of, nearest first, each once; `through` says where it goes on."""
    seen: set[int] = set()
    pending = list(start)
    for t in pending:
        if id(t) not in seen:
            seen.add(id(t))
            yield t
            if through(t):
                pending += t.inputs


def same(t: Tensor) -> Iterator[Tensor]:
    """The values that are this number in another place or shape."""
    return behind((t,), lambda at: word(at) in SAME)


def parameter(t: Tensor) -> str:
    """The kernel parameter that a value is; "" where it is something else."""
    return next((at.op[6:] for at in same(t) if at.op.startswith("param ")), "")


def address(pointer: Value) -> tuple[str, tuple[Tensor, ...]]:
    """The parameter that an address starts from ("" for none), and what is added to it."""
    first = _start(pointer)
    if first is None:
        return "", ()
    name, added = "", []
    for t in behind((first,), lambda at: isinstance(at.element, Pointer)):
        if isinstance(t.element, Pointer):
            name = name or (t.op[6:] if t.op.startswith("param ") else "")
            added += [i for i in t.inputs if not isinstance(i.element, Pointer)]
    return name, tuple(added)


def buffer(pointer: Value) -> str:
    """The parameter whose elements an address is of; "" for none, several, and memory seen otherwise."""
    first = _start(pointer)
    if first is None:
        return ""
    found = behind((first,), lambda at: isinstance(at.element, Pointer))
    parts = [t for t in found if isinstance(t.element, Pointer)]
    names = {t.op[6:] for t in parts if t.op.startswith("param ")}
    seen_otherwise = any(word(t) in ("cast", "bitcast", "again") for t in parts)
    return names.pop() if len(names) == 1 and not seen_otherwise else ""


def _start(pointer: Value) -> Tensor | None:
    """The pointer that an address, a block pointer or a descriptor is made from."""
    match pointer:
        case BlockPointer(base=base) | Descriptor(base=base):
            return base
        case Tensor():
            return pointer
    return None
