"""Where claims are tried: kernels are cut once, launches completed, and Triton asked, or its kept answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..analysis.pointers import descriptors, pointers, ranks
from ..analysis.program import FunctionDef
from ..analysis.solve import Solver
from ..core.claims import Argument, Arguments, Claim, Nothing, Number
from ..core.spans import Place
from ..kernels.program_scope import scope_of
from .answers import Answer, Failed, read
from .cache import Cache
from .completion import Choice, Completer
from .cut import CannotCut, cut
from .names import Names
from .narrowing import Narrowing
from .process import Gone, Worker
from .requests import request
from .slices import Slice
from .usual import Draw

USUAL_TARGET = "cuda:90"
"""What is compiled for where any target will do and there is no GPU."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What the worker's interpreter has; `gpu` is "" where it has none."""

    triton: str
    python: str
    gpu: str = ""
    target: str = USUAL_TARGET
    """What is compiled for where any target will do: the GPU's, where there is one."""

    @property
    def family(self) -> str:
        """The release whose rules its Triton follows, of those that are known."""
        major, minor, *_ = self.triton.split(".")
        return "3.9" if (int(major), int(minor)) >= (3, 9) else "3.6"


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel cut out for one target, and what completes launches of it; its name stands at `place`."""

    place: Place
    slice: Slice
    completer: Completer


@dataclass(slots=True)
class Bench:
    """Tries launches of one program's kernels with one Triton. `binary` compiles to the target's binary.

    `launcher` runs kernels where there is a device: what breaks it does not break the compiling worker.
    """

    solver: Solver
    worker: Worker
    cache: Cache
    machine: Machine
    binary: bool = False
    launcher: Worker | None = None
    names: Names = field(init=False)
    _kernels: dict[tuple[Place, str], Kernel | str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.names = Names(self.solver.program, self.solver.store)

    def kernel(self, place: Place, target: str) -> Kernel | str:
        """A kernel cut out for a target, or why that cannot be."""
        found = self._kernels.get((place, target))
        if found is None:
            found = self._kernels[place, target] = self._cut(place, target)
        return found

    def target_of(self, claim: Claim) -> str:
        return self.machine.target if claim.target == "any" else claim.target

    def _cut(self, place: Place, target: str) -> Kernel | str:
        program, store = self.solver.program, self.solver.store
        file = program.by_path.get(place.path)
        entries = [e for e in file.functions if e.head == place.span] if file else []
        if file is None or not entries:
            return "the kernel is not where it was"
        function = FunctionDef(file, entries[0])
        try:
            made = cut(self.names, function, target)
        except (CannotCut, RecursionError) as error:
            return f"the kernel cannot be cut out: {error}"
        scope = scope_of(self.solver, file)
        narrowing = Narrowing(store.function(function), scope, self.machine.family, target)
        addresses = pointers(program, store, function)
        described = descriptors(store, function)
        completer = Completer(narrowing, entries[0].params, addresses, described, ranks(store, function))
        return Kernel(place, made, completer)

    def experiment(self, claim: Claim, draw: Draw, mended: Arguments) -> Experiment | str:
        """The launch of a claim, complete: what is open in it is chosen for the mended launch."""
        target = self.target_of(claim)
        kernel = self.kernel(claim.kernel, target)
        if isinstance(kernel, str):
            return kernel
        given = dict(claim.arguments)
        mended_launch = {**given, **dict(mended)}
        supplied = self._supplied(kernel, target, mended_launch, draw)
        choice = kernel.completer.complete({**dict(supplied), **mended_launch}, draw)
        wrong = {name: given[name] for name, _ in mended if name in given}
        return Experiment(self, kernel, target, choice, wrong, {})

    def contrast(
        self, claim: Claim, draw: Draw, mend: Callable[[dict[str, Argument]], Arguments]
    ) -> Experiment | str:
        """The launch of a claim, which compiles, complete as it is; `mend` says what to change of it."""
        target = self.target_of(claim)
        kernel = self.kernel(claim.kernel, target)
        if isinstance(kernel, str):
            return kernel
        given = dict(claim.arguments)
        supplied = dict(self._supplied(kernel, target, given, draw))
        choice = kernel.completer.complete({**supplied, **given}, draw)
        return Experiment(self, kernel, target, choice, {}, dict(mend(choice.arguments)))

    def _supplied(
        self, kernel: Kernel, target: str, given: Mapping[str, Argument], draw: Draw
    ) -> Iterator[tuple[str, Argument]]:
        """What the kernel's decorators provide for a launch with these arguments, where that can be told."""
        if not kernel.slice.configs and not kernel.slice.heuristics:
            return
        choice = kernel.completer.first(given, draw)
        try:
            answer = self.ask(request("supply", kernel.slice, target, choice.arguments, choice.guesses))
        except Gone:
            return
        for name, (value, _) in answer.get("supplied", {}).items():
            yield name, Nothing() if value is None else Number(type(value).__name__, value)

    def ask(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """The worker's answer to a request, or the one that is kept. Raises Gone."""
        if asked["do"] == "launch":
            assert self.launcher is not None
            return self._launch(self.launcher, asked)
        key = self.cache.key(asked, self.machine.triton)
        kept = self.cache.get(key)
        if kept is not None:
            return kept
        answer = self.worker.ask(asked)
        answer.pop("memory", None)
        if answer["outcome"] != "failed":
            self.cache.put(key, answer)
        return answer

    def _launch(self, launcher: Worker, asked: Mapping[str, Any]) -> dict[str, Any]:
        """A launch's answer. What breaks the device ends the process: the next launch finds it whole."""
        answer = launcher.ask({**asked, "device": launcher.device})
        if answer["outcome"] == "refused" and answer["stage"] == "device":
            launcher.close()
            raise Gone(answer["error"])
        return answer


@dataclass(frozen=True, slots=True)
class Experiment:
    """Two launches that differ in the argument to blame alone: it is `wrong` in one, or mended by `mends`.

    `choice` is the rest, and what the argument is in the other launch.
    """

    bench: Bench
    kernel: Kernel
    target: str
    choice: Choice
    wrong: Mapping[str, Argument]
    mends: Mapping[str, Argument]

    def faulty(self, **options: Any) -> Answer:
        """What Triton says of the launch as it is; `options` are those of the request."""
        return self._try({**self.choice.arguments, **self.wrong}, options)

    def mended(self, **options: Any) -> Answer:
        """What Triton says of the launch as it would be mended."""
        return self._try({**self.choice.arguments, **self.mends}, options)

    def chosen(self) -> Answer:
        """What Triton says of the launch that was completed."""
        return self._try(self.choice.arguments, {})

    def _try(self, arguments: Mapping[str, Argument], options: Mapping[str, Any]) -> Answer:
        asked = request("compile", self.kernel.slice, self.target, arguments, self.choice.guesses)
        try:
            answer = self.bench.ask({**asked, "binary": self.bench.binary, **options})
        except Gone as error:
            return Failed(f"Triton gave no answer: {error}")
        blamed = {*self.wrong, *self.mends}
        assumed = self.choice.assumed.items()
        chosen = [told for name, told in assumed if name in arguments and name not in blamed]
        return read({**answer, "assumed": [*chosen, *answer.get("assumed", ())]}, self.kernel.slice)
