"""How tests come out: decided where the values tell, else a choice that later tests remember.

A test on something that an outside caller provides is keyed by what it asks of it, so that two
tests of the same thing agree (`if bias is not None` here and there); any other test is keyed by its
own occurrence.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from ..core.dtypes import ANY, COMPLEX, FLOATING, DTypes, single
from . import graph as g
from .dtypexpr import Known, Of, evaluate
from .frames import Frame
from .values import (
    ALWAYS, Abstract, Array, ClassRef, ClosureRef, Dictionary, DTypeRef, External, FunctionRef, Guard, Instance,
    KernelRef, Launcher, Layer, Library, Many, Method, ModuleRef, Nil, Number, Partial, Sequence, Unknown, Value,
    agree,
)  # fmt: skip

if TYPE_CHECKING:
    from .solve import Solver

Outcomes = tuple[tuple[Guard, bool], ...]
WIDEST = 16
PREDICATES = {"is_floating_point": FLOATING, "is_complex": COMPLEX}
"""Tensor methods that ask for the kind of the dtype."""
NEGATED = {"!=": "==", "is not": "is", "not in": "in"}


def outcomes(solver: Solver, test: g.Node, frame: Frame) -> Outcomes:
    """All ways a test can come out."""
    match test:
        case g.Operate("not", (operand,)):
            return _not(outcomes(solver, operand, frame))
        case g.Operate("and", (left, right)):
            return _both(outcomes(solver, left, frame), lambda: outcomes(solver, right, frame), True)
        case g.Operate("or", (left, right)):
            return _both(outcomes(solver, left, frame), lambda: outcomes(solver, right, frame), False)
        case g.Operate(op, (left, right)) if op in ("is", "==", "in") or op in NEGATED:
            return _related(solver, test, op, left, right, frame)
        case g.Apply(g.Get(subject, name), ()) if name in PREDICATES:
            return _kind_of(solver, test, subject, PREDICATES[name], frame)
        case g.Apply(g.Free("isinstance"), (subject, kind)):
            return _instance(solver, test, subject.value, kind.value, frame)
    return _merge(
        (guard, outcome)
        for alt in solver.force(test, frame)
        for guard, outcome in _under(alt.guard, _truthy(alt.what, test, frame))
    )


def _kind_of(solver: Solver, test: g.Node, subject: g.Node, wanted: DTypes, frame: Frame) -> Outcomes:
    """`x.is_floating_point()` and its kin, by the dtype of `x`."""
    found: list[tuple[Guard, bool]] = []
    for alt in solver.force(subject, frame):
        match alt.what:
            case Array(dtype) if not (mask := evaluate(dtype, {})) & wanted or not mask & ~wanted:
                found.append((alt.guard, bool(mask & wanted)))
            case Array(Of(symbol)) | External(symbol):
                found += _under(alt.guard, _either(("dtype", symbol, wanted)))
            case _:
                found += _under(alt.guard, either_way(test, frame))
    return _merge(found)


def _either(key: object) -> Outcomes:
    return (frozenset({(key, True)}), True), (frozenset({(key, False)}), False)


def either_way(test: g.Node, frame: Frame) -> Outcomes:
    """A test that is not decided; the same test in the same frame comes out the same."""
    return _either(("test", frame, asked(test)))


def asked(node: g.Node) -> Hashable:
    """What a test asks: the same for two tests that read the same values and call nothing."""
    match node:
        case g.Literal(value):
            return ("literal", type(value).__name__, value)
        case g.Formal(name):
            return ("formal", name)
        case g.Free(name):
            return ("free", name)
        case g.Get(value, attr):
            return ("get", asked(value), attr)
        case g.Item(value, index):
            return ("item", asked(value), asked(index))
        case g.Operate(op, operands):
            return (op, *map(asked, operands))
    return node


def _truthy(what: Abstract, test: g.Node, frame: Frame) -> Outcomes:
    match what:
        case Nil():
            return ((ALWAYS, False),)
        case Number(_, literal, True):
            return ((ALWAYS, bool(literal)),)
        case Sequence(_, items):
            return ((ALWAYS, bool(items)),)
        case Dictionary(items, ()):
            return ((ALWAYS, bool(items)),)
        case DTypeRef() | Layer() | Method():
            return ((ALWAYS, True),)
        case FunctionRef() | ClosureRef() | ClassRef() | ModuleRef() | KernelRef() | Partial() | Launcher():
            return ((ALWAYS, True),)
        case External(symbol):
            return _either(("truth", symbol))
    return either_way(test, frame)


def _not(found: Outcomes) -> Outcomes:
    return tuple((guard, not outcome) for guard, outcome in found)


def _under(guard: Guard, found: Outcomes) -> list[tuple[Guard, bool]]:
    kept = []
    for other, outcome in found:
        both = agree(guard, other)
        if both is not None:
            kept.append((both, outcome))
    return kept


def _both(left: Outcomes, right, through: bool) -> Outcomes:  # type: ignore[no-untyped-def]
    """`and` goes on to its right side where the left one is true (`through`), `or` where it is false."""
    found: list[tuple[Guard, bool]] = []
    for guard, outcome in left:
        if outcome is through:
            found += _under(guard, right())
        else:
            found.append((guard, outcome))
    return _merge(found)


def _merge(found) -> Outcomes:  # type: ignore[no-untyped-def]
    seen = tuple(dict.fromkeys(found))
    ways = {outcome for _, outcome in seen}
    if len(ways) == 1:
        return ((ALWAYS, ways.pop()),)
    return seen


def _related(solver: Solver, test: g.Node, op: str, left: g.Node, right: g.Node, frame: Frame) -> Outcomes:
    """`left op right` for `is`, `==`, `in` and their opposites, alternative by alternative."""
    found: list[tuple[Guard, bool]] = []
    negated, op = op in NEGATED, NEGATED.get(op, op)
    rights = solver.force(right, frame)
    for a in solver.force(left, frame):
        for b in rights:
            both = agree(a.guard, b.guard)
            if both is None:
                continue
            answer = _contained(solver, a.what, b.what) if op == "in" else _same(a.what, b.what)
            if isinstance(answer, bool):
                found.append((both, answer is not negated))
            elif answer is None:
                found += _under(both, either_way(test, frame))
            else:
                found += _under(both, _not(_either(answer)) if negated else _either(answer))
    if len(found) > WIDEST:
        return either_way(test, frame)
    return _merge(found)


def _same(a: Abstract, b: Abstract) -> bool | None | tuple[object, ...]:
    """Whether two values are the same: True, False, None (who knows), or the key of a remembered choice."""
    match a, b:
        case (Nil(), Nil()):
            return True
        case (External(symbol), Nil()) | (Nil(), External(symbol)):
            return ("none", symbol)
        case (Unknown(), _) | (_, Unknown()):
            return None
        case (Nil(), _) | (_, Nil()):
            return False
        case (Number(_, x, True), Number(_, y, True)):
            return x == y
        case (External(symbol), Number(_, y, True)) | (Number(_, y, True), External(symbol)):
            return ("equal", symbol, y)
        case (DTypeRef(x), DTypeRef(y)):
            return _same_dtype(x, y)
        case (Library(x), Library(y)):
            return x == y
    return None


def _same_dtype(x: object, y: object) -> bool | None | tuple[object, ...]:
    match x, y:
        case (Known(a), Known(b)):
            if a & b == 0:
                return False
            return True if single(a) is not None and a == b else None
        case (Of(symbol), Known(b)) | (Known(b), Of(symbol)):
            return ("dtype", symbol, b) if single(b) is not None else None
        case (Of(s), Of(t)):
            return True if s == t else ("same", min(s, t), max(s, t))  # type: ignore[type-var]
    return None


def _contained(solver: Solver, a: Abstract, b: Abstract) -> bool | None | tuple[object, ...]:
    """Membership in a display of values that are all known, of dtypes above all."""
    match b:
        case Dictionary(items, ()) if isinstance(a, Number) and a.known:
            return any(key == a.literal for key, _ in items)
        case Sequence(_, items):
            pass
        case _:
            return None
    values: list[Value] = [solver.demand(item) for item in items]
    if any(len(v) != 1 for v in values):
        return None
    whats = [v[0].what for v in values]
    answers = [_same(a, w) for w in whats]
    if any(answer is True for answer in answers):
        return True
    if all(answer is False for answer in answers):
        return False
    if isinstance(a, DTypeRef) and isinstance(a.dtype, Of):
        bits = 0
        for w in whats:
            if not isinstance(w, DTypeRef) or not isinstance(w.dtype, Known):
                return None
            bits |= w.dtype.mask
        return ("dtype", a.dtype.symbol, bits) if bits != ANY else True
    return None


KINDS = {"builtins.int": "int", "builtins.float": "float", "builtins.bool": "bool", "builtins.str": "str"}


def _instance(solver: Solver, test: g.Node, subject: g.Node, kind: g.Node, frame: Frame) -> Outcomes:
    """`isinstance(subject, kind)`."""
    wanted = _classes(solver, solver.force(kind, frame))
    found: list[tuple[Guard, bool]] = []
    for alt in solver.force(subject, frame):
        answers = [_is_a(solver, alt.what, cls) for cls in wanted] if wanted else [None]
        if any(answer is True for answer in answers):
            found.append((alt.guard, True))
        elif all(answer is False for answer in answers):
            found.append((alt.guard, False))
        elif isinstance(alt.what, External):
            found += _under(alt.guard, _either(("isinstance", alt.what.symbol, tuple(map(str, wanted)))))
        else:
            found += _under(alt.guard, either_way(test, frame))
    return _merge(found)


def _classes(solver: Solver, value: Value) -> list[Abstract]:
    found: list[Abstract] = []
    for alt in value:
        if isinstance(alt.what, Sequence):
            for item in alt.what.items:
                found += _classes(solver, solver.demand(item))
        else:
            found.append(alt.what)
    return found


def _is_a(solver: Solver, what: Abstract, cls: Abstract) -> bool | None:
    match what, cls:
        case (Unknown() | External(), _) | (_, Unknown() | External()):
            return None
        case (Array(numpy=False), Library(name)) if name.startswith("torch.") and name.endswith("Tensor"):
            return True if name == "torch.Tensor" else None
        case (DTypeRef(), Library(name)):
            return name == "torch.dtype" if name.startswith(("torch.", "builtins.")) else None
        case (Array() | Number() | Nil() | Sequence() | Many() | Dictionary(), Library("torch.dtype")):
            return False
        case (Array(numpy=True), Library(name)) if name == "numpy.ndarray" or name.endswith("Tensor"):
            return name == "numpy.ndarray"
        case (Array(Known()), Library("numpy.ndarray")):
            return False
        case (Array(), Library(name)) if name.startswith("builtins."):
            return name == "builtins.object"
        case (Number(kind), Library(name)) if name in KINDS:
            return True if kind == KINDS[name] else None if kind in ("number", "bool") else False
        case (Number() | Nil() | Sequence() | Many() | Dictionary(), Library(name)) if "Tensor" in name or name == "numpy.ndarray":
            return False
        case (Nil(), _):
            return False
        case (Sequence(kind) | Many(kind), Library(name)) if name.startswith("builtins."):
            return name == f"builtins.{kind}"
        case (Instance(have), ClassRef(want)):
            if want in solver.program.mro(have):
                return True
            return None if have in solver.program.mro(want) else False
    return None
