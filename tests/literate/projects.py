"""The fixtures there are, and how each is checked: files, root, rules and settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from dtypecheck.analysis.program import Program
from dtypecheck.analysis.solve import Solver
from dtypecheck.analysis.store import Store
from dtypecheck.api import Report
from dtypecheck.checks.selection import select_rules
from dtypecheck.config.progress import silent
from dtypecheck.config.settings import Settings
from dtypecheck.config.targets import RELEASES
from dtypecheck.contracts.matching import Contracts
from dtypecheck.contracts.sources import read_all
from dtypecheck.pipeline import Held, Job, run
from dtypecheck.syntax.index import index
from dtypecheck.syntax.modules import module_name
from dtypecheck.syntax.source import Source, read

from .comments import BadComment, Comment, comments

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
FLAGS = frozenset({"show-possible", "unsafe-fixes"})
KEYS = frozenset({"select", "ignore", "rules", "target"})


@dataclass(frozen=True)
class Fixture:
    """One project: `name` is its path below the fixtures, `files` are its Python files."""

    name: str
    root: Path
    files: tuple[Path, ...]
    beside: Path = field(compare=False)

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        """Those of the Python files, and of the rules files."""
        own = [c for file in self.files for c in comments(file)]
        return (*own, *(c for rules in self._rules(own) for c in comments(rules)))

    def _rules(self, own: list[Comment]) -> list[Path]:
        named = _words(own)["rules"]
        beside = self.beside.with_name(f"{self.beside.name.removesuffix('.py')}.rules.toml")
        return [self.beside.parent / n for n in named] + ([beside] if beside.is_file() else [])

    @cached_property
    def words(self) -> dict[str, list[str]]:
        """The settings of the `fixture:` comments."""
        return _words(self.comments)

    @cached_property
    def rules(self) -> list[Path]:
        return self._rules([c for c in self.comments if c.file.suffix == ".py"])

    def relative(self, file: Path) -> str:
        return file.relative_to(self.root).as_posix()

    @cached_property
    def settings(self) -> Settings:
        return Settings(
            self.root, select=tuple(self.words["select"]), ignore=tuple(self.words["ignore"]), jobs=1,
            show_possible="show-possible" in self.words["flags"],
        )  # fmt: skip

    @cached_property
    def codes(self) -> frozenset[str]:
        return select_rules(self.settings).codes

    @cached_property
    def report(self) -> Report:
        """What the pipeline finds in the fixture and nowhere else."""
        files, errors = read_all(map(str, self.rules))
        assert not errors, [str(e) for e in errors]
        names = tuple(sorted(map(self.relative, self.files)))
        held = Held(tuple(self.words["target"]) or ("any",), RELEASES)
        job = Job(self.root, names, Contracts(files), self.codes, 1, held, self.settings.show_possible)
        findings, stats = run(job, silent)
        return Report(str(self.root), findings, stats)

    def solver(self) -> Solver:
        """A solver whose summaries say what each name is where it stands."""
        indexed = []
        for file in self.files:
            path = self.relative(file)
            indexed.append(index(read(file, path), *module_name(path)))
        return Solver(Program(indexed), Store(self._source, watch=True))

    def _source(self, path: str) -> Source | None:
        found = read(self.root / path, path)
        return found if isinstance(found, Source) else None


def _words(found: tuple[Comment, ...] | list[Comment]) -> dict[str, list[str]]:
    words: dict[str, list[str]] = {"select": [], "ignore": [], "rules": [], "target": [], "flags": []}
    for comment in found:
        if comment.kind != "fixture":
            continue
        for word in comment.text.split():
            key, equals, values = word.partition("=")
            if equals and key in KEYS:
                words[key] += values.split(",")
            elif word in FLAGS:
                words["flags"].append(word)
            else:
                raise BadComment(f"{comment.file.name}:{comment.at}: no such setting: {word}")
    return words


def fixtures(folder: Path = FIXTURES) -> Iterator[Fixture]:
    """Every fixture at and below a folder, in order."""
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith((".", "__")):
            continue
        if entry.is_dir():
            if not (entry / "__init__.py").is_file():
                yield from fixtures(entry)
                continue
            files = tuple(sorted(f for f in entry.rglob("*.py") if not f.name.endswith(".fixed.py")))
            yield Fixture(_name(entry), entry.parent, files, entry)
        elif entry.suffix == ".py" and not entry.name.endswith(".fixed.py"):
            yield Fixture(_name(entry), entry.parent, (entry,), entry)


def _name(entry: Path) -> str:
    return entry.relative_to(FIXTURES).as_posix() if entry.is_relative_to(FIXTURES) else entry.name
