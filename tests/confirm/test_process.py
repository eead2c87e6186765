"""The worker process as its caller sees it: kept warm, ended when it hangs, replaced when it has died or grown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dtypecheck.confirm import process
from dtypecheck.confirm.process import Gone, Worker

SCRIPT = """
import json, os, signal, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    if asked["do"] == "hang":
        time.sleep(60)
    if asked["do"] == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if asked["do"] == "leave":
        sys.exit(3)
    print(json.dumps({"pid": os.getpid(), "memory": asked.get("memory", 0), "gpus": os.environ.get("CUDA_VISIBLE_DEVICES")}), flush=True)
"""


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Worker]:
    """A worker that does as it is told."""
    (tmp_path / "__main__.py").write_text(SCRIPT)
    monkeypatch.setattr(process, "FOLDER", tmp_path)
    monkeypatch.setattr(process, "STARTING", 10.0)
    made = Worker(limit=0.5)
    yield made
    made.close()


def pid(worker: Worker, **asked: object) -> int:
    found = worker.ask({"do": "answer", **asked})["pid"]
    assert isinstance(found, int)
    return found


def test_one_process_answers_many_requests(worker: Worker) -> None:
    assert pid(worker) == pid(worker) == pid(worker)
    assert worker.started == 1


@pytest.mark.parametrize(
    ("do", "said"),
    [
        ("crash", "the process died of signal 11"),
        ("leave", "the process ended with status 3"),
        ("hang", "it took longer than 0.5 s"),
    ],
)
def test_a_worker_that_is_gone_costs_one_request(worker: Worker, do: str, said: str) -> None:
    first = pid(worker)
    with pytest.raises(Gone, match=said):
        worker.ask({"do": do})
    assert pid(worker) != first
    assert worker.started == 2


def test_a_worker_that_has_grown_is_replaced(worker: Worker) -> None:
    first = pid(worker, memory=process.GROWN + 1)
    assert pid(worker) != first


def test_only_a_worker_that_launches_sees_gpus(worker: Worker) -> None:
    assert worker.ask({"do": "answer"})["gpus"] == ""


def test_an_interpreter_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Gone, match="cannot be run: No such file"):
        Worker(python=str(tmp_path / "python")).ask({"do": "hello"})
