"""A launch under Triton's typing rules: which of its ways are refused whatever is not known may be.

A way is a guard: each argument is narrowed to what can be met under it, and merged. So an alternative is
refused only if no dtype of the others saves it, and arguments that come from one branch stay together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar, Union

from ..analysis.dtypexpr import Symbol
from ..analysis.facts import LaunchFact
from ..analysis.pointers import descriptors, pointers
from ..analysis.program import FunctionDef
from ..analysis.solve import Solver
from ..analysis.values import ALWAYS, Array, Guard, Nil, Number, Sequence, agree
from ..core import ir
from ..core.dtypes import BY_NAME, DType
from ..core.spans import Place
from ..semantics.triton_errors import Refusal
from ..semantics.triton_types import ANY as TRITON_ANY
from .arguments import Mixed, argument
from .program_scope import scope_of
from .semantics import is_constexpr
from .signatures import AnyArgument, Argument, ConstantArgument, parameter_type
from .typing import Accepted, Flags, KernelTyping, Rejected, Undecided, type_kernel
from .values import ConstexprType, DescriptorType, KernelType, PointerType, ScalarType, UnknownType

PLAIN = ("bool", "int", "float")
INT, NONE = ScalarType(BY_NAME["int32"].bit), ConstexprType(None)
OTHERS: tuple[KernelType, ...] = (
    *(ScalarType(BY_NAME[n].bit) for n in ("int64", "float32", "bool")), PointerType(TRITON_ANY), NONE,
    DescriptorType(TRITON_ANY),
)  # fmt: skip
"""What an argument may be that was taken for an int."""
Way = Union["dict[str, KernelType]", "tuple[str, Refusal]"]
"""The types of all arguments, or the parameter whose argument has none and why."""
Answer = TypeVar("Answer")
NOTHING: Mapping[Symbol, DType] = {}
RUNS = 64
WAYS = 24
FORKS = 3


@dataclass(frozen=True, slots=True)
class Verdict:
    """What Triton says of one way of a launch. `signature` holds the merged argument types."""

    guard: Guard
    signature: dict[str, KernelType]
    typings: dict[str, KernelTyping]
    """By version, those that decide and those that do not."""
    launch_refusal: tuple[str, Refusal] | None = None

    @property
    def rejected(self) -> Rejected | None:
        """The refusal of the newest version that decides."""
        for typing in self.typings.values():
            if isinstance(typing.outcome, Rejected):
                return typing.outcome
        return None


@dataclass(slots=True)
class Typer:
    """Types launches; equal signatures are typed once."""

    solver: Solver
    target: str
    versions: tuple[str, ...]
    memo: dict[tuple[object, ...], KernelTyping] = field(default_factory=dict)
    spent: dict[Place, int] = field(default_factory=dict)
    """Typing runs by launch: what a launch may cost is bounded, over all its contexts and ways."""
    settled: dict[Place, bool] = field(default_factory=dict)
    """Whether every way of a launch that was typed came out accepted or refused."""
    latest: LaunchFact | None = None
    answers: dict[object, object] = field(default_factory=dict)
    """What is known of the fact that was asked about last: all rules ask about one before they go on."""
    uses: dict[FunctionDef, tuple[frozenset[str], frozenset[str]]] = field(default_factory=dict)
    """The parameters of kernels that are addresses, and those that are descriptors."""

    def verdicts(self, fact: LaunchFact) -> tuple[Verdict, ...]:
        """One verdict per way that can be told apart."""
        return self._kept(fact, "verdicts", lambda: tuple(self._verdicts(fact)))

    def _kept(self, fact: LaunchFact, question: object, answer: Callable[[], Answer]) -> Answer:
        if self.latest is not fact:
            self.latest, self.answers = fact, {}
        if question not in self.answers:
            self.answers[question] = answer()
        return self.answers[question]  # type: ignore[return-value]

    def _verdicts(self, fact: LaunchFact) -> Iterator[Verdict]:
        for guard, signature in self.ways(fact):
            if isinstance(signature, tuple):
                yield Verdict(guard, {}, {}, signature)
            elif self.spent.get(fact.place, 0) < RUNS:
                yield self.verdict(fact, guard, signature)

    def ways(self, fact: LaunchFact) -> Iterator[tuple[Guard, Way]]:
        """What the kernel's parameters get in each way that can be told apart; none where arguments do not fit."""
        binding = fact.binding
        if binding.extra or binding.unexpected or binding.repeated:
            return
        if binding.open_positions or binding.open_keywords or is_foreign(fact.kernel.file.path):
            return
        platform = _platform(self.target)
        for guard in _ways(fact):
            here = agree(guard, platform)
            if here is not None:
                yield from self._way(fact, here, 0)

    def _way(self, fact: LaunchFact, guard: Guard, depth: int) -> Iterator[tuple[Guard, Way]]:
        signature = self._signature(fact, guard)
        if not isinstance(signature, Mixed):
            yield guard, signature
        elif depth < FORKS:
            for part in dict.fromkeys(signature.guards):
                both = agree(guard, part)
                if both is not None and both != guard:
                    yield from self._way(fact, both, depth + 1)

    def samples(self, fact: LaunchFact) -> Iterator[tuple[Guard, dict[str, KernelType]]]:
        """Two ways of a launch that has too many to tell apart: by the first choices, and by the last."""
        for guard in fact.guards[:WAYS]:
            for pick in (0, -1):
                at = guard
                signature = self._signature(fact, at)
                while isinstance(signature, Mixed):
                    parts = [both for part in signature.guards if (both := agree(at, part)) not in (None, at)]
                    if not parts:
                        break
                    at = parts[pick] or at
                    signature = self._signature(fact, at)
                if isinstance(signature, dict):
                    yield at, signature

    def verdict(self, fact: LaunchFact, guard: Guard, signature: dict[str, KernelType]) -> Verdict:
        """The typings of a complete signature, newest version first."""
        typings: dict[str, KernelTyping] = {}
        for version in self.versions:
            typings[version] = self.typing(fact, signature, version)
            outcome = typings[version].outcome
            if isinstance(outcome, Accepted) or (isinstance(outcome, Undecided) and outcome.possible is not None):
                break
        decided = any(isinstance(t.outcome, (Accepted, Rejected)) for t in typings.values())
        self.settled[fact.place] = self.settled.get(fact.place, True) and decided
        return Verdict(guard, signature, typings)

    def typing(self, fact: LaunchFact, signature: dict[str, KernelType], version: str) -> KernelTyping:
        key = (fact.kernel, tuple(signature.items()), version, self.target)
        found = self.memo.get(key)
        if found is None:
            function = self.solver.store.function(fact.kernel)
            scope = scope_of(self.solver, fact.kernel.file)
            found = self.memo[key] = type_kernel(function, signature, scope, version, self.target)
            self.spent[fact.place] = self.spent.get(fact.place, 0) + found.runs
        return found

    def again(
        self, fact: LaunchFact, signature: dict[str, KernelType], version: str, flags: Flags = ()
    ) -> KernelTyping:
        """A typing that is asked for beyond the verdicts: it does not count to what verdicts may cost."""
        key = (fact.kernel, tuple(signature.items()), version, self.target, *flags)
        found = self.memo.get(key)
        if found is None:
            function = self.solver.store.function(fact.kernel)
            scope = scope_of(self.solver, fact.kernel.file)
            found = self.memo[key] = type_kernel(function, signature, scope, version, self.target, flags)
        return found

    def supposing(
        self, fact: LaunchFact, guard: Guard, supposed: Mapping[Symbol, DType]
    ) -> dict[str, KernelType] | None:
        """The signature of a way where what a caller provides has these dtypes; None where that cannot be."""
        question = (guard, frozenset(supposed.items()))
        signature = self._kept(fact, question, lambda: self._signature(fact, guard, supposed))
        return signature if isinstance(signature, dict) else None

    def _signature(
        self, fact: LaunchFact, guard: Guard, supposed: Mapping[Symbol, DType] = NOTHING
    ) -> Way | Mixed:
        function = self.solver.store.function(fact.kernel)
        addresses, described = self._uses(fact.kernel)
        plain = _not_specialized(function)
        found: dict[str, KernelType] = {}
        for position, param in enumerate(function.params):
            given = fact.arguments.get(param.name)
            if given is None:
                if param.default is not None:
                    continue
                made = parameter_type(param, _supplied(param))
            else:
                one = argument(given.value, guard, param.name in addresses, supposed)
                if isinstance(one, Mixed):
                    return one
                made = parameter_type(param, one, param.name not in plain and str(position) not in plain)
            if isinstance(made, Refusal):
                return param.name, made
            if isinstance(made, UnknownType):
                made = _assumed(param.name, addresses, described)
            found[param.name] = made
        return found

    def _uses(self, kernel: FunctionDef) -> tuple[frozenset[str], frozenset[str]]:
        found = self.uses.get(kernel)
        if found is None:
            store = self.solver.store
            addresses = pointers(self.solver.program, store, kernel)
            found = self.uses[kernel] = addresses, descriptors(store, kernel)
        return found

    # -- certainty -------------------------------------------------------------------------------

    def hopeful(self, fact: LaunchFact, verdict: Verdict) -> bool:
        """Whether a refused None stands beside something else: an attribute that is set later, most often."""
        for name, declared in verdict.signature.items():
            if declared == NONE and name in fact.arguments:
                if any(not isinstance(alt.what, Nil) for alt in fact.arguments[name].value):
                    return True
        return False

    def guesses(self, fact: LaunchFact, verdict: Verdict, rejected: Rejected) -> bool:
        """Whether the refused operands come from an argument of which nothing is known."""
        return any(is_vague(fact, name, verdict.guard) for name in rejected.parameters)

    def certain(self, fact: LaunchFact, verdict: Verdict) -> bool:
        """Whether a refusal holds whatever an argument of which nothing is known may be.

        Such an argument was typed as an int, or as a tensor where the kernel takes an address.
        """
        unknown = [name for name in verdict.signature if is_vague(fact, name, verdict.guard)]
        changes: list[dict[str, KernelType]] = [dict.fromkeys(unknown, other) for other in (INT, *OTHERS)]
        for name in unknown:
            pointer = isinstance(verdict.signature[name], PointerType)
            changes += [{name: other} for other in ((NONE, INT) if pointer else OTHERS)]
        refusing = [v for v, t in verdict.typings.items() if isinstance(t.outcome, Rejected)]
        return all(
            isinstance(self.typing(fact, {**verdict.signature, **change}, version).outcome, Rejected)
            for change in (changes if unknown else ())
            for version in refusing
        )


