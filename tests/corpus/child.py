"""Runs one command and measures it: time, and the peak of memory over all its processes. POSIX only."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

WAITING = 0.05
"""Seconds between two looks at whether the process has ended."""
SAMPLING = 0.5
"""Seconds between two looks at its memory: looking costs it time."""


@dataclass(frozen=True, slots=True)
class Done:
    """`peak` is in bytes, of all processes together where the system tells, else of the largest one.

    `seconds` pass on the clock, `cpu` seconds on all processors together.
    """

    status: int
    out: str
    err: str
    seconds: float
    cpu: float
    peak: int


def run(command: Sequence[str], cwd: Path, environment: Mapping[str, str], timeout: float) -> Done:
    """Waits for `command`; raises subprocess.TimeoutExpired when it takes longer than `timeout` seconds."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = time.perf_counter()
        child = subprocess.Popen(
            command,
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
        )
        try:
            cpu, peak = _wait(child, started, timeout)
        except BaseException:
            _kill(child)
            raise
        return Done(child.returncode, _text(out), _text(err), time.perf_counter() - started, cpu, peak)


def _wait(child: subprocess.Popen[bytes], started: float, timeout: float) -> tuple[float, int]:
    """Sets the exit status of `child`, and returns its seconds of CPU and its peak.

    The system's own figure is a last resort: on Linux it has the size of the caller before the start in it.
    """
    peak, unit, sampled = 0, 1 if sys.platform == "darwin" else 1024, 0.0
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        now = time.perf_counter()
        if pid:
            child.returncode = os.waitstatus_to_exitcode(status)
            return usage.ru_utime + usage.ru_stime, peak or usage.ru_maxrss * unit
        if now - started > timeout:
            raise subprocess.TimeoutExpired(child.args, timeout)
        if now - sampled > SAMPLING and now - started > WAITING:
            sampled = now
            processes = list(_descent(child.pid))
            together = sum(_figure(p, "smaps_rollup", "Pss:") for p in processes)
            peak = max(peak, together, *(_figure(p, "status", "VmHWM:") for p in processes))
        time.sleep(WAITING)


def _kill(child: subprocess.Popen[bytes]) -> None:
    """Ends it and what it started, which may wait for it for ever."""
    for pid in list(_descent(child.pid)):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    child.wait()


def _text(file: BinaryIO) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def _descent(pid: int) -> Iterator[int]:
    """The process and all that it started, where the system lists them."""
    yield pid
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        children = [int(word) for task in tasks for word in (task / "children").read_text().split()]
    except (OSError, ValueError):
        return
    for child in children:
        yield from _descent(child)


def _figure(pid: int, file: str, label: str) -> int:
    """Bytes that the system tells of a process: `Pss` counts pages that others have too in proportion,
    `VmHWM` is the most that it ever had; 0 where nothing tells."""
    try:
        lines = Path(f"/proc/{pid}/{file}").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(label)), 0)
