"""The words of a rules file: dtype names, dtype classes and kinds, and the nearest right spelling.

Dtypes are torch's canonical names. Aliases (`half`) and Triton's names (`fp16`) are refused with the
canonical name as hint: one dtype has one spelling in a rules file.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from ..core import dtypes as dt
from ..core.dtypes import DTypes
from .model import FLOAT8, Kind

CLASSES: dict[str, DTypes] = {
    "any": dt.ANY,
    "integer": dt.INTEGER,
    "signed": dt.SIGNED,
    "unsigned": dt.UNSIGNED,
    "index": dt.INDEX,
    "floating": dt.FLOATING,
    "float8": FLOAT8,
    "complex": dt.COMPLEX,
}
"""Class word -> the dtypes it stands for; `bool` is a dtype, and no integer."""

DTYPE_WORDS: dict[str, DTypes] = {**{d.name: d.bit for d in dt.ALL}, **CLASSES}
"""Every word that may stand where a dtype is expected."""

KIND_WORDS: dict[str, Kind] = {k.value: k for k in Kind if k is not Kind.VALUE}
"""Every word for what an argument is; each may also stand alone, as `BLOCK = "constexpr"`."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like `word`, if one is like it at all; ties go to the first by name."""
    candidates = sorted(set(known))
    folded = [w for w in candidates if w.lower() == word.lower()]
    if folded:
        return folded[0]
    found = difflib.get_close_matches(word, candidates, n=1, cutoff=0.6)
    return found[0] if found else None


def canonical(word: str) -> str | None:
    """The rules word that a user meant by a torch alias, a Triton name or a qualified name."""
    bare = word.removeprefix("torch.").removeprefix("tl.").removeprefix("*")
    if bare in DTYPE_WORDS:
        return bare
    for meant in (dt.named(bare), dt.BY_TRITON.get(bare), dt.triton_named(bare)):
        if meant is not None:
            return meant.name
    return None


def spell(dtypes: DTypes) -> tuple[str, ...]:
    """A set in few words, in a fixed order: class words for the classes that it holds, the largest first."""
    found: list[tuple[int, str]] = []
    left = dtypes
    for word, bits in sorted(CLASSES.items(), key=lambda item: -item[1].bit_count()):
        if bits & ~dtypes == 0 and (bits & left).bit_count() > 1:
            found.append((bits & left & -(bits & left), word))
            left &= ~bits
    found += [(d.bit, d.name) for d in dt.members(left)]
    return tuple(word for _, word in sorted(found))
