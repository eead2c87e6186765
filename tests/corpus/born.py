"""Launch arguments that the launching function makes itself: `python -m tests.corpus.born [PACKAGE...]`.

An argument counts where every way to it is a call of a tensor constructor in that function. Its dtype is
known, that of a named parameter (symbolic), or unknown; each of the last is listed.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from dtypecheck.analysis import graph as g
from dtypecheck.analysis.dtypexpr import exact, symbols
from dtypecheck.analysis.launches import MOST, sites
from dtypecheck.analysis.program import FunctionDef, Program
from dtypecheck.analysis.solve import Solver
from dtypecheck.analysis.store import Store
from dtypecheck.analysis.values import Array, KernelRef, Launcher, Nil, Value
from dtypecheck.config.discovery import discover
from dtypecheck.config.load import settings_for
from dtypecheck.config.progress import silent
from dtypecheck.pipeline import indexed, reader
from dtypecheck.processes import with_deep_stack

from .fetch import fetch
from .packages import named

_OF_SIZES = ("empty", "zeros", "ones", "full", "rand", "randn", "randint")
MAKERS = frozenset(
    (*_OF_SIZES, *(f"{name}_like" for name in _OF_SIZES),
     *(f"new_{name}" for name in (*_OF_SIZES[:4], "tensor")), "arange",
      "tensor", "as_tensor", "empty_strided", "linspace", "eye", "from_numpy")
)  # fmt: skip


def born(solver: Solver, function: FunctionDef) -> Iterator[tuple[int, Value]]:
    """The values of such arguments, with the lines of their launches."""
    frame = solver.store.root_frame(function)
    for site in sites(function, frame.summary.calls):
        solver.fuel = MOST
        kernels = solver.force(site.target, frame)
        if any(isinstance(alt.what, (KernelRef, Launcher)) for alt in kernels):
            for argument in site.call.apply.args:
                made = [n for n in _ways(argument.value) if not isinstance(n, g.Literal)]
                if made and all(_is_made(n) for n in made):
                    yield site.call.apply.span.line, solver.force(argument.value, frame)


def _ways(node: g.Node) -> Iterator[g.Node]:
    match node:
        case g.Choice(options=options):
            for _, option in options:
                yield from _ways(option)
        case g.Annotated(value=value) if value is not None:
            yield from _ways(value)
        case _:
            yield node


def _is_made(node: g.Node) -> bool:
    match node:
        case g.Apply(func=g.Get(attr=name)):
            return name in MAKERS
    return False


def state(value: Value) -> str:
    """ "known", "symbolic", or why not."""
    found = "known"
    for alt in value:
        match alt.what:
            case Nil():
                pass
            case Array(dtype=dtype) if exact(dtype) is not None:
                pass
            case Array(dtype=dtype) if symbols(dtype):
                found = "symbolic"
            case other:
                return getattr(other, "reason", "") or type(other).__name__
    return found


def count(root: Path) -> tuple[Counter[str], list[str]]:
    """How many are in which state, and the unknown ones."""
    files = discover([str(root)], settings_for([str(root)], {}, root=str(root))).files
    program = indexed(root, files, 1, silent)
    states, unknown = Counter[str](), []
    for path, function in _launching(program):
        for line, value in born(Solver(program, Store(reader(root))), function):
            found = state(value)
            states[found if found in ("known", "symbolic") else "unknown"] += 1
            if found not in ("known", "symbolic"):
                unknown.append(f"  {path}:{line} {found}")
    return states, unknown


def _launching(program: Program) -> Iterator[tuple[str, FunctionDef]]:
    for file in program.files:
        for entry in file.functions:
            if entry.sites and program.may_launch(file):
                yield file.path, FunctionDef(file, entry)


def main() -> None:
    for package in named(sys.argv[1:] or ["default"]):
        states, unknown = with_deep_stack(partial(count, fetch(package)))
        total = sum(states.values()) or 1
        told = 100 * (total - states["unknown"]) / total
        line = f"{package.key}: {dict(states)}; {told:.1f} % known or symbolic"
        print(line, *unknown, sep="\n", flush=True)


if __name__ == "__main__":
    main()
