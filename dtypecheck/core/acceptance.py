"""What kernels accept, parameter by parameter, ready for any renderer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique

from .dtypes import DTypes
from .spans import Place


@unique
class Takes(Enum):
    """What a parameter takes, apart from dtypes and None."""

    POINTER = "pointer"
    """A tensor."""
    SCALAR = "scalar"
    """A number at run time."""
    DESCRIPTOR = "descriptor"
    """A tensor descriptor made on the host."""
    CONSTEXPR = "constexpr"
    """A compile-time constant."""
    TUPLE = "tuple"
    """A tuple: its items are not told apart."""
    ANYTHING = "any"
    """A tensor as well as a number."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """One dtype that a parameter may not have: Triton's words, and the statement that refuses.

    `where` is the compile-time condition under which it does, "" where nothing avoids it.
    """

    dtype: DTypes
    message: str
    place: Place
    where: str = ""


@dataclass(frozen=True, slots=True)
class Dependence:
    """Dtypes of a parameter that are refused beside these dtypes of `other`."""

    other: str
    pairs: tuple[tuple[DTypes, DTypes], ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """What one parameter accepts, given the rest: dtypes of elements, or of a number.

    With `strictly` no other kind of argument is accepted, under no compile-time condition. `forced` is the
    type that an annotation makes of any argument. `refused` tells of dtypes, in bit order; those with a
    condition are accepted elsewhere. `undecided` are neither accepted nor refused, and `reason` says why.
    `optional` says whether None is accepted, and is None where nobody knows; `unless` is a condition under
    which it is not, and `because` says why it is. `same_as` and `at_least` (in width) name other parameters;
    with `mixed` two float8 dtypes count as the same. `gets` is what the project's launches are known to give.
    """

    name: str
    place: Place
    takes: Takes
    strictly: bool = True
    forced: DTypes = 0
    accepted: DTypes = 0
    refused: tuple[Refusal, ...] = ()
    undecided: DTypes = 0
    reason: str = ""
    optional: bool | None = False
    unless: str = ""
    because: str = ""
    same_as: str = ""
    mixed: bool = False
    at_least: str = ""
    depends: tuple[Dependence, ...] = ()
    gets: DTypes = 0

    @property
    def restricted(self) -> bool:
        """Whether some dtype is refused whatever the compile-time conditions."""
        return any(not r.where for r in self.refused)


@dataclass(frozen=True, slots=True)
class KernelAcceptance:
    """One kernel: `key` is its qualified name; `reason` says why it is not decided, "" where it is."""

    key: str
    place: Place
    launches: tuple[Place, ...]
    parameters: tuple[Parameter, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Inventory:
    """All kernels of one run, by path and line; `root` is an absolute path."""

    root: str
    kernels: tuple[KernelAcceptance, ...]
    releases: tuple[str, ...]
    targets: tuple[str, ...]
    seconds: float = 0.0
    notices: tuple[str, ...] = ()
