"""A slice: one kernel and all that it reads, as a module that imports Triton and torch, not the project.

Functions keep their lines verbatim, so a line of the slice can be traced to the file that it comes from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Origin(NamedTuple):
    """A line of a file of the program; `path` is "" for what no file holds."""

    path: str
    line: int


NOWHERE = Origin("", 0)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive lines that can be run by themselves, after the chunks before them."""

    lines: tuple[str, ...]
    origins: tuple[Origin, ...]

    @staticmethod
    def made(*lines: str) -> Chunk:
        """Lines that stand in no file."""
        return Chunk(lines, (NOWHERE,) * len(lines))

    @staticmethod
    def definition(head: Sequence[str], lines: Sequence[str], origin: Origin) -> Chunk:
        """A definition whose first line is at `origin`, below lines that stand in no file."""
        origins = (Origin(origin.path, origin.line + i) for i in range(len(lines)))
        return Chunk((*head, *lines), (*(NOWHERE,) * len(head), *origins))

    @staticmethod
    def expression(before: str, lines: Sequence[str], after: str, origin: Origin) -> Chunk:
        """`before`, the lines of an expression that starts at `origin`, and `after`."""
        first, *rest = lines
        text = [before + first, *rest]
        if "#" in text[-1]:
            text.append(after)
        else:
            text[-1] += after
        origins = [Origin(origin.path, origin.line + i) for i in range(len(lines))]
        return Chunk(tuple(text), (*origins, *(NOWHERE,) * (len(text) - len(lines))))


HEAD = Chunk.made("import types", "", "import triton")
FUTURE = Chunk.made("from __future__ import annotations", "")
"""Where the kernel's own file has it: Triton reads annotations as they are there, values or text."""


@dataclass(frozen=True, slots=True)
class Slice:
    """`kernel`, `configs` and `heuristics` are names in the module: the kernel, and functions that give what
    its autotune and heuristics decorators provide. `missing` are names that stay undefined, and why;
    `assumed` says what was taken for granted.
    """

    kernel: str
    chunks: tuple[Chunk, ...]
    configs: tuple[str, ...] = ()
    heuristics: tuple[str, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    assumed: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(line for chunk in self.chunks for line in chunk.lines) + "\n"

    @property
    def starts(self) -> tuple[int, ...]:
        """The first line of each chunk in the text, from 1."""
        found, at = [], 1
        for chunk in self.chunks:
            found.append(at)
            at += len(chunk.lines)
        return tuple(found)

    def origin(self, line: int) -> Origin:
        """Where a line of the text comes from."""
        for chunk in self.chunks:
            if line <= len(chunk.origins):
                return chunk.origins[line - 1] if line > 0 else NOWHERE
            line -= len(chunk.origins)
        return NOWHERE

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()
