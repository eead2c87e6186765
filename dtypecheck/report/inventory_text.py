"""What kernels accept, for people: a table per kernel, a row per parameter, and on request why."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from rich.text import Text

from ..core.acceptance import Inventory, KernelAcceptance, Parameter, Refusal, Takes
from ..core.dtypes import ORDINARY, show
from ..core.spans import Place
from . import phrases
from .canvas import Canvas
from .formats import Options
from .sources import printable, shown_path

GAP = 2
INDENT = 2
ROOM = 24
"""Where there is less for the last column, it goes below the others."""


def render(inventory: Inventory, options: Options) -> str:
    """Every kernel, with blank lines between, and how many there were."""
    canvas = Canvas(options.color, options.width)
    for kernel in inventory.kernels:
        _kernel(canvas, kernel, inventory, options)
        canvas.blank()
    if options.verbosity >= 0 and inventory.kernels:
        canvas.hanging(Text(), _summary(inventory), 0)
    return canvas.text()


def _kernel(canvas: Canvas, kernel: KernelAcceptance, inventory: Inventory, options: Options) -> None:
    count = len(kernel.launches)
    launches = f"{count or 'no'} launch{'' if count == 1 else 'es'}"
    head = Text.assemble(
        (_where(kernel.place, inventory, options), "cyan"),
        " ",
        (printable(kernel.key), "bold"),
        (f"  {launches}", "dim"),
    )
    canvas.hanging(Text(), head, INDENT + GAP)
    if kernel.reason:
        why = Text(f"not decided: {printable(kernel.reason)}", "yellow")
        canvas.hanging(Text(" " * INDENT), why, INDENT + GAP)
        return
    names = max((cell_len(p.name) for p in kernel.parameters), default=0) + GAP
    kinds = max((cell_len(_kind(p)) for p in kernel.parameters), default=0) + GAP
    for p in kernel.parameters:
        first = Text(" " * INDENT)
        name, kind = Text(printable(p.name)), Text(_kind(p), "dim")
        name.pad_right(names - cell_len(p.name))
        kind.pad_right(kinds - cell_len(_kind(p)))
        first.append_text(name).append_text(kind)
        if canvas.width is not None and canvas.width < first.cell_len + ROOM:
            canvas.hanging(Text(" " * INDENT), Text(f"{p.name}  {_kind(p)}"), INDENT + GAP)
            first = Text(" " * (INDENT + GAP))
        canvas.hanging(first, _accepts(p), INDENT + GAP)
        if options.verbosity > 0:
            for line in _details(p, inventory, options):
                canvas.hanging(Text(" " * (INDENT + GAP)), line, INDENT + 2 * GAP)


def _kind(p: Parameter) -> str:
    word = "pointer or scalar" if p.takes is Takes.ANYTHING else p.takes.value
    return f"{word} or None" if p.optional and not p.unless else word


def _accepts(p: Parameter) -> Text:
    """The third column: dtypes, and what holds between parameters."""
    if p.takes in (Takes.CONSTEXPR, Takes.TUPLE):
        return Text()
    in_words = phrases.numbers if p.takes is Takes.SCALAR else phrases.dtypes
    conditions = dict.fromkeys(r.where for r in p.refused if r.where)
    free = p.accepted & ~sum(r.dtype for r in p.refused if r.where)
    parts = [] if p.undecided and not p.accepted else [in_words(free)]
    if p.forced:
        parts = [f"any, taken as {show(p.forced)}"]
    for where in conditions:
        more = sum(r.dtype for r in p.refused if r.where == where)
        parts.append(f"{', '.join(phrases.listed(more))} {_unless(where)}")
    if p.optional and p.unless:
        parts.append(f"None {_unless(p.unless)}")
    if p.same_as:
        parts.append(f"same as {p.same_as}" + (" (float8 may be mixed)" if p.mixed else ""))
    if p.at_least:
        parts.append(f"at least as wide as {p.at_least}")
    parts += [f"depends on {d.other}" for d in p.depends]
    if p.undecided:
        parts.append(f"not decided: {in_words(p.undecided)}")
    return Text(printable("; ".join(parts)), "" if p.restricted or p.undecided else "green")


def _unless(condition: str) -> str:
    """When something is accepted that is refused under a condition."""
    plain = condition.removeprefix("not ")
    return f"where {plain}" if plain != condition and plain.isidentifier() else f"unless {condition}"


def _details(p: Parameter, inventory: Inventory, options: Options) -> Iterator[Text]:
    """What is refused and why, by statement; what launches give."""
    groups: dict[tuple[Place, str], list[Refusal]] = {}
    for r in p.refused:
        groups.setdefault((r.place, r.where), []).append(r)
    for (place, where), alike in groups.items():
        names = ", ".join(phrases.listed(sum(r.dtype for r in alike)))
        yield Text.assemble(
            (f"not {names}{f' where {where}' if where else ''}: ", "dim"),
            (_where(place, inventory, options), "cyan"),
            " ",
            (printable(min(alike, key=lambda r: not r.dtype & ORDINARY).message), "red"),
        )
    for d in p.depends:
        beside = ", ".join(f"{show(a)} beside {show(b)}" for a, b in d.pairs)
        yield Text(f"not, with {d.other}: {beside}", "dim")
    if p.undecided:
        yield Text(f"not decided: {printable(p.reason)}", "dim")
    if p.because:
        yield Text(f"None: {printable(p.because)}", "dim")
    if p.gets:
        yield Text(f"gets {', '.join(phrases.listed(p.gets))}", "dim")


def _where(place: Place, inventory: Inventory, options: Options) -> str:
    return printable(f"{shown_path(place.path, inventory.root, options.base)}:{place.span.line}")


def _summary(inventory: Inventory) -> Text:
    kernels = len(inventory.kernels)
    undecided = sum(bool(k.reason) for k in inventory.kernels)
    parameters = sum(len(k.parameters) for k in inventory.kernels)
    said = f"{kernels} kernel{'' if kernels == 1 else 's'}, {undecided} not decided, {parameters} parameters."
    return Text(said, "bold")
