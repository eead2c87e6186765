"""The operations of a module that change what a number is, each with the line it stands on."""

from __future__ import annotations

import re
from typing import Any

KINDS = frozenset(
    {
        "arith.trunci", "arith.truncf", "arith.fptosi", "arith.fptoui", "arith.sitofp", "arith.uitofp", "arith.extsi",
        "arith.extui", "arith.extf", "arith.bitcast", "tt.fp_to_fp", "tt.bitcast", "tt.ptr_to_int", "tt.int_to_ptr",
        "arith.muli", "arith.addi", "tt.reduce", "tt.scan", "tt.store", "tt.load", "tt.addptr", "tt.atomic_rmw",
        "arith.cmpi", "arith.cmpf", "arith.addf", "arith.mulf", "tt.dot", "tt.descriptor_store",
    }
)  # fmt: skip

_OPERATION = re.compile(r'^\s*(?:[%\w:, ]+ = )?"?(?P<name>\w+\.\w+)"?.*?(?: : (?P<types>.*?))? (?P<at>loc\(.*\))$')
_ALIAS = re.compile(r"^(#\w+) = (loc\(.*\))$", re.M)
_PLACE = re.compile(r'"[^"]*\.py":(\d+):\d+')


def operations(module: Any) -> list[list[Any]]:
    """(name, types, lines) of each operation; several lines where it was inlined, the innermost first."""
    text = module.str_nodebug() if not hasattr(module, "str_with_loc") else ""
    text = text or _with_locations(module)
    aliases = dict(_ALIAS.findall(text))
    found = []
    for line in text.split("\n"):
        match = _OPERATION.match(line)
        if match and match["name"] in KINDS:
            found.append([match["name"], match["types"] or "", _lines(match["at"], aliases)])
    return found


def _with_locations(module: Any) -> str:
    return str(module)


def _lines(at: str, aliases: dict[str, str], depth: int = 0) -> list[int]:
    found = [int(n) for n in _PLACE.findall(at)]
    if depth < 12:
        for name in re.findall(r"#\w+", at):
            found += _lines(aliases.get(name, ""), aliases, depth + 1)
    return found
