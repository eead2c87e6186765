"""Runs what a fixture's `run` comments say, on CPU tensors, and records what really happens.

Kernels are not executed: their launches are recorded. Names that `reveal` comments ask about are read after
each statement. Nothing here knows what the checker thinks.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any
from unittest import mock

import numpy as np
import torch
import triton
from torch._library.triton import set_wrap_triton_enabled
from triton.runtime.autotuner import Autotuner, Heuristics
from triton.runtime.jit import JITFunction, MockTensor

Scalars = (bool, int, float, complex, str, bytes)


@dataclass(frozen=True, slots=True)
class Seen:
    """A real object, as far as it can be compared: `kind` is "tensor", "numpy", "number", "none", "dtype",
    "sequence", "dict" or "object"; `name` the dtype, the type of a scalar, or the classes of an object."""

    kind: str
    name: str = ""
    value: object = None
    items: tuple[Seen, ...] = ()


def snapshot(what: object, depth: int = 0) -> Seen:
    match what:
        case torch.Tensor():
            return Seen("tensor", _dtype(what.dtype))
        case np.ndarray():
            return Seen("numpy", what.dtype.name)
        case None:
            return Seen("none")
        case torch.dtype():
            return Seen("dtype", _dtype(what))
        case MockTensor():
            return Seen("tensor", _dtype(what.dtype))
        case bool() | int() | float() | complex() | str() | bytes():
            return Seen("number", next(t.__name__ for t in Scalars if isinstance(what, t)), what)
        case tuple() | list() if depth < 4:
            return Seen("sequence", items=tuple(snapshot(item, depth + 1) for item in what))
        case dict() if depth < 4:
            return Seen("dict", value=tuple(what), items=tuple(snapshot(v, depth + 1) for v in what.values()))
    return Seen("object", " ".join(t.__name__ for t in type(what).__mro__))


def _dtype(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


@dataclass(frozen=True, slots=True)
class Launch:
    """A kernel started from a line of a fixture, with its arguments by parameter."""

    file: Path
    line: int
    kernel: str
    arguments: Mapping[str, Seen]


@dataclass(frozen=True, slots=True)
class Sight:
    """What a name was after a statement; `name` as in `reveal[name]`."""

    file: Path
    line: int
    name: str
    seen: Seen


@dataclass(slots=True)
class Record:
    """What one call showed; `given` are the arguments of the function that was called."""

    given: dict[tuple[str, str], Seen] = field(default_factory=dict)
    launches: list[Launch] = field(default_factory=list)
    sights: list[Sight] = field(default_factory=list)


@dataclass(slots=True)
class _Tracer:
    """A trace function that reads `wanted[file][line]` names when their statement is over."""

    wanted: Mapping[Path, Mapping[int, set[str]]]
    record: Record
    statements: dict[Path, dict[int, tuple[int, int]]] = field(default_factory=dict)
    pending: dict[FrameType, tuple[int, int]] = field(default_factory=dict)

    def enter(self, frame: FrameType, event: str, arg: object) -> Callable[..., Any] | None:
        return self.step if Path(frame.f_code.co_filename) in self.wanted else None

    def step(self, frame: FrameType, event: str, arg: object) -> Callable[..., Any]:
        file = Path(frame.f_code.co_filename)
        if file not in self.statements:
            self.statements[file] = _statements(file)
        if event == "exception":
            self.pending.pop(frame, None)
            return self.step
        now = self.statements[file].get(frame.f_lineno)
        before = self.pending.get(frame)
        if before is not None and (now != before or event == "return"):
            self._read(file, frame, before, arg if event == "return" else frame)
        if event == "return":
            self.pending.pop(frame, None)
        elif now is not None:
            self.pending[frame] = now
        return self.step

    def _read(self, file: Path, frame: FrameType, lines: tuple[int, int], result: object) -> None:
        for line in range(lines[0], lines[1] + 1):
            for name in self.wanted[file].get(line, ()):
                with contextlib.suppress(LookupError, AttributeError):
                    found = result if name == "return" and result is not frame else _lookup(frame, name)
                    self.record.sights.append(Sight(file, line, name, snapshot(found)))


def _lookup(frame: FrameType, name: str) -> object:
    head, *rest = name.split(".")
    found = frame.f_locals[head] if head in frame.f_locals else frame.f_globals[head]
    for part in rest:
        found = getattr(found, part)
    return found


def _statements(file: Path) -> dict[int, tuple[int, int]]:
    """By line: the first and last line of its statement; of a compound statement, its head alone."""
    found: dict[int, tuple[int, int]] = {}
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            for line in range(node.lineno, max(last, node.lineno) + 1):
                found[line] = (node.lineno, max(last, node.lineno))
    return found


# -- running -------------------------------------------------------------------------------------


def execute(
    root: Path,
    module: str,
    files: frozenset[Path],
    calls: list[str],
    wanted: Mapping[Path, Mapping[int, set[str]]],
) -> list[Record]:
    """Imports `module` from `root`, and evaluates the calls in it; the first record is that of the import."""
    asked = {file: wanted.get(file, {}) for file in files}
    with importing(root), set_wrap_triton_enabled(False):
        records = [Record()]
        with _watching(records[0], files, asked):
            space = importlib.import_module(module)
        for call in calls:
            records.append(Record())
            with _watching(records[-1], files, asked):
                _call(call, space, records[-1])
    return records


@contextlib.contextmanager
def _watching(
    record: Record, files: frozenset[Path], asked: Mapping[Path, Mapping[int, set[str]]]
) -> Iterator[None]:
    """What runs inside is recorded."""
    before = sys.gettrace()
    with recording(record, files):
        sys.settrace(_Tracer(asked, record).enter)
        try:
            yield
        finally:
            sys.settrace(before)


def _call(text: str, space: ModuleType, record: Record) -> None:
    """Evaluates one call, noting which tensors the called function's parameters get."""
    tree = ast.parse(text, mode="eval").body
    names = {"torch": torch, "np": np, "triton": triton, **vars(space)}
    if isinstance(tree, ast.Call):
        function = eval(ast.unparse(tree.func), names)
        if inspect.isfunction(function):
            args = eval(
                f"(lambda *a, **k: (a, k))({', '.join(map(ast.unparse, [*tree.args, *tree.keywords]))})",
                names,
            )
            key = f"{function.__module__}.{function.__qualname__}"
            for name, value in inspect.signature(function).bind(*args[0], **args[1]).arguments.items():
                record.given[key, name] = snapshot(value)
            function(*args[0], **args[1])
            return
    eval(text, names)


