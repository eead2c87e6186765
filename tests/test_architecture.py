"""The map in ARCHITECTURE.md and the code agree, and the invariants that it prints hold."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "dtypecheck"
TEXT = (ROOT / "ARCHITECTURE.md").read_text("utf-8")

LAYERS: dict[str, frozenset[str]] = {
    "core": frozenset(),
    "syntax": frozenset({"core"}),
    "semantics": frozenset({"core"}),
    "contracts": frozenset({"core"}),
    "config": frozenset({"core", "contracts"}),
    "analysis": frozenset({"core", "syntax", "semantics", "contracts"}),
    "kernels": frozenset({"core", "syntax", "semantics", "analysis"}),
    "checks": frozenset({"core", "syntax", "semantics", "contracts", "config", "analysis", "kernels"}),
    "confirm": frozenset({"core", "syntax", "semantics", "config", "analysis", "kernels"}),
    "report": frozenset({"core"}),
    "cli": frozenset({"core", "contracts", "config", "checks", "confirm", "report", "api", "__init__"}),
}
"""What each package may import of ours, beside itself."""

MODULES = sorted(ROOT.rglob("*.py"))
WORKER = ROOT / "confirm" / "worker"
PACKAGES = sorted(p.parent.name for p in ROOT.glob("*/__init__.py"))


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """Top-level names that a module imports: (package of ours, True) or (outside module, False)."""
    package = path.relative_to(ROOT).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name.split(".")[0], False
        elif isinstance(node, ast.ImportFrom):
            if node.level == 0:
                yield (node.module or "").split(".")[0], False
                continue
            base = package[: len(package) - (node.level - 1)]
            dotted = (*base, *(node.module or "").split(".")) if node.module else base
            if dotted and dotted[0]:
                yield dotted[0], True
            else:
                for alias in node.names:
                    if alias.name != "__version__":
                        yield alias.name, True


def owner(path: Path) -> str:
    parts = path.relative_to(ROOT).parts
    return parts[0] if len(parts) > 1 else ""


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_go_downwards(path: Path) -> None:
    mine = owner(path)
    if not mine:
        return
    ours = {name for name, inside in imports(path) if inside}
    wrong = ours - LAYERS[mine] - {mine}
    assert not wrong, f"{mine} may not import {sorted(wrong)}"


def test_only_syntax_reads_source() -> None:
    readers = {owner(p) for p in MODULES if {n for n, i in imports(p) if not i} & {"ast", "libcst"}}
    assert readers == {"syntax"}


def test_the_worker_alone_imports_torch_and_triton() -> None:
    others = [p for p in MODULES if WORKER not in p.parents]
    assert [p.name for p in others if {n for n, i in imports(p) if not i} & {"torch", "triton", "numpy"}] == []
    assert [p.name for p in others if "worker" in {n for n, inside in imports(p) if inside}] == []


def test_the_worker_stands_alone() -> None:
    """It runs where dtypecheck is not installed: of ours it imports its neighbours, by one dot."""
    for path in WORKER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            assert not isinstance(node, ast.ImportFrom) or node.level <= 1, path.name
            assert not isinstance(node, ast.Import) or "dtypecheck" not in {a.name for a in node.names}, path.name


def test_the_interpreter_names_no_operation() -> None:
    text = (ROOT / "analysis" / "interpreter.py").read_text("utf-8")
    assert not re.search(r"[\"'](torch|triton|tl|numpy)\b", text)


def test_analysis_names_no_rule() -> None:
    wrong = [p.name for p in (ROOT / "analysis").glob("*.py") if re.search(r"\bDT\d{3}\b", p.read_text("utf-8"))]
    assert wrong == []


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_modules_are_small_and_say_what_they_are(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= 500
    assert ast.get_docstring(ast.parse(text)), "no module docstring"


def test_the_map_names_every_package_once() -> None:
    table = re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE)
    assert sorted(table) == PACKAGES
    assert sorted(LAYERS) == PACKAGES


def test_every_path_in_the_map_exists() -> None:
    for name in re.findall(r"`((?:\w+/)*\w+\.py|\w+(?:\.\w+)+)`", TEXT):
        path = name if name.endswith(".py") else name.replace(".", "/") + ".py"
        found = any((base / path).exists() for base in (ROOT, ROOT.parent))
        assert found, name
