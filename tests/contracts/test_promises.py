"""What rules files declare of a parameter holds where no known caller binds it."""

from __future__ import annotations

from pathlib import Path

from dtypecheck import check
from dtypecheck.config.load import settings_for

PROGRAM = """
import torch
import triton
import triton.language as tl


@triton.jit
def total(x_ptr, out_ptr, n):
    count = 0
    for i in range(n):
        count += tl.load(x_ptr + i)
    tl.store(out_ptr, count)


def launch(x, out):
    total[(1,)](x, torch.empty_like(out), 4)
"""
RULES = """
[functions."program.launch"]
params = {{ x = {dtype} }}
"""


def _codes(folder: Path, dtype: str | None) -> list[tuple[str, str]]:
    (folder / "program.py").write_text(PROGRAM)
    flags: dict[str, object] = {}
    if dtype is not None:
        (folder / "rules.toml").write_text(RULES.format(dtype=dtype))
        flags["rules"] = [str(folder / "rules.toml")]
    report = check([folder], settings_for([str(folder)], flags, root=str(folder)))
    return [(f.code, f.parameter) for f in report.findings]


def test_declared_dtypes_are_what_kernels_get(tmp_path: Path) -> None:
    assert _codes(tmp_path, None) == []
    assert _codes(tmp_path, '"int32"') == []
    assert _codes(tmp_path, '"float32"') == [("DT201", "x_ptr")]
    assert _codes(tmp_path, '["float16", "float32"]') == [("DT201", "x_ptr")]
    assert _codes(tmp_path, '["int32", "float32"]') == []