@contextlib.contextmanager
def importing(root: Path) -> Iterator[None]:
    """The fixtures below `root` can be imported, and leave nothing behind."""
    before = set(sys.modules)
    sys.path.insert(0, str(root))
    try:
        with mock.patch.object(sys, "dont_write_bytecode", True):
            yield
    finally:
        sys.path.remove(str(root))
        for name in set(sys.modules) - before:
            if str(getattr(sys.modules[name], "__file__", None) or "").startswith(str(root)):
                del sys.modules[name]


def _launches(frame: FrameType, files: frozenset[Path]) -> bool:
    """Whether a launch may be written here: an autotuner of the project's own passes one on in its `run`."""
    return Path(frame.f_code.co_filename) in files and frame.f_code.co_name != "run"


@contextlib.contextmanager
def recording(record: Record, files: frozenset[Path]) -> Iterator[None]:
    """Launches are recorded instead of compiled."""

    def run(kernel: Any, *args: object, grid: object = None, warmup: bool = False, **kwargs: object) -> None:
        plain = kernel
        while not isinstance(plain, JITFunction):
            plain = plain.fn
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not _launches(frame, files):
            frame = frame.f_back
        if frame is None:
            return
        bound = dict(zip([p.name for p in plain.params], args, strict=False)) | kwargs
        arguments = {name: snapshot(value) for name, value in bound.items()}
        record.launches.append(
            Launch(Path(frame.f_code.co_filename), frame.f_lineno, plain.fn.__name__, arguments)
        )

    with contextlib.ExitStack() as stack:
        for kind in (JITFunction, Autotuner, Heuristics):
            stack.enter_context(mock.patch.object(kind, "run", run))
        yield


__all__ = ["Launch", "Record", "Seen", "Sight", "execute", "snapshot"]
