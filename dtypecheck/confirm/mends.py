"""What mends a faulty launch: other arguments, likeliest first, or the program's text with a fix applied."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import log2

from ..analysis.solve import Solver
from ..analysis.store import Store
from ..core.claims import Arguments, Claim, Tensor
from ..core.diagnostics import Edit, Fix
from ..core.dtypes import BY_NAME, DType
from ..syntax.source import Source
from .bench import Bench, Experiment

FEW = 6
"""So many dtypes that mend a launch are tried one by one."""
NEAREST = 2
"""Of more, so many; then what is usual for such a parameter."""


def mends(claim: Claim) -> Iterator[Arguments]:
    """The mends of a claim; of several dtypes those that are most like the faulty one come first."""
    match claim.mended:
        case ((name, Tensor((_, _, *_) as dtypes)),):
            near = _nearest(dict(claim.arguments).get(name), dtypes)
            if len(dtypes) > FEW:
                yield from (((name, Tensor((dtype,))),) for dtype in near[:NEAREST])
                yield claim.mended
            else:
                yield from (((name, Tensor((dtype,))),) for dtype in near or dtypes)
        case (_, *_):
            yield claim.mended


def alike(claim: Claim, mend: Arguments) -> Arguments:
    """A mend for every argument that is what the one to blame is."""
    given = dict(claim.arguments)
    found = dict(mend)
    for name, instead in mend:
        found |= {other: instead for other, argument in claim.arguments if argument == given.get(name)}
    return tuple(found.items())


def _nearest(was: object, dtypes: tuple[str, ...]) -> tuple[str, ...]:
    """Dtypes by their likeness to the one that an argument has; none where that is not known."""
    match was:
        case Tensor((one,)):
            return tuple(sorted(dtypes, key=lambda other: _distance(BY_NAME[one], BY_NAME[other])))
    return ()


def _distance(one: DType, other: DType) -> tuple[object, ...]:
    """First in kind, then in sign, then in width; of two widths the greater is nearer."""
    wider = log2(other.bits) - log2(one.bits)
    return abs(one.kind.value - other.kind.value), one.signed != other.signed, abs(wider), wider < 0


def rewritten(experiment: Experiment, fix: Fix | None) -> Experiment | None:
    """The same launch of the kernel as it stands in the text with a fix applied.

    None where the fix does not touch the kernel, or moves lines, by which definitions are found.
    """
    slice_ = experiment.kernel.slice
    held = {origin for chunk in slice_.chunks for origin in chunk.origins}
    edits = fix.edits if fix is not None else ()
    touches = any((e.place.path, e.place.span.line) in held for e in edits)
    if not touches or not all(map(_within_a_line, edits)):
        return None
    bench, kernel = experiment.bench, experiment.kernel
    program, store = bench.solver.program, bench.solver.store

    def read(path: str) -> Source | None:
        source = store.source(path)
        mine = sorted((e for e in edits if e.place.path == path), key=lambda e: e.place, reverse=True)
        return _applied(source, mine) if source is not None else None

    other = Bench(Solver(program, Store(read)), bench.worker, bench.cache, bench.machine, bench.binary)
    made = other.kernel(kernel.place, experiment.target)
    return None if isinstance(made, str) else replace(experiment, kernel=made)


def _within_a_line(edit: Edit) -> bool:
    return edit.place.span.line == edit.place.span.end_line and "\n" not in edit.text


def _applied(source: Source, edits: list[Edit]) -> Source:
    """A source after edits, of which the last comes first."""
    lines = list(source.lines)
    for edit in edits:
        span, line = edit.place.span, lines[edit.place.span.line - 1]
        lines[span.line - 1] = line[: span.column - 1] + edit.text + line[span.end_column - 1 :]
    return replace(source, text="\n".join(lines), lines=tuple(lines))
