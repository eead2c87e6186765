"""Kernels that a vendor's own Triton release compiles are not held to Triton's rules and launch options."""

from pathlib import Path

import pytest

from dtypecheck import check
from dtypecheck.config.settings import Settings

KERNEL = """
import torch, triton
import triton.language as tl

@triton.jit
def fill(out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, tl.exp(tl.load(out_ptr + offsets)), mask=offsets < n)

def run(n: int):
    out = torch.empty(n, dtype=torch.float16)
    fill[(1,)](out, n, BLOCK=16{option})
"""


@pytest.mark.parametrize(
    ("folder", "option", "codes"),
    [
        ("backend/_kunlunxin", ", isCloseUnrollControl=True", []),
        ("backend/_kunlunxin", "", []),
        ("backend/_nvidia", ", isCloseUnrollControl=True", ["DT401"]),
        ("backend/_nvidia", "", ["DT202"]),
    ],
)
def test_a_vendors_kernels(tmp_path: Path, folder: str, option: str, codes: list[str]) -> None:
    place = tmp_path / folder
    place.mkdir(parents=True)
    (place / "ops.py").write_text(KERNEL.format(option=option), encoding="utf-8")
    report = check([tmp_path], Settings(root=tmp_path))
    assert [f.code for f in report.findings] == codes
