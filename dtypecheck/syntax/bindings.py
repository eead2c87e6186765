"""How the statements of a module or of a function bind a name, and under which tests."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from .excerpts import Excerpt, Parsed


@dataclass(frozen=True, slots=True)
class Test:
    """A condition that a statement stands under; `holds` is False in the `else`."""

    text: Excerpt
    holds: bool


@dataclass(frozen=True, slots=True)
class Assigned:
    """`name = value`; `item` counts where the value is taken apart, `annotation` is its text or ""."""

    value: Excerpt
    item: int | None = None
    annotation: str = ""


@dataclass(frozen=True, slots=True)
class Imported:
    """`from module import attr as name`; dots as written; `attr` is None for `import module`."""

    module: str
    attr: str | None


@dataclass(frozen=True, slots=True)
class Defines:
    """`def name` or `class name` on this line."""

    name: str
    line: int


How = Assigned | Imported | Defines


@dataclass(frozen=True, slots=True)
class Binding:
    """One statement that binds a name; `fallback` where it stands in an `except`."""

    how: How
    tests: tuple[Test, ...] = ()
    fallback: bool = False


def of_module(parsed: Parsed, name: str) -> tuple[Binding, ...]:
    """The bindings of a module-level name, in order."""
    return tuple(_block(parsed, parsed.body, name))


def of_function(parsed: Parsed, function: str, line: int, name: str) -> tuple[Binding, ...]:
    """The bindings of a local name of the function whose `def` stands on that line."""
    node = parsed.node(function, line)
    return () if node is None else tuple(_block(parsed, node.body, name))


def _block(parsed: Parsed, body: Iterable[ast.stmt], name: str) -> Iterator[Binding]:
    for statement in body:
        match statement:
            case ast.If(test=test, body=then, orelse=orelse):
                text = parsed.expression(test)
                for inner, holds in ((then, True), (orelse, False)):
                    for found in _block(parsed, inner, name):
                        yield replace(found, tests=(Test(text, holds), *found.tests))
            case ast.Try(body=then, handlers=handlers, orelse=orelse, finalbody=final):
                yield from _block(parsed, [*then, *orelse, *final], name)
                for handler in handlers:
                    yield from (replace(b, fallback=True) for b in _block(parsed, handler.body, name))
            case ast.With(body=inner):
                yield from _block(parsed, inner, name)
            case _:
                how = _how(parsed, statement, name)
                if how is not None:
                    yield Binding(how)


def _how(parsed: Parsed, statement: ast.stmt, name: str) -> How | None:
    match statement:
        case ast.Assign(targets=targets, value=value):
            return next(filter(None, (_target(parsed, t, value, name) for t in targets)), None)
        case ast.AnnAssign(target=ast.Name(id=bound), value=ast.expr() as value, annotation=annotation):
            return (
                Assigned(parsed.expression(value), annotation=ast.unparse(annotation))
                if bound == name
                else None
            )
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return Defines(name, statement.lineno) if statement.name == name else None
        case ast.Import(names=names):
            for alias in names:
                if (alias.asname or alias.name.partition(".")[0]) == name:
                    return Imported(alias.name if alias.asname else name, None)
        case ast.ImportFrom(names=names, module=module, level=level):
            for alias in names:
                if (alias.asname or alias.name) == name:
                    return Imported("." * level + (module or ""), alias.name)
    return None


def _target(parsed: Parsed, target: ast.expr, value: ast.expr, name: str) -> Assigned | None:
    match target:
        case ast.Name(id=bound) if bound == name:
            return Assigned(parsed.expression(value))
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            for place, one in enumerate(targets):
                if isinstance(one, ast.Name) and one.id == name:
                    if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(targets):
                        return Assigned(parsed.expression(value.elts[place]))
                    return Assigned(parsed.expression(value), item=place)
    return None
