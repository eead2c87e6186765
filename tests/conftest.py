"""Settings of the whole suite."""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import TypeVar

import pytest

R = TypeVar("R", pytest.TestReport, pytest.CollectReport)


def _unskipped(report: R) -> R:
    """With DTYPECHECK_NO_SKIPS, what cannot run has failed; an expected failure stays one."""
    if os.environ.get("DTYPECHECK_NO_SKIPS") and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped where nothing may be: {report.longrepr}"
    return report


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="rewrite what comments of fixtures say")
    parser.addoption(
        "--corpus",
        default="default",
        metavar="PACKAGES",
        help="packages of tests/corpus to test, with commas: default, all, names, keys (vllm-0.20.0)",
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return _unskipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _unskipped((yield))
