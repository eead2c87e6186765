"""What the decorators of a kernel provide beside a launch's arguments: the first config, and heuristics."""

from __future__ import annotations

import contextlib
from typing import Any

from .arguments import Given
from .slices import Loaded


def complete(loaded: Loaded, given: Given) -> list[str]:
    """Fills parameters that the launch does not give: by configs, heuristics, defaults, and guesses, in that order.

    Returns what was assumed, for people.
    """
    names = set(loaded.kernel.arg_names)
    open_names = names - set(given.values) - given.left_out
    assumed: list[str] = []
    for configs in loaded.configs:
        for name, value in _first(configs).items():
            if name in open_names:
                given.values[name] = value
                open_names.discard(name)
                assumed.append(f"{name}={value!r} (of its autotune configs)")
    defaults = {p.name: p.default for p in loaded.kernel.params if p.has_default}
    for heuristics in loaded.heuristics:
        with contextlib.suppress(Exception):
            for name, rule in heuristics().items():
                if name in open_names:
                    with contextlib.suppress(Exception):
                        given.values[name] = rule({**defaults, **given.guesses, **given.values})
                        open_names.discard(name)
                        assumed.append(f"{name}={given.values[name]!r} (by its heuristics)")
    for name in sorted(open_names, key=loaded.kernel.arg_names.index):
        if name in given.guesses and name not in defaults:
            given.values[name] = given.guesses[name]
            assumed.append(f"{name}={_shown(given.values[name])} (assumed)")
    return assumed


def _shown(value: Any) -> str:
    return str(value) if getattr(value, "mock", False) else repr(value)


def _first(configs: Any) -> dict[str, Any]:
    """The parameters that the first config sets."""
    with contextlib.suppress(Exception):
        for config in configs():
            return dict(config.kwargs)
    return {}
