"""Who calls a function, and under which frames it therefore runs.

Callers are looked for only while what is asked still depends on the parameters of the outermost
function found so far; the chain of calls is short, and the number of contexts is bounded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..syntax.model import FileIndex
from . import autograd, calls
from . import graph as g
from .frames import Frame
from .program import ClassDef, FunctionDef
from .store import class_around
from .values import Abstract, ClassRef, FunctionRef, Given, Guard, Instance, Method, agree, just

if TYPE_CHECKING:
    from .solve import Solver

LEVELS = 8
CROWD = 40
"""A name that more functions call than this is looked for near the function and where its module is imported."""
HOLDERS = 4
"""So many names of variables are looked for that hold an object which is called."""
MOST = 24
"""More contexts than this are not told apart: the function is then seen from the frames found before."""
WAYS = 16
"""Of more ways to a point only that is kept which they share."""


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """A call in `caller` that reaches `callee`."""

    caller: FunctionDef
    site: g.CallSite
    callee: FunctionDef


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """A frame, and the calls that lead to it from the root, outermost first."""

    frame: Frame
    links: tuple[Link, ...]


def contexts(solver: Solver, function: FunctionDef, open_in: Callable[[Frame, str], bool]) -> list[Context]:
    """The frames of a function; `open_in(frame, name)` says whether what matters depends on `name`'s parameters.

    Where the fuel does not last for the callers, the frames that were looked at with fuel left stand for them.
    """
    done: list[Context] = []
    pending = [Context(solver.store.root_frame(function), ())]
    afforded = pending
    for _ in range(LEVELS):
        whole = done + pending
        following: list[Context] = []
        for context in pending:
            root = context.links[0].caller if context.links else function
            if not any(open_in(context.frame, name) for name in _providers(solver, root)):
                done.append(context)
                continue
            more = _widen(solver, root, context.links)
            if more:
                following += more
            else:
                done.append(context)
        if solver.fuel <= 0:
            return afforded
        afforded = whole
        if len(done) + len(following) > MOST:
            return whole
        pending = following
        if not pending:
            break
    return done + pending


def ways(solver: Solver, context: Context, path: g.Path) -> tuple[Guard, ...]:
    """The guards under which a point is reached: its own path, and those of the calls that lead to it."""
    guards = solver.guards(path, context.frame)
    at: Frame | None = context.frame
    for link in reversed(context.links):
        while at is not None and link.site not in at.summary.calls:
            at = at.caller  # a backward runs in the frame of its forward, which stands in no link
        if at is None:
            break
        outer = solver.guards(link.site.path, at)
        merged = dict.fromkeys(agree(a, b) for a in guards for b in outer)
        guards = tuple(guard for guard in merged if guard is not None)
        if not guards:
            return ()
        if len(guards) > WAYS:
            return (frozenset.intersection(*guards),)
    return guards


def _providers(solver: Solver, root: FunctionDef) -> tuple[str, ...]:
    """The functions whose parameters a root's values depend on: a backward sees those of its forward."""
    cls = autograd.backward_of(solver, root)
    forward = solver.program.method(cls, "forward") if cls is not None else None
    return (root.key,) if forward is None else (root.key, forward.key)


def _widen(solver: Solver, root: FunctionDef, links: tuple[Link, ...]) -> list[Context]:
    """The same chain, started one call further out."""
    found: list[Context] = []
    seen = {link.caller for link in links} | {root}
    for link in call_sites(solver, root):
        if link.caller in seen:
            continue
        frames = [solver.store.root_frame(link.caller)]
        chain = (link, *links)
        for step in chain:
            frames = [made for frame in frames for made in descend(solver, frame, step)]
        found += [Context(frame, chain) for frame in frames]
        if len(found) > MOST:
            break
    return found


def descend(solver: Solver, frame: Frame, link: Link) -> list[Frame]:
    """The frames that a call in `frame` activates for the callee of the link."""
    made: list[Frame] = []
    apply = link.site.apply
    called = solver.force(apply.func, frame)
    if not any(_may_be(solver, alt.what, link.callee) for alt in called):
        return []
    ways = solver.guards(link.site.path, frame)
    for alt in called:
        what = alt.what
        if not any(agree(alt.guard, way) is not None for way in ways):
            continue
        entered: Frame | None = None
        match what:
            case FunctionRef(function) if function == link.callee:
                entered = calls.enter(solver, what, apply.args, frame, apply)
            case FunctionRef() if (heir := _heir(solver, what, link.callee)) is not None:
                entered = calls.enter(solver, heir, apply.args, frame, apply)
            case Method("Function.apply", ClassRef(cls)):
                forward = autograd.forward_frame(solver, cls, apply.args, apply, frame)
                if solver.program.method(cls, "forward") == link.callee:
                    entered = forward
                elif forward is not None and solver.program.method(cls, "backward") == link.callee:
                    entered = autograd.backward_frame(solver, cls, forward)
            case ClassRef(cls) if link.callee.entry.name == "__init__":
                if solver.program.method(cls, "__init__") == link.callee:
                    for one in solver.force(apply, frame):
                        if isinstance(one.what, Instance) and one.what.made is not None:
                            entered = one.what.made
            case Instance(cls):
                for name in ("__call__", "forward"):
                    method = solver.program.method(cls, name)
                    if method is not None:
                        if method == link.callee:
                            bound = FunctionRef(method, Given(just(what)))
                            entered = calls.enter(solver, bound, apply.args, frame, apply)
                        break
        if entered is not None and entered not in made:
            made.append(entered)
    return made


