"""Compiles kernels to Triton IR with no GPU: alone for a signature, or in place of a program's launches."""

import contextlib
import io
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")

import torch
import triton
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.compiler.compiler import make_backend
from triton.compiler.errors import CompilationError
from triton.runtime.jit import JITFunction

_TARGET = GPUTarget("cuda", 90, 32)
_POINTERS = {
    torch.bool: "*i1",
    torch.int32: "*i32",
    torch.int64: "*i64",
    torch.float16: "*fp16",
    torch.bfloat16: "*bf16",
    torch.float32: "*fp32",
    torch.float64: "*fp64",
}


class _FakeDriver:
    """Stands for a GPU driver while kernels are compiled."""

    @staticmethod
    def is_active() -> bool:
        return True

    @staticmethod
    def get_current_target() -> GPUTarget:
        return _TARGET


@contextlib.contextmanager
def fake_driver() -> Iterator[None]:
    """Make Triton believe in a GPU, without touching the driver that it has."""
    driver = triton.runtime.driver
    before = driver._active
    driver.set_active(_FakeDriver())
    try:
        yield
    finally:
        driver._active = before


def compile_kernel(kernel: Any, types: dict[str, str], constants: dict[str, Any]) -> str:
    """Triton IR of `kernel` for its parameters' types; raises CompilationError where Triton refuses."""
    backend = make_backend(_TARGET)
    options = backend.parse_options({})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    signature = {name: types.get(name, "constexpr") for name in kernel.arg_names}
    source = ASTSource(fn=kernel, signature=signature, constexprs=constants)
    with fake_driver(), contextlib.redirect_stdout(io.StringIO()):
        module = source.make_ir(
            backend.target,
            options,
            backend.get_codegen_implementation(options),
            backend.get_module_map(),
            context,
        )
    return str(module)


def messages(error: BaseException) -> str:
    """The texts of an error and of its causes."""
    texts = []
    cause: BaseException | None = error
    while cause is not None:
        texts.append(str(cause))
        cause = cause.__cause__
    return "\n".join(texts)


def refusal(kernel: Any, types: dict[str, str], constants: dict[str, Any]) -> str | None:
    """Triton's words where it refuses the kernel, or None."""
    try:
        compile_kernel(kernel, types, constants)
    except CompilationError as error:
        return messages(error)
    return None


@dataclass
class Launches:
    """The launches of a program: for each kernel, the types it was launched with."""

    types: dict[str, list[dict[str, str]]] = field(default_factory=dict)


def _argument(value: Any) -> str:
    """The type that Triton gives to a launch argument."""
    if value is None:
        return "constexpr"
    if isinstance(value, torch.Tensor):
        return _POINTERS[value.dtype]
    if isinstance(value, float):
        return "fp32"
    if value == 1:
        return "constexpr"
    return "i32" if -(2**31) <= value < 2**31 else "i64"


@contextlib.contextmanager
def compile_launches() -> Iterator[Launches]:
    """Within this context a launch compiles its kernel to Triton IR and runs nothing."""
    launches = Launches()
    original = JITFunction.run

    def run(self: Any, *args: Any, grid: Any, warmup: bool, **kwargs: Any) -> None:
        bound = dict(zip(self.arg_names, args, strict=False)) | kwargs
        assert list(bound) == self.arg_names, f"{self.__name__}: {list(bound)}"
        declared = {parameter.name: parameter.is_constexpr for parameter in self.params}
        types = {name: "constexpr" if declared[name] else _argument(value) for name, value in bound.items()}
        constants = {name: bound[name] for name, kind in types.items() if kind == "constexpr"}
        launches.types.setdefault(self.__name__, []).append(types)
        compile_kernel(self, {name: kind for name, kind in types.items() if kind != "constexpr"}, constants)

    JITFunction.run = run
    try:
        yield launches
    finally:
        JITFunction.run = original
