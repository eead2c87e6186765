"""What a kernel is said to accept, against Triton: for each dtype a signature with it is compiled.

    python -m tests.kernels.accepting FOLDER... [--python PYTHON] [--triton 3.9] [--limit N] [-v]

Each FOLDER is an import root. Kernels are cut into flat modules. Numbers and compile-time constants are
guessed, but for flags: those stay unknown, and tensors may be of any dtype. What is said to be accepted
must compile with its witness; what is said to be refused must be refused for several choices of the rest.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dtypecheck.kernels.given import Given
from dtypecheck.kernels.survey import Answers, Survey, kinds, survey
from dtypecheck.kernels.trial import ANY_TENSOR, NONE, Trial, element
from dtypecheck.kernels.typing import Flags
from dtypecheck.kernels.values import ConstexprType, KernelType, PointerType, ScalarType, TypeOf
from dtypecheck.semantics.triton_types import SIGNATURE, Scalar, members

from .agreement_core import install_record, parameter
from .cut import CannotCut, cut, kernels
from .guess import signature
from .oracle import Oracle
from .scopes import Module

RESTS = 3
"""Choices of the rest with which a refusal is tried."""
SPELT = {scalar.bit: name for name, scalar in SIGNATURE.items() if name[0] in "ifbu" and len(name) < 9}


@dataclass
class Tally:
    """What was compared, and where Triton says otherwise."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, claim: str, right: bool, said: str) -> None:
        self.counts[claim] += 1
        if not right:
            self.wrong.append(f"{claim}: {said}")

    def __str__(self) -> str:
        return f"{dict(self.counts)}, wrong {len(self.wrong)}"


@dataclass
class Subject:
    """One kernel in a file of its own."""

    file: Path
    name: str
    module: Module
    constants: dict[str, object]


def given(types: dict[str, str], constants: dict[str, object]) -> Given:
    """Any tensor for a tensor; unknown flags; the rest as guessed."""
    made: dict[str, KernelType] = {}
    for name, text in types.items():
        value = constants.get(name)
        if text.startswith("*"):
            made[name] = ANY_TENSOR
        elif isinstance(value, bool):
            made[name] = ConstexprType(None, False)
        else:
            made[name] = parameter(text, value)
    return Given(tuple(made.items()))


def compare(
    subject: Subject, oracle: Oracle, version: str, types: dict[str, str], tally: Tally, most: int = 99
) -> None:
    """Adds what is said of one kernel, and what Triton says; `most` dtypes of each set are tried."""
    function = subject.module.function(subject.name)
    trial = Trial(function, subject.module, (version,), ("cuda:90",))
    one = survey(trial, given(types, subject.constants))
    if one.reason:
        tally.counts["undecided kernel"] += 1
        return
    rng = random.Random(zlib.crc32(subject.name.encode()))
    asking = Asking(subject, oracle, one, rng, tally, most)
    try:
        for name, declared in one.signature.items():
            if element(declared):
                asking.parameter(name)
    except NoAnswer:
        tally.counts["kernel that Triton cannot import"] += 1


class NoAnswer(Exception):
    """Triton did not come to type the kernel."""


