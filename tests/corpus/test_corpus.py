"""Released packages, unchanged: the checker holds out, and says nothing that is not true."""

from __future__ import annotations

from .measure import Measurement
from .packages import Package
from .reviewed import FILE, Reviewed, read, stale, unreviewed

Measured = tuple[Package, Measurement]


def _entries(package: Package) -> list[Reviewed]:
    return [e for e in read(FILE.read_text("utf-8")) if e.package == package.key]


def test_no_function_defeats_the_checker(measured: Measured) -> None:
    _, run = measured
    failures = [f"{f['path']}:{f['line']} {f['message']}" for f in run.findings if f["code"] == "DT001"]
    assert not failures, "\n".join(failures)


def test_every_finding_was_judged_true(measured: Measured) -> None:
    package, run = measured
    surprises = list(unreviewed(_entries(package), run.findings))
    assert not surprises, "\n".join(["", *surprises])


def test_every_judgement_still_holds(measured: Measured) -> None:
    package, run = measured
    gone = list(stale(_entries(package), run.findings))
    assert not gone, "\n".join(["", *gone])


def test_the_whole_package_was_read(measured: Measured) -> None:
    package, run = measured
    stats = run.stats
    assert stats["kernels"] >= package.kernels
    assert stats["launches"] >= package.launches
    assert stats["launches_resolved"] <= stats["launches"]
    assert sum(run.unresolved.values()) == stats["launches"] - stats["launches_resolved"]
    counted = stats["tensor_arguments_known"] + stats["tensor_arguments_symbolic"]
    assert counted + sum(stats["unknown_reasons"].values()) == stats["tensor_arguments"]
