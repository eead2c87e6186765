"""DT201 to DT206: launches that Triton's front end refuses, blamed on the argument that would have to change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..analysis.dtypexpr import evaluate
from ..analysis.facts import LaunchFact
from ..analysis.values import Alternative, Array, Guard, Nil, agree
from ..core.claims import Arguments, Number
from ..core.diagnostics import Certainty, Diagnostic, Severity, Step
from ..core.dtypes import ANY, BY_NAME, FLOATING, ORDINARY, DTypes, show
from ..core.spans import Place
from ..kernels.blame import blame
from ..kernels.launch import NONE, Typer, Verdict
from ..kernels.program_scope import scope_of
from ..kernels.typing import Accepted, Rejected
from ..kernels.values import DescriptorType, KernelType, PointerType, ScalarType
from ..semantics.triton_types import ANY as TRITON_ANY
from .claims import claim, tensor
from .judge import Case, finding

FAMILY = ("DT201", "DT202", "DT203", "DT204", "DT205", "DT206")


def refused(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """One finding per refused way, told once for each argument to blame.

    A refusal is proven where one argument of which the dtype is known is to blame; it is possible where that
    rests on what is not known, on what an outside caller provides, or on a None that may be set later.
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
        name, takes = _culprit(case, typer, fact, verdict, rejected)
        possible = possible or not _is_known(typer, fact, name, verdict, rejected)
        if possible and not case.show_possible:
            continue
        made = _finding(case, typer, fact, verdict, rejected, name, takes)
        if possible:
            made = replace(made, certainty=Certainty.POSSIBLE)
        key = (made.code, made.parameter, made.primary)
        if key not in told:
            told.add(key)
            yield made


def _culprit(
    case: Case, typer: Typer, fact: LaunchFact, verdict: Verdict, rejected: Rejected
) -> tuple[str, DTypes]:
    """The parameter to blame and the dtypes that it takes; "" where no single argument mends the launch."""
    version = next(v for v, t in verdict.typings.items() if t.outcome is rejected)
    kernel = case.solver.store.function(fact.kernel)
    scope = scope_of(case.solver, fact.kernel.file)
    changes = blame(kernel, verdict.signature, scope, rejected, version, typer.target)
    if changes and changes[0].single:
        name, takes = changes[0].changes[0]
        return name, takes & ORDINARY or takes & ANY
    later = ""
    for name, declared in verdict.signature.items():
        other = _other_kind(fact, name, declared)
        if other is None or (isinstance(other, ScalarType) and name not in rejected.parameters):
            continue
        outcome = typer.typing(fact, {**verdict.signature, name: other}, version).outcome
        if not isinstance(outcome, Rejected):
            return name, 0
        alone = rejected.parameters == (name,) and isinstance(other, ScalarType)
        if alone and outcome.span > rejected.span:
            later = name
    return later, 0


def _other_kind(fact: LaunchFact, name: str, declared: KernelType) -> KernelType | None:
    """What a parameter may have wanted: a number for a tensor, a tensor for None."""
    if declared == NONE and _is_none(fact, name):
        return PointerType(TRITON_ANY)
    return ScalarType(BY_NAME["float32"].bit) if isinstance(declared, PointerType) else None


def _is_none(fact: LaunchFact, name: str) -> bool:
    given = fact.arguments.get(name)
    return given is not None and all(isinstance(a.what, Nil) and not a.guard for a in given.value)


def _is_known(typer: Typer, fact: LaunchFact, name: str, verdict: Verdict, rejected: Rejected) -> bool:
    """Whether what is blamed is known: a tensor of one dtype, or a number that the refusal is about."""
    declared = verdict.signature.get(name)
    match declared:
        case PointerType(element) | DescriptorType(element):
            return element & (element - 1) == 0
        case ScalarType():
            return name in rejected.parameters and not typer.guesses(fact, verdict, rejected)
    return declared == NONE and _is_none(fact, name)


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
    case: Case, typer: Typer, fact: LaunchFact, verdict: Verdict, rejected: Rejected, name: str, takes: DTypes
) -> Diagnostic:
    alternative, value = _alternative(fact, name, verdict)
    has = _element(verdict, name)
    misused = bool(name) and not takes
    made = finding(
        case,
        "DT204" if misused else rejected.code,
        _message(fact, name, has, takes),
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
            mended=_mended(verdict, name, takes),
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


def _mended(verdict: Verdict, name: str, takes: DTypes) -> Arguments:
    """What to give the argument to blame instead: another dtype, or another kind of thing."""
    declared = verdict.signature.get(name)
    match declared:
        case PointerType() | DescriptorType() if takes:
            return ((name, tensor(takes)),)
        case ScalarType() if takes:
            return ((name, Number("float" if takes & FLOATING else "int")),)
        case PointerType():
            return ((name, Number("float")),)
        case None:
            return ()
    return ((name, tensor(TRITON_ANY)),)


def _message(fact: LaunchFact, name: str, has: DTypes, takes: DTypes) -> str:
    kernel = fact.kernel.entry.name
    if not name:
        return f"`{kernel}` does not compile for these arguments"
    gets = f"`{name}` of `{kernel}` gets {show(has) if has else 'None'}"
    if takes:
        return f"{gets}; it compiles only with {show(takes)}"
    return f"{gets}; the kernel takes a tensor" if not has else f"{gets}, a tensor; the kernel uses it as a number"


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