def _heir(solver: Solver, what: FunctionRef, callee: FunctionDef) -> FunctionRef | None:
    """The callee bound to an object of its class, where it overrides a method of an object of unknown making."""
    if what.function.entry.name != callee.entry.name or what.receiver is None:
        return None
    cls = class_around(callee)
    for alt in solver.demand(what.receiver) if cls is not None else ():
        match alt.what:
            case Instance(declared, None, symbol) if cls != declared and declared in solver.program.mro(cls):
                return FunctionRef(callee, Given(just(Instance(cls, None, symbol))))
    return None


def _may_be(solver: Solver, what: Abstract, callee: FunctionDef) -> bool:
    """Whether a value can be the function at a glance: callers are matched before their paths are."""
    match what:
        case FunctionRef(function):
            return function == callee or _heir(solver, what, callee) is not None
        case Method("Function.apply") | ClassRef() | Instance():
            return True
    return False


def call_sites(solver: Solver, function: FunctionDef) -> list[Link]:
    """The calls in the program that reach a function, found by name and then checked."""
    found = solver.links.get(function)
    if found is None:
        found = solver.links[function] = _call_sites(solver, function)
    return found


def _call_sites(solver: Solver, function: FunctionDef) -> list[Link]:
    links: list[Link] = []
    for name in _names(solver, function):
        for caller in _near(function.file, solver.program.callers(name, near=function.file.path)):
            frame = solver.store.root_frame(caller)
            for site in frame.summary.calls:
                if _called(site.apply.func) != name:
                    continue
                link = Link(caller, site, function)
                if descend(solver, frame, link):
                    links.append(link)
            if len(links) > MOST:
                return links
    return links


def _near(file: FileIndex, callers: list[FunctionDef]) -> list[FunctionDef]:
    """Of very many functions that call something of a common name, those that can mean a file's at a glance."""
    if len(callers) <= CROWD:
        return callers
    folder = file.path.rpartition("/")[0]
    module = file.module
    return [
        c
        for c in callers
        if c.file.path.rpartition("/")[0] == folder
        or any(b.module == module or f"{b.module}.{b.attr}" == module for b in c.file.imports)
    ]


def _names(solver: Solver, function: FunctionDef) -> list[str]:
    """The simple names under which a function is called."""
    name = function.entry.name
    if function.entry.nested:
        return []
    if name == "__init__":
        return [function.entry.class_name.rpartition(".")[2]]
    if autograd.backward_of(solver, function) is not None:
        return ["apply"]
    cls = class_around(function) if name in ("forward", "__call__") else None
    if cls is not None:
        return ["apply"] if name == "forward" and autograd.is_function(solver, cls) else [name, *_holders(solver, cls)]
    return [name, *solver.program.operators.names_of(function)]


def _holders(solver: Solver, cls: ClassDef) -> list[str]:
    """The variables and attributes in which objects of a class are kept that are called like functions."""
    name = cls.entry.name
    makers = _near(cls.file, solver.program.callers(name, near=cls.file.path))
    frames = [solver.store.root_frame(maker) for maker in makers[:CROWD]]
    frames += [solver.store.module_frame(file) for file in solver.program.files if name in file.module_calls]
    found: dict[str, None] = {}
    for frame in frames:
        for path, node in frame.summary.exit.items():
            given = node.before if isinstance(node, g.Kept) else node
            given = given.value if isinstance(given, g.Annotated) else given
            if isinstance(given, g.Apply) and _called(given.func) == name:
                found[path.rpartition(".")[2]] = None
    return list(found)[:HOLDERS]


def _called(func: g.Node) -> str:
    match func:
        case g.Get(g.Get(attr=name), "default") | g.Free(name) | g.Get(attr=name):
            return name
        case g.Closure(function) if hasattr(function, "name"):
            return function.name
    return ""
