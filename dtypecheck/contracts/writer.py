"""Contracts as the text of a rules file, the same text for the same contracts.

What `write` gives, `reader.read_text` reads back as equal contracts, places apart. The order is that
of the values given: whoever wants sorted files sorts them first.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..core import dtypes as dt
from .errors import quote, quote_key
from .model import Kind, RulesFile, ValueContract
from .words import spell

_WIDTH = 100


def write(rules: RulesFile, *, header: str = "") -> str:
    """The text of a rules file that says what `rules` says; `header` becomes its first comment."""
    blocks = ["\n".join(f"# {line}".rstrip() for line in header.splitlines())] if header else []
    blocks.append(_pack(rules))
    for kernel in rules.kernels:
        blocks.append(_section("kernels", kernel.pattern, _values(kernel.parameters)))
    for function in rules.functions:
        blocks.append(_section("functions", function.pattern, _results(function.returns)))
        if function.parameters:
            head = f"[functions.{quote_key(function.pattern)}.params]"
            blocks.append("\n".join([head, *_values(function.parameters)]))
    for cls in rules.classes:
        blocks.append(_section("fields", cls.pattern, _values(cls.fields)))
    return "\n\n".join(b for b in blocks if b) + "\n"


def _pack(rules: RulesFile) -> str:
    lines = [f"name = {quote(rules.name)}"]
    if rules.targets:
        lines.append(f"for = [{', '.join(quote(t) for t in rules.targets)}]")
    if rules.description:
        lines.append(f"description = {quote(rules.description)}")
    return "\n".join(["[pack]", *lines])


def _section(section: str, pattern: str, lines: Iterable[str]) -> str:
    body = list(lines)
    return "\n".join([f"[{section}.{quote_key(pattern)}]", *body]) if body else ""


def _values(contracts: Iterable[ValueContract]) -> list[str]:
    return [_line(c) for c in contracts]


def _line(contract: ValueContract) -> str:
    """A contract that no dtype meets cannot be written as a rule: it stays a comment."""
    if not contract.dtypes:
        return f"# {quote_key(contract.name)}: no dtype is accepted"
    return f"{quote_key(contract.name)} = {_value(contract)}"


def _results(returns: tuple[ValueContract, ...]) -> list[str]:
    """`returns` as one value, as the tuple that it is, or part by part."""
    if len(returns) == 1 and returns[0].is_whole:
        return [f"returns = {_value(returns[0])}"]
    if returns and [c.name for c in returns] == [str(i) for i in range(len(returns))]:
        items = [_value(c) for c in returns]
        line = f"returns = [{', '.join(items)}]"
        return [line] if len(line) <= _WIDTH else ["returns = [", *(f"    {i}," for i in items), "]"]
    return [f"returns.{quote_key(c.name)} = {_value(c)}" for c in returns]


def _value(contract: ValueContract) -> str:
    """The shortest spelling: a word where one word says all, else an inline table.

    In `returns` an array is a tuple, so the several dtypes of a result always stand in a table.
    """
    pairs = _pairs(contract)
    result = contract.is_whole or contract.position is not None
    if list(pairs) == ["dtype"] and not (result and pairs["dtype"].startswith("[")):
        return pairs["dtype"]
    if list(pairs) == ["kind"]:
        return pairs["kind"]
    return "{ " + ", ".join(f"{key} = {value}" for key, value in pairs.items()) + " }"


def _pairs(contract: ValueContract) -> dict[str, str]:
    pairs: dict[str, str] = {}
    if contract.dtypes != dt.ANY:
        pairs["dtype"] = _words(contract)
    if contract.same_as is not None:
        pairs["same_as"] = quote(contract.same_as)
    if contract.mixed_float8:
        pairs["mixed_float8"] = "true"
    if contract.at_least is not None:
        pairs["at_least"] = quote(contract.at_least)
    if contract.optional:
        pairs["optional"] = "true"
    if contract.kind is not Kind.VALUE:
        pairs["kind"] = quote(contract.kind.value)
    if contract.level is not None:
        pairs["level"] = quote(contract.level.value)
    if contract.why:
        pairs["why"] = quote(contract.why)
    return pairs or {"dtype": quote("any")}


def _words(contract: ValueContract) -> str:
    words = [quote(word) for word in spell(contract.dtypes)]
    return words[0] if len(words) == 1 else f"[{', '.join(words)}]"
