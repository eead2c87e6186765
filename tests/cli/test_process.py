"""What only shows in a process of its own: pipes, signals, encodings, imports, terminals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dtypecheck import __version__

from .samples import process

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def test_runs_as_a_module(project: Path) -> None:
    (project / "bad.py").write_text("def f(:\n")
    done = process(".", cwd=project)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("bad.py:1:7 DT002 invalid-syntax: ")


@pytest.mark.parametrize("args", [["--version"], ["--help"], ["check", "--help"], ["explain", "--help"]])
def test_start_up_imports_nothing_heavy(project: Path, args: list[str]) -> None:
    script = (
        "import sys, atexit\n"
        "heavy = ('libcst', 'rich', 'torch', 'triton', 'dtypecheck.api')\n"
        "atexit.register(lambda: print('HEAVY', [m for m in heavy if m in sys.modules], file=sys.stderr))\n"
        "from dtypecheck.cli.main import main\n"
        f"main({args})\n"
    )
    source = str(Path(__file__).parents[2])
    env = {**os.environ, "PYTHONPATH": source}
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path += {sys.path}\n{script}"],
        cwd=project, env=env, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1] == "HEAVY []"


@pytest.mark.skipif(os.name != "posix", reason="pipes of this kind are POSIX's")
@pytest.mark.parametrize("args", [".", ". --format json", "rules", "explain DT101", "--help"])
def test_a_reader_that_leaves_is_no_error(project: Path, args: str) -> None:
    for n in range(300):
        (project / f"bad{n}.py").write_text("def f(:\n")
    command = f"{sys.executable} -m dtypecheck {args} | true"
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        ["bash", "-c", command], cwd=project, env=env, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""


@pytest.mark.skipif(os.name != "posix", reason="signals of this kind are POSIX's")
def test_an_interrupt_ends_with_130_and_no_traceback(project: Path) -> None:
    script = (
        "import time, dtypecheck.api as api\n"
        "def wait(*_):\n    print('ready', flush=True)\n    time.sleep(30)\n"
        "api.run = wait\n"
        "from dtypecheck.cli.main import main\n"
        "main(['.'])\n"
    )
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=project,
        env=env,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        assert child.stdout is not None and child.stdout.readline() == "ready\n"
        time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=30)
    assert child.returncode == 130
    assert "Traceback" not in err


@pytest.mark.skipif(os.name != "posix", reason="worker processes are forked on POSIX only")
def test_workers_end_with_a_process_that_was_killed(project: Path) -> None:
    for n in range(60):
        (project / f"mod{n}.py").write_text("x = 1\n")
    script = (
        "import os, time, dtypecheck.pipeline as pipeline\n"
        "def work(item):\n    os.write(1, b'%d\\n' % os.getpid())\n    time.sleep(60)\n"
        "pipeline._index = work\n"
        "from dtypecheck.cli.main import main\n"
        "main(['.', '--jobs', '2'])\n"
    )
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen([sys.executable, "-c", script], cwd=project, env=env, text=True, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        workers = {int(child.stdout.readline()) for _ in range(2)}
        child.kill()
        child.wait()
        deadline = time.monotonic() + 30
        while any(map(_is_alive, workers)) and time.monotonic() < deadline:
            time.sleep(0.1)
    assert child.pid not in workers
    assert not any(map(_is_alive, workers))


def _is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent does not."""
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(shown.strip()) and not shown.startswith("Z")


@pytest.mark.parametrize(("locale", "encoding"), [("C", ""), ("C.UTF-8", ""), ("C.UTF-8", "ascii")])
def test_output_survives_any_locale_and_any_name(project: Path, locale: str, encoding: str) -> None:
    (project / "größe.py").write_text("def f(漢:\n", encoding="utf-8")
    if sys.platform == "linux":
        Path(os.fsdecode(os.fsencode(project) + b"/\xff.py")).write_text("def f(:\n")
    env = {"LC_ALL": locale, "PYTHONIOENCODING": encoding}
    for format_ in ("text", "concise", "json"):
        done = process(".", "--format", format_, cwd=project, env=env)
        assert (done.returncode, done.stderr) == (1, "")
    assert any(f["path"] == "größe.py" for f in json.loads(done.stdout)["findings"])


def test_the_version_and_the_script_are_those_of_the_package() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == __version__
    assert project["scripts"] == {"dtypecheck": "dtypecheck.cli.main:main"}


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals are POSIX's")
@pytest.mark.parametrize(
    ("env", "colours"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
    ids=["plain", "no", "dumb"],
)
def test_a_terminal_gets_colours_and_its_width(project: Path, env: dict[str, str], colours: bool) -> None:
    (project / "a_rather_long_name_of_a_file.py").write_text("def f(:\n")
    out = _in_terminal(["dtypecheck", "."], project, {"TERM": "xterm", "COLUMNS": "60", **env})
    assert ("\x1b[1;31mDT002" in out) == colours
    plain = "".join(part.split("m", 1)[-1] if i else part for i, part in enumerate(out.split("\x1b[")))
    assert max(len(line) for line in plain.splitlines()) <= 60


def _in_terminal(command: list[str], cwd: Path, env: dict[str, str]) -> str:
    """What the command writes to a pseudo-terminal."""
    import pty

    ours, theirs = pty.openpty()
    source = str(Path(__file__).parents[2])
    base = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    child = subprocess.Popen(
        [sys.executable, "-m", *command], cwd=cwd, env={**base, "PYTHONPATH": source, **env},
        stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
    )  # fmt: skip
    os.close(theirs)
    chunks = []
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:
            break
        if not chunk:
            break
        chunks.append(chunk)
    os.close(ours)
    child.wait(timeout=60)
    return b"".join(chunks).decode()


def test_reports_do_not_depend_on_hashes_or_processes() -> None:
    """Text hashes differ from run to run, and so do addresses; reports do not."""
    root = Path(__file__).parents[2]

    def report(seed: int, jobs: int) -> dict[str, object]:
        command = ["check", "fixtures", "--root", "fixtures", "--format", "json", "--show-possible"]
        done = subprocess.run(
            [sys.executable, "-m", "dtypecheck", *command, "--jobs", str(jobs)],
            cwd=root, env={**os.environ, "PYTHONHASHSEED": str(seed)}, capture_output=True, timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == 1, done.stderr.decode()
        found: dict[str, object] = json.loads(done.stdout)
        del found["stats"]["seconds"]  # type: ignore[attr-defined]
        return found

    first = report(1, 1)
    assert first["findings"]
    assert report(2, 2) == first
