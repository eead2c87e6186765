"""Settings from `[tool.dtypecheck]` of a pyproject.toml, and from flags, which win.

A wrong key or value raises ConfigError with its file and line; nothing in the table is passed over.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..contracts.locator import LocatorError, locate
from .errors import ConfigError, did_you_mean
from .roots import existing, find_root
from .settings import PathIgnores, Settings
from .targets import pinned

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TABLE = ("tool", "dtypecheck")


@dataclass(frozen=True, slots=True)
class _Key:
    """What a key of the table takes: `read` gives None for a value of the wrong shape."""

    expected: str
    read: Callable[[Any], Any]


def settings_for(
    paths: Sequence[str | os.PathLike[str]], flags: Mapping[str, Any] | None = None, root: str | None = None
) -> Settings:
    """The settings of a run over `paths`; `flags` are values of `Settings` fields, `root` is --root."""
    named = existing(paths)
    if root is not None and not os.path.isdir(root):
        raise ConfigError(f"--root {root}: no such directory")
    home = find_root(named) if root is None else Path(os.path.realpath(root))
    return override(read_config(home, fixed_root=root is not None), flags or {})


def override(settings: Settings, flags: Mapping[str, Any]) -> Settings:
    """The flags on top of the configuration.

    A flag replaces the key of its name. `select` sets aside the file's `ignore` too, and `ignore` alone adds
    to it: what is asked for on the command line is what is shown.
    """
    changed = dict(flags)
    if "select" in flags:
        changed.setdefault("ignore", ())
    elif "ignore" in flags:
        changed["ignore"] = (*settings.ignore, *flags["ignore"])
    origins = {k: v for k, v in settings.origins.items() if k.replace("-", "_") not in changed}
    return replace(settings, **changed, origins=origins)


def read_config(home: Path, fixed_root: bool = False) -> Settings:
    """The settings that the pyproject.toml in `home` makes; the defaults where it says nothing.

    A `root` in the file moves the root, unless it is fixed already.
    """
    file = home / "pyproject.toml"
    shown = _shown(file)
    try:
        text = file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
        document = tomllib.loads(text)
    except FileNotFoundError:
        return Settings(home)
    except OSError as error:
        raise ConfigError(f"{shown}: cannot be read: {error.strerror or error}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{shown}: not valid TOML: {error}") from None
    table = _table(_table(document, "tool"), "dtypecheck")
    if table is None:
        raise ConfigError(f"{shown}: [tool.dtypecheck] must be a table")
    values, origins = _read_table(table, text, shown)
    root = values.pop("root", None)
    if root is not None and not fixed_root:
        home = _moved(home, root, origins["root"])
    values.setdefault("triton", pinned(document))
    values["rules"] = tuple(_rules_name(r, file.parent) for r in values.get("rules", ()))
    project = (_table(document, "project") or {}).get("name")
    return Settings(home, **values, project=project if isinstance(project, str) else None, origins=origins)


def rules_from_flags(names: Sequence[str]) -> tuple[str, ...]:
    """The values of --rules, with files as messages name them."""
    return tuple(_rules_name(n, Path.cwd()) for n in names)


def _rules_name(name: str, base: Path) -> str:
    """A name with a slash or the ending .toml is a file; the rest are packs."""
    is_file = name.endswith(".toml") or "/" in name or os.sep in name
    return _shown(Path(os.path.normpath(base / name))) if is_file else name


def _table(document: Mapping[str, Any] | None, key: str) -> Mapping[str, Any] | None:
    """A table of a document: an empty one where the key is not there, None where it is no table."""
    found = (document or {}).get(key, {})
    return found if isinstance(found, dict) else None


def _moved(home: Path, root: str, origin: str) -> Path:
    moved = Path(os.path.realpath(home / root))
    if not moved.is_dir():
        raise ConfigError(f"{origin}: root: no such directory '{root}'")
    return moved


def _read_table(table: Mapping[str, Any], text: str, shown: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Values by the names of `Settings` fields, and origins by key; raises one ConfigError for all faults."""
    lines = _lines(text)
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    wrong = []
    for name, raw in table.items():
        where = f"{shown}:{lines[name]}" if name in lines else shown
        key = _KEYS.get(name)
        if key is None:
            wrong.append(f"{where}: unknown key '{name}' in [tool.dtypecheck]{did_you_mean(name, _KEYS)}")
            continue
        value = key.read(raw)
        if value is None:
            wrong.append(f"{where}: {name} must be {key.expected}, not {_toml_type(raw)}")
        values[name.replace("-", "_")] = value
        origins[name] = where
    if wrong:
        raise ConfigError(*wrong)
    return values, origins


def _lines(text: str) -> dict[str, int]:
    """The line of each key of the table, where it can be found."""
    try:
        places = locate(text)
    except (LocatorError, RecursionError):
        return {}
    return {str(p[2]): span.line for p, span in places.items() if len(p) == 3 and p[:2] == TABLE}


def _shown(file: Path) -> str:
    """A file as a message names it: from the working directory where it lies below that."""
    try:
        below = file.relative_to(os.path.realpath(os.curdir))
    except ValueError:
        return str(file)
    return str(below)


def _string(raw: Any) -> str | None:
    return raw if isinstance(raw, str) else None


def _flag(raw: Any) -> bool | None:
    return raw if isinstance(raw, bool) else None


def _count(raw: Any) -> int | None:
    return raw if isinstance(raw, int) and not isinstance(raw, bool) and raw >= 0 else None


def _strings(raw: Any) -> tuple[str, ...] | None:
    if isinstance(raw, list) and all(isinstance(item, str) for item in raw):
        return tuple(raw)
    return None


def _words(raw: Any) -> tuple[str, ...] | None:
    """One string, or several."""
    return (raw,) if isinstance(raw, str) else _strings(raw)


def _path_ignores(raw: Any) -> tuple[PathIgnores, ...] | None:
    if not isinstance(raw, dict):
        return None
    rows = [(pattern, _strings(names)) for pattern, names in raw.items()]
    return (
        tuple(PathIgnores(p, n) for p, n in rows if n is not None)
        if all(n is not None for _, n in rows)
        else None
    )


def _toml_type(raw: Any) -> str:
    """What a value is, in the words of TOML."""
    words = {
        bool: "a boolean",
        int: "an integer",
        float: "a float",
        str: "a string",
        list: "an array",
        dict: "a table",
    }
    word = words.get(type(raw), "a date or time")
    return f"{word} ({str(raw).lower()})" if isinstance(raw, (bool, int, float)) else word


_STRINGS = "an array of strings"
_BOOLEAN = "true or false"
_KEYS: dict[str, _Key] = {
    "root": _Key("a string, the path of a directory", _string),
    "rules": _Key(f"{_STRINGS}, packs or rules files", _strings),
    "select": _Key(f"{_STRINGS}, names of rules", _strings),
    "ignore": _Key(f"{_STRINGS}, names of rules", _strings),
    "per-file-ignores": _Key(f"a table of patterns, each with {_STRINGS}", _path_ignores),
    "exclude": _Key(f"{_STRINGS}, patterns of paths", _strings),
    "target": _Key(f"a string or {_STRINGS}, such as cuda:90", _words),
    "triton": _Key(f"a string or {_STRINGS}, such as 3.9", _words),
    "jobs": _Key("an integer from 0 on", _count),
    "strict": _Key(_BOOLEAN, _flag),
    "exit-zero": _Key(_BOOLEAN, _flag),
    "show-possible": _Key(_BOOLEAN, _flag),
}
"""Every key of the table. A new one is a row here and a field of `Settings`."""
