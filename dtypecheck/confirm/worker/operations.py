"""The operations of a module that tell what a number is or becomes, each with the lines that it stands on."""

from __future__ import annotations

import re
from typing import Any

KINDS = frozenset(
    f"arith.{name}"
    for name in (
        *("trunci", "truncf", "extsi", "extui", "extf", "fptosi", "fptoui", "sitofp", "uitofp", "bitcast"),
        *("muli", "addi", "addf", "mulf", "cmpi", "cmpf"),
    )
) | frozenset(
    f"tt.{name}"
    for name in (
        *("fp_to_fp", "bitcast", "ptr_to_int", "int_to_ptr", "reduce", "scan", "dot", "dot_scaled"),
        *("load", "store", "addptr", "atomic_rmw", "descriptor_load", "descriptor_store", "call"),
    )
)

_OPERATION = re.compile(r'^\s*(?:[%\w:, ]+ = )?"?(?P<name>\w+\.\w+)"?(?P<rest>.*) (?P<at>loc\(.*\))$')
_ALIAS = re.compile(r"^(#\w+) = (loc\(.*\))$", re.M)


def operations(module: Any, path: str) -> list[list[Any]]:
    """(name, types, lines of `path`) of each operation; where it was inlined, the innermost line first."""
    text = str(module)
    aliases = dict(_ALIAS.findall(text))
    place = re.compile(rf'"[^"]*{re.escape(path.rpartition("/")[2])}":(\d+):\d+')
    found = []
    for line in text.split("\n"):
        match = _OPERATION.match(line)
        if match and match["name"] in KINDS:
            lines = _lines(match["at"], aliases, place)
            if lines:
                precision = "tf32, " if "inputPrecision = tf32" in match["rest"] else ""
                found.append([match["name"], precision + _types(match["rest"]), lines])
    return found


def _types(rest: str) -> str:
    """What stands after the last colon that no bracket encloses."""
    depth = 0
    for at in range(len(rest) - 1, -1, -1):
        depth += (rest[at] in ")>]}" and rest[at - 1] != "-") - (rest[at] in "(<[{")
        if depth == 0 and rest[at - 1 : at + 2] == " : ":
            return rest[at + 2 :].strip()
    return ""


def _lines(at: str, aliases: dict[str, str], place: re.Pattern[str], depth: int = 0) -> list[int]:
    found = [int(n) for n in place.findall(at)]
    if depth < 12:
        for name in re.findall(r"#\w+", at):
            found += _lines(aliases.get(name, ""), aliases, place, depth + 1)
    return found
