"""A build backend that builds nothing: it hands pip the metadata that the source archive already holds.

pip asks the backend of a source archive for its metadata before it keeps the download, and the real backend
would need the project's build requirements, torch among them, and would run the project's code.
"""

from __future__ import annotations

import shutil
from email.parser import HeaderParser
from pathlib import Path
from typing import Any


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    return []


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Any = None) -> str:
    """Runs in the folder of the unpacked archive."""
    info = Path("PKG-INFO")
    header = HeaderParser().parsestr(info.read_text(encoding="utf-8"), headersonly=True)
    folder = Path(metadata_directory, f"{header['Name'].replace('-', '_')}-{header['Version']}.dist-info")
    folder.mkdir()
    shutil.copyfile(info, folder / "METADATA")
    return folder.name


def build_wheel(*_: Any) -> str:
    raise NotImplementedError("this backend only hands over metadata")
