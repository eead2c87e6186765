"""What a finding claims about one launch, as plain values: enough to try the launch with Triton itself.

Dtypes are torch names. What is not known stays open here, and whoever tries the claim chooses.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique

from .spans import Place


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor of one of these dtypes; those with the same `like` (not "") have one dtype between them."""

    dtypes: tuple[str, ...]
    like: str = ""


@dataclass(frozen=True, slots=True)
class Number:
    """A number or text: `kind` is "bool", "int", "float" or "str"; None stands for a value not known.

    A "double" is a float that torch.compile types as 64 bits, which a plain launch does not.
    """

    kind: str
    value: bool | int | float | str | None = None


@dataclass(frozen=True, slots=True)
class Nothing:
    """None."""


@dataclass(frozen=True, slots=True)
class TritonType:
    """A type of Triton's, by the name it prints: "fp16", "int32"."""

    name: str


@dataclass(frozen=True, slots=True)
class Items:
    """A tuple; `fields` names its items where it is a named one."""

    items: tuple[Argument, ...]
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Descriptor:
    """A host `TensorDescriptor`; `rank` is 0 where it is not known."""

    dtypes: tuple[str, ...]
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Function:
    """A kernel that is passed to another one; the place of its name."""

    place: Place


@dataclass(frozen=True, slots=True)
class Object:
    """Something that no launch takes: "text", "dict", "numpy array"..."""

    kind: str


@dataclass(frozen=True, slots=True)
class Anything:
    """Nothing is known."""


Argument = Tensor | Number | Nothing | TritonType | Items | Descriptor | Function | Object | Anything
Arguments = tuple[tuple[str, Argument], ...]


@unique
class Misfit(Enum):
    """How a call does not fit the kernel's parameters."""

    MISSING = "missing"
    EXTRA = "extra"
    UNKNOWN = "unknown"
    REPEATED = "repeated"


@dataclass(frozen=True, slots=True)
class Claim:
    """A launch of the kernel whose name stands at `kernel`, and what would mend it.

    `arguments` are what the launch gives, by parameter; parameters that decorators provide are left out.
    `mended` replaces some of them; empty where nothing is known to help. `misfit` says what is wrong with the
    shape of the call, about the parameter or keyword of the finding. `target` is an architecture, or "any";
    `releases` are the Triton releases that the claim was made for.
    """

    kernel: Place
    arguments: Arguments
    mended: Arguments = ()
    misfit: Misfit | None = None
    target: str = "any"
    releases: tuple[str, ...] = ()
