"""Answers kept between runs, by the content of the question: slice, arguments, target, Triton, and this code.

A cache is a help and never a duty: what cannot be read is asked again, what cannot be written is forgotten.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .process import FOLDER

FORMAT = 1
OUTCOMES = frozenset({"taken", "refused", "broken", "unsupported"})


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder of answers, one file each; `folder` of None keeps nothing."""

    folder: Path | None

    def key(self, request: Mapping[str, Any], triton: str) -> str:
        text = json.dumps([FORMAT, triton, worker_digest(), request], sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def get(self, key: str) -> dict[str, Any] | None:
        """The answer kept under a key, if there is one and it is whole."""
        if self.folder is None:
            return None
        try:
            kept = json.loads(self._path(key).read_bytes())
        except (OSError, ValueError, RecursionError):
            return None
        if not isinstance(kept, dict) or kept.get("key") != key:
            return None
        answer = kept.get("answer")
        return answer if isinstance(answer, dict) and _whole(answer) else None

    def put(self, key: str, answer: Mapping[str, Any]) -> None:
        """Keeps an answer, where the folder lets it."""
        if self.folder is None:
            return
        path = self._path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent)
            with open(handle, "w", encoding="utf-8") as file:
                json.dump({"key": key, "answer": answer}, file)
            os.replace(temporary, path)
        except OSError:
            return

    def _path(self, key: str) -> Path:
        assert self.folder is not None
        return self.folder / "confirm" / key[:2] / f"{key}.json"


def _whole(answer: Mapping[str, Any]) -> bool:
    """Whether an answer has what a reader of its kind looks for."""
    match answer.get("outcome"):
        case "refused":
            words = all(isinstance(answer.get(name), str) for name in ("error", "stage", "class"))
            return words and isinstance(answer.get("lines"), list)
        case "broken" | "unsupported":
            return isinstance(answer.get("error"), str)
    return answer.get("outcome") == "taken"


@cache
def worker_digest() -> str:
    """The worker's code: another worker may answer otherwise."""
    digest = hashlib.sha256()
    for path in sorted(FOLDER.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def usual_folder() -> Path:
    """Where caches of this tool lie."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "dtypecheck"
