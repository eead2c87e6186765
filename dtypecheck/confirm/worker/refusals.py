"""What Triton raised, as words and lines: the innermost cause, and the frames that led there."""

from __future__ import annotations

import re
from typing import Any

_WRAPPED = re.compile(
    r"^(?P<kind>[\w.]*(?:Error|Impl|Failure|Construct))\((?:(?P<quote>['\"])(?P<text>.*)(?P=quote))?\)$", re.S
)
_REASON = re.compile(r"^(?:(?P<path>[^\n]*?\.py):(?P<line>\d+):\d+: )?error: (?P<text>.*)$", re.M)
_BROKEN = re.compile(r"CUDA error|Triton Error \[(CUDA|HIP)\]|HIP error|AcceleratorError")
_PARSING = "error encountered during parsing"


def explain(error: BaseException, noise: str, path: str) -> dict[str, Any]:
    """`lines` are those of the slice, from the kernel inwards; `stage` is "bind", "frontend", "mlir",
    "binary", or "device" where a launch has broken the device for this process."""
    from triton.compiler.errors import CompilationError

    lines: list[int] = []
    if not isinstance(error, CompilationError):
        words, (reason, where) = _words(error), _reason(noise, path)
        if _PARSING in words and reason:
            return _refused("mlir", type(error).__name__, reason, where)
        return _refused(_stage(error), type(error).__name__, words, where)
    text, kind = "", type(error).__name__
    at: BaseException | None = error
    while isinstance(at, CompilationError):
        line = _line(at, path)
        if line and line not in lines[-1:]:
            lines.append(line)
        text, kind = at.error_message or text, type(at).__name__
        at = at.__cause__
    if at is not None and kind != "CompileTimeAssertionFailure":
        text, kind = _words(at) or text, type(at).__name__
    words, kind = _plain(text), _kind(text) or kind
    if _PARSING in words:
        reason, where = _reason(noise, path)
        return _refused("mlir", kind, reason or words, where or lines)
    return _refused("frontend", kind, words, lines)


def _refused(stage: str, kind: str, text: str, lines: list[int]) -> dict[str, Any]:
    return {"outcome": "refused", "stage": stage, "class": kind, "error": text, "lines": lines}


def _words(error: BaseException) -> str:
    if isinstance(error, KeyError) and error.args:
        said = str(error.args[0])
        return said if " " in said else f"KeyError: {said}"
    return _plain(str(error))


def _stage(error: BaseException) -> str:
    """Where an error that is no CompilationError came from."""
    if _BROKEN.search(f"{type(error).__name__}: {error}"):
        return "device"
    at, names = error.__traceback__, []
    while at is not None:
        names.append(at.tb_frame.f_code.co_name)
        at = at.tb_next
    if "_binary" in names:
        return "binary"
    return "frontend" if "make_ir" in names else "bind"


def _line(error: Any, path: str) -> int:
    """The line in the slice of the node at which an error was raised."""
    node, source = error.node, error.src
    if not hasattr(node, "lineno") or source is None:
        return 0
    start = _start(source, path)
    return start + node.lineno if start >= 0 else 0


_STARTS: dict[tuple[str, str], int] = {}


def _start(source: str, path: str) -> int:
    """The line before a function's first, found by its text: an error does not know where that stands."""
    key = (path, source)
    if key not in _STARTS:
        with open(path, encoding="utf-8", errors="surrogatepass") as file:
            lines = [line.strip() for line in file.read().split("\n")]
        wanted = [line.strip() for line in source.rstrip().split("\n")]
        found = (i for i in range(len(lines)) if lines[i : i + len(wanted)] == wanted)
        _STARTS[key] = next(found, -1)
    return _STARTS[key]


def _reason(noise: str, path: str) -> tuple[str, list[int]]:
    """The verifier's reason and the line that it names."""
    found = list(_REASON.finditer(noise))
    if not found:
        return "", []
    first = found[0]
    lines = [int(first["line"])] if first["path"] and first["path"].endswith(path.rpartition("/")[2]) else []
    return re.sub(r"\s+", " ", first["text"]).strip(), lines


def _kind(text: str) -> str:
    """The class of `AssertionError('...')`, which statements tell as text; "" where there is none."""
    found = _WRAPPED.match(str(text).strip())
    return found["kind"].rpartition(".")[2] if found else ""


def _plain(text: str) -> str:
    """The message inside `AssertionError('...')`."""
    text = str(text).strip()
    found = _WRAPPED.match(text)
    if found:
        text = (found["text"] or "").replace("\\'", "'").replace("\\n", "\n")
    return re.sub(r"\s+", " ", text).strip()
