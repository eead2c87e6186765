"""Every description against the library itself: torch 2.13 and numpy, over every combination of dtypes.

What the CPU answers is the truth; where it has no kernel for a dtype, what meta tensors answer. A rule may
give a dtype where torch only lacks a kernel; it may not refuse what the CPU takes. Rules that are not
computed (`Like`, `Fixed`...) cannot refuse: where torch does, the cell is counted as "refusal not described".
"""

from __future__ import annotations

from collections import Counter

import pytest

torch = pytest.importorskip("torch")
numpy = pytest.importorskip("numpy")

from dtypecheck.core.dtypes import BY_NAME  # noqa: E402
from dtypecheck.semantics import ops  # noqa: E402
from dtypecheck.semantics.table import FAMILIES, lookup  # noqa: E402

from . import distributed, oracle  # noqa: E402
from .samples import SAMPLES, UNCALLED  # noqa: E402

CHECKED = {name: op for family in FAMILIES for op in family.OPS for name in op.names}
SEEN: dict[str, Counter[str]] = {}
LEAST = 250_000
"""Cells compared when this was written, less a margin: a fall says that samples were lost."""


@pytest.fixture(scope="module", autouse=True)
def world():
    with distributed.world():
        yield


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.__name__.rsplit(".", 1)[-1])
def test_descriptions_are_true(family):
    total = oracle.Tally()
    silent = []
    for op in family.OPS:
        for name in op.names:
            if name in UNCALLED:
                continue
            tally = oracle.compare(name, op, ranks=name == op.names[0])
            total.add(tally)
            if not tally.cells["agree"]:
                silent.append(name)
    SEEN[family.__name__] = total.cells
    assert not total.wrong, f"{len(total.wrong)} cells differ:\n" + "\n".join(total.wrong[:20])
    assert not silent, "nothing was compared for these"
    assert not total.idle, "calls that torch never takes:\n" + "\n".join(total.idle)


def test_enough_cells_were_compared(capsys):
    if len(SEEN) < len(FAMILIES):
        pytest.skip("not all families ran")
    cells = sum(SEEN.values(), Counter())
    with capsys.disabled():
        operations = sum(len(f.OPS) for f in FAMILIES)
        print(f"\n{len(CHECKED)} names, {operations} operations, {sum(cells.values())} cells:")
        print(", ".join(f"{count} {word}" for word, count in cells.most_common()))
    assert sum(cells.values()) >= LEAST


def test_names_exist():
    missing = []
    for name in CHECKED:
        try:
            oracle.callable_of(name)
        except (AttributeError, ModuleNotFoundError):
            missing.append(name)
    assert not missing


def test_exceptions_and_samples_are_of_described_operations():
    assert set(UNCALLED) <= set(CHECKED)
    known = {".".join(n.split(".")[i:]) for n in CHECKED for i in range(n.count(".") + 1)}
    assert set(SAMPLES) <= known


@pytest.mark.parametrize("default", ["float64", "bfloat16"])
def test_default_dtype_is_followed(default):
    """The rules that read the default dtype, under another one."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(getattr(torch, default))
    try:
        wrong = []
        for name, op in CHECKED.items():
            if name == op.names[0] and name.startswith(("torch.", "operator.")) and name not in UNCALLED:
                if name.startswith(("torch.set_default", "torch.nn", "torch.linalg", "torch.distributed")):
                    continue
                wrong += oracle.compare(name, op, BY_NAME[default], most=1).wrong
    finally:
        torch.set_default_dtype(before)
    assert not wrong, "\n".join(wrong[:20])


def _takes_out(name: str, op: ops.Op) -> bool | None:
    """Whether a function takes `out=` and returns it, in one of its calls; None where none gives a tensor."""
    answers = []
    for sample in oracle.samples_of(name, op):
        cells = tuple((BY_NAME["float32"], False) for _ in oracle.slots(sample))
        arguments = oracle.fill(sample, cells, "cpu", False)
        try:
            plain, _, _ = oracle.call(name, op, arguments)
        except (RuntimeError, TypeError, NotImplementedError):
            continue
        if isinstance(plain, torch.Tensor):
            given = torch.empty_like(plain)
            try:
                answers.append(oracle.call(name, op, {**arguments, "out": given})[0] is given)
            except (RuntimeError, TypeError):
                answers.append(False)
    return any(answers) if answers else None


@pytest.mark.filterwarnings("ignore")
def test_out_is_taken_and_returned():
    """`out` says exactly which functions of torch take `out=`; they return that very tensor."""
    functions = {n: o for n, o in CHECKED.items() if n.startswith("torch.") and n not in UNCALLED}
    wrong = [n for n, o in functions.items() if _takes_out(n, o) not in (None, o.out)]
    assert not wrong


def test_arrays_and_tensors_share_dtypes():
    for dtype in oracle.dtypes_of("numpy."):
        tensor = torch.from_numpy(numpy.zeros(2, dtype.name))
        assert tensor.dtype is getattr(torch, dtype.name)
        assert tensor.numpy().dtype == dtype.name
    assert lookup("torch.from_numpy").outcome.dtype == ops.Like("ndarray")
    assert lookup("Tensor.numpy").outcome.array


ATEN = """
    abs add all amax any argmax bmm bitwise_and cat clamp clone contiguous cos cumsum div embedding eq exp
    expand flatten gather ge index_select log masked_fill matmul max mean minimum mm mul neg permute pow
    relu reshape rsqrt select sigmoid silu softmax split sqrt squeeze stack sub sum t topk transpose unbind
    unsqueeze where
"""
"""The operators of ATen that programs call by name most often."""


@pytest.mark.parametrize("short", ATEN.split())
def test_operators_of_aten_are_like_the_functions(short):
    """`torch.ops.aten.add` is described by `torch.add`: the same calls of both, wherever there are both."""
    op = lookup(f"torch.ops.aten.{short}.default")
    name = next(n for n in op.names if n.rpartition(".")[2] == short)
    tally = oracle.compare(name, op, most=2, of=getattr(torch.ops.aten, short))
    assert tally.cells["agree"]
    assert not tally.wrong, f"{len(tally.wrong)} cells differ:\n" + "\n".join(tally.wrong[:20])


def test_lookup():
    assert lookup("torch.Tensor.add") is lookup("Tensor.add") is lookup("torch.add")
    assert lookup("torch.special.expit") is not None
    assert lookup("torch.nn.functional.silu") is not None
    assert lookup("torch.ops.aten.add.Tensor") is lookup("torch.ops.aten.add") is lookup("torch.add")
    assert lookup("torch.ops.aten.linear.default") is lookup("torch.nn.functional.linear")
    assert lookup("torch.ops.elsewhere.add") is None
    assert lookup("torch.no_such_thing") is None
