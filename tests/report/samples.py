"""Reports made by hand: the fault of the design's example, in a project of four small files."""

from __future__ import annotations

from pathlib import Path

from dtypecheck.core.diagnostics import (
    Applicability,
    Certainty,
    Diagnostic,
    Edit,
    Fix,
    Report,
    Severity,
    State,
    Stats,
    Step,
    Verdict,
)
from dtypecheck.core.spans import Place, Span

FILES = {
    "sampler.py": "def sample(sampled, num_reqs):\n"
    "    num_sampled = sampled.new_empty(num_reqs)\n"
    "    return num_sampled\n",
    "batch.py": "def batch(num_sampled):\n    return torch.empty_like(num_sampled)\n",
    "pkg/eagle.py": "def propose(x):\n    _prepare[(1,)](x.num_rejected, BLOCK=128)\n",
    "pkg/kernel.py": "@triton.jit\ndef _prepare(p):\n    query_len -= num_rejected\n",
}
TRITON = "initial value for `i` is of type int64[], but the then block redefines it as int32[]"


def place(path: str, needle: str) -> Place:
    """Where `needle` stands in one of the files."""
    for number, line in enumerate(FILES[path].split("\n"), 1):
        if needle in line:
            column = line.index(needle) + 1
            return Place(path, Span(number, column, number, column + len(needle)))
    raise AssertionError(needle)


BIRTH = place("sampler.py", "sampled.new_empty(num_reqs)")
LIKE = place("batch.py", "torch.empty_like(num_sampled)")
LAUNCH = place("pkg/eagle.py", "x.num_rejected")
KERNEL = place("pkg/kernel.py", "query_len -= num_rejected")
INSERT = Place("sampler.py", Span(2, 45, 2, 45))

UNSTABLE = Diagnostic(
    code="DT201",
    slug="unstable-type",
    severity=Severity.ERROR,
    certainty=Certainty.PROVEN,
    message="`num_rejected_ptr` of `_prepare` gets int64; it compiles only with int32",
    primary=BIRTH,
    kernel="pkg.kernel._prepare",
    parameter="num_rejected_ptr",
    actual=("int64",),
    expected=("int32",),
    birth=BIRTH,
    launch=LAUNCH,
    kernel_site=KERNEL,
    trace=(
        Step(BIRTH, "born", "int64", "inherited from `sampled`"),
        Step(LIKE, "flows", "int64", ""),
        Step(LAUNCH, "launched", "int64", ""),
        Step(KERNEL, "kernel", "int64", "int32 - int64 -> int64"),
    ),
    triton_error=TRITON,
    notes=(("siblings", "strict_rejection_sample and synthetic_rejection_sample return int32 here"),),
    fix=Fix(
        Applicability.SAFE,
        "sampled.new_empty(num_reqs, dtype=torch.int32)",
        (Edit(INSERT, ", dtype=torch.int32"),),
    ),
)
BARE = Diagnostic(
    code="DT301",
    slug="narrowing-store",
    severity=Severity.WARNING,
    certainty=Certainty.POSSIBLE,
    message="float32 is stored to int32 [bold]as is[/bold]",
    primary=LAUNCH,
    fix=Fix(Applicability.UNSAFE, "cast it", ()),
    verdict=Verdict(State.CONFIRMED, "triton 3.9.0 cuda:90", "..."),
)
STATS = Stats(
    files=4,
    kernels=1,
    launches=3,
    launches_resolved=2,
    tensor_arguments=8,
    tensor_arguments_known=5,
    tensor_arguments_symbolic=1,
    launches_decided=1,
    unknown_reasons={"no model of torch.foo": 3, "dynamic attribute": 4},
    blinded_launches={"no model of torch.foo": 2, "dynamic attribute": 1},
    unresolved_launches={"kernel from a dict": 1},
    seconds=0.25,
)


def project(root: Path) -> Path:
    """The files, written below `root`."""
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def report(root: Path, *findings: Diagnostic, stats: Stats = STATS) -> Report:
    return Report(str(root), findings, stats)
