"""A slice as a module: run chunk by chunk, so that what cannot be run here hurts only where it is read."""

from __future__ import annotations
import __future__

import itertools
import os
import sys
import types
from dataclasses import dataclass
from typing import Any


class Broken(Exception):
    """The kernel of a slice cannot be made into a jit function here."""


@dataclass
class Loaded:
    """`failures` are (first line, what was raised) of the chunks that could not be run."""

    kernel: Any
    namespace: dict[str, Any]
    path: str
    failures: list[tuple[int, str]]
    configs: list[Any]
    heuristics: list[Any]


def load(slice_: dict[str, Any]) -> Loaded:
    """Runs the chunks of a slice in a module of their own. Raises Broken where that leaves no kernel.

    The text lies in the working folder, which is the caller's to remove: Triton reads a kernel's lines there.
    """
    name = f"slice_{slice_['digest'][:16]}"
    path = os.path.abspath(f"{name}.py")
    with open(path, "w", encoding="utf-8", errors="surrogatepass") as file:
        file.write(slice_["text"])
    module = types.ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    failures = _run(slice_, path, module.__dict__)
    kernel = module.__dict__.get(slice_["kernel"])
    if not hasattr(kernel, "arg_names"):
        said = "; ".join(f"line {line}: {error}" for line, error in failures[-2:])
        raise Broken(said or f"{slice_['kernel']} is no jit function")
    configs, heuristics = (
        [module.__dict__.get(n) for n in slice_[kind]] for kind in ("configs", "heuristics")
    )
    return Loaded(kernel, module.__dict__, path, failures, configs, heuristics)


def _run(slice_: dict[str, Any], path: str, namespace: dict[str, Any]) -> list[tuple[int, str]]:
    lines = slice_["text"].split("\n")
    starts = [*slice_["starts"], len(lines) + 1]
    failures = []
    future = slice_["text"].startswith("from __future__")
    flags = __future__.annotations.compiler_flag if future else 0
    for first, after in itertools.pairwise(starts):
        text = "\n" * (first - 1) + "\n".join(lines[first - 1 : after - 1]) + "\n"
        try:
            code = compile(text, path, "exec", flags=flags, dont_inherit=True)
            exec(code, namespace)
        except Exception as error:
            failures.append((first, f"{type(error).__name__}: {error}"))
    return failures
