"""The packs that ship, the schema, and that schema and reader agree."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from dtypecheck.contracts import packs
from dtypecheck.contracts.model import RulesFile
from dtypecheck.contracts.reader import read_file, read_text
from dtypecheck.contracts.schema import PATH, schema
from dtypecheck.contracts.words import DTYPE_WORDS, KIND_WORDS
from dtypecheck.core import dtypes as dt

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted([*(ROOT / "rules").glob("*.toml"), *(ROOT / "fixtures").glob("*.rules.toml")])
VALIDATOR = Draft202012Validator(schema())


def test_packs_are_found_by_stem() -> None:
    assert "vllm" in packs.packs()
    assert packs.packs() == tuple(sorted(packs.packs()))
    assert packs.find("vllm") == ROOT / "rules" / "vllm.toml"
    assert packs.find("no such pack") is None
    assert packs.find("../pyproject") is None


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_every_rules_file_here_is_valid_for_reader_and_schema(path: Path) -> None:
    found = read_file(path)
    assert isinstance(found, RulesFile), [str(e) for e in found.errors]
    assert not list(VALIDATOR.iter_errors(tomllib.loads(path.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("name", packs.packs())
def test_a_pack_is_named_by_its_stem_and_gives_a_reason_for_each_rule(name: str) -> None:
    pack = packs.read_pack(name)
    assert isinstance(pack, RulesFile)
    assert (pack.name, pack.shipped, pack.path) == (name, True, f"rules/{name}.toml")
    assert pack.description and pack.targets
    values = [c for k in pack.kernels for c in k.parameters]
    values += [c for f in pack.functions for c in (*f.parameters, *f.returns)]
    values += [c for k in pack.classes for c in k.fields]
    assert values and not [c.place for c in values if not c.why]


@pytest.mark.parametrize(
    ("project", "imports", "taken"),
    [
        ("vllm", (), ("vllm",)),
        ("VLLM", (), ("vllm",)),
        ("my-fork", ("vllm",), ("vllm",)),
        (None, ("torch",), ()),
        ("vllm-plugin", ("vllm_plugin",), ()),
    ],
)
def test_a_project_takes_its_own_packs(
    project: str | None, imports: tuple[str, ...], taken: tuple[str, ...]
) -> None:
    assert packs.packs_for(project, imports) == taken


def test_the_vllm_pack_names_the_argument_of_the_known_fault() -> None:
    from dtypecheck.contracts.matching import Contracts

    pack = packs.read_pack("vllm")
    assert isinstance(pack, RulesFile)
    declared = Contracts([pack])
    kernel = declared.kernel("vllm.v1.worker.gpu.spec_decode.eagle.speculator._prepare_eagle_inputs_kernel")
    assert kernel["num_rejected_ptr"].dtypes == dt.only("int32")
    assert kernel["num_sampled_ptr"].dtypes == dt.only("int32", "int64")
    for sampler in ("strict", "probabilistic", "synthetic"):
        function = declared.function(f"vllm.v1.worker.gpu.spec_decode.any_module.{sampler}_rejection_sample")
        assert [c.dtypes for c in function.returns.values()] == [dt.only("int64"), dt.only("int32")]
    output = declared.fields("vllm.v1.worker.gpu.sample.output.SamplerOutput")
    assert output["num_sampled"].dtypes == dt.only("int32")
    assert declared.fields("vllm.v1.outputs.SamplerOutput") == {}


def test_the_schema_is_a_schema_and_knows_every_word() -> None:
    Draft202012Validator.check_schema(schema())
    assert PATH.name == "rules.schema.json"
    definitions = schema()["$defs"]
    assert definitions["dtype"]["enum"] == list(DTYPE_WORDS)
    assert definitions["kernel_contract"]["properties"]["kind"]["enum"] == list(KIND_WORDS)


K = '[kernels."p.k"]\n'
F = '[functions."p.f"]\n'
SAMPLES = {
    "empty file": ("", True),
    "pack": ('[pack]\nname = "x"\nfor = "y"\ndescription = "z"', True),
    "word": (K + 'x = "int32"', True),
    "several": (K + 'x = ["int32", "floating"]', True),
    "table": (K + 'x = { dtype = "any", same_as = "y", at_least = "z" }', True),
    "flags": (K + 'x = { optional = true, level = "off" }', True),
    "kind": (K + 'x = "constexpr"\ny = { kind = "scalar" }\nz = "pointer"', True),
    "tuple": (F + 'returns = ["int32", ["int32", "int64"], { why = "w" }]', True),
    "one value": (F + 'returns = "int32"', True),
    "one value table": (F + 'returns = { dtype = ["int32", "int64"], optional = true }', True),
    "parts": (F + 'returns = { 0 = "int32", num = { dtype = "bool" } }', True),
    "params": (F + 'params = { x = "int32" }', True),
    "fields": ('[fields."**.C"]\nx = { dtype = "int32", kind = "scalar" }', True),
    "patterns": ('[kernels."**"]\nx = "int8"\n[kernels."a.*b.**.c"]\nx = "int8"', True),
    "locals": ('[kernels."m.f.<locals>.k"]\nx = "int8"', True),
    "empty sections": ("[kernels]\n[functions]\n[fields]\n[pack]", True),
    "unknown section": ("[kernel]", False),
    "unknown key": (K + 'x = { dtypes = "int32" }', False),
    "unknown dtype": (K + 'x = "int23"', False),
    "alias": (K + 'x = "half"', False),
    "array in array": (K + 'x = [["int32"]]', False),
    "number": (K + "x = 32", False),
    "empty list": (K + "x = []", False),
    "empty table": (K + "x = {}", False),
    "empty kernel": (K, False),
    "empty function": (F, False),
    "empty params": (F + "params = {}", False),
    "empty tuple": (F + "returns = []", False),
    "empty returns": (F + "returns = {}", False),
    "kind of result": (F + 'returns = ["constexpr"]', False),
    "kind of whole result": (F + 'returns = "constexpr"', False),
    "kind of field": ('[fields.C]\nx = { kind = "constexpr" }', False),
    "mixed parts": (F + 'returns = { dtype = "int32", num = "int32" }', False),
    "bad part": (F + 'returns = { "-1" = "int32" }', False),
    "bad level": (K + 'x = { level = "warn" }', False),
    "bad optional": (K + "x = { optional = 1 }", False),
    "blank why": (K + 'x = { why = " " }', False),
    "bad reference": (K + 'x = { same_as = "a.b" }', False),
    "bad parameter": (K + '"a b" = "int32"', False),
    "path": ('[kernels."a/b"]\nx = "int8"', False),
    "python file": ('[kernels."b.py"]\nx = "int8"', False),
    "three stars": ('[kernels."a.***"]\nx = "int8"', False),
    "star star inside": ('[kernels."a.**b"]\nx = "int8"', False),
    "star star twice": ('[kernels."**.**"]\nx = "int8"', False),
    "digit": ('[kernels."a.1"]\nx = "int8"', False),
    "empty name": ('[kernels.""]\nx = "int8"', False),
    "trailing dot": ('[kernels."a."]\nx = "int8"', False),
    "pattern of text": ('[kernels]\n"a.b" = "int8"', False),
    "bad target": ('[pack]\nfor = ["a b"]', False),
    "bad pack name": ("[pack]\nname = 3", False),
}  # fmt: skip


@pytest.mark.parametrize("case", SAMPLES)
def test_schema_and_reader_give_the_same_verdict(case: str) -> None:
    text, valid = SAMPLES[case]
    read = isinstance(read_text(text, "r.toml", name="r"), RulesFile)
    schema_accepts = VALIDATOR.is_valid(tomllib.loads(text))
    assert (read, schema_accepts) == (valid, valid)


@pytest.mark.parametrize("text", [K + 'x = { same_as = "x" }'])
def test_what_only_the_reader_sees(text: str) -> None:
    """A schema cannot compare a value with the key that it stands under."""
    assert not isinstance(read_text(text, "r.toml", name="r"), RulesFile)
    assert VALIDATOR.is_valid(tomllib.loads(text))
