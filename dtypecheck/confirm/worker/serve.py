"""Requests in, answers out; what else is written to the standard streams goes to a file, read on demand."""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import traceback
import warnings
from typing import Any, TextIO

QUIET = {"TRITON_DEFAULT_FP_FUSION": "1", "TRITON_DISABLE_LINE_INFO": "0", "NO_COLOR": "1"}
"""Settings that keep Triton 3.9 from asking for a choice, and lines in its IR."""


class Noise:
    """What C++ and Python write to standard output and error: the verifier's reasons are told there alone."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process runs
        for stream in (1, 2):
            os.dup2(self._file.fileno(), stream)

    def clear(self) -> None:
        self._file.seek(0)
        self._file.truncate()

    def text(self) -> str:
        sys.stdout.flush()
        sys.stderr.flush()
        self._file.seek(0)
        return self._file.read(200_000).decode("utf-8", "replace")


def main() -> None:
    """Serves until standard input ends. Leaves without Triton's farewell about leaks."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    noise = Noise()
    warnings.simplefilter("ignore")
    os.environ.update(QUIET)
    serve(questions, answers, noise)
    answers.flush()
    os._exit(0)


def serve(questions: TextIO, answers: TextIO, noise: Noise) -> None:
    from .bench import Bench

    bench = Bench(noise)
    for line in questions:
        noise.clear()
        answer = _answer(bench, json.loads(line))
        answer["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _answer(bench: Any, request: dict[str, Any]) -> dict[str, Any]:
    try:
        return dict(bench.answer(request))
    except Exception as error:  # the worker's own fault: the caller tells it as such
        told = traceback.format_exception_only(type(error), error)[-1].strip()
        where = traceback.extract_tb(error.__traceback__)[-1]
        return {"outcome": "failed", "error": f"{told} ({os.path.basename(where.filename)}:{where.lineno})"}
