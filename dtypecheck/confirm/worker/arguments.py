"""Launch arguments from their descriptions: stand-ins for compiling, real tensors for launching."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any


class DType:
    """Named as torch prints it: Triton asks a dtype for nothing else."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def itemsize(self) -> int:
        return (
            1
            if self.name == "bool" or "8" in self.name
            else int("".join(filter(str.isdigit, self.name))) // 8
        )

    def __str__(self) -> str:
        return f"torch.{self.name}"

    def __hash__(self) -> int:
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DType) and self.name == other.name


class Tensor:
    """Anything with a dtype and a data pointer is a tensor to Triton (`native_specialize_impl`).

    While it is `posing` it is one to heuristics too, which may ask with isinstance.
    """

    mock = True
    posing = False

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        torch = sys.modules.get("torch")
        return torch.Tensor if Tensor.posing and torch is not None else Tensor

    def __init__(self, name: str) -> None:
        self.dtype = DType(name)
        self.shape = [1]

    def data_ptr(self) -> int:
        return 0

    def ptr_range(self) -> int:
        return 0

    def stride(self, _: int = 0) -> int:
        return 1

    def dim(self) -> int:
        return 1

    def numel(self) -> int:
        return 1

    def __str__(self) -> str:
        return f"a tensor of {self.dtype.name}"


class Double(float):
    """A float that torch.compile types as 64 bits."""

    type = "fp64"


@contextlib.contextmanager
def posing() -> Iterator[None]:
    """Stand-ins pass for torch's tensors inside."""
    Tensor.posing = True
    try:
        yield
    finally:
        Tensor.posing = False


class Given:
    """The arguments of one request: `values` by parameter, `guesses` for those that nothing else provides;
    `left_out` are parameters that must get nothing, `extra` and `unknown` arguments that fit none."""

    def __init__(self, request: dict[str, Any], namespace: dict[str, Any]) -> None:
        self.values = {n: value(v, namespace) for n, v in request.get("arguments", {}).items()}
        self.guesses = {n: value(v, namespace) for n, v in request.get("guesses", {}).items()}
        self.left_out = set(request.get("left_out", ()))
        self.extra = int(request.get("extra", 0))
        self.unknown = dict.fromkeys(request.get("unknown", ()), 1)
        self.twice = list(request.get("twice", ()))

    def typed(self, signature: dict[str, Any]) -> dict[str, Any]:
        """The signature with the types that another compiler than Triton's launcher gives."""
        return signature | {n: v.type for n, v in self.values.items() if isinstance(v, Double)}

    def call(self, names: list[str]) -> tuple[list[Any], dict[str, Any]]:
        """Positional and keyword arguments of the launch."""
        values = {n: self.values[n] for n in names if n in self.values}
        if self.extra:
            return [*values.values(), *[1] * self.extra], dict(self.unknown)
        if self.twice:
            upto = max(names.index(n) for n in self.twice) + 1
            first = [values.pop(n) for n in names[:upto] if n in values]
            return first, {**values, **{n: first[names.index(n)] for n in self.twice}, **self.unknown}
        return [], {**values, **self.unknown}


def value(described: Any, namespace: dict[str, Any]) -> Any:
    """A stand-in for one argument. Descriptions are JSON: numbers, text and None are themselves."""
    if not isinstance(described, dict):
        return described
    (kind, what), *_ = described.items()
    return _MAKERS[kind](what, described, namespace)


def _type(name: str, _: Any, __: Any) -> Any:
    import triton.language as tl

    return tl.dtype(name)


def _items(items: list[Any], described: dict[str, Any], namespace: dict[str, Any]) -> Any:
    values = tuple(value(i, namespace) for i in items)
    fields = described.get("fields")
    if not fields:
        return values
    import collections

    return collections.namedtuple("Items", fields)(*values)


def _descriptor(name: str, described: dict[str, Any], _: Any) -> Any:
    from triton.tools.tensor_descriptor import TensorDescriptor

    block = list(described["block"])
    shape = [max(64, b) for b in block]
    strides = [1]
    for size in reversed(shape[1:]):
        strides.insert(0, strides[0] * size)
    return TensorDescriptor(Tensor(name), shape, strides, block)


def _object(kind: str, _: Any, __: Any) -> Any:
    """Something that no launch takes."""
    made = {
        "text": "text",
        "bytes": b"",
        "dict": {},
        "list": [],
        "set": set(),
        "function": value,
        "class": DType,
    }
    return made.get(kind, type(kind.replace(" ", "_"), (), {})())


_MAKERS: dict[str, Callable[[Any, dict[str, Any], dict[str, Any]], Any]] = {
    "tensor": lambda name, _, __: Tensor(name),
    "float": lambda text, _, __: float(text),
    "double": lambda number, _, __: Double(number),
    "type": _type,
    "items": _items,
    "descriptor": _descriptor,
    "function": lambda name, _, namespace: namespace[name],
    "object": _object,
}
