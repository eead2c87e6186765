"""What a run counts of the launches that it could not see through, and how it ranks the reasons."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from dtypecheck import check
from dtypecheck.cli.main import cli

SOURCE = """\
import torch
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    y = tl.load(y_ptr + i, mask=i < n)
    tl.store(out_ptr + i, x + y, mask=i < n)


def host(n: int):
    x = torch.empty(n)
    add[(1,)](torch.odd(n), torch.odd(n), torch.odd(n), n, BLOCK=16)
    add[(1,)](x, x, torch.frob(n), n, BLOCK=16)
    add[(1,)](x, x, torch.frob(n), n, BLOCK=16)
    add[(1,)](x, x, x, n, BLOCK=16)
"""
TABLE = """\
arguments not known:
launches  arguments
       2          2  no-model(torch.frob)
       1          3  no-model(torch.odd)
"""


def project(root: Path) -> Path:
    (root / "pyproject.toml").write_text("[project]\nname = 'proj'\n", encoding="utf-8")
    (root / "host.py").write_text(SOURCE, encoding="utf-8")
    return root


def test_a_launch_counts_once_for_each_reason_that_blinds_it(tmp_path: Path) -> None:
    stats = check([project(tmp_path)]).stats
    assert (stats.launches, stats.tensor_arguments) == (4, 12)
    assert stats.unknown_reasons == {"no-model(torch.odd)": 3, "no-model(torch.frob)": 2}
    assert stats.blinded_launches == {"no-model(torch.odd)": 1, "no-model(torch.frob)": 2}


def test_the_table_ranks_by_launches(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["--statistics", str(project(tmp_path))], catch_exceptions=False)
    assert result.stdout.endswith(TABLE), result.stdout
