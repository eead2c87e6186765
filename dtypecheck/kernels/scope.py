"""How free names of a kernel are resolved: the question typing asks, and the answers there are."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Protocol, Union

from ..core import ir


@dataclass(frozen=True, slots=True)
class Helper:
    """A jit function, and the scope of the module that defines it."""

    function: ir.Function
    scope: Scope


@dataclass(frozen=True, slots=True)
class LibraryName:
    """A dotted name of a library: "triton.language.load", "triton.language", "triton.cdiv"."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """A module constant; `constexpr` says that it is a `tl.constexpr` object (others Triton refuses to
    read)."""

    value: object
    constexpr: bool = True


@dataclass(frozen=True, slots=True)
class Missing:
    """Not resolved; `undefined` where the module certainly has no such name."""

    reason: str
    undefined: bool = False


@dataclass(frozen=True, slots=True)
class Either:
    """One of several, as the conditions come out under which the module binds the name.

    An option stands where all of its conditions come out as they say; the last where no other does.
    """

    options: tuple[tuple[frozenset[tuple[Hashable, Hashable]], Global], ...]


Global = Union[Helper, LibraryName, Constant, Missing, Either]


class Scope(Protocol):
    """The module scope of one function."""

    def resolve(self, name: str) -> Global: ...
