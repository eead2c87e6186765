"""Loads the fixture package, as it is or with its fault repaired, under a name of its own."""

import importlib
import importlib.util
import shutil
import sys
from pathlib import Path
from types import ModuleType

FIXTURE = Path(__file__).resolve().parents[2] / "fixtures" / "spec_decode"
FAULT = "sampled.new_empty(num_reqs)\n"
REPAIR = "sampled.new_empty(num_reqs, dtype=torch.int32)\n"


def write_repaired(folder: Path) -> Path:
    """Copy the package into `folder`, with the one-keyword repair; return the copy's folder."""
    copy = folder / "spec_decode_repaired"
    shutil.copytree(FIXTURE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    module = copy / "probabilistic_rejection_sampler.py"
    text = module.read_text(encoding="utf-8")
    assert text.count(FAULT) == 1
    module.write_text(text.replace(FAULT, REPAIR), encoding="utf-8")
    return copy


class Package:
    """Gives the package's modules as attributes: `Package(folder, name).eagle`."""

    def __init__(self, folder: Path, name: str) -> None:
        self._name = name
        if name in sys.modules:
            return
        spec = importlib.util.spec_from_file_location(
            name, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)

    def __getattr__(self, module: str) -> ModuleType:
        return importlib.import_module(f"{self._name}.{module}")


def load_faulty() -> Package:
    """The package as it is."""
    return Package(FIXTURE, "spec_decode_faulty")


def load_repaired(folder: Path) -> Package:
    """The repaired package, written to `folder`."""
    return Package(write_repaired(folder), "spec_decode_repaired")
