"""Cells: one expression for one tuple of types, on both sides."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from dtypecheck.kernels.scope import LibraryName
from dtypecheck.kernels.typing import Accepted

from .agreement_core import RECORDED, compare, typed
from .oracle import Oracle
from .scopes import Module

HEAD = """import triton
import triton.language as tl
from triton.language.extra import libdevice

record = None
"""
X = "tl.load(a + tl.arange(0, 16))"
Y = "tl.load(b + tl.arange(0, 16))"
SQUARE = "tl.load({} + tl.arange(0, 32)[:, None] * 32 + tl.arange(0, 32)[None, :])"


@dataclass
class Sheet:
    """Kernels of one parameter list, written to one file."""

    params: str
    bodies: dict[str, str]
    helpers: str = ""

    def __post_init__(self) -> None:
        parts = [HEAD, self.helpers]
        self.names = {label: f"k{i}" for i, label in enumerate(self.bodies)}
        for label, body in self.bodies.items():
            inner = body.replace("\n", "\n    ")
            parts.append(f"@triton.jit\ndef {self.names[label]}({self.params}):\n    {inner}\n")
        self.text = "\n\n".join(parts)
        folder = Path(tempfile.mkdtemp(prefix="cells-"))
        self.path = folder / "cells.py"
        self.path.write_text(self.text)
        self.module = Module("cells", "cells.py", self.text)
        self.module.cache["record"] = LibraryName("record")

    def differences(
        self, oracle: Oracle, version: str, cells: Iterable[tuple[str, dict[str, str], dict[str, object]]]
    ) -> tuple[int, list[str]]:
        """(cells, what differs): verdict, words of the error, and recorded types."""
        count, found = 0, []
        for label, signature, constexprs in cells:
            count += 1
            name = self.names[label]
            request = {
                "file": str(self.path),
                "kernel": name,
                "signature": signature,
                "constexprs": constexprs,
            }
            answer = oracle.ask(request)
            function = self.module.function(name)
            typing = typed(function, self.module, signature, constexprs, version, "cuda:90")
            c = compare(function, typing, answer)
            where = f"{label} {tuple(signature.values())} {constexprs or ''}"
            if c.kind != "agree" or not c.klass or not c.line:
                found.append(f"{where}: {c.kind} {c.note}")
            elif isinstance(typing.outcome, Accepted):
                have = [str(r).replace("'", "") for r in RECORDED]
                want = [str(r).replace("'", "") for r in answer["types"]]
                # A loop body is visited twice by Triton, once by us.
                if set(have) != set(want):
                    found.append(f"{where}: {have} for {want}")
        return count, found
