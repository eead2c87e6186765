"""DT201 to DT206: launches that Triton's front end refuses, blamed on the argument that would have to change."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from ..analysis.dtypexpr import evaluate
from ..analysis.facts import LaunchFact
from ..analysis.values import Alternative, Array, Guard, Nil, agree
from ..core import ir
from ..core.claims import Argument, Arguments, Number
from ..core.diagnostics import Certainty, Diagnostic, Severity, Step
from ..core.dtypes import ANY, BY_NAME, FLOATING, ORDINARY, DTypes, show, single
from ..core.spans import Place
from ..kernels.blame import Blame, blame
from ..kernels.launch import NONE, Typer, Verdict
from ..kernels.program_scope import scope_of
from ..kernels.together import together
from ..kernels.trial import ELEMENTS, Trial
from ..kernels.typing import Accepted, Rejected
from ..kernels.values import DescriptorType, KernelType, PointerType, ScalarType
from ..semantics.triton_types import ANY as TRITON_ANY
from .claims import claim, tensor
from .conditions import condition
from .evidence import listed
from .judge import Case, finding

FEW = 3
"""Combinations of dtypes that a message names."""
FAMILY = ("DT201", "DT202", "DT203", "DT204", "DT205", "DT206")


def refused(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding per refused way, told once for each argument to blame.

    A refusal is proven where one argument of which the dtype is known is to blame; it is possible where that
    rests on what is not known, on what an outside caller provides, or on a None that may be set later. What is
    possible is told where it names an argument: for one that is None, where a caller may well leave it out.
    """
    told: set[tuple[str, str, Place]] = set()
    for typer, verdict in ((t, v) for t in case.typers for v in t.verdicts(fact)):
        if verdict.launch_refusal is not None:
            yield from _no_type(case, fact, verdict)
            continue
        rejected = verdict.rejected
        if rejected is None or rejected.code not in FAMILY:
            continue
        possible = depends(verdict.guard) or typer.hopeful(fact, verdict)
        if (possible and not case.show_possible) or not typer.certain(fact, verdict):
            continue
        culprit = _culprit(case, typer, fact, verdict, rejected)
        names = [name for name, _ in culprit.changes]
        possible = possible or not names or not all(_is_known(case, typer, fact, n, verdict, rejected) for n in names)
        if possible and not case.show_possible:
            continue
        guard = verdict.guard
        if possible and not names:
            missing = _left_out(case, typer, fact, verdict, rejected)
            if missing is None:
                continue
            name, guard = missing
            culprit = Blame(((name, 0),))
        made = _finding(case, typer, fact, verdict, rejected, culprit)
        if possible:
            where = condition(guard, fact)
            message = f"if {where}, {made.message}" if where else made.message
            made = replace(made, certainty=Certainty.POSSIBLE, message=message)
        key = (made.code, made.parameter, made.primary)
        if key not in told:
            told.add(key)
            yield made


def _culprit(case: Case, typer: Typer, fact: LaunchFact, verdict: Verdict, rejected: Rejected) -> Blame:
    """The parameter to blame and the dtypes that it takes, or several; none where no change mends the launch.

    No dtypes: another kind of argument is wanted.
    """
    version = next(v for v, t in verdict.typings.items() if t.outcome is rejected)
    kernel = case.solver.store.function(fact.kernel)
    scope = scope_of(case.solver, fact.kernel.file)
    changes = blame(kernel, verdict.signature, scope, rejected, version, typer.target)
    if changes:
        name, takes = changes[0].changes[0]
        return Blame(((name, takes & ORDINARY or takes & ANY),))
    misfit = _misfit(typer, fact, verdict, rejected, version)
    if misfit:
        return Blame(((misfit, 0),))
    trial = Trial(kernel, scope, (version,), (typer.target,))
    return together(trial, verdict.signature, rejected) or Blame(())


def _misfit(typer: Typer, fact: LaunchFact, verdict: Verdict, rejected: Rejected, version: str) -> str:
    """The parameter that wants another kind of argument; "" where none does."""
    later = ""
    for name, declared in verdict.signature.items():
        other = _other_kind(fact, name, declared)
        if other is None or (isinstance(other, ScalarType) and name not in rejected.parameters):
            continue
        outcome = typer.typing(fact, {**verdict.signature, name: other}, version).outcome
        if not isinstance(outcome, Rejected):
            return name
        alone = rejected.parameters == (name,) and isinstance(other, ScalarType)
        if alone and outcome.span > rejected.span:
            later = name
    return later


def _other_kind(fact: LaunchFact, name: str, declared: KernelType) -> KernelType | None:
    """What a parameter may have wanted: a number for a tensor, a tensor for None."""
    if declared == NONE and _is_none(fact, name):
        return PointerType(TRITON_ANY)
    return ScalarType(BY_NAME["float32"].bit) if isinstance(declared, PointerType) else None


