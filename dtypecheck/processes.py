"""Work shared out to processes, and a stack that is deep enough for it.

Results come in the order of the items, so what is made of them does not depend on who worked them out.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

from .config.progress import Progress

T = TypeVar("T")
R = TypeVar("R")

FEW = 40
"""So few files are not worth a second process."""
STACK = 512 * 1024 * 1024
RECURSION = 40_000


def workers(jobs: int, files: int) -> int:
    """How many processes to use: `jobs`, or one per processor where that is 0; one for a few files."""
    wanted = jobs or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else jobs or 1
    return wanted if files > FEW and "fork" in multiprocessing.get_all_start_methods() else 1


def each(
    work: Callable[[T], R], items: Sequence[T], processes: int, progress: Progress, stage: str
) -> Iterator[R]:
    """The results in the order of the items. Workers are forked: they see what the process holds then."""
    if processes <= 1 or len(items) < 2:
        for done, item in enumerate(items):
            progress(stage, done, len(items))
            yield work(item)
        return
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(
        processes, mp_context=context, initializer=_work_for, initargs=(os.getpid(),)
    ) as pool:
        chunk = max(1, min(32, len(items) // (processes * 64)))
        for done, result in enumerate(pool.map(work, items, chunksize=chunk)):
            progress(stage, done, len(items))
            yield result


def _work_for(parent: int) -> None:
    """A worker does not outlive the process that made it, however that ends."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, name="watch", daemon=True).start()
    _deepen()


def _deepen() -> None:
    sys.setrecursionlimit(RECURSION)


def as_one_run(work: Callable[[], R]) -> R:
    """Runs `work` with a deep stack and no collector but `keep`."""
    gc.disable()
    try:
        return with_deep_stack(work)
    finally:
        gc.unfreeze()
        gc.enable()


def keep() -> None:
    """Frees what nobody has any more; what is alive now is there to stay, and is not looked at again."""
    gc.collect()
    gc.freeze()


def with_deep_stack(work: Callable[[], R]) -> R:
    """Runs `work` where demands may nest deeply, whatever the caller's stack."""
    outcome: list[R] = []
    failure: list[BaseException] = []

    def body() -> None:
        _deepen()
        try:
            outcome.append(work())
        except BaseException as error:  # carried over to the caller's thread
            failure.append(error)

    limit = sys.getrecursionlimit()
    size = threading.stack_size(STACK)
    try:
        thread = threading.Thread(target=body, name="dtypecheck")
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    if failure:
        raise failure[0]
    return outcome[0]
