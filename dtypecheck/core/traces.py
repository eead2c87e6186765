"""What `dtypecheck trace` tells of a value: what it can be, when, and by which stations it came.

Shapes follow the JSON of version 1 of that command; text is data, never markup.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, unique

from .diagnostics import Step
from .spans import Place


@unique
class Kind(Enum):
    """What sort of thing a value is."""

    TENSOR = "tensor"
    NUMBER = "number"
    """A Python number, or a str."""
    NONE = "none"
    DTYPE = "dtype"
    CONTAINER = "container"
    OBJECT = "object"
    """An object of a class, or of a library."""
    CODE = "code"
    """A function, class, kernel or module."""
    OUTSIDE = "outside"
    """Whatever callers that the project does not hold provide."""
    POINTER = "pointer"
    """In a kernel: an address of elements."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that a value can be: `text` says it in words.

    `dtypes` are the torch names of those it may have, where they are known; `symbols` are the parameters that
    it depends on, with their functions; `reason` is the code under which ignorance is counted.
    """

    kind: Kind
    text: str
    dtypes: tuple[str, ...] = ()
    symbols: tuple[tuple[str, str], ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    """A choice on the way: the source of a test and how it came out, or, where that is None, words."""

    text: str
    outcome: bool | None = None
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A call that leads to the place that was asked about: `function` is the one that it stands in."""

    function: str
    place: Place


@dataclass(frozen=True, slots=True)
class Way:
    """One thing that the value is, and how that comes about.

    `callers` are the chains of calls, outermost first, under which it is so; `when` the choices, any of
    which suffices; they are empty where it is so in any case, or where what decides has no words. `steps` go
    from the birth to the place.
    """

    said: Said
    callers: tuple[tuple[Call, ...], ...] = ()
    when: tuple[tuple[Condition, ...], ...] = ()
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Traced:
    """A value that was asked about; no ways: nothing comes there. `cut`: there may be more than are told."""

    name: str
    place: Place
    ways: tuple[Way, ...]
    cut: bool = False

    @staticmethod
    def of(name: str, place: Place, ways: Iterable[Way], cut: bool = False) -> Traced:
        """The ways in their order, but those that give the same thing together."""
        apart: dict[Said, list[Way]] = {}
        for way in ways:
            apart.setdefault(way.said, []).append(way)
        return Traced(name, place, tuple(way for alike in apart.values() for way in alike), cut)


@dataclass(frozen=True, slots=True)
class Trace:
    """The answer to one question; `root` is an absolute path."""

    root: str
    values: tuple[Traced, ...]
    notices: tuple[str, ...] = ()
