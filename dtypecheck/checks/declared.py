"""DT101, DT102, DT103: values against what rules files declare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..analysis.dtypexpr import evaluate, symbols
from ..analysis.facts import ArgumentFact, FieldFact, LaunchFact, ParameterFact, ReturnFact
from ..analysis.values import Alternative, Array, Guard, Nil, Number, Value, agree
from ..contracts.model import Kind, Level, ValueContract, allowed
from ..core.diagnostics import Diagnostic, Severity
from ..core.dtypes import ANY, DType, DTypes, show, single
from ..core.spans import Place
from .judge import Case, finding, happening

LEVELS = {Level.ERROR: Severity.ERROR, Level.WARNING: Severity.WARNING}


def argument(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """DT101: each argument of a launch against the contract of its parameter."""
    declared = case.contracts.kernel(fact.kernel.key)
    for name, contract in declared.items():
        given = fact.arguments.get(name)
        if given is None or contract.level is Level.OFF:
            continue
        who = f"`{name}` of `{fact.kernel.entry.name}`"
        others = {n: fact.arguments[n].value for n in contract.references if n in fact.arguments}
        for alt, said in _breaches(contract, given.value, fact.guards, others):
            yield _finding(case, "DT101", contract, alt, given.value, f"{who} gets {said}", given.place, fact, name)


def parameter(case: Case, fact: ParameterFact) -> Iterator[Diagnostic]:
    """DT101 for the declared parameters of host functions."""
    contract = case.contracts.function(fact.function.key).parameters[fact.name]
    if contract.level is Level.OFF or fact.name not in {p.name for p in fact.function.entry.params}:
        return
    who = f"`{fact.name}` of `{fact.function.entry.qualname}`"
    for alt, said in _breaches(contract, fact.value, fact.guards, {}):
        yield _finding(case, "DT101", contract, alt, fact.value, f"{who} gets {said}", fact.place, None, fact.name)


def returned(case: Case, fact: ReturnFact) -> Iterator[Diagnostic]:
    """DT102: what a function returns against what is declared."""
    contract = case.contracts.function(fact.function.key).returns[fact.position]
    if contract.level is Level.OFF:
        return
    which = f" as item {fact.position}" if fact.position.isdigit() else f" as `{fact.position}`" if fact.position else ""
    for alt, said in _breaches(contract, fact.value, fact.guards, {}):
        message = f"`{fact.function.entry.qualname}` returns {said}{which}"
        yield _finding(case, "DT102", contract, alt, fact.value, message, fact.place, None, fact.position)


def field(case: Case, fact: FieldFact) -> Iterator[Diagnostic]:
    """DT103: what a field or an attribute gets against what is declared."""
    contract = case.contracts.fields(fact.cls.key)[fact.attr]
    if contract.level is Level.OFF:
        return
    for alt, said in _breaches(contract, fact.value, fact.guards, {}):
        message = f"`{fact.cls.entry.name}.{fact.attr}` gets {said}"
        yield _finding(case, "DT103", contract, alt, fact.value, message, fact.place, None, fact.attr)


def _finding(
    case: Case,
    code: str,
    contract: ValueContract,
    alt: Alternative,
    value: Value,
    message: str,
    place: Place,
    fact: LaunchFact | None,
    name: str,
) -> Diagnostic:
    actual = alt.what.dtype if isinstance(alt.what, Array) else None
    wants = _wanted(contract)
    return finding(
        case,
        code,
        f"{message}; the rules declare {wants}",
        place=place,
        alternative=alt,
        value=value,
        launch=fact,
        parameter=name,
        actual=evaluate(actual, {}) if actual is not None and not symbols(actual) else 0,
        expected=contract.dtypes if contract.dtypes != ANY else 0,
        severity=LEVELS.get(contract.level) if contract.level is not None else None,
        why=contract.why,
    )


def _wanted(contract: ValueContract) -> str:
    parts = [show(contract.dtypes)] if contract.dtypes != ANY else []
    if contract.kind is not Kind.VALUE:
        parts.insert(0, f"a {contract.kind.value}")
    if contract.same_as:
        parts.append(f"the dtype of `{contract.same_as}`")
    if contract.at_least:
        parts.append(f"at least the width of `{contract.at_least}`")
    if contract.optional:
        parts.append("or None")
    return " ".join(parts) if parts else "a value, not None"


def _breaches(
    contract: ValueContract, value: Value, guards: tuple[Guard, ...], others: Mapping[str, Value]
) -> Iterator[tuple[Alternative, str]]:
    """The alternatives that break a contract whatever is not known about them, and what they are.

    None beside something else is often an attribute that is set later: it breaks a contract where it is all.
    So does a number, which may be what is computed of such a None.
    """
    met = list(happening(value, guards))
    for alt in met:
        match alt.what:
            case Array(dtype):
                if contract.kind in (Kind.SCALAR, Kind.CONSTEXPR):
                    yield alt, "a tensor"
                    continue
                mask = evaluate(dtype, {}) if not symbols(dtype) else ANY
                if not mask or mask & _admitted(contract, alt, others):
                    continue
                yield alt, show(mask)
            case Nil() if not contract.optional and contract.kind is not Kind.CONSTEXPR:
                if all(isinstance(other.what, Nil) for other in met):
                    yield alt, "None"
            case Number(kind) if contract.kind is Kind.POINTER:
                if not any(isinstance(other.what, Array) for other in met):
                    yield alt, f"a number ({kind})"


def _admitted(contract: ValueContract, alt: Alternative, others: Mapping[str, Value]) -> DTypes:
    """The dtypes that the contract takes, whatever compared values may go together with this alternative."""
    mask = 0
    combinations: list[dict[str, DType]] = [{}]
    for name, value in others.items():
        choices: list[DType | None] = []
        for other in value:
            if agree(other.guard, alt.guard) is None:
                continue
            dtype = other.what.dtype if isinstance(other.what, Array) else None
            known = single(evaluate(dtype, {})) if dtype is not None and not symbols(dtype) else None
            choices.append(known)
        if not choices or None in choices:
            continue
        combinations = [{**c, name: d} for c in combinations for d in choices if d is not None]
    for given in combinations:
        mask |= allowed(contract, given)
    return mask


__all__ = ["ArgumentFact", "argument", "field", "parameter", "returned"]