def _assumed(name: str, addresses: frozenset[str], described: frozenset[str]) -> KernelType:
    """What a parameter is taken for of which nothing is known, by how the kernel uses it."""
    if name in described:
        return DescriptorType(TRITON_ANY)
    return PointerType(TRITON_ANY) if name in addresses else INT


def _supplied(param: ir.Param) -> Argument:
    """What a decorator provides: a compile-time constant where one is declared, else anything."""
    return ConstantArgument(None, False) if is_constexpr(param.annotation) else AnyArgument("supplied")


VENDORS = frozenset(
    {"ascend", "npu", "cambricon", "mlu", "kunlunxin", "mthreads", "musa", "sunrise", "tsingmicro", "enflame", "gcu",
     "metax", "iluvatar", "hygon", "aipu", "spacemit"}
)  # fmt: skip
"""Vendors whose kernels are compiled by Triton releases of their own, with rules of their own."""


def is_foreign(path: str) -> bool:
    """Whether a kernel is written for another compiler than Triton's own backends."""
    return not VENDORS.isdisjoint(re.split(r"[/_.]", path))


def _platform(target: str) -> Guard:
    """What a target decides of `torch.version`."""
    vendor = target.partition(":")[0]
    if vendor not in ("cuda", "hip"):
        return ALWAYS
    other = "hip" if vendor == "cuda" else "cuda"
    found: dict[object, bool] = {}
    for name, there in ((vendor, True), (other, False)):
        symbol = Symbol("platform", f"torch.version.{name}")
        found["none", symbol] = not there
        found["truth", symbol] = there
    return frozenset(found.items())


