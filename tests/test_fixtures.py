"""Every literate fixture says what the checker says, no more and no less."""

from __future__ import annotations

import pytest

from .literate.fixes import wrong_fixes
from .literate.judge import accept, disagreements
from .literate.projects import Fixture, fixtures
from .literate.truth import truth

ALL = list(fixtures())
RUNNABLE = [f for f in ALL if any(c.kind == "run" for c in f.comments)]


@pytest.mark.parametrize("fixture", ALL, ids=lambda f: f.name)
def test_comments_hold(fixture: Fixture, request: pytest.FixtureRequest) -> None:
    found = disagreements(fixture)
    if request.config.getoption("--accept"):
        found = accept(found)
    assert not found, "\n" + "\n".join(map(str, found))


@pytest.mark.parametrize("fixture", ALL, ids=lambda f: f.name)
def test_fixes_give_the_file_beside(fixture: Fixture) -> None:
    assert not list(wrong_fixes(fixture))


@pytest.mark.parametrize("fixture", RUNNABLE, ids=lambda f: f.name)
def test_execution_agrees(fixture: Fixture) -> None:
    """What the analysis says of names and launch arguments, against what Python and Triton's launcher get."""
    outcome = truth(fixture)
    assert not outcome.wrong, "\n" + "\n".join(outcome.wrong)
