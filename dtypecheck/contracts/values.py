"""The single values of a rules file: words, names and the contract of one parameter, result or field."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ..core import dtypes as dt
from ..core.dtypes import DTypes
from .errors import Reading, type_name
from .locator import KeyPath
from .model import Kind, Level, ValueContract
from .words import DTYPE_WORDS, KIND_WORDS, canonical, nearest

CONTRACT_KEYS = ("dtype", "same_as", "mixed_float8", "at_least", "optional", "kind", "why", "level")
LEVELS = tuple(level.value for level in Level)

_EXPECTED_DTYPE = (
    "a torch dtype, or a class: any, integer, signed, unsigned, index, floating, float8, complex"
)
_EXPECTED_CONTRACT = "a dtype or class word, an array of them, or a table such as { dtype = ..., why = ... }"
_PROJECT = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|_\w*")
_POSITION = re.compile(r"0|[1-9][0-9]*")


@dataclass(frozen=True, slots=True)
class Role:
    """What a contract is for: which kinds it may declare, and whether positions are names."""

    what: str
    kinds: tuple[str, ...] = ("scalar", "pointer")
    positions: bool = False


KERNEL = Role("parameter", kinds=tuple(KIND_WORDS))
PARAMETER = Role("parameter")
RESULT = Role("result", positions=True)
FIELD = Role("field")


def is_contract(table: dict[str, Any]) -> bool:
    """Whether a table is one contract rather than a table of named parts."""
    return any(key in CONTRACT_KEYS for key in table)


def text(reading: Reading, key: KeyPath, value: Any) -> str:
    """A string that says something, on one line."""
    if not isinstance(value, str):
        reading.fault(key, f"{type_name(value)} cannot stand here", "a string")
        return ""
    line = " ".join(value.split())
    if not line:
        reading.fault(key, "the string is empty", "a string that says something")
    return line


def project_name(reading: Reading, key: KeyPath, value: Any) -> str:
    """A distribution or import name."""
    if isinstance(value, str) and _PROJECT.fullmatch(value):
        return value
    shown = f'"{value}"' if isinstance(value, str) else type_name(value)
    reading.fault(key, f"{shown} is no project name", "a distribution or import name, such as vllm")
    return ""


def contract(
    reading: Reading, key: KeyPath, value: Any, role: Role, *, name: str | None = None
) -> ValueContract:
    """The contract that `value` states at `key`; `name` is the last key unless given."""
    if name is None:
        name = str(key[-1])
        _check_name(reading, key, name, role)
    place = reading.place(key)
    if isinstance(value, dict):
        return _from_table(reading, key, value, role, ValueContract(name, place))
    if isinstance(value, str) and value in role.kinds:
        return ValueContract(name, place, kind=KIND_WORDS[value])
    return ValueContract(name, place, dtypes=_dtypes(reading, key, value, role.kinds))


def _check_name(reading: Reading, key: KeyPath, name: str, role: Role) -> None:
    if name.isidentifier() or (role.positions and _POSITION.fullmatch(name)):
        return
    expected = "a position (0, 1, ...) or the name of a field" if role.positions else f"a {role.what} name"
    hint = f'write "{name.lstrip("*")}"' if name.lstrip("*").isidentifier() else ""
    reading.fault(key, f'"{name}" is no {role.what} name', expected, hint)


def _from_table(
    reading: Reading, key: KeyPath, table: dict[str, Any], role: Role, blank: ValueContract
) -> ValueContract:
    if not table:
        reading.fault(key, "the table is empty", _EXPECTED_CONTRACT)
    for word in table:
        if word not in CONTRACT_KEYS:
            hint = (
                "" if is_contract(table) else 'a dotted name needs quotes, as in [kernels."pkg.mod.kernel"]'
            )
            reading.unknown_key((*key, word), CONTRACT_KEYS, hint=hint)
    mixed = _flag(reading, (*key, "mixed_float8"), table)
    if mixed and "same_as" not in table:
        reading.fault((*key, "mixed_float8"), "there is nothing to be the same as", "same_as beside it")
    kind = _word(reading, (*key, "kind"), table.get("kind"), role.kinds, f"kind of a {role.what}")
    level = _word(reading, (*key, "level"), table.get("level"), LEVELS, "level")
    return ValueContract(
        name=blank.name,
        place=blank.place,
        dtypes=_dtypes(reading, (*key, "dtype"), table["dtype"], ()) if "dtype" in table else dt.ANY,
        same_as=_reference(reading, (*key, "same_as"), table, blank.name),
        at_least=_reference(reading, (*key, "at_least"), table, blank.name),
        mixed_float8=mixed,
        optional=_flag(reading, (*key, "optional"), table),
        kind=KIND_WORDS[kind] if kind else Kind.VALUE,
        why=text(reading, (*key, "why"), table["why"]) if "why" in table else "",
        level=Level(level) if level else None,
    )


def _flag(reading: Reading, key: KeyPath, table: dict[str, Any]) -> bool:
    value = table.get(str(key[-1]), False)
    if not isinstance(value, bool):
        reading.fault(key, f"{type_name(value)} cannot stand here", "true or false")
        return False
    return value


def _reference(reading: Reading, key: KeyPath, table: dict[str, Any], own: str) -> str | None:
    """The name of another parameter or field; whether it exists is known when a program is checked."""
    value = table.get(str(key[-1]))
    if value is None:
        return None
    if not isinstance(value, str) or not value.isidentifier():
        shown = f'"{value}" is no name' if isinstance(value, str) else f"{type_name(value)} cannot stand here"
        reading.fault(key, shown, "the name of another parameter or field")
        return None
    if value == own:
        reading.fault(key, f'"{own}" is compared with itself', "the name of another parameter or field")
    return value


def _word(reading: Reading, key: KeyPath, value: Any, known: tuple[str, ...], what: str) -> str | None:
    if value is None or (isinstance(value, str) and value in known):
        return value
    if isinstance(value, str):
        guess = nearest(value, known)
        hint = f'did you mean "{guess}"?' if guess else ""
        reading.fault(key, f'unknown {what} "{value}"', ", ".join(known), hint)
    else:
        reading.fault(key, f"{type_name(value)} cannot stand here", " or ".join(f'"{w}"' for w in known))
    return None


def _dtypes(reading: Reading, key: KeyPath, value: Any, kinds: tuple[str, ...]) -> DTypes:
    """The union of one word or of an array of words."""
    if isinstance(value, str):
        return _dtype(reading, key, value, kinds)
    if not isinstance(value, list):
        expected = _EXPECTED_DTYPE if key[-1] == "dtype" else _EXPECTED_CONTRACT
        reading.fault(key, f"{type_name(value)} cannot stand here", expected)
        return dt.ANY
    if not value:
        reading.fault(key, "the array is empty", "at least one dtype")
    union = 0
    for i, word in enumerate(value):
        if isinstance(word, str):
            union |= _dtype(reading, (*key, i), word, ())
        else:
            reading.fault((*key, i), f"{type_name(word)} cannot stand here", _EXPECTED_DTYPE)
    return union


def _dtype(reading: Reading, key: KeyPath, word: str, kinds: tuple[str, ...]) -> DTypes:
    if word in DTYPE_WORDS:
        return DTYPE_WORDS[word]
    meant = canonical(word)
    guess = nearest(word, [*DTYPE_WORDS, *kinds])
    if word in KIND_WORDS:
        hint = f'"{word}" is for kernel parameters' if kinds else f'a kind is written {{ kind = "{word}" }}'
    else:
        hint = f'write "{meant}"' if meant else f'did you mean "{guess}"?' if guess else ""
    reading.fault(key, f'unknown dtype "{word}"', _EXPECTED_DTYPE, hint)
    return dt.ANY
