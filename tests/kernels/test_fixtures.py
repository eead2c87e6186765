"""The fixture package's kernels over a grid of signatures."""

from __future__ import annotations

import random
from pathlib import Path

from .agreement_core import compare, typed
from .cut import cut, kernels
from .guess import signature

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


def test_fixture_kernels(triton, tmp_path) -> None:
    oracle, version = triton
    wrong, undecided, seen = [], 0, 0
    for module, node in kernels(FIXTURES):
        if not module.name.startswith("spec_decode"):
            continue
        made = cut(module, node)
        path = tmp_path / f"{node.name}.py"
        path.write_text(made.text())
        function, flat = made.typed()
        rng = random.Random(7)
        for variant in range(12):
            types, constants = signature(node, rng, variant > 0)
            request = {"file": str(path), "kernel": node.name, "signature": types, "constexprs": constants}
            answer = oracle.ask(request)
            seen += 1
            c = compare(function, typed(function, flat, types, constants, version, "cuda:90"), answer)
            undecided += c.kind == "undecided"
            if c.kind.startswith("false"):
                wrong.append(f"{node.name} {types}: {c.kind} {c.note}")
    assert seen >= 100 and not wrong, "\n".join(wrong)
    assert undecided == 0
