"""DT001: a fault of the checker's own is a finding, and the rest is checked."""

from __future__ import annotations

import pytest

from dtypecheck.analysis import launches
from dtypecheck.analysis.solve import Solver

from .literate.projects import FIXTURES, fixtures

NAME = "checks/dt401_launch_arity.py"


def test_a_fault_in_one_function_is_told_and_the_rest_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    (fixture,) = (f for f in fixtures(FIXTURES) if f.name == NAME)
    whole = {(f.code, f.primary, f.message) for f in fixture.report.findings}
    fixture.__dict__.pop("report")
    real = launches._launch

    def failing(solver: Solver, site: launches.Site) -> object:
        if site.function.entry.name == "right":
            raise RuntimeError("injected")
        return real(solver, site)

    monkeypatch.setattr(launches, "_launch", failing)
    found = {(f.code, f.primary, f.message) for f in fixture.report.findings}
    (internal,) = (f for f in found if f[0] == "DT001")
    assert "`right`" in internal[2] and "injected" in internal[2]
    assert found - {internal} == whole
