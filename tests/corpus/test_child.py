"""A measured process: what it said, how it ended, what it took, and that nothing of it stays."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from . import child

MEGABYTE = 2**20


def _run(code: str, cwd: Path, timeout: float = 60) -> child.Done:
    return child.run([sys.executable, "-c", code], cwd, os.environ, timeout)


def test_output_status_time_and_memory(tmp_path: Path) -> None:
    code = "import sys, time; x = bytearray(80 << 20); time.sleep(1.5); print('o'); sys.exit('e')"
    done = _run(code, tmp_path)
    assert (done.status, done.out, done.err) == (1, "o\n", "e\n")
    assert done.seconds > 1.5
    assert done.cpu > 0
    assert done.peak > 80 * MEGABYTE
    assert done.peak < 200 * MEGABYTE or sys.platform != "linux"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the caller is not counted")
def test_the_size_of_the_caller_does_not_count(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from tests.corpus import child; x = bytearray(400 << 20)\n"
        "sleep = [sys.executable, '-c', 'import time; time.sleep(1.5)']\n"
        "print(child.run(sleep, Path('.'), os.environ, 60).peak)"
    )
    done = child.run([sys.executable, "-c", code], Path(__file__).parents[2], os.environ, 60)
    assert 0 < int(done.out) < 100 * MEGABYTE, done.err


def test_processes_that_it_starts_count(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys\n"
        "part = [sys.executable, '-c', 'import time; x = bytearray(60 << 20); time.sleep(3)']\n"
        "for p in [subprocess.Popen(part) for _ in range(2)]: p.wait()"
    )
    peak = _run(code, tmp_path).peak
    assert peak > (120 if sys.platform == "linux" else 60) * MEGABYTE


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing lists the processes of a process")
def test_too_slow_a_process_is_ended_with_what_it_started(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys, time\n"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "open('pid', 'w').write(str(p.pid)); time.sleep(60)"
    )
    with pytest.raises(subprocess.TimeoutExpired):
        _run(code, tmp_path, timeout=3)
    pid = (tmp_path / "pid").read_text()
    for _ in range(100):
        state = Path(f"/proc/{pid}/stat")
        if not state.exists() or state.read_text().split()[2] == "Z":
            return
        time.sleep(0.05)
    pytest.fail(f"process {pid} still runs")
