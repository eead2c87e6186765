"""Oracles for the kernel tests: the installed Triton, and a second release where one is named.

`DTYPECHECK_TRITON_36` may name the interpreter of an environment that has Triton 3.6.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from .agreement_core import install_record
from .oracle import Oracle


def _release(python: str) -> str:
    code = "import triton; print('.'.join(triton.__version__.split('.')[:2]))"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture(scope="session")
def triton() -> Iterator[tuple[Oracle, str]]:
    """(oracle, release) of the Triton that is installed here."""
    if importlib.util.find_spec("triton") is None:
        pytest.skip("Triton is not installed")
    install_record()
    oracle = Oracle(sys.executable)
    yield oracle, _release(sys.executable)
    oracle.close()


@pytest.fixture(scope="session")
def triton_36() -> Iterator[tuple[Oracle, str]]:
    """(oracle, release) of the second Triton."""
    python = os.environ.get("DTYPECHECK_TRITON_36", "")
    if not python:
        pytest.skip("DTYPECHECK_TRITON_36 names no interpreter")
    install_record()
    oracle = Oracle(python)
    yield oracle, _release(python)
    oracle.close()
