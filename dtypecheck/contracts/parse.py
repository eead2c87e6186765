"""From a parsed TOML document to contracts, with every fault of the document collected.

The layout, by example:

    [pack]                                     # optional
    for = ["vllm"]                             # distribution or import names that take it by themselves
    description = "..."

    [kernels."pkg.mod._kernel"]                # parameter = contract
    num_rejected_ptr = "int32"
    bias_ptr = { dtype = ["float16", "float32"], same_as = "x_ptr", optional = true, why = "..." }
    BLOCK_SIZE = "constexpr"

    [functions."pkg.**.sample"]
    params = { cu_num_logits = "int32" }
    returns = ["int64", "int32"]               # a tuple; one value: a contract; parts: a table

    [fields."pkg.**.SamplerOutput"]            # attribute or field = contract
    num_sampled = { dtype = "int32", level = "warning" }
"""

from __future__ import annotations

from typing import Any

from . import values
from .errors import Reading
from .locator import KeyPath
from .model import WHOLE, ClassContract, FunctionContract, KernelContract, RulesFile, ValueContract
from .patterns import problem

SECTIONS = ("pack", "kernels", "functions", "fields")
PACK_KEYS = ("name", "for", "description")
FUNCTION_KEYS = ("params", "returns")


def parse(document: dict[str, Any], reading: Reading, name: str, *, shipped: bool = False) -> RulesFile:
    """The rules of a document; meaningful only where `reading` collected no fault."""
    for section in document:
        if section not in SECTIONS:
            reading.unknown_key((section,), SECTIONS, "section")
    pack = reading.table(("pack",), document.get("pack", {}), "a table")
    name, description, targets = _pack(reading, pack, name)
    return RulesFile(
        name=name,
        path=reading.path,
        description=description,
        targets=targets,
        kernels=tuple(_kernel(reading, k, v) for k, v in _entries(reading, document, "kernels")),
        functions=tuple(_function(reading, k, v) for k, v in _entries(reading, document, "functions")),
        classes=tuple(_class(reading, k, v) for k, v in _entries(reading, document, "fields")),
        shipped=shipped,
    )


def _pack(reading: Reading, pack: dict[str, Any], name: str) -> tuple[str, str, tuple[str, ...]]:
    for key in pack:
        if key not in PACK_KEYS:
            reading.unknown_key(("pack", key), PACK_KEYS)
    texts = {"name": name, "description": ""}
    for key in texts:
        if key in pack:
            texts[key] = values.text(reading, ("pack", key), pack[key])
    targets = pack.get("for", [])
    if not isinstance(targets, list):
        targets = [targets]
    names = tuple(values.project_name(reading, ("pack", "for", i), t) for i, t in enumerate(targets))
    return texts["name"], texts["description"], names


def _entries(reading: Reading, document: dict[str, Any], section: str) -> list[tuple[str, dict[str, Any]]]:
    """The patterns of a section with their tables; what is no pattern, or no table, is a fault."""
    found = []
    body = reading.table((section,), document.get(section, {}), "a table of qualified names")
    for pattern, value in body.items():
        key = (section, pattern)
        wrong = problem(pattern)
        if wrong is not None:
            reading.fault(key, wrong[0], "a qualified name or a pattern of one", wrong[1])
        table = reading.table(key, value, "a table", f'write [{section}."{pattern}"] above its keys')
        if not table and isinstance(value, dict):
            reading.fault(key, "the table is empty", "at least one key")
        if table and wrong is None:
            found.append((pattern, table))
    return found


def _kernel(reading: Reading, pattern: str, table: dict[str, Any]) -> KernelContract:
    key = ("kernels", pattern)
    parameters = tuple(values.contract(reading, (*key, p), v, values.KERNEL) for p, v in table.items())
    return KernelContract(pattern, reading.place(key), parameters)


def _class(reading: Reading, pattern: str, table: dict[str, Any]) -> ClassContract:
    key = ("fields", pattern)
    fields = tuple(values.contract(reading, (*key, p), v, values.FIELD) for p, v in table.items())
    return ClassContract(pattern, reading.place(key), fields)


def _function(reading: Reading, pattern: str, table: dict[str, Any]) -> FunctionContract:
    key = ("functions", pattern)
    for word in table:
        if word not in FUNCTION_KEYS:
            hint = f"parameters of functions stand under params, as params = {{ {word} = ... }}"
            reading.unknown_key((*key, word), FUNCTION_KEYS, hint=hint)
    params_key = (*key, "params")
    params = reading.table(params_key, table.get("params", {}), "a table of parameters")
    if table.get("params") == {}:
        reading.fault(params_key, "the table is empty", "at least one parameter")
    parameters = tuple(
        values.contract(reading, (*params_key, p), v, values.PARAMETER) for p, v in params.items()
    )
    returns = _returns(reading, (*key, "returns"), table["returns"]) if "returns" in table else ()
    return FunctionContract(pattern, reading.place(key), parameters, returns)


def _returns(reading: Reading, key: KeyPath, value: Any) -> tuple[ValueContract, ...]:
    """An array is a tuple; a table of contract keys is one value; any other table names parts."""
    if isinstance(value, list):
        if not value:
            reading.fault(key, "the array is empty", "one contract for each position of the returned tuple")
        return tuple(
            values.contract(reading, (*key, i), v, values.RESULT, name=str(i)) for i, v in enumerate(value)
        )
    if isinstance(value, dict) and value and not values.is_contract(value):
        return tuple(values.contract(reading, (*key, p), v, values.RESULT) for p, v in value.items())
    return (values.contract(reading, key, value, values.RESULT, name=WHOLE),)
