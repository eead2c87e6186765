"""Triton's front end as an oracle: compile kernels of a source text to TTIR, with no GPU.

Run as a worker (`python oracle.py`) it needs Triton alone: one JSON request a line on stdin, one JSON
answer a line on stdout. `Oracle` talks to a worker and starts a fresh one now and then, because each
compilation leaks. A request:

    {"file": path, "kernel": name, "signature": {...}, "constexprs": {...}, "target": "cuda:90"}

An answer:

    {"ok": true, "types": [...], "ir": TTIR, if `"ir": true` asks for it} or
    {"error": text, "class": name, "line": n, "stage": "frontend" | "mlir"}
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field

RECYCLE = 1500
"""Requests that one worker answers."""


@dataclass
class Oracle:
    """One Triton release, by the interpreter that has it installed."""

    python: str = sys.executable
    process: subprocess.Popen[str] | None = None
    served: int = 0

    def ask(self, request: dict) -> dict:
        if self.process is None or self.served >= RECYCLE or self.process.poll() is not None:
            self.close()
            env = {**os.environ, "TRITON_DEFAULT_FP_FUSION": "1"}
            self.process = subprocess.Popen(
                [self.python, os.path.abspath(__file__)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env=env,
            )
            self.served = 0
        self.served += 1
        assert self.process.stdin and self.process.stdout
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self.close()
            return {"error": "the worker died", "class": "Crash", "line": 0, "stage": "crash"}
        return json.loads(line)

    def close(self) -> None:
        if self.process is not None:
            assert self.process.stdin
            with contextlib.suppress(BrokenPipeError):
                self.process.stdin.close()
            self.process.wait()
            self.process = None


@dataclass
class FrontEnd:
    """The worker's side."""

    modules: dict = field(default_factory=dict)
    backends: dict = field(default_factory=dict)
    records: list = field(default_factory=list)
    target: str = "cuda:90"

    def __post_init__(self) -> None:
        import triton
        import triton.language as tl
        from triton.language.core import builtin

        worker = self

        class Driver:
            """What `tl.target_info` asks."""

            def get_current_target(self):
                return worker.backend(worker.target).target

            def is_active(self):
                return True

        triton.runtime.driver.set_active(Driver())

        @builtin
        def record(x, _semantic=None):
            worker.records.append(describe(x, tl))

        self.record = record

    def backend(self, name: str):
        if name not in self.backends:
            from triton.backends.compiler import GPUTarget
            from triton.compiler.compiler import make_backend

            kind, _, arch = name.partition(":")
            target = GPUTarget(kind, int(arch) if arch.isdigit() else arch, 32 if kind == "cuda" else 64)
            self.backends[name] = make_backend(target)
        return self.backends[name]

    def module(self, path: str):
        if path not in self.modules:
            import importlib.util

            if len(self.modules) > 40:
                self.modules.clear()
            spec = importlib.util.spec_from_file_location(f"kernels_{len(self.modules)}", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            module.record = self.record
            self.modules[path] = module
        return self.modules[path]

    def answer(self, request: dict) -> dict:
        import time

        self.records.clear()
        self.target = request.get("target", "cuda:90")
        try:
            kernel = getattr(self.module(request["file"]), request["kernel"])
        except Exception as error:
            return {
                "error": f"{type(error).__name__}: {error}",
                "class": "Import",
                "line": 0,
                "stage": "import",
            }
        start = time.process_time()
        try:
            module = self.compile(kernel, request)
        except Exception as error:
            return {**explain(error), "types": list(self.records), "seconds": time.process_time() - start}
        seen = {"types": list(self.records), "seconds": time.process_time() - start}
        return {"ok": True, **seen, **({"ir": str(module)} if request.get("ir") else {})}

    def compile(self, kernel, request: dict):
        from triton._C.libtriton import ir
        from triton.compiler import ASTSource

        backend = self.backend(self.target)
        options = backend.parse_options({})
        constants = {k: decode(v) for k, v in request.get("constexprs", {}).items()}
        source = ASTSource(fn=kernel, signature=request["signature"], constexprs=constants, attrs=None)
        context = ir.context()
        ir.load_dialects(context)
        backend.load_dialects(context)
        functions = backend.get_codegen_implementation(options)
        return source.make_ir(backend.target, options, functions, backend.get_module_map(), context)


def decode(value):
    """JSON to a constexpr: {"dtype": "fp16"} is a Triton type, a list a tuple."""
    import triton.language as tl

    if isinstance(value, dict):
        return tl.dtype(value["dtype"])
    return tuple(decode(v) for v in value) if isinstance(value, list) else value


def describe(x, tl) -> object:
    if isinstance(x, tl.tensor):
        shape = [int(getattr(s, "value", s)) for s in x.shape]
        return x.dtype.name + (str(shape) if shape else "")
    if isinstance(x, tl.constexpr):
        return f"constexpr {x.value!r}"
    if type(x).__name__ == "tuple":
        return [describe(i, tl) for i in x]
    return type(x).__name__


def explain(error: Exception) -> dict:
    """The innermost cause of a CompilationError, its text, and the line it stands on in its file."""
    from triton.compiler.errors import CompilationError

    line, text, where = 0, str(error), ""
    lines = []
    while isinstance(error, CompilationError):
        if error.node is not None and hasattr(error.node, "lineno"):
            line = error.node.lineno
            lines.append(line)
        if error.error_message:
            text = error.error_message
        where = type(error).__name__
        if error.__cause__ is None:
            break
        error = error.__cause__
    if where == "CompileTimeAssertionFailure":
        text = error.error_message or ""
    elif not isinstance(error, CompilationError):
        text, where = str(error), type(error).__name__
    stage = "mlir" if "error encountered during parsing" in text else "frontend"
    return {"error": plain(text), "class": where, "line": line, "lines": lines, "stage": stage}


_WRAPPED = re.compile(r"^(?:[\w.]+)\((['\"])(.*)\1\)$", re.S)


def plain(text: str) -> str:
    """The message inside `AssertionError('...')`."""
    text = str(text).strip()
    if text.endswith("Error()"):
        return ""
    found = _WRAPPED.match(text)
    if found and text.partition("(")[0].endswith(("Error", "Impl", "Failure", "Construct")):
        inner = found.group(2)
        text = inner.replace("\\'", "'").replace("\\n", "\n")
    return re.sub(r"\s+", " ", text).strip()


def main() -> None:
    out = os.fdopen(os.dup(1), "w")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    sys.stdout = os.fdopen(null, "w")
    import warnings

    warnings.simplefilter("ignore")
    front = FrontEnd()
    for line in sys.stdin:
        out.write(json.dumps(front.answer(json.loads(line))) + "\n")
        out.flush()
    out.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
