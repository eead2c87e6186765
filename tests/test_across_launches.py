"""Rules over several launches: their records can be sent, and conclude the same in any order."""

from __future__ import annotations

import pickle
from itertools import permutations

from dtypecheck.checks.recompiles import Seen, compared
from dtypecheck.core.spans import Place, Span


def seen(dtype: str, line: int, kernel: str = "m.copy", file: str = "m.py", parameter: str = "x_ptr") -> Seen:
    return Seen(
        kernel, Place(file, Span(1, 5, 1, 9)), 0, parameter, dtype, Place("host.py", Span(line, 1, line, 9))
    )


def test_the_rarest_dtype_is_told_whatever_the_order() -> None:
    records = [seen("float32", 10), seen("float16", 30), seen("float32", 20), seen("float32", 20)]
    found = {tuple(compared(order)) for order in permutations(records)}
    ((only,),) = found
    assert only.primary == Place("host.py", Span(30, 1, 30, 9))
    assert [(s.dtype, s.place.span.line) for s in only.trace] == [("float16", 30), ("float32", 10)]
    assert "`x_ptr` is float16 or float32" in only.message


def test_kernels_of_one_name_are_told_apart_by_where_they_stand() -> None:
    assert not list(compared([seen("float32", 1, file="a.py"), seen("float16", 2, file="b.py")]))


def test_one_finding_for_all_parameters_of_a_kernel() -> None:
    records = [seen(d, n, parameter=p) for n, d in enumerate(("int32", "int64")) for p in ("x_ptr", "y_ptr")]
    (only,) = compared(records)
    assert "`x_ptr` is int32 or int64; `y_ptr` is int32 or int64" in only.message


def test_records_can_be_sent() -> None:
    record = seen("float32", 3)
    assert pickle.loads(pickle.dumps(record)) == record
