"""Spans by pairing against libcst's position provider, over real code: no difference allowed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import libcst as cst
import pytest
import rich

from dtypecheck.core.spans import Span
from dtypecheck.syntax import positions
from dtypecheck.syntax.cst_kinds import collect_kinds
from dtypecheck.syntax.index import index
from dtypecheck.syntax.positions_provider import place_all
from dtypecheck.syntax.slices import Slice, cut_definition, cut_module, outermost
from dtypecheck.syntax.source import Source, decode, read

from .sources import source

RICH = Path(rich.__file__).parent
LIBCST = Path(cst.__file__).parent
REAL = [RICH / f"{name}.py" for name in ("table", "text", "progress", "pretty", "traceback", "markdown")]
REAL += [LIBCST / "_nodes" / "expression.py", LIBCST / "_nodes" / "statement.py", LIBCST / "tool.py"]

ODD = '''
x = (1, 2)
y = ((1,), (2,
  3,
))
z = x[1, 2], x[1,], x[(1,2)], x[(1,2),3], x[1:2, ::3], x[1, 2][3, 4][(5, 6), 7], x[
  a:
  ]
def f(a, /, b: int = 3, *c, d=4, **e): return (yield)
async def g():
    async for x in y: await z
    async with (a as b, c as d,): pass
    async with a as b, c: pass
    return [x async for x in y if x if y]
for x in *a, b: pass
else:
    pass
del a, b[0]
del (a, b)
del (a), b
match x:
    case 1 | "a" | -1: pass
    case (1, 2): pass
    case (a.b): pass
    case [1, *r] if x: pass
    case {"a": 1, **k}: pass
    case A(x=1) as y: pass
    case None: pass
    case _: pass
try:
    pass
except (A, B) as e:
    pass
else: pass
finally:
    pass


f(x for x in y); f( x for x in (y) if (z) ); f(  # c
   x for x in z
 ); f((x for x in y)); f(((x for x in y))); f(((x)))
f(*a, *b, c, **d, e=1)
a and b and (c or d or not e) and ((f and g))
(a and b) and c
a and (b and c)
s = "é" + "ü" 'b' f"é{x!r:>{w}}{y=}" "é{z}" + w
t = f"""
é{x +
 y}  {(1,2)} {f'{q}'}"""
if t:
    while u:
        v = ("a" f"{b}"
            f"{c.d}" f"""
    {e}""" f"é{g}")
    f(f"{a}"
      f"{b}", k[grid](f"{c[1, 2]:{d}}"))
lambda x=1, *a, k: (yield)
@d(1)
@(
  e
)
class A(B, *C, metaclass=D[1, 2]):
    x: int = 1
    @p
    def f(self) -> "é": return é.b
    x: (int)
if a: pass
elif b:
    pass
elif c: pass
else: pass
while (x := y): break
with (a): pass
with (a, b): pass
with (a, b) as c: pass
with (yield): pass
global q
import a.b as c, d
from .x import (y, z)
raise A from b
assert (x), (y)
x = y = z, = a
x += 1
1 < 2 < (3)
-x ** -y
(a if b else c) if (d) else e
{**a, 1: 2, (3): (4)}; {*a, 1}; [*a]
{x: y for (x), y in (z) for q in r}; {x for x in y}
print((yield x), (yield from y), (await z), ...)
(
 a.b
 .c(
 )
)
0x1, 1.0, 1j, None, True
if x:
    if y:
        pass
    # comment

# end
x = 1 ; y = 2;
'''


def pieces(read_source: Source) -> Iterator[Slice]:
    """All slices of a file: what lowering reads."""
    facts = index(read_source, "m", False)
    cuts = [cut_definition(read_source, first, last) for first, last in outermost(facts)]
    for cut in (*cuts, cut_module(read_source, facts)):
        assert isinstance(cut, Slice), cut
        yield cut


def compared(piece: Slice) -> int:
    """The number of spans of one slice, all of which must be those of the provider."""
    found = positions.locate(piece)
    assert found.paired
    expected: dict[cst.CSTNode, Span] = {}
    place_all(piece, collect_kinds(piece.module), expected)
    differences = [
        (type(node).__name__, span, expected.get(node))
        for node, span in found.spans.items()
        if expected.get(node) != span
    ]
    assert not differences, differences[:5]
    assert found.spans.keys() == expected.keys()
    return len(expected)


@pytest.mark.parametrize("file", REAL, ids=lambda f: f"{f.parent.name}/{f.name}")
def test_spans_of_real_code_are_those_of_the_provider(file: Path) -> None:
    found = read(file)
    assert isinstance(found, Source)
    number = sum(compared(piece) for piece in pieces(found))
    print(f"{file.name}: {number} spans, 0 differences")
    assert number > 1000


def test_spans_of_odd_code_are_those_of_the_provider() -> None:
    assert sum(compared(piece) for piece in pieces(source(ODD))) > 400


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("x = (a, b)", "(a, b)"),
        ("x = ((a), b),", "((a), b),"),
        ("x = y[(a, b), c]", "y[(a, b), c]"),
        ("x = (((a.b)))", "a.b"),
        ("x = f'é' 'é' + 'ü'", "f'é' 'é' + 'ü'"),
        ("x = (q for q in r)", "(q for q in r)"),
    ],
)
def test_a_span_covers_its_text(code: str, text: str) -> None:
    (piece,) = pieces(source(code))
    node = piece.module.body[0].body[0].value  # type: ignore[attr-defined, union-attr]
    start = code.index(text) + 1
    assert positions.locate(piece).spans[node] == Span(1, start, 1, start + len(text))


def test_a_generator_alone_in_a_call_does_not_own_the_parentheses() -> None:
    code = "f( a for a in b )"
    (piece,) = pieces(source(code))
    node = piece.module.body[0].body[0].value.args[0].value  # type: ignore[attr-defined, union-attr]
    assert positions.locate(piece).spans[node] == Span(1, 4, 1, 16)


def test_the_provider_answers_where_the_pairing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    found = source(dedent(ODD))
    paired = [positions.locate(piece).spans for piece in pieces(found)]
    monkeypatch.setattr(positions, "_agree", lambda kinds, trees: False)
    for piece, spans in zip(pieces(found), paired, strict=True):
        fallback = positions.locate(piece)
        assert not fallback.paired and not fallback.values
        assert list(fallback.spans.values()) == list(spans.values())


def test_trees_that_differ_are_not_paired() -> None:
    (one,) = pieces(source("x = a.b + c"))
    (other,) = pieces(source("x = a.d + c"))
    mixed = Slice(one.text, one.lines, one.shift, other.tree, one.module)
    found = positions.locate(mixed)
    assert not found.paired
    assert found.spans.keys() == positions.locate(one).spans.keys()


def test_decoding_keeps_columns() -> None:
    found = decode(b"\xef\xbb\xbfx = 1\n", "a.py")
    assert isinstance(found, Source)
    (piece,) = pieces(found)
    assert set(positions.locate(piece).spans.values()) == {
        Span(1, 1, 1, 6),
        Span(1, 1, 1, 2),
        Span(1, 5, 1, 6),
    }
