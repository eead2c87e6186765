"""Lists faults that could be put into a package: `python -m tests.corpus.mutate PACKAGE [--distance N]`.

A fault is a dtype keyword of a tensor constructor, dropped or changed, in a function on the way to a launch.
Says nothing of which of them Triton would refuse. Independent of the checker's own reading of the code.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from .fetch import FetchError, fetch
from .packages import UnknownPackage, named
from .ways import Function, distances, functions

CONSTRUCTORS = frozenset(
    {
        "empty",
        "zeros",
        "ones",
        "full",
        "arange",
        "tensor",
        "as_tensor",
        "linspace",
        "rand",
        "randn",
        "randint",
    }
    | {"randint", "randperm", "empty_strided", "scalar_tensor", "eye"}
    | {f"{name}_like" for name in ("empty", "zeros", "ones", "full", "rand", "randn", "randint")}
    | {f"new_{name}" for name in ("empty", "zeros", "ones", "full", "tensor", "empty_strided")}
)
CHANGES = {
    "torch.int64": "torch.int32",
    "torch.long": "torch.int32",
    "torch.int32": "torch.int64",
    "torch.int": "torch.int64",
    "torch.int16": "torch.int64",
    "torch.int8": "torch.float32",
    "torch.uint8": "torch.int64",
    "torch.bool": "torch.float32",
    "torch.float64": "torch.float32",
    "torch.float32": "torch.int32",
    "torch.float": "torch.int32",
    "torch.bfloat16": "torch.float16",
    "torch.float16": "torch.bfloat16",
    "torch.half": "torch.bfloat16",
}
"""What a dtype is changed to: one that a person could write there."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """One edit: the bytes from `start` to `end` become `text`; `replacement` is None where a keyword goes.

    `line` is that of the call; `target` is the name that the call is assigned to, or "".
    """

    line: int
    constructor: str
    target: str
    dtype: str
    replacement: str | None
    start: int
    end: int

    @property
    def text(self) -> bytes:
        return (self.replacement or "").encode()


def mutations(source: bytes, within: Sequence[ast.AST] | None = None) -> Iterator[Mutation]:
    """The mutations of a module, or of some of its functions, in source order."""
    nodes = [node for root in within or [ast.parse(source)] for node in ast.walk(root)]
    starts = [0, *accumulate(len(line) for line in source.splitlines(keepends=True))]
    targets = _targets(nodes)
    calls = [n for n in nodes if isinstance(n, ast.Call)]
    for node in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        if _last_name(node.func) in CONSTRUCTORS:
            for keyword in node.keywords:
                if keyword.arg == "dtype":
                    target = targets.get((node.lineno, node.col_offset), "")
                    yield from _of_keyword(source, starts, node, keyword, target)


def apply(source: bytes, mutation: Mutation) -> bytes:
    """The module with the fault in it; it still parses."""
    changed = source[: mutation.start] + mutation.text + source[mutation.end :]
    ast.parse(changed)
    return changed


def _of_keyword(
    source: bytes, starts: Sequence[int], call: ast.Call, keyword: ast.keyword, target: str
) -> Iterator[Mutation]:
    dtype = ast.unparse(keyword.value)
    about = (call.lineno, _last_name(call.func), target, dtype)
    yield Mutation(*about, None, *_with_comma(source, *_extent(starts, keyword)))
    if dtype in CHANGES:
        yield Mutation(*about, CHANGES[dtype], *_extent(starts, keyword.value))


def _extent(starts: Sequence[int], node: ast.expr | ast.keyword) -> tuple[int, int]:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset


def _with_comma(source: bytes, start: int, end: int) -> tuple[int, int]:
    """The extent of an argument with the comma that goes with it: the one after it, else the one before."""
    after = re.compile(rb"\s*,[ \t]*").match(source, end)
    if after:
        return start, after.end()
    before = source[:start].rstrip()
    return (len(before) - 1 if before.endswith(b",") else start), end


def _targets(nodes: Iterable[ast.AST]) -> Mapping[tuple[int, int], str]:
    """The names that calls are assigned to, by where the call begins."""
    found: dict[tuple[int, int], str] = {}
    for node in nodes:
        match node:
            case (
                ast.Assign(targets=[target], value=ast.Call() as call)
                | ast.AnnAssign(target=target, value=ast.Call() as call)
            ):
                found[call.lineno, call.col_offset] = ast.unparse(target)
    return found


def _last_name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def on_the_way(root: Path, distance: int) -> Iterator[tuple[Function, int, Mutation]]:
    """The mutations of functions that are at most so many calls away from a launch."""
    far = distances(functions(root), distance)
    for function, steps in sorted(far.items(), key=lambda item: (item[0].path, item[0].node.lineno)):
        source = (root / function.path).read_bytes()
        for mutation in mutations(source, [function.node]):
            yield function, steps, mutation


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints a line for each mutation, and how many there are of each kind."""
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.mutate", description=__doc__)
    parser.add_argument("package")
    parser.add_argument(
        "--distance", type=int, default=1, metavar="N", help="calls from a launch [default: 1]"
    )
    options = parser.parse_args(arguments)
    kinds: Counter[str] = Counter()
    try:
        for package in named([options.package]):
            for function, steps, m in on_the_way(fetch(package), options.distance):
                change = f"{m.dtype} -> {m.replacement or 'dropped'}"
                kinds[change] += 1
                print(
                    f"{function.path}:{m.line} {function.name} +{steps} {m.target or m.constructor}: {change}"
                )
    except (FetchError, UnknownPackage) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"\n{sum(kinds.values())} mutations")
    for change, count in kinds.most_common():
        print(f"{count:6}  {change}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
