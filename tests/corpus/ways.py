"""How many calls lie between a function and a launch of a kernel, by names alone: a guess, made generously.

A name that many functions have says nothing, and is not followed.
"""

from __future__ import annotations

import ast
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

HOMONYMS = 3
"""So many functions of one name are told apart by nothing but types; more of them are not followed."""


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function or method; functions inside it are part of it. `name` is qualified within the module."""

    path: str
    name: str
    node: ast.FunctionDef | ast.AsyncFunctionDef
    calls: frozenset[str] = field(repr=False)
    launched: frozenset[str] = field(repr=False)

    @property
    def called(self) -> str:
        """The name under which it is called: a constructor has its class's."""
        *owner, last = self.name.split(".")
        return owner[-1] if owner and last in ("__init__", "__call__") else last

    @property
    def is_kernel(self) -> bool:
        return any("jit" in ast.unparse(d).split("(")[0] for d in self.node.decorator_list)


def functions(root: Path) -> Iterator[Function]:
    """All functions and methods below `root`; files that do not parse have none."""
    for file in sorted(root.rglob("*.py")):
        try:
            tree = ast.parse(file.read_bytes())
        except (SyntaxError, ValueError):
            continue
        yield from _functions(file.relative_to(root).as_posix(), tree, "")


def _functions(path: str, owner: ast.AST, prefix: str) -> Iterator[Function]:
    for node in ast.iter_child_nodes(owner):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            calls, launched = _called(node)
            yield Function(path, prefix + node.name, node, calls, launched)
        elif isinstance(node, ast.ClassDef):
            yield from _functions(path, node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.If | ast.Try):
            yield from _functions(path, node, prefix)


def _called(node: ast.AST) -> tuple[frozenset[str], frozenset[str]]:
    """The last names of what is called, and of what is launched: `name[...](...)`."""
    calls, launched = set(), set()
    for inner in ast.walk(node):
        match inner:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                calls.add(name)
            case ast.Call(func=ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name))):
                launched.add(name)
    return frozenset(calls), frozenset(launched)


def distances(found: Iterable[Function], limit: int) -> Mapping[Function, int]:
    """Calls, up or down, from each function to the nearest that launches a kernel; up to `limit` of them."""
    everything = list(found)
    kernels = {f.called for f in everything if f.is_kernel}
    hosts = [f for f in everything if not f.is_kernel]
    by_name: defaultdict[str, list[Function]] = defaultdict(list)
    for f in hosts:
        by_name[f.called].append(f)
    callers: defaultdict[str, list[Function]] = defaultdict(list)
    for f in hosts:
        for name in f.calls:
            callers[name].append(f)
    clear = {name for name, those in by_name.items() if len(those) <= HOMONYMS}
    reached = {f: 0 for f in hosts if f.launched & kernels}
    queue = deque(reached)
    while queue:
        f = queue.popleft()
        if reached[f] == limit:
            continue
        down = [g for name in f.calls & clear for g in by_name[name]]
        up = callers[f.called] if f.called in clear else []
        for g in (*down, *up):
            if g not in reached:
                reached[g] = reached[f] + 1
                queue.append(g)
    return reached
