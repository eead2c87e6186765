"""Where claims are tried: slices are cut once, requests are answered from the cache or by the worker."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..analysis.pointers import pointers
from ..analysis.program import FunctionDef
from ..core.claims import Arguments, Claim, Misfit
from ..core.spans import Place
from .answers import Answer, Failed, read
from .cache import Cache
from .cut import CannotCut, cut
from .names import Names
from .process import Gone, Worker
from .requests import Kernel, packed, write
from .usual import Draw

USUAL_TARGET = "cuda:90"
"""What is compiled for where any target will do."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What the worker's interpreter has; `gpu` is "" where it has none."""

    triton: str
    python: str
    gpu: str = ""


@dataclass(slots=True)
class Bench:
    """Tries launches of one program's kernels with one Triton. `binary` compiles to the target's binary."""

    names: Names
    worker: Worker
    cache: Cache
    machine: Machine
    binary: bool = False
    _kernels: dict[tuple[Place, str], Kernel | str] = field(default_factory=dict)

    def try_launch(self, claim: Claim, draw: Draw, changed: Arguments = (), **options: Any) -> Answer:
        """What Triton says of the launch with some arguments changed; `options` are those of the request."""
        target = target_of(claim)
        kernel = self.kernel(claim.kernel, target)
        if isinstance(kernel, str):
            return Failed(kernel)
        written = write(claim, kernel, draw, changed)
        request = {
            "do": "compile",
            "target": target,
            "slice": packed(kernel.slice),
            "arguments": written.arguments,
            "guesses": written.guesses,
            "binary": self.binary,
            **options,
        }
        return self._ask(request, kernel, tuple(written.assumed))

    def kernel(self, place: Place, target: str) -> Kernel | str:
        """A kernel cut out for a target, or why that cannot be."""
        found = self._kernels.get((place, target))
        if found is None:
            found = self._kernels[place, target] = self._cut(place, target)
        return found

    def _cut(self, place: Place, target: str) -> Kernel | str:
        file = self.names.program.by_path.get(place.path)
        entries = [e for e in file.functions if e.head == place.span] if file else []
        if file is None or not entries:
            return "the kernel is not where it was"
        function = FunctionDef(file, entries[0])
        try:
            made = cut(self.names, function, target)
        except CannotCut as error:
            return f"the kernel cannot be cut out: {error}"
        return Kernel(entries[0], made, pointers(self.names.program, self.names.store, function))

    def _ask(self, request: dict[str, Any], kernel: Kernel, assumed: tuple[str, ...]) -> Answer:
        key = self.cache.key(request, self.machine.triton)
        answer = self.cache.get(key)
        if answer is None:
            try:
                answer = self.worker.ask(request)
            except Gone as error:
                return Failed(f"Triton gave no answer: {error}")
            answer.pop("memory", None)
            if answer["outcome"] != "failed":
                self.cache.put(key, answer)
        return read({**answer, "assumed": [*assumed, *answer.get("assumed", ())]}, kernel.slice)


def target_of(claim: Claim) -> str:
    return USUAL_TARGET if claim.target == "any" else claim.target


__all__ = ["Bench", "Machine", "Misfit", "target_of"]