def _ways(fact: LaunchFact) -> list[Guard]:
    """The guards that tell alternatives apart; just one where nothing does."""
    ways: dict[Guard, None] = {}
    for given in fact.arguments.values():
        if len(given.value) > 1:
            for alt in given.value:
                for way in fact.guards:
                    both = agree(alt.guard, way)
                    if both is not None:
                        ways.setdefault(both)
    if not ways or len(ways) > WAYS:
        return list(fact.guards[:WAYS]) or [ALWAYS]
    return list(ways)


def is_vague(fact: LaunchFact, name: str, guard: Guard) -> bool:
    """Whether nothing is known of an argument, not even whether it is a tensor."""
    given = fact.arguments.get(name)
    if given is None:
        return False
    known = (Array, Nil, Sequence)
    return any(
        not isinstance(alt.what, known) and not (isinstance(alt.what, Number) and alt.what.kind in PLAIN)
        for alt in given.value
        if agree(alt.guard, guard) is not None
    )


def _not_specialized(function: ir.Function) -> frozenset[str]:
    """The parameters, by name or position, that `do_not_specialize` lists in the jit decorator."""
    for decorator in function.decorators:
        if isinstance(decorator, ir.Call):
            for arg in decorator.args:
                if arg.keyword == "do_not_specialize" and isinstance(arg.value, ir.Display):
                    return frozenset(str(i.value) for i in arg.value.items if isinstance(i, ir.Const))
    return frozenset()

