"""Sets of dtypes in few words: `any but float8`, `integer, bool`, `float16, bfloat16`."""

from __future__ import annotations

from ..core.dtypes import ALL, BOOL, FLOATING, INTEGER, SIGNED, UNSIGNED, DTypes, mask, members, only

POINTED: DTypes = mask(d for d in ALL if d.triton is not None)
"""What a Triton pointer can point to."""
_CLASSES = (
    ("integer", INTEGER),
    ("floating", FLOATING & POINTED),
    ("float8", mask(d for d in ALL if d.triton is not None and d.name.startswith("float8_"))),
    ("signed", SIGNED),
    ("unsigned", UNSIGNED),
)
_INT, _INT64 = only("int32"), only("int64")


def dtypes(accepted: DTypes) -> str:
    """What a tensor may have; the exceptions are told where they are shorter."""
    missing = POINTED & ~accepted
    if not missing:
        return "any"
    if not accepted:
        return "none"
    held, left = listed(accepted), listed(missing)
    return f"any but {', '.join(left)}" if len(left) < len(held) else ", ".join(held)


def numbers(accepted: DTypes) -> str:
    """What a number may be: the dtypes are those in which Triton takes Python's numbers."""
    words = ["bool"] if accepted & BOOL else []
    if accepted & _INT:
        words.append("int" if accepted & _INT64 else "int below 2**31")
    elif accepted & _INT64:
        words.append("int from 2**31 on")
    if accepted & FLOATING:
        words.append("float")
    return "any" if words == ["bool", "int", "float"] else ", ".join(words) or "none"


def listed(bits: DTypes) -> list[str]:
    """Classes first, then what is in none of them."""
    words = []
    for word, members_ in _CLASSES:
        if members_ & ~bits == 0:
            words.append(word)
            bits &= ~members_
    return words + [d.name for d in members(bits)]
