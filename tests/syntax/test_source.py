"""Bytes to text: encodings, line ends, and faults as values."""

from __future__ import annotations

from pathlib import Path

import pytest

from dtypecheck.core.spans import Span
from dtypecheck.syntax.model import SyntaxFault
from dtypecheck.syntax.source import Source, decode, read

from .sources import fault, indexed, source


@pytest.mark.parametrize(
    ("data", "encoding", "text"),
    [
        (b"x = 1\n", "utf-8", "x = 1\n"),
        ("é = 1\n".encode(), "utf-8", "é = 1\n"),
        (b"\xef\xbb\xbfx = 1\n", "utf-8-sig", "x = 1\n"),
        (b"# -*- coding: latin-1 -*-\nx = '\xe9'\n", "iso-8859-1", "# -*- coding: latin-1 -*-\nx = 'é'\n"),
        (b"#!/bin/sh\r\n# vim: set fileencoding=cp1252 :\r\n'\x80'", "cp1252", None),
        (b"#!/bin/sh\r# coding=latin-1\r'\xe9'", "iso-8859-1", "#!/bin/sh\n# coding=latin-1\n'é'"),
        (b"x = 1\n# coding: latin-1\n", "utf-8", "x = 1\n# coding: latin-1\n"),
        (b"", "utf-8", ""),
    ],
)
def test_encodings(data: bytes, encoding: str, text: str | None) -> None:
    found = decode(data, "a.py")
    assert isinstance(found, Source), found
    assert found.encoding == encoding
    assert text is None or found.text == text
    assert found.data == data


def test_cp1252_cookie_on_the_second_line_decodes() -> None:
    assert source(b"#!/bin/sh\r\n# coding=cp1252\r\n'\x80'").lines[2] == "'€'"


@pytest.mark.parametrize(
    ("data", "line", "part"),
    [
        (b"x = 1\n\xff\xfe = 2\n", 2, "cannot decode the file as utf-8"),
        (b"# coding: no-such-codec\nx = 1\n", 1, "no-such-codec"),
        (b"# coding: zlib\nx = 1\n", 1, "zlib"),
        (b"\xef\xbb\xbf# coding: latin-1\nx = 1\n", 1, "cannot decode"),
        (b"x = 1\ny = '\0'\n", 2, "NUL"),
        ("x = 1\n".encode("utf-16"), 1, "NUL"),
        (b"x = 1\ndef f(:\n  pass\n", 2, "invalid syntax"),
        (b"def f():\nreturn 1\n", 2, "indented block"),
        (b"if x:\n\ty\n        z\n", 3, "tabs"),
        (b"x = (1,\n", 1, "never closed"),
        (b"'" + b"abc\n", 1, "unterminated"),
        (b"(" * 5000 + b")" * 5000, 1, "nested"),
        (b"-" * 200_000 + b"1", 1, "nested"),
        (b"x = " + b"9" * 5000 + b"\n", 1, ""),
    ],
)
def test_faults(data: bytes, line: int, part: str) -> None:
    found = fault(data)
    assert part in found.message
    assert found.path == "bad.py"
    assert found.span.line == line
    assert found.message and "\n" not in found.message
    assert found.span.column >= 1 and found.span.end_column >= 1


def test_a_syntax_error_points_at_its_column() -> None:
    assert fault(b"x = 1\ny = 'e' 5\n").span.line == 2
    assert fault("é = 'é' 5\n".encode()).span == Span(1, 9, 1, 10)


def test_unreadable_files_are_faults(tmp_path: Path) -> None:
    missing = read(tmp_path / "missing.py", "missing.py")
    folder = read(tmp_path)
    odd = read("nul\0name.py")
    for found, part in ((missing, "No such file"), (folder, "directory"), (odd, "cannot read")):
        assert isinstance(found, SyntaxFault)
        assert part in found.message


def test_the_name_in_results_is_the_one_given(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"x = 1\n")
    found = read(tmp_path / "a.py", "pkg/a.py")
    assert isinstance(found, Source) and found.path == "pkg/a.py"


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_line_ends_are_one_line_each(end: str) -> None:
    read_back = source(f"x = 1{end}{end}def f():{end}    return '''a{end}b'''{end}".encode())
    assert read_back.lines == ("x = 1", "", "def f():", "    return '''a", "b'''", "")


def test_form_feeds_and_separators_end_no_line() -> None:
    facts = indexed("x = 1\n\f\ndef f():\n    a = '\x0b\x1c\u2028'\n\f\n    b = 2\n\f\ndef g(): pass\n")
    assert [(f.name, f.first_line, f.last_line) for f in facts.functions] == [("f", 3, 6), ("g", 8, 8)]


def test_no_warning_of_the_users_code_is_shown(recwarn: pytest.WarningsRecorder) -> None:
    indexed("x = '\\d'\nassert (x, 'y')\nx is 1\n")
    assert not recwarn.list
