"""What a worker answered, typed, with lines of the slice traced to the files of the program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .slices import NOWHERE, Origin, Slice


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the IR: its name, its types, and the lines it stands on, innermost first."""

    name: str
    types: str
    at: tuple[Origin, ...]

    def __str__(self) -> str:
        return f"{self.name} : {self.types}" if self.types else self.name


@dataclass(frozen=True, slots=True)
class Taken:
    """Triton takes the launch."""

    assumed: tuple[str, ...] = ()
    signature: Mapping[str, str] | None = None
    operations: tuple[Operation, ...] = ()
    binary: str = ""
    changed: Mapping[str, Mapping[int, float]] = field(default_factory=dict)
    """After a launch: places and values of each buffer's first elements that it changed."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Triton refuses it, in these words; `stage` is "bind", "frontend", "mlir" or "binary"."""

    words: str
    stage: str
    kind: str
    at: tuple[Origin, ...] = ()
    assumed: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """The words; bare assertions have none but their class."""
        return self.words or self.kind


@dataclass(frozen=True, slots=True)
class Failed:
    """Nothing can be said, and why."""

    reason: str


Answer = Taken | Refused | Failed


def read(answer: Mapping[str, Any], slice_: Slice) -> Answer:
    """The typed answer to a request about a slice."""
    assumed = tuple(answer.get("assumed", ()))
    match answer["outcome"]:
        case "taken":
            binary = answer.get("binary")
            return Taken(
                assumed,
                answer.get("signature"),
                tuple(Operation(n, t, _origins(at, slice_)) for n, t, at in answer.get("operations", ())),
                f"{binary['kind']} of {binary['bytes']} bytes" if binary else "",
                {name: {int(i): v for i, v in pairs} for name, pairs in answer.get("changed", {}).items()},
            )
        case "refused":
            lines = _origins(answer["lines"], slice_)
            words = answer["error"]
            if answer["class"] == "NameError":
                words += _undefined(words, answer.get("failures", ()), slice_)
            return Refused(words, answer["stage"], answer["class"], lines, assumed)
        case "broken":
            return Failed(f"the kernel cannot be cut out: {answer['error']}")
        case "unsupported":
            return Failed(answer["error"])
    return Failed(f"the worker failed: {answer.get('error', 'no answer')}")


def _undefined(words: str, failures: Any, slice_: Slice) -> str:
    """Why a name is not defined in a slice: it was not found, or the code that would define it failed."""
    name = words.partition(" ")[0]
    reasons = [f"{n}: {why}" for n, why in slice_.missing if n == name]
    reasons += [f"{error}" for _, error in failures]
    return f" [{'; '.join(reasons)}]" if reasons else ""


def _origins(lines: list[int], slice_: Slice) -> tuple[Origin, ...]:
    found = (slice_.origin(line) for line in lines)
    return tuple(origin for origin in found if origin != NOWHERE)
