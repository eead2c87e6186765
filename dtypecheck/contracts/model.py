"""What a rules file says, as values: contracts of kernels, functions and classes.

One shape, `ValueContract`, serves a kernel parameter, a function parameter, a result and a field.
Names are kept as written: which program entity a pattern means is decided by `matching`. Nothing
here knows TOML.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, unique

from ..core import dtypes as dt
from ..core.dtypes import DType, DTypes
from ..core.spans import Place

FLOAT8: DTypes = dt.mask(d for d in dt.ALL if d.name.startswith("float8_"))
WHOLE = ""
"""The name of a result that is the returned value itself, not a part of it."""


@unique
class Kind(Enum):
    """What an argument is, apart from its dtype."""

    VALUE = "value"
    """Nothing is said: a tensor, or a number where the kernel takes one."""
    POINTER = "pointer"
    """A tensor."""
    SCALAR = "scalar"
    """A number at run time, not a tensor."""
    CONSTEXPR = "constexpr"
    """A compile-time constant."""


@unique
class Level(Enum):
    """How loud a breach is; OFF reports nothing, but the contract still serves inference."""

    ERROR = "error"
    WARNING = "warning"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class ValueContract:
    """What one parameter, result or field must be.

    `name` is the parameter or field; for a result it is `WHOLE`, a position in the returned tuple
    ("0", "1", ...) or a field of the returned object. `same_as` and `at_least` name a parameter of
    the same function or kernel (for a field: a field of the same class); with `mixed_float8` two float8
    dtypes count as the same, as they do for `tl.dot`. `level` is None where the
    rule's own level applies. `place` is that of the key in the rules file.
    """

    name: str
    place: Place
    dtypes: DTypes = dt.ANY
    same_as: str | None = None
    mixed_float8: bool = False
    at_least: str | None = None
    optional: bool = False
    kind: Kind = Kind.VALUE
    why: str = ""
    level: Level | None = None

    @property
    def position(self) -> int | None:
        """The place in the returned tuple that a result contract speaks of, if it is one."""
        return int(self.name) if self.name.isascii() and self.name.isdigit() else None

    @property
    def is_whole(self) -> bool:
        """Whether a result contract speaks of the returned value itself."""
        return self.name == WHOLE

    @property
    def references(self) -> tuple[str, ...]:
        """The names of other values that this one is compared with."""
        return tuple(n for n in (self.same_as, self.at_least) if n is not None)


@dataclass(frozen=True, slots=True)
class KernelContract:
    """`parameters` of the kernels that `pattern` names, in file order."""

    pattern: str
    place: Place
    parameters: tuple[ValueContract, ...]


@dataclass(frozen=True, slots=True)
class FunctionContract:
    """`parameters` and `returns` of the functions that `pattern` names, in file order.

    `returns` is empty, or one contract named `WHOLE`, or one per declared position or field.
    """

    pattern: str
    place: Place
    parameters: tuple[ValueContract, ...] = ()
    returns: tuple[ValueContract, ...] = ()


@dataclass(frozen=True, slots=True)
class ClassContract:
    """`fields` (attributes, dataclass or NamedTuple fields) of the classes that `pattern` names."""

    pattern: str
    place: Place
    fields: tuple[ValueContract, ...]


@dataclass(frozen=True, slots=True)
class RulesFile:
    """One rules file, read and valid.

    `path` is as given by the user (for a pack: where it lies), with forward slashes. `targets` are the
    distribution or import names that the rules are for. `shipped` marks the tool's own packs.
    """

    name: str
    path: str
    description: str = ""
    targets: tuple[str, ...] = ()
    kernels: tuple[KernelContract, ...] = ()
    functions: tuple[FunctionContract, ...] = ()
    classes: tuple[ClassContract, ...] = ()
    shipped: bool = False


def allowed(contract: ValueContract, others: Mapping[str, DType]) -> DTypes:
    """The dtypes that `contract` takes when the values it is compared with have these dtypes.

    A compared value that `others` lacks restricts nothing.
    """
    result = contract.dtypes
    same = others.get(contract.same_as) if contract.same_as is not None else None
    if same is not None:
        result &= FLOAT8 if contract.mixed_float8 and same.bit & FLOAT8 else same.bit
    floor = others.get(contract.at_least) if contract.at_least is not None else None
    if floor is not None:
        result &= dt.mask(d for d in dt.ALL if d.bits >= floor.bits)
    return result
