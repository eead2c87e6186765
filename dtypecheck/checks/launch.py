"""DT401, DT402: how arguments fit the kernel's parameters, before any dtype is looked at."""

from __future__ import annotations

from collections.abc import Iterator

from difflib import get_close_matches

from ..analysis.binding import Passed
from ..analysis.facts import LaunchFact
from ..analysis.suppliers import EVERYTHING
from ..analysis.values import (
    Alternative, Array, ClassRef, ClosureRef, Dictionary, DTypeRef, FunctionRef, ModuleRef, Number, Value,
)  # fmt: skip
from ..core.claims import Anything, Misfit
from ..core.diagnostics import Diagnostic
from ..core.spans import Place
from ..kernels.launch import is_foreign
from ..syntax.model import ParamEntry
from .claims import claim
from .judge import Case, finding, happening


def arity(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """DT401: missing, extra, repeated and unknown arguments (`inspect.Signature.bind`, as Triton's launcher does).

    The launchers of vendors' own releases take options that Triton has not; those are not judged.
    """
    kernel = fact.kernel.entry
    binding = fact.binding
    for one in binding.repeated:
        message = f"`{kernel.name}` gets `{one.keyword}` twice"
        yield _at(case, fact, one, message, one.keyword or "", Misfit.REPEATED)
    if EVERYTHING <= fact.suppliers:
        return
    missing = [p for p in kernel.params if _needed(p, fact)]
    for one in binding.unexpected:
        if not missing and _is_option(one.keyword or "", [p.name for p in kernel.params]):
            continue
        if is_foreign(fact.kernel.file.path):
            continue
        message = f"`{kernel.name}` has no parameter `{one.keyword}`"
        yield _at(case, fact, one, message, one.keyword or "", Misfit.UNKNOWN)
    if binding.extra:
        count = sum(p.kind in ("positional-only", "normal") for p in kernel.params)
        message = f"`{kernel.name}` takes {count} positional arguments, and gets {count + len(binding.extra)}"
        yield _at(case, fact, binding.extra[0], message, "", Misfit.EXTRA)
    if binding.open_positions or binding.open_keywords:
        return
    for param in missing:
        what = "constexpr" if "constexpr" in param.annotation else "parameter"
        message = f"`{kernel.name}` gets no `{param.name}`, a {what} without default"
        name = param.name
        tried = claim(case, fact, parameter=name, misfit=Misfit.MISSING)
        yield finding(case, "DT401", message, place=fact.place, launch=fact, parameter=name, claim=tried)


def _needed(param: ParamEntry, fact: LaunchFact) -> bool:
    """Whether a parameter has no argument, no default, and nobody else who provides it."""
    optional = param.has_default or param.kind in ("*", "**") or param.name in fact.suppliers
    return not optional and param.name not in fact.binding.bound


def _is_option(keyword: str, params: list[str]) -> bool:
    """Whether a keyword looks like an option of a backend that is not known here, and like no parameter."""
    return keyword.islower() and not get_close_matches(keyword, [p.lower() for p in params], cutoff=0.8)


def _at(
    case: Case, fact: LaunchFact, one: Passed, message: str, parameter: str, misfit: Misfit
) -> Diagnostic:
    span = one.argument.span if one.argument is not None else fact.place.span
    place = Place(fact.place.path, span)
    tried = claim(case, fact, parameter=parameter, misfit=misfit)
    return finding(case, "DT401", message, place=place, launch=fact, parameter=parameter, claim=tried)


def kinds(case: Case, fact: LaunchFact) -> Iterator[Diagnostic]:
    """DT402: what no launch takes at run time (triton.runtime.jit, `native_specialize_impl`): text, containers
    other than tuples, dtypes, functions, classes, modules; and a tensor for a constexpr."""
    params = {p.name: p for p in fact.kernel.entry.params}
    for name, given in fact.arguments.items():
        constexpr = "constexpr" in params[name].annotation if name in params else False
        wrong, said = _wrong(given.value, fact, constexpr)
        if wrong is not None:
            wants = "a compile-time constant" if constexpr else "a tensor, a number, a tuple or None"
            message = f"`{name}` of `{fact.kernel.entry.name}` gets {said}, and takes {wants}"
            tried = claim(case, fact, parameter=name, alternative=wrong, mended=((name, Anything()),))
            yield finding(case, "DT402", message, place=given.place, launch=fact, parameter=name, claim=tried)


def _wrong(value: Value, fact: LaunchFact, constexpr: bool) -> tuple[Alternative | None, str]:
    """An alternative that can be met there and is wrong, and what it is; None where nothing is."""
    for alt in happening(value, fact.guards):
        match alt.what:
            case Array(numpy=numpy) if constexpr:
                return alt, "an array" if numpy else "a tensor"
            case _ if constexpr:
                continue
            case Array(numpy=True):
                return alt, "a numpy array"
            case Number("str" | "bytes" as kind):
                return alt, "text" if kind == "str" else "bytes"
            case Dictionary():
                return alt, "a dict"
            case DTypeRef():
                return alt, "a dtype"
            case FunctionRef() | ClosureRef():
                return alt, "a function"
            case ClassRef():
                return alt, "a class"
            case ModuleRef():
                return alt, "a module"
    return None, ""
