"""Descriptions that rest on documentation: each says where it stands, and none could be checked instead."""

from __future__ import annotations

import re

from dtypecheck.semantics import third_party
from dtypecheck.semantics.table import FAMILIES, lookup


def test_each_row_names_its_source_and_has_operations():
    for row in third_party.DOCUMENTED:
        assert re.match(r"[\w.-]+", row.source) and len(row.source) > 20
        assert row.ops


def test_all_rows_are_in_the_table():
    assert all(lookup(name) is op for op in third_party.OPS for name in op.names)


def test_what_can_be_checked_is_in_a_family_that_is():
    homes = {name.split(".")[0] for family in FAMILIES for op in family.OPS for name in op.names}
    alien = {name for op in third_party.OPS for name in op.names if name.split(".")[0] in homes}
    assert alien == {
        "torch.ops._C.get_cuda_view_from_cpu_tensor",
        "torch.ops._C.get_xpu_view_from_cpu_tensor",
        "Tensor.npu",
        "Tensor.musa",
    }