def _is_none(fact: LaunchFact, name: str) -> bool:
    given = fact.arguments.get(name)
    return given is not None and all(isinstance(a.what, Nil) and not a.guard for a in given.value)


def _left_out(
    case: Case, typer: Typer, fact: LaunchFact, verdict: Verdict, rejected: Rejected
) -> tuple[str, Guard] | None:
    """The parameter that is refused for being None, and the way on which a caller makes it so; None if none is.

    Only what the launching function passes on untouched counts: what it reads something of is not None there.
    """
    if len(fact.chain) != 1 or _reads(case, fact.chain[0], verdict.guard):
        return None
    version = next(v for v, t in verdict.typings.items() if t.outcome is rejected)
    for name, declared in verdict.signature.items():
        if declared != NONE or name not in fact.arguments:
            continue
        guards = [
            alt.guard
            for alt in fact.arguments[name].value
            if isinstance(alt.what, Nil) and depends(alt.guard) and agree(alt.guard, verdict.guard) is not None
        ]
        if guards:
            other = {**verdict.signature, name: PointerType(TRITON_ANY)}
            outcome = typer.typing(fact, other, version).outcome
            if not isinstance(outcome, Rejected) or outcome.span > rejected.span:
                return name, guards[0]
    return None


def _reads(case: Case, function: str, guard: Guard) -> bool:
    """Whether a function reads an attribute or an item of a parameter that is None on a way."""
    names = {key[1].path for key, way in guard if isinstance(key, tuple) and key[0] == "none" and way is True}
    return _reads_of(case, function, names)


def _reads_of(case: Case, function: str, names: Collection[str]) -> bool:
    """Whether a function reads an attribute or an item of one of these variables."""
    found = next((f for f in case.solver.program.functions() if f.key == function), None)
    return found is None or any(
        isinstance(node, (ir.Attribute, ir.Subscript)) and isinstance(node.value, ir.Name) and node.value.id in names
        for node in ir.walk(case.solver.store.function(found).body)
    )


def _is_known(case: Case, typer: Typer, fact: LaunchFact, name: str, verdict: Verdict, rejected: Rejected) -> bool:
    """Whether something is known of what is blamed: a tensor of some dtypes, a number that is refused itself."""
    declared = verdict.signature.get(name)
    match declared:
        case PointerType(element) | DescriptorType(element):
            return element & ELEMENTS != ELEMENTS
        case ScalarType():
            return name in rejected.parameters and not typer.guesses(fact, verdict, rejected)
    return declared == NONE and _is_none(fact, name) and not _raises_before(case, fact, name)


def _raises_before(case: Case, fact: LaunchFact, name: str) -> bool:
    """Whether the launching function reads something of the variable that it passes: None would not get so far."""
    place = fact.arguments[name].place
    text = case.solver.store.text(place.path, place.span)
    return text.isidentifier() and _reads_of(case, fact.chain[-1], (text,))


def _no_type(case: Case, fact: LaunchFact, verdict: Verdict) -> Iterator[Diagnostic]:
    """DT205: a tensor for whose dtype Triton has no pointer type (`type_canonicalisation_dict`)."""
    assert verdict.launch_refusal is not None
    name, refusal = verdict.launch_refusal
    if refusal.id != "spec-dtype" or depends(verdict.guard):
        return
    alternative, value = _alternative(fact, name, verdict)
    if alternative is None or not isinstance(alternative.what, Array):
        return
    has = evaluate(alternative.what.dtype, {})
    message = f"`{name}` of `{fact.kernel.entry.name}` gets {show(has)}, which Triton has no pointer type for"
    other = ((name, tensor(TRITON_ANY)),)
    tried = claim(case, fact, guard=verdict.guard, parameter=name, alternative=alternative, mended=other)
    made = finding(
        case, "DT205", message, place=fact.arguments[name].place, alternative=alternative, value=value,
        launch=fact, parameter=name, actual=has, claim=tried,
    )  # fmt: skip
    yield replace(made, triton_error=refusal.message)


def depends(guard: Guard) -> bool:
    """Whether a way is taken only for some dtypes of what an outside caller provides, or where that is None."""
    return any(
        isinstance(key, tuple)
        and (key[0] == "dtype" or (key[0] == "none" and way is True and key[1].function != "platform"))
        for key, way in guard
    )


