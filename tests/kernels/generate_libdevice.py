"""Prints the rows of `dtypecheck.semantics.triton_libdevice` from the installed Triton.

python -m tests.kernels.generate_libdevice
"""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path


def rows(vendor: str = "cuda") -> dict[str, list[str]]:
    """Signatures -> functions, in the order of the module."""
    spec = importlib.util.find_spec("triton")
    assert spec is not None and spec.origin is not None
    path = Path(spec.origin).parent / "language" / "extra" / vendor / "libdevice.py"
    found: dict[str, list[str]] = {}
    for node in ast.parse(path.read_text()).body:
        tables = (
            [n for n in ast.walk(node) if isinstance(n, ast.Dict)]
            if isinstance(node, ast.FunctionDef)
            else []
        )
        if not tables:
            continue
        parts = []
        for key, value in zip(tables[0].keys, tables[0].values, strict=True):
            names = [n.value for n in ast.walk(key) if isinstance(n, ast.Constant)]
            result = [n.value for n in ast.walk(value) if isinstance(n, ast.Constant)][-1]
            parts.append(f"{','.join(names)}>{result}")
        found.setdefault("; ".join(parts), []).append(node.name)
    return found


if __name__ == "__main__":
    for signatures, names in rows().items():
        print(f"{signatures!r}: {' '.join(names)}")
