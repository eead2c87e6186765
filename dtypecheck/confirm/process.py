"""The worker as seen from here: started when asked, ended when it hangs, replaced when it died or grew."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("worker")
GROWN = 1500
"""Megabytes at which a worker is replaced: every compilation leaks."""
STARTING = 120.0
"""Seconds that a start may take, whatever the limit of a request: torch may have to be read from disk."""
ENDING = 5.0
"""Seconds that an idle worker has to end by itself."""


class Gone(Exception):
    """A request that cost its worker: it took too long, or the process died."""


@dataclass(slots=True)
class Worker:
    """Triton under one interpreter; `limit` is in seconds a request; `device` is where it launches."""

    python: str = sys.executable
    limit: float = 60.0
    device: str = ""
    started: int = 0
    _process: subprocess.Popen[bytes] | None = None
    _rest: bytes = b""
    _caches: tempfile.TemporaryDirectory[str] | None = field(default=None, repr=False)

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to one request. Raises Gone; the next request then gets a fresh worker."""
        process = self._process
        fresh = process is None or process.poll() is not None
        if fresh:
            process = self._start()
        assert process is not None and process.stdin is not None
        try:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(json.dumps(request).encode("utf-8", "surrogatepass") + b"\n")
                process.stdin.flush()
            answer = self._answer(process, self.limit + (STARTING if fresh else 0))
        except BaseException:
            self._end(kill=True)
            raise
        if answer.get("memory", 0) > GROWN:
            self._end()
        return answer

    def _start(self) -> subprocess.Popen[bytes]:
        if self._caches is None:
            self._caches = tempfile.TemporaryDirectory(
                prefix="dtypecheck-triton-", ignore_cleanup_errors=True
            )
        env = {k: v for k, v in os.environ.items() if k not in ("TRITON_INTERPRET", "TRITON_KERNEL_OVERRIDE")}
        env |= {"TRITON_CACHE_DIR": self._caches.name, "PYTHONDONTWRITEBYTECODE": "1"}
        if self.device == "cpu":
            env["TRITON_INTERPRET"] = "1"
        if self.device != "cuda":
            env["CUDA_VISIBLE_DEVICES"] = ""
        self._rest = b""
        self.started += 1
        try:
            self._process = subprocess.Popen(
                [self.python, str(FOLDER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                cwd=self._caches.name,
                env=env,
            )
        except OSError as error:
            raise Gone(f"{self.python} cannot be run: {error.strerror}") from None
        return self._process

    def _answer(self, process: subprocess.Popen[bytes], seconds: float) -> dict[str, Any]:
        assert process.stdout is not None
        end = time.monotonic() + seconds
        while b"\n" not in self._rest:
            left = end - time.monotonic()
            if left <= 0 or not select.select([process.stdout], [], [], left)[0]:
                raise Gone(f"it took longer than {self.limit:g} s")
            data = os.read(process.stdout.fileno(), 1 << 16)
            if not data:
                raise Gone(f"the process {_ending(process)}")
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        answer = json.loads(line)
        assert isinstance(answer, dict)
        return answer

    def _end(self, kill: bool = False) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0 if kill else ENDING)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def close(self) -> None:
        """Ends the worker and removes what it left behind."""
        self._end()
        if self._caches is not None:
            self._caches.cleanup()
            self._caches = None


def _ending(process: subprocess.Popen[bytes]) -> str:
    status = process.wait()
    return f"died of signal {-status}" if status < 0 else f"ended with status {status}"
