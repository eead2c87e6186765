"""Shorthands of the tests of this folder."""

from __future__ import annotations

from textwrap import dedent

from dtypecheck.core.ir_text import text
from dtypecheck.syntax.index import index
from dtypecheck.syntax.lower import lower_definition, lower_module
from dtypecheck.syntax.model import FileIndex, SyntaxFault
from dtypecheck.syntax.source import Source, decode


def source(code: str | bytes, path: str = "pkg/mod.py") -> Source:
    """The source of this code, which must decode."""
    found = decode(dedent(code).encode() if isinstance(code, str) else code, path)
    assert isinstance(found, Source), found
    return found


def indexed(code: str, module: str = "pkg.mod", is_package: bool = False) -> FileIndex:
    """The index of this code, which must parse."""
    found = index(source(code), module, is_package)
    assert found.fault is None, found.fault
    return found


def fault(data: bytes) -> SyntaxFault:
    """The fault of these bytes, decoded or indexed."""
    found = index(decode(data, "bad.py"), "bad", False).fault
    assert found is not None
    return found


def everything(read: Source) -> list[object]:
    """All definitions of a source, lowered, and its module body."""
    facts = index(read, "pkg.mod", False)
    found: list[object] = []
    for entry in (*facts.functions, *facts.classes):
        if (entry.qualname, entry.first_line) == (entry.outermost, entry.outermost_line):
            found.append(lower_definition(read, facts, entry.qualname, entry.first_line))
    found.append(lower_module(read, facts))
    return found


def picture(code: str, qualname: str = "f") -> str:
    """The lowered definition of that name (the last where there are several), as text."""
    read = source(code)
    facts = index(read, "pkg.mod", False)
    assert facts.fault is None, facts.fault
    entry = [e for e in (*facts.functions, *facts.classes) if e.qualname == qualname][-1]
    return text(lower_definition(read, facts, qualname, entry.first_line))


def module_picture(code: str) -> str:
    """The lowered module body, as text."""
    read = source(code)
    return text(lower_module(read, index(read, "pkg.mod", False)))


def body(code: str) -> str:
    """The statements of `def f(): ...` with this body, as text without indentation."""
    lines = "\n".join("    " + line for line in dedent(code).strip("\n").split("\n"))
    return dedent(picture(f"def f():\n{lines}\n").partition("\n")[2])
