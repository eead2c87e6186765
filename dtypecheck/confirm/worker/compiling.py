"""One target's compiler: the launch is bound by Triton's own binder, then taken to TTIR, or to a binary.

The same calls exist in Triton 3.6 and 3.9 (`JITFunction.create_binder`, `_pack_args`, `ASTSource.make_ir`).
"""

from __future__ import annotations

from typing import Any

from .arguments import Given
from .operations import operations


class Unsupported(Exception):
    """This Triton has no backend for the target."""


class Driver:
    """Stands for the driver of a device of the target: knows what is asked while compiling."""

    def __init__(self, target: Any) -> None:
        self.target = target

    def get_current_target(self) -> Any:
        return self.target

    def get_current_device(self) -> int:
        return 0

    def get_current_stream(self, device: int = 0) -> int:
        return 0

    def is_active(self) -> bool:
        return True

    def get_benchmarker(self) -> Any:
        return lambda *_, **__: [0.0, 0.0, 0.0]


class Compiler:
    """Compiles for one target such as `cuda:90` or `hip:gfx942`. Raises Unsupported where none can be had."""

    def __init__(self, name: str) -> None:
        from triton.backends.compiler import GPUTarget
        from triton.compiler.compiler import make_backend

        kind, _, arch = name.partition(":")
        wave = 32 if kind == "cuda" or arch.startswith(("gfx10", "gfx11", "gfx12")) else 64
        self.target = GPUTarget(kind, int(arch) if kind == "cuda" else arch, wave)
        try:
            self.backend = make_backend(self.target)
        except Exception as error:
            raise Unsupported(f"no backend for {name}: {error}") from None

    def activate(self) -> None:
        """Makes Triton believe in a device of the target."""
        import triton

        triton.runtime.driver.set_active(Driver(self.target))

    def compile(self, kernel: Any, given: Given, request: dict[str, Any]) -> dict[str, Any]:
        """What the launch becomes: its signature, and its binary or the operations of its IR where asked for.

        Raises what Triton raises.
        """
        args, keywords = given.call(list(kernel.arg_names))
        *_, binder = kernel.create_binder()
        bound, specialization, options = binder(*args, **keywords)
        options, signature, constants, attributes = kernel._pack_args(
            self.backend, keywords, bound, specialization, options
        )
        signature = given.typed(signature)
        made: dict[str, Any] = {"signature": {n: str(t) for n, t in signature.items()}}
        if request["do"] == "bind":
            return made
        source = _source(kernel)(fn=kernel, signature=signature, constexprs=constants, attrs=attributes)
        module = self._ir(source, options)
        if request.get("operations"):
            made["operations"] = operations(module, kernel.fn.__code__.co_filename)
        if request.get("binary"):
            made["binary"] = self._binary(source, options)
        return made

    def _ir(self, source: Any, options: Any) -> Any:
        """The front end's module, verified; no pass is run."""
        from triton._C.libtriton import ir

        context = ir.context()
        ir.load_dialects(context)
        self.backend.load_dialects(context)
        functions = self.backend.get_codegen_implementation(options)
        module = source.make_ir(self.target, options, functions, self.backend.get_module_map(), context)
        self.context = context
        return module

    def _binary(self, source: Any, options: Any) -> dict[str, Any]:
        import triton

        compiled = triton.compile(source, target=self.target, options=options.__dict__)
        kind = self.backend.binary_ext
        return {"kind": kind, "bytes": len(compiled.asm[kind])}


def _source(kernel: Any) -> Any:
    """The class of sources that a kernel is compiled from."""
    if kernel.is_gluon():
        from triton.experimental.gluon._runtime import GluonASTSource

        return GluonASTSource
    from triton.compiler import ASTSource

    return ASTSource
