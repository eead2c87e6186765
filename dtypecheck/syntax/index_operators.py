"""Registrations of custom operators: which function stands behind `torch.ops.namespace.name`.

The forms are those of torch.library (`custom_op`, `triton_op`, `impl`, `register_kernel`, `register_fake`, the
methods of `Library`) and of helpers named `direct_register_custom_op`; only literal names count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .index_scope import dotted
from .model import OperatorEntry

REGISTRARS = frozenset(
    {"custom_op", "triton_op", "impl", "register_kernel", "register_fake", "impl_abstract", "register_custom_op"}
    | {"direct_register_custom_op", "direct_register_op"}
)
"""The last names of what registers a function for an operator."""

_FAKE = frozenset({"register_fake", "impl_abstract"})
_NAMES = ("op_name", "qualname", "name")
_FUNCTIONS = ("op_func", "fn", "func", "lib_func")


def called(node: ast.Call) -> Iterator[OperatorEntry]:
    """What a call registers that is given a function: `lib.impl("name", f, "CUDA")`."""
    name, rest = _named(node)
    functions = [a for a in rest if isinstance(a, (ast.Name, ast.Attribute))]
    given = _keyword(node, *_FUNCTIONS) or (functions[0] if functions else None)
    if not name or not isinstance(given, (ast.Name, ast.Attribute)):
        return
    yield OperatorEntry(name, dotted(given), 0, _key(node, rest))
    fake = _keyword(node, "fake_impl")
    if isinstance(fake, (ast.Name, ast.Attribute)):
        yield OperatorEntry(name, dotted(fake), 0, "Meta")


def decorated(decorators: list[ast.expr], qualname: str, line: int) -> Iterator[OperatorEntry]:
    """What decorators register a function for: `@torch.library.custom_op("namespace::name", ...)`."""
    for decorator in decorators:
        if isinstance(decorator, ast.Call) and _last(decorator.func) in REGISTRARS:
            name, rest = _named(decorator)
            if name:
                yield OperatorEntry(name, qualname, line, _key(decorator, rest))


def library(node: ast.Call) -> str:
    """The namespace of `Library("namespace", ...)`, or ""."""
    return _text(node.args[0]) if node.args else ""


def _named(node: ast.Call) -> tuple[str, list[ast.expr]]:
    """The operator's name, and the arguments after it; a library may stand before it."""
    keyword = _keyword(node, *_NAMES)
    if keyword is not None:
        return _text(keyword), node.args
    for position, arg in enumerate(node.args[:2]):
        if _text(arg):
            return _text(arg), node.args[position + 1 :]
    return "", []


def _key(node: ast.Call, rest: list[ast.expr]) -> str:
    """The dispatch key, where it is a literal; "Meta" for what says only what comes out."""
    if _last(node.func) in _FAKE:
        return "Meta"
    keyword = _keyword(node, "dispatch_key", "device_types", "types")
    texts = [_text(arg) for arg in ([keyword] if keyword is not None else rest)]
    return next((text for text in texts if text), "")


def _keyword(node: ast.Call, *names: str) -> ast.expr | None:
    return next((k.value for k in node.keywords if k.arg in names), None)


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _last(func: ast.expr) -> str:
    return func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""
