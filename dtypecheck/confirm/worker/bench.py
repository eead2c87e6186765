"""What a worker can do, by request: say what it has, bind arguments, compile a launch, run one."""

from __future__ import annotations

from typing import Any

from . import launching
from .arguments import Given
from .compiling import Compiler, Unsupported
from .refusals import explain
from .slices import Broken, Loaded, load
from .suppliers import complete, supplied


class Bench:
    """Holds loaded slices and compilers between requests. `noise` has what Triton writes to the streams."""

    def __init__(self, noise: Any) -> None:
        self.noise = noise
        self.slices: dict[str, Loaded] = {}
        self.compilers: dict[str, Compiler] = {}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """One answer: its `outcome` is "taken", "refused", "broken", "unsupported" or "failed"."""
        if request["do"] == "hello":
            return launching.machine(request["device"])
        try:
            loaded = self._loaded(request["slice"])
            compiler = self._compiler(request["target"])
        except Broken as error:
            return {"outcome": "broken", "error": str(error)}
        except Unsupported as error:
            return {"outcome": "unsupported", "error": str(error)}
        given = Given(request, loaded.namespace)
        if request["do"] == "supply":
            return {"outcome": "taken", "supplied": supplied(loaded, given)}
        assumed = complete(loaded, given)
        try:
            if request["do"] == "launch":
                made = launching.launch(loaded.kernel, given, request["device"])
            else:
                made = compiler.compile(loaded.kernel, given, request)
        except Exception as error:
            refusal = explain(error, self.noise.text(), loaded.path)
            return {**refusal, "assumed": assumed, "failures": loaded.failures}
        return {"outcome": "taken", **made, "assumed": assumed}

    def _loaded(self, slice_: dict[str, Any]) -> Loaded:
        found = self.slices.get(slice_["digest"])
        if found is None:
            found = self.slices[slice_["digest"]] = load(slice_)
        return found

    def _compiler(self, target: str) -> Compiler:
        found = self.compilers.get(target)
        if found is None:
            found = self.compilers[target] = Compiler(target)
        found.activate()
        return found
