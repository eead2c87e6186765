"""The JSON Schema of rules files, for editors and other tools.

It accepts what the reader accepts, but for what no schema can see: a value compared with itself,
names outside ASCII where a validator's `\\w` is ASCII only, and places that exist only in a program.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

PATH = Path(__file__).with_name("rules.schema.json")
"""The schema file, as installed."""


@cache
def schema() -> dict[str, Any]:
    """The schema, draft 2020-12."""
    document: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
    return document