def _finding(
    case: Case, typer: Typer, fact: LaunchFact, verdict: Verdict, rejected: Rejected, culprit: Blame
) -> Diagnostic:
    known = [change for change in culprit.changes if single(_element(verdict, change[0])) is not None]
    name, takes = next(iter((*known, *culprit.changes)), ("", 0))
    alternative, value = _alternative(fact, name, verdict)
    has = _element(verdict, name)
    misused = bool(name) and not takes
    made = finding(
        case,
        "DT204" if misused else rejected.code,
        _message(fact, verdict, culprit),
        place=fact.arguments[name].place if name in fact.arguments else fact.place,
        alternative=alternative,
        value=value,
        launch=fact,
        parameter=name,
        actual=has if has != ANY else 0,
        expected=takes,
        severity=_severity(verdict),
        claim=claim(
            case,
            fact,
            guard=verdict.guard,
            parameter=name,
            alternative=alternative,
            mended=_mended(verdict, culprit),
            target=typer.target,
            releases=tuple(v for v, t in verdict.typings.items() if isinstance(t.outcome, Rejected)),
        ),
    )
    site = refusing(case, fact, rejected)
    return replace(
        made,
        kernel_site=site,
        triton_error=rejected.message,
        trace=made.trace + inside(case, fact, rejected, site),
        notes=made.notes + _versions(verdict),
    )


def _mended(verdict: Verdict, culprit: Blame) -> Arguments:
    """What to give the arguments to blame instead: another dtype, or another kind of thing."""
    if culprit.choices:
        first = zip(culprit.changes, culprit.choices[0], strict=True)
        return tuple((name, _instead(verdict, name, bit)) for (name, _), bit in first)
    return tuple((name, _instead(verdict, name, takes)) for name, takes in culprit.changes)


def _instead(verdict: Verdict, name: str, takes: DTypes) -> Argument:
    match verdict.signature.get(name):
        case PointerType() | DescriptorType() if takes:
            return tensor(takes)
        case ScalarType() if takes:
            return Number("float" if takes & FLOATING else "int")
        case PointerType():
            return Number("float")
    return tensor(TRITON_ANY)


def _message(fact: LaunchFact, verdict: Verdict, culprit: Blame) -> str:
    kernel = fact.kernel.entry.name
    if not culprit.changes:
        return f"`{kernel}` does not compile for these arguments"
    names = [name for name, _ in culprit.changes]
    has = [_element(verdict, name) for name in names]
    gets = f"{listed(f'`{n}`' for n in names)} of `{kernel}` {_verb(names)} {listed(_shown(h) for h in has)}"
    if culprit.choices:
        return f"{gets}; it compiles with {_choices(culprit)}"
    takes = culprit.changes[0][1]
    if takes:
        return f"{gets}; it compiles only with {show(takes)}"
    return f"{gets}, a tensor; the kernel uses it as a number" if has[0] else f"{gets}; the kernel takes a tensor"


def _choices(culprit: Blame) -> str:
    """Which dtypes go together: `float16, bfloat16 or float32 for both`, `int32 and float32`."""
    if all(len(set(types)) == 1 for types in culprit.choices):
        every = listed((show(types[0]) for types in culprit.choices), "or")
        return f"{every} for {'both' if len(culprit.changes) == 2 else 'all'}"
    return " or ".join(listed(show(bit) for bit in types) for types in culprit.choices[:FEW])


def _verb(names: list[str]) -> str:
    return "gets" if len(names) == 1 else "get"


def _shown(has: DTypes) -> str:
    return show(has) if has else "None"


def _alternative(fact: LaunchFact, name: str, verdict: Verdict) -> tuple[Alternative | None, tuple[Alternative, ...]]:
    given = fact.arguments.get(name)
    if given is None:
        return None, ()
    met = [a for a in given.value if agree(a.guard, verdict.guard) is not None and isinstance(a.what, Array)]
    return (met[0] if met else None), given.value


def _element(verdict: Verdict, name: str) -> DTypes:
    declared = verdict.signature.get(name)
    if isinstance(declared, (PointerType, ScalarType, DescriptorType)):
        return declared.element & ANY
    return 0


def _severity(verdict: Verdict) -> Severity | None:
    """Refused by every version that decides: the rule's level; taken by one: a warning."""
    if any(isinstance(t.outcome, Accepted) for t in verdict.typings.values()):
        return Severity.WARNING
    return None


def _versions(verdict: Verdict) -> tuple[tuple[str, str], ...]:
    by = [v for v, t in verdict.typings.items() if isinstance(t.outcome, Rejected)]
    taken = [v for v, t in verdict.typings.items() if isinstance(t.outcome, Accepted)]
    return (("versions", f"refused by Triton {', '.join(by)}; {', '.join(taken)} takes it"),) if taken else ()


def refusing(case: Case, fact: LaunchFact, rejected: Rejected) -> Place:
    """The statement that refuses, in the kernel or in a helper that it calls."""
    path = fact.kernel.file.path
    if rejected.home is not None:
        path = case.solver.store.path_of(rejected.home) or path
    return Place(path, rejected.span)


def inside(case: Case, fact: LaunchFact, rejected: Rejected, site: Place) -> tuple[Step, ...]:
    """How the type came about in the kernel, and where it is refused."""
    steps = []
    for step in rejected.chain:
        if not step.function:
            steps.append(Step(Place(fact.kernel.file.path, step.span), "kernel", "", step.note))
    if not steps or steps[-1].place != site:
        steps.append(Step(site, "kernel", "", "refused here"))
    return tuple(steps[-5:])

