"""The lift to sets against the typing of every member: refused means all are, and so does accepted."""

from __future__ import annotations

import random
from itertools import product

from dtypecheck.kernels.scope import LibraryName
from dtypecheck.kernels.typing import Accepted, Rejected, type_kernel
from dtypecheck.kernels.values import ConstexprType, PointerType
from dtypecheck.semantics.triton_types import SIGNATURE

from .agreement_core import install_record, parameter
from .generate import HEAD, POINTERS, arguments, kernel
from .scopes import Module


def disagreements(count: int, seed: int) -> tuple[dict[str, int], list[str]]:
    install_record()
    rng = random.Random(seed)
    names = [f"k{i}" for i in range(count)]
    module = Module("sets", "sets.py", HEAD + "\n\n".join(kernel(n, rng) for n in names))
    module.cache["record"] = LibraryName("record")
    seen = {"Accepted": 0, "Rejected": 0, "Undecided": 0}
    found = []
    for name in names:
        function = module.function(name)
        texts, constants = arguments(rng)
        types = {n: parameter(t, constants.get(n)) for n, t in texts.items()}
        choices = {n: rng.sample(POINTERS, rng.choice((1, 2, 3))) for n in ("p", "q")}
        if rng.random() < 0.4:
            choices["q"] = choices["p"]  # the same set is not the same type
        sets = {n: PointerType(sum(SIGNATURE[c].bit for c in cs)) for n, cs in choices.items()}
        flag = rng.random() < 0.3
        if flag:
            sets["D"] = ConstexprType(None, False)
        lifted = type_kernel(function, {**types, **sets}, module).outcome
        seen[type(lifted).__name__] += 1
        flags = (True, False, 0, 5, None) if flag else (None,)
        for p, q, value in product(choices["p"], choices["q"], flags):
            member = {"p": parameter(f"*{p}"), "q": parameter(f"*{q}")}
            if flag:
                member["D"] = ConstexprType(value)
            outcome = type_kernel(function, {**types, **member}, module).outcome
            if isinstance(lifted, Rejected) and not isinstance(outcome, Rejected):
                found.append(f"{name} {choices} refused ({lifted.message}), not for {p} {q} {value}")
            if isinstance(lifted, Accepted) and not flag and not isinstance(outcome, Accepted):
                found.append(f"{name} {choices} accepted, not for {p} {q}: {outcome}")
    return seen, found


def test_sets_are_sound() -> None:
    seen, found = disagreements(400, 3)
    assert not found, "\n".join(found[:5])
    assert min(seen.values()) > 10, seen
