"""Which packages of the corpus are tested, and one measurement of each."""

from __future__ import annotations

from functools import cache

import pytest

from .fetch import FetchError, fetch
from .measure import Measurement, RunFailed, measure
from .packages import Package, UnknownPackage, named, package


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "measured" in metafunc.fixturenames:
        try:
            packages = named(metafunc.config.getoption("corpus").split(","))
        except UnknownPackage as error:
            raise pytest.UsageError(f"--corpus: {error}") from None
        metafunc.parametrize("measured", packages, ids=[p.key for p in packages], indirect=True)


@cache
def _measured(key: str) -> Measurement | str:
    """A measurement, or why there is none: tried once a session."""
    try:
        return measure(fetch(package(key)))
    except (FetchError, RunFailed) as error:
        return str(error)


@pytest.fixture
def measured(request: pytest.FixtureRequest) -> tuple[Package, Measurement]:
    """A package and the run on it."""
    found = _measured(request.param.key)
    if isinstance(found, str):
        pytest.fail(found, pytrace=False)
    return request.param, found
