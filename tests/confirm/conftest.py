"""Projects made of text, and the Triton that is installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dtypecheck.analysis.solve import Solver
from dtypecheck.analysis.store import Store
from dtypecheck.config.progress import silent
from dtypecheck.confirm.bench import Bench
from dtypecheck.confirm.cut import cut
from dtypecheck.confirm.names import Names
from dtypecheck.confirm.options import Options
from dtypecheck.confirm.run import bench
from dtypecheck.confirm.slices import Slice
from dtypecheck.pipeline import indexed, reader

Cutter = Callable[..., Slice]

HEAD = "import triton\nimport triton.language as tl\n"


def solver(root: Path) -> Solver:
    """The program that a folder holds."""
    files = sorted(str(p.relative_to(root)) for p in root.rglob("*.py"))
    return Solver(indexed(root, files, 1, silent), Store(reader(root)))


def written(root: Path, files: dict[str, str], before: str = "") -> Path:
    """The folder with these files in it; each starts with `before` and the imports of Triton."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(before + HEAD + text)
    return root


@pytest.fixture
def sliced(tmp_path: Path) -> Cutter:
    """Cuts the kernel `kernel` out of files given as text, for a target."""

    def make(target: str = "cuda:90", /, before: str = "", **files: str) -> Slice:
        texts = {name.replace("__", "/", 1) + ".py": text for name, text in files.items()}
        at = solver(written(tmp_path, texts, before))
        (kernel,) = (f for f in at.program.functions() if f.entry.name == "kernel")
        return cut(Names(at.program, at.store), kernel, target)

    return make


@pytest.fixture(scope="session")
def triton() -> None:
    """Skips where Triton is not installed."""
    if importlib.util.find_spec("triton") is None:
        pytest.skip("Triton is not installed")


@pytest.fixture
def asked(triton: None, tmp_path: Path) -> Iterator[Bench]:
    """A bench over an empty program, with the Triton of this interpreter and no cache."""
    with bench(solver(tmp_path), Options(cache=None)) as at:
        yield at
