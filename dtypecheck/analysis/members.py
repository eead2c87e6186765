"""Which alternatives of a value can be asked for an attribute: those whose type has it.

`x.to(device)` is met by the tensors among the things that `x` may be; an array or a list raises there.
"""

from __future__ import annotations

from ..semantics.members import OF_ARRAYS, OF_ARRAYS_ALONE
from ..semantics.table import lookup
from .values import Abstract, Array, Dictionary, Many, Nil, Number, Sequence, Value

PYTHON: dict[str, type] = {
    "list": list, "tuple": tuple, "set": set, "range": range, "dict": dict, "str": str, "bytes": bytes,
    "int": int, "float": float, "bool": bool, "complex": complex,
}  # fmt: skip
OF_SIZES = frozenset({"numel"})
"""What torch.Size has beside a tuple's own attributes."""


def having(value: Value, attr: str) -> Value:
    """The alternatives that may have an attribute; all of them where none may, which nothing is known of."""
    kept = tuple(alt for alt in value if not _lacks(alt.what, attr))
    return kept if any(not isinstance(alt.what, Nil) for alt in kept) else value


def _lacks(what: Abstract, attr: str) -> bool:
    """Whether it is certain that asking raises: tensors have the attribute, and this is none."""
    match what:
        case Array(numpy=numpy):
            return attr not in OF_ARRAYS and _of_tensors(attr) if numpy else attr in OF_ARRAYS_ALONE
        case Sequence(kind, _, names):
            return attr not in names and _foreign(kind, attr)
        case Many(kind) | Number(kind):
            return _foreign(kind, attr)
        case Dictionary():
            return _foreign("dict", attr)
    return False


def _foreign(kind: str, attr: str) -> bool:
    """Whether tensors or arrays have an attribute that Python's type of this name lacks."""
    own = PYTHON.get(kind)
    if own is None or hasattr(own, attr) or (own is tuple and attr in OF_SIZES):
        return False
    return attr in OF_ARRAYS or _of_tensors(attr)


def _of_tensors(attr: str) -> bool:
    return lookup(f"Tensor.{attr}") is not None
