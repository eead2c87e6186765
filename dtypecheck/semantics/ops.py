"""How a library operation is described: its parameters and the dtype of what it returns.

An `Op` is data. It says which of its parameters carry dtypes and gives, for each result, one of a
closed set of dtype rules. A rule is written for one concrete input; the interpreter lifts it to
sets and symbols. An op contains no control flow, and the interpreter contains no op name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, unique

from ..core.dtypes import DType


@unique
class Rank(Enum):
    """What torch's promotion distinguishes; see `torch.result_type`."""

    NUMBER = 0
    """A Python number: takes part by kind alone."""
    ZERO = 1
    """A tensor without dimensions."""
    DIMENSIONED = 2


@dataclass(frozen=True, slots=True)
class Operand:
    """One concrete input of a rule. A Python number has dtype bool, int64, float64 or complex128."""

    dtype: DType
    rank: Rank = Rank.DIMENSIONED


Concrete = Callable[..., "DType | None"]
"""A rule for concrete operands, passed in the order of `Computed.operands` as `Operand`s (a list of
tensors is passed as a tuple of Operands); an absent operand is None. Returns None where torch raises.
Every rule also takes the keyword `default`, the default dtype at the call (float32 if left out)."""

# -- the dtype of one result ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fixed:
    """Always this dtype."""

    dtype: DType


@dataclass(frozen=True, slots=True)
class Like:
    """The dtype of the tensor `param`, or of the first tensor in the list `param`."""

    param: str


@dataclass(frozen=True, slots=True)
class Default:
    """`torch.get_default_dtype()` at the call."""


@dataclass(frozen=True, slots=True)
class FromData:
    """What torch infers from Python data or an array: bool, int64, the default dtype, or the array's own.
    `array`: as numpy does, for which floats are float64 and complex numbers complex128."""

    param: str
    array: bool = False


@dataclass(frozen=True, slots=True)
class Computed:
    """`rule(*operands)`; operands name parameters (tensors, numbers, or lists of tensors)."""

    rule: Concrete
    operands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Given:
    """The dtype that argument `param` names: a torch.dtype, a numpy one, one of the classes bool, int,
    float and complex (int64, float64, complex128), a numpy dtype's string; a tensor's where it is a tensor.
    `otherwise` where it is absent, None, or neither of these (a device, a flag: see `Tensor.to`).
    A starred parameter is looked at only where one positional argument stands for it (`view(dtype)`)."""

    param: str
    otherwise: Result


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of these, and no argument tells which: `torch.get_autocast_dtype`."""

    dtypes: tuple[DType, ...]


Result = Fixed | Like | Default | FromData | Computed | Given | OneOf

# -- dimensions of one result --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SameRank:
    """As many dimensions as the tensor `param`, plus `shift`."""

    param: str
    shift: int = 0


@dataclass(frozen=True, slots=True)
class BroadcastRank:
    """The largest number of dimensions among tensor params."""

    params: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SizeRank:
    """As many dimensions as there are sizes in `param` (an int, ints given in place, or one sequence)."""

    param: str


@dataclass(frozen=True, slots=True)
class ReducedRank:
    """As `param`, without the dimensions that `dim` names; none where it is absent; all where `keepdim`."""

    param: str
    dim: str = "dim"
    keepdim: str = "keepdim"


@dataclass(frozen=True, slots=True)
class ExactRank:
    ndim: int


@dataclass(frozen=True, slots=True)
class DataRank:
    """As deep as the Python data in `param` nests (none for a number); an array's or tensor's own."""

    param: str


@dataclass(frozen=True, slots=True)
class AnyRank:
    """Not modelled."""


Dims = SameRank | BroadcastRank | SizeRank | ReducedRank | ExactRank | DataRank | AnyRank

# -- what a call gives ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor. `view` says that it is `param`'s own data or a cast of it, not a buffer of its own:
    such a result continues its input's journey, any other result is a birth. `array` says that it is a
    numpy array, not a torch tensor; None: whichever its input is."""

    dtype: Result
    dims: Dims = AnyRank()
    view: bool = False
    array: bool | None = False


@dataclass(frozen=True, slots=True)
class Tensors:
    """A list or tuple of an unknown number of tensors that are all alike (`split`, `unbind`)."""

    each: Tensor


@dataclass(frozen=True, slots=True)
class Several:
    """A tuple with one entry per result (`max(dim)`: values and indices), perhaps named."""

    items: tuple[Outcome, ...]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scalar:
    """A Python number: "bool", "int", "float", "str" or "number" (unknown kind)."""

    kind: str


@dataclass(frozen=True, slots=True)
class Item:
    """The Python number that the tensor `param` holds: of the kind of its dtype (`item()`)."""

    param: str


@dataclass(frozen=True, slots=True)
class DTypeOf:
    """A torch.dtype object (`torch.promote_types`, `torch.get_default_dtype`)."""

    dtype: Result


@dataclass(frozen=True, slots=True)
class Nothing:
    """None."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """A tuple of ints, one per dimension of the tensor `param` (`shape`, `stride()`)."""

    param: str


@dataclass(frozen=True, slots=True)
class Other:
    """A value that is neither a tensor, a dtype nor a number: "list", "storage"... A dotted kind is the name
    of its type ("torch.device"), under which its methods are described, without their receiver."""

    kind: str


@dataclass(frozen=True, slots=True)
class Each:
    """A tuple of the tensors in the list `param`, each with its own dtype and data (`broadcast_tensors`)."""

    param: str


@dataclass(frozen=True, slots=True)
class Itself:
    """What was passed as `param`, a tensor or a tuple of tensors; None where nothing was."""

    param: str


@unique
class Test(Enum):
    """What `When` asks of an argument. A starred parameter is asked about its first argument."""

    GIVEN = 0
    """Present and not None."""
    TENSOR = 1
    """A tensor."""
    DTYPE = 2
    """A torch.dtype (a numpy dtype or scalar type for numpy)."""
    TRUE = 3
    """Present and true (`return_counts=True`)."""
    TEXT = 4
    """A string."""


@dataclass(frozen=True, slots=True)
class Is:
    """Asks whether an argument is one of these strings."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class When:
    """`then` where argument `param` passes the test, else `otherwise` (`max()` with and without dim)."""

    param: str
    then: Outcome
    otherwise: Outcome
    test: Test | Is = Test.GIVEN


Outcome = (
    Tensor | Tensors | Several | Scalar | Item | DTypeOf | Nothing | Sizes | Other | Each | Itself | When
)


@dataclass(frozen=True, slots=True)
class Op:
    """One operation.

    `names` are all its dotted names: "torch.add", "Tensor.add", "torch.nn.functional.silu". A method
    takes its tensor as the first parameter. `params` in order; "*" starts keyword-only ones; a name
    that starts with "*" takes all further positional arguments (`*size`, which rules call "size").
    Parameters that bear on no result may be left out after those that do: an argument that no
    parameter takes is ignored.
    `inplace`: returns (and writes) its first parameter; the dtype stays (`add_`).
    `out`: takes `out=`, and then returns that tensor.
    `attribute`: read, not called (`Tensor.dtype`).
    """

    names: tuple[str, ...]
    params: tuple[str, ...]
    outcome: Outcome
    inplace: bool = False
    out: bool = False
    attribute: bool = False
