"""What the decorators of a kernel provide beside a launch's arguments: the first config, and heuristics."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator
from typing import Any

from .arguments import Given, posing
from .slices import Loaded

CONFIGS, HEURISTICS = "of its autotune configs", "by its heuristics"


def supplied(loaded: Loaded, given: Given) -> dict[str, Any]:
    """What can be told as JSON of that, by parameter: [value, where it is from]."""
    found = {}
    for name, value, source in _supply(loaded, given):
        if value is None or isinstance(value, (bool, int, float, str)):
            found[name] = [value, source]
    return found


def complete(loaded: Loaded, given: Given) -> list[str]:
    """Fills parameters that the launch does not give: by configs, heuristics, defaults, and guesses last.

    Returns what was assumed, for people.
    """
    assumed: list[str] = []
    for name, value, source in _supply(loaded, given):
        given.values[name] = value
        assumed.append(f"{name}={value!r} ({source})")
    defaults = set(_defaults(loaded.kernel))
    for name in loaded.kernel.arg_names:
        if name in given.guesses and name not in given.values and name not in given.left_out | defaults:
            given.values[name] = given.guesses[name]
            assumed.append(f"{name}={_shown(given.values[name])} (assumed)")
    return assumed


def _supply(loaded: Loaded, given: Given) -> Iterator[tuple[str, Any, str]]:
    """What decorators provide for parameters without argument; heuristics see guesses where they need it."""
    values = _defaults(loaded.kernel) | given.guesses | given.values
    open_names = set(loaded.kernel.arg_names) - set(given.values) - given.left_out
    for configs in loaded.configs:
        for name, value in _first(configs).items():
            if name in open_names:
                open_names.discard(name)
                values[name] = value
                yield name, value, CONFIGS
    for heuristics in loaded.heuristics:
        for name, rule in _rules(heuristics).items():
            if name in open_names:
                with contextlib.suppress(Exception), posing():
                    values[name] = rule(dict(values))
                    open_names.discard(name)
                    yield name, values[name], HEURISTICS


def _defaults(kernel: Any) -> dict[str, Any]:
    params = inspect.signature(kernel.fn).parameters.values()
    return {p.name: p.default for p in params if p.default is not p.empty}


def _first(configs: Any) -> dict[str, Any]:
    """The parameters that the first config sets; none where configs cannot be made here."""
    with contextlib.suppress(Exception):
        for config in configs():
            return dict(config.kwargs)
    return {}


def _rules(heuristics: Any) -> dict[str, Any]:
    with contextlib.suppress(Exception):
        return dict(heuristics())
    return {}


def _shown(value: Any) -> str:
    return str(value) if getattr(value, "mock", False) else repr(value)
