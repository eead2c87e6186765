"""Compares what the checker says about a fixture with what its comments say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dtypecheck.analysis import show
from dtypecheck.analysis.reveal import NoSubject, reveal, subjects
from dtypecheck.analysis.solve import Solver
from dtypecheck.analysis.values import Value
from dtypecheck.core.diagnostics import Certainty, Diagnostic
from dtypecheck.processes import with_deep_stack

from .comments import Comment, Expected, expected
from .projects import Fixture


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One fault of a fixture: what is wrong; `text`: what should stand after the colon, if that is known."""

    file: Path
    line: int
    message: str
    comment: Comment | None = None
    text: str | None = None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


def disagreements(fixture: Fixture) -> list[Disagreement]:
    """Everything that does not hold, in the order of the lines."""
    found = [*findings(fixture), *with_deep_stack(lambda: list(values(fixture)))]
    return sorted(found, key=lambda d: (str(d.file), d.line, d.message))


# -- findings ------------------------------------------------------------------------------------


def findings(fixture: Fixture) -> Iterator[Disagreement]:
    """Expectations and findings, one to one."""
    left = [f for f in fixture.report.findings if _shown(fixture, f)]
    unmet: list[Comment] = []
    for comment in fixture.comments:
        if comment.kind == "expect":
            match = next((f for f in left if _meets(fixture, f, comment)), None)
            if match is None:
                unmet.append(comment)
            else:
                left.remove(match)
        elif comment.kind == "todo-expect":
            match = next((f for f in left if _meets(fixture, f, comment)), None)
            if match is not None:
                left.remove(match)
                yield _fixed(comment, "expect")
        elif comment.kind == "ok":
            yield from _silence(fixture, comment)
    for comment in unmet:
        near = [f for f in left if _at(fixture, f, comment)]
        twin = next(
            (f for f in near if f.code == expected(comment).code), near[0] if len(near) == 1 else None
        )
        if twin is None:
            yield Disagreement(comment.file, comment.line, f"no such finding: {comment.text}", comment)
        else:
            left.remove(twin)
            text = _expectation(twin, expected(comment))
            yield Disagreement(comment.file, comment.line, _should(comment, text), comment, text)
    for finding in left:
        path, line = fixture.root / finding.primary.path, finding.primary.span.line
        yield Disagreement(path, line, f"unexpected; to expect it: # expect: {_expectation(finding, None)}")


def _shown(fixture: Fixture, finding: Diagnostic) -> bool:
    return finding.certainty is Certainty.PROVEN or fixture.settings.show_possible


def _at(fixture: Fixture, finding: Diagnostic, comment: Comment) -> bool:
    return finding.primary.span.line == comment.line and (fixture.root / finding.primary.path).samefile(
        comment.file
    )


def _meets(fixture: Fixture, finding: Diagnostic, comment: Comment) -> bool:
    wanted = expected(comment)
    return (
        finding.code == wanted.code
        and _at(fixture, finding, comment)
        and wanted.certainty in (None, finding.certainty.value)
        and wanted.column in (None, finding.primary.span.column)
        and wanted.said in finding.message
    )


def _expectation(finding: Diagnostic, like: Expected | None) -> str:
    """The text of an `expect` comment; with as much in it as `like` says."""
    certainty = f" {finding.certainty.value}" if like is not None and like.certainty else ""
    column = f" @{finding.primary.span.column}" if like is not None and like.column else ""
    said = f' "{finding.message}"' if like is None or like.said else ""
    return f"{finding.code}{certainty}{column}{said}"


def _silence(fixture: Fixture, comment: Comment) -> Iterator[Disagreement]:
    if comment.text not in fixture.codes:
        yield Disagreement(
            comment.file, comment.line, f"{comment.text} is not on here, so that `ok` says nothing", comment
        )
    for finding in fixture.report.findings:
        places = (finding.primary, finding.launch)
        lines = {(p.path, p.span.line) for p in places if p is not None}
        if finding.code == comment.text and (fixture.relative(comment.file), comment.line) in lines:
            yield Disagreement(
                comment.file, comment.line, f"not ok: {finding.code} {finding.message}", comment
            )


# -- values --------------------------------------------------------------------------------------


def values(fixture: Fixture) -> Iterator[Disagreement]:
    """The `reveal` and `trace` comments."""
    wanted = [c for c in fixture.comments if c.kind in ("reveal", "todo-reveal", "trace")]
    if not wanted:
        return
    solver = fixture.solver()
    for comment in wanted:
        try:
            given = shown(solver, fixture, comment)
        except NoSubject as error:
            yield Disagreement(comment.file, comment.line, str(error), comment)
            continue
        if comment.todo:
            if given == comment.text:
                yield _fixed(comment, "reveal")
        elif given != comment.text:
            yield Disagreement(comment.file, comment.line, _should(comment, given), comment, given)


def shown(solver: Solver, fixture: Fixture, comment: Comment) -> str:
    """What the analysis says where a comment asks."""
    found = revealed(solver, fixture, comment)
    if comment.kind == "trace":
        return ", ".join(show.journey(v) for v in found)
    return ", ".join(show.value(solver, v) for v in found)


def revealed(solver: Solver, fixture: Fixture, comment: Comment) -> list[Value]:
    file = solver.program.by_path[fixture.relative(comment.file)]
    return [reveal(solver, s, comment.callers) for s in subjects(solver, file, comment.line, comment.subject)]


# -- messages ------------------------------------------------------------------------------------


def _fixed(comment: Comment, kind: str) -> Disagreement:
    message = f"the gap is closed: write `{kind}` for `todo-{kind}`: {comment.text}"
    return Disagreement(comment.file, comment.line, message, comment)


def _should(comment: Comment, text: str) -> str:
    line = rewritten(comment, text)
    return f"{comment.text} is not so; the line should read\n    {line.strip()}"


def rewritten(comment: Comment, text: str) -> str:
    """The comment's line with other text after the colon."""
    line = comment.file.read_text("utf-8").splitlines()[comment.at - 1]
    end = comment.start + len(comment.text)
    return line[: comment.start] + text + line[end:]


def accept(found: list[Disagreement]) -> list[Disagreement]:
    """Rewrites the comments that can be, and gives back what is left."""
    for one in found:
        if one.comment is not None and one.text is not None:
            lines = one.file.read_text("utf-8").splitlines(keepends=True)
            ending = lines[one.comment.at - 1][len(lines[one.comment.at - 1].rstrip("\r\n")) :]
            lines[one.comment.at - 1] = rewritten(one.comment, one.text) + ending
            one.file.write_text("".join(lines), "utf-8")
    return [one for one in found if one.text is None]


__all__ = ["accept", "disagreements", "revealed"]
