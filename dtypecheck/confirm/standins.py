"""Code in place of what a slice may not have: answers about the machine, a finder of Triton's own modules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .slices import Chunk


def importlib(name: str) -> Chunk:
    """What looks for modules of Triton's by name, and finds no others."""
    return Chunk.made(
        "",
        f"def {name}():",
        "    import importlib.util",
        "",
        "    def known(find):",
        '        return lambda name, *_: find(name) if name.partition(".")[0] == "triton" else None',
        "",
        "    make = importlib.util.module_from_spec",
        "    util = types.SimpleNamespace(find_spec=known(importlib.util.find_spec), module_from_spec=make)",
        "    return types.SimpleNamespace(import_module=known(importlib.import_module), util=util)",
        "",
        f"{name} = {name}()",
    )


def module(name: str) -> Chunk:
    """A module object: Triton takes no other object for one."""
    return Chunk.made(f'{name} = types.ModuleType("{name}")')


def said(value: str, called: bool) -> str:
    """A value, or a function that gives it whatever it is called with."""
    return f"(lambda *_, **__: {value})" if called else value


def answers(name: str, chain: Sequence[str], value: str) -> Iterator[Chunk]:
    """Makes `name.a.b` the value, beside what `name` has already."""
    at = name
    for part in chain[:-1]:
        yield Chunk.made(f"{at}.{part} = getattr({at}, '{part}', types.SimpleNamespace())")
        at = f"{at}.{part}"
    yield Chunk.made(f"{at}.{chain[-1]} = {value}")