@dataclass
class Asking:
    """Questions to Triton about one kernel."""

    subject: Subject
    oracle: Oracle
    survey: Survey
    rng: random.Random
    tally: Tally
    most: int

    def parameter(self, name: str) -> None:
        """All that is said of one parameter."""
        one = self.survey
        kind = next(iter(kinds(one.signature[name])))
        answers = one.types(name, kind, element(kind))
        where = f"{self.subject.file.name} {self.subject.name} {name}"
        for bits, found in answers.witnesses.items():
            for scalar in self._some(bits):
                asked = {**found.signature, name: type(kind)(scalar.bit)}
                answer = self._ask(asked, found.accepted.assumed)
                self.tally.add("accepted", "ok" in answer, f"{where} {scalar}: {answer.get('error')}")
        for bits, (_, condition) in answers.limited.items():
            for scalar in self._some(bits):
                asked = {**answers.witnesses[bits].signature, name: type(kind)(scalar.bit)}
                answer = self._ask(asked, answers.flags)
                self.tally.add("limited", "error" in answer, f"{where} {scalar} where {condition}")
        rests = [*([one.base] if one.base else []), *[None] * RESTS][:RESTS]
        for bits in answers.refused:
            for scalar in self._some(bits):
                for rest in rests[: self.most]:
                    asked = {**(rest.signature if rest else one.signature), name: type(kind)(scalar.bit)}
                    answer = self._ask(asked, rest.accepted.assumed if rest else ())
                    self.tally.add("refused", "error" in answer, f"{where} {scalar}, {asked}")
        for bits in answers.undecided:
            self.tally.counts["undecided"] += bits.bit_count()
        self._none(name, where, one.none(name, answers.flags))

    def _none(self, name: str, where: str, nulls: Answers) -> None:
        for found in nulls.witnesses.values():
            answer = self._ask({**found.signature, name: NONE}, found.accepted.assumed)
            self.tally.add("None accepted", "ok" in answer, f"{where}: {answer.get('error')}")
        base = self.survey.base
        if nulls.refused and base:
            answer = self._ask({**base.signature, name: NONE}, base.accepted.assumed)
            self.tally.add("None refused", "error" in answer, where)

    def _some(self, bits: int) -> list[Scalar]:
        every = list(members(bits))
        return every if len(every) <= self.most else self.rng.sample(every, self.most)

    def _ask(self, types: dict[str, KernelType], flags: Flags) -> dict:
        """Triton's answer for one member of each set, and flags as they were taken."""
        taken = {key[1]: way for key, way in flags if key[0] == "param"}
        texts: dict[str, str] = {}
        constants: dict[str, object] = {}
        for name, declared in types.items():
            match declared:
                case PointerType(bits) | ScalarType(bits):
                    one = self.rng.choice(list(members(bits)))
                    texts[name] = ("*" if isinstance(declared, PointerType) else "") + SPELT[one.bit]
                case ConstexprType(value, known):
                    texts[name] = "constexpr"
                    value = value if known else taken.get(name, self.subject.constants.get(name))
                    if isinstance(value, TypeOf):
                        value = {"dtype": next(members(value.element)).name}
                    constants[name] = value
        request = {"kernel": self.subject.name, "signature": texts, "constexprs": constants}
        answer = self.oracle.ask({"file": str(self.subject.file), **request})
        if answer.get("stage") in ("import", "crash") or "ImportError" in answer.get("error", ""):
            raise NoAnswer
        return answer


def subjects(
    folder: Path, scratch: Path, wanted: Callable[[str], bool] = bool
) -> Iterator[tuple[Subject, dict[str, str]]]:
    """The kernels in the wanted modules of an import root, with guessed types of their arguments."""
    for number, (module, node) in enumerate(kernels(folder)):
        if not wanted(module.name):
            continue
        try:
            text = cut(module, node).text()
            flat = Module("flat", "flat.py", text)
            flat.function(node.name)
        except (CannotCut, SyntaxError, AssertionError, KeyError):
            continue
        path = scratch / f"k{number}.py"
        path.write_text(text)
        types, constants = signature(node, random.Random(7), False)
        yield Subject(path, node.name, flat, constants), types


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--triton", default="3.9")
    parser.add_argument("--limit", type=int, default=10**9)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    install_record()
    oracle = Oracle(options.python)
    for folder in options.folders:
        tally, seen = Tally(), 0
        scratch = Path(tempfile.mkdtemp(prefix="kernels-"))
        for subject, types in subjects(folder, scratch):
            if seen >= options.limit:
                break
            before = len(tally.wrong)
            compare(subject, oracle, options.triton, types, tally)
            seen += 1
            for line in tally.wrong[before:][:4] if options.verbose else ():
                print(f"  {line}", flush=True)
        print(f"{folder.name}: {seen} kernels, {tally}", flush=True)
    oracle.close()


if __name__ == "__main__":
    main()
