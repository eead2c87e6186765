"""Pictures: source on the left, the intermediate representation as text on the right."""

from __future__ import annotations

import sys
from textwrap import dedent

import pytest

from dtypecheck.core import ir
from dtypecheck.core.spans import Span
from dtypecheck.syntax.index import index
from dtypecheck.syntax.lower import lower_definition

from .sources import body, everything, fault, module_picture, picture, source


def same(found: str, expected: str) -> None:
    assert found == dedent(expected).strip("\n")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("1, -1, 1.5, 2j, 0x_ff, ..., None, True, b'a'", "(1, (-1), 1.5, 2j, 255, ..., None, True, b'a')"),
        ("'a' 'b\\n' r'\\n'", "'ab\\n\\\\n'"),
        ("b'a' b'b'", "b'ab'"),
        ("f'a{x}b{{}}' 'c' f'{y.z}'", "f<'a', x, 'b{}c', y.z>"),
        ("f'{x!r}{y:>3}{z=}{w}'", "f<" + "<?format-specification>, " * 3 + "w>"),
        ("f'\\n{x}' rf'\\n'", "f<'\\n', x, '\\\\n'>"),
        ("f'plain'", "'plain'"),
        ("a + b - c * d ** -e", "((a + b) - (c * (d ** (-e))))"),
        ("a @ b // c % d / e", "((((a @ b) // c) % d) / e)"),
        ("~a & b | c ^ d << e >> g", "(((~a) & b) | (c ^ ((d << e) >> g)))"),
        ("a < b <= c != d is not e not in g", "(a < b <= c != d is not e not in g)"),
        ("(a < b) == c", "((a < b) == c)"),
        ("a and b and (c and d) or not e or g", "((a and b and (c and d)) or (not e) or g)"),
        ("(a or b) or c", "((a or b) or c)"),
        ("x if a else y if b else z", "(x if a else (y if b else z))"),
        ("k[grid](x, *y, n=1, **z).w", "k[grid](x, *y, n=1, **z).w"),
        ("x[1], x[1:2], x[::3], x[:], x[1,], x[a, :, None], x[(1, 2)], x[()]",
         "(x[1], x[1:2], x[::3], x[:], x[(1,)], x[(a, :, None)], x[(1, 2)], x[()])"),
        ("[*a, 1], {1, *b}, {**c, 'd': 2}, ()", "([*a, 1], {1, *b}, {**c, 'd': 2}, ())"),
        ("lambda a, /, b=1, *c, d, e=2, **g: a", "(lambda /a, b = 1, *c, ~d, ~e = 2, **g: a)"),
        ("[x for a in b if c if d for e in g]", "list<x for a in b if c if d for e in g>"),
        ("{x for x in y}, {k: v for k, v in z}, (q for q in r)",
         "(set<x for x in y>, dict<k: v for (k, v) in z>, generator<q for q in r>)"),
        ("sum(x for x in y)", "sum(generator<x for x in y>)"),
        ("(y := x + 1)", "(y := (x + 1))"),
        ("((((x))))", "x"),
        (" + ".join(["x"] * 201), None),
        (" + ".join(["x"] * 250), "<?long-chain>"),
    ],
)  # fmt: skip
def test_expressions(code: str, expected: str | None) -> None:
    found = body(f"return ({code})").removeprefix("return ")
    assert found == expected if expected is not None else found.count("x") == 201


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a = b = c, *d = e", "a = b = (c, *d) = e"),
        ("a.b[c] += d", "a.b[c] += d"),
        ("a @= b; a //= c; a **= d; a >>= e", "a @= b\na //= c\na **= d\na >>= e"),
        ("a: int\nb: 'T' = 1", "a: int\nb: 'T' = 1"),
        ("return", "return"),
        ("raise A(b) from c", "raise"),
        ("assert a, b", "assert a"),
        ("del a, b.c\ndel (a, b)", "del a, b.c\ndel (a, b)"),
        ("global a, b", "global a, b"),
        ("import a.b, c.d as e", "import a=a, e=c.d"),
        ("from . import a\nfrom ..b.c import d as e", "import a=.:a\nimport e=..b.c:d"),
        (
            "if a: b\nelif c: d\nelse: e",
            "if a:\n    do b\nelse:\n    if c:\n        do d\n    else:\n        do e",
        ),
        ("for a, b in c: break\nelse: continue", "for (a, b) in c:\n    break\nelse:\n    continue"),
        ("while a: pass", "while a:\n    pass"),
        ("with a as b, c: d", "with a as b, c:\n    do d"),
        ("with (a as b.c,): d", "with a as b.c:\n    do d"),
        (
            "try: a\nexcept (B, C) as d: e\nexcept: g\nelse: h\nfinally: i",
            "try:\n    do a\nexcept as d:\n    do e\nexcept:\n    do g\nelse:\n    do h\nfinally:\n    do i",
        ),
        ("class A(B, metaclass=M): x = 1", "class f.<locals>.A(B):\n    x = 1"),
        (
            "@d(1)\ndef g(a: int = b) -> c: yield a",
            "@d(1)\ngenerator f.<locals>.g(a: int = b) -> c:\n    do (yield a)",
        ),
    ],
)
def test_statements(code: str, expected: str) -> None:
    assert body(code) == expected


def test_async_code_reads_like_plain_code() -> None:
    same(
        picture(
            """
            async def f():
                async for a in b:
                    await a
                async with c as d:
                    return [x async for x in y]
            """
        ),
        """
        def f():
            for a in b:
                do a
            with c as d:
                return <?async-comprehension>
        """,
    )


def test_match_compares_values_and_nothing_else() -> None:
    same(
        body(
            """
            match x.dtype:
                case torch.int32 | torch.int64: a
                case None: b
                case [p, *q] if p: c
                case {"k": 1, **r} as s: d
                case -1 if e: pass
                case other: g
            """
        ),
        """
        if ((x.dtype == torch.int32) or (x.dtype == torch.int64)):
            do a
        else:
            if (x.dtype is None):
                do b
            else:
                if <?match-pattern>:
                    p = <?match-capture>
                    q = <?match-capture>
                    do c
                else:
                    if <?match-pattern>:
                        r = <?match-capture>
                        s = <?match-capture>
                        do d
                    else:
                        if <?match-pattern>:
                            pass
                        else:
                            other = <?match-capture>
                            do g
        """,
    )
    same(body("match g():\n    case 1: a"), "do g()\nif <?match-pattern>:\n    do a")


def test_yields_make_the_function_they_stand_in_a_generator() -> None:
    same(
        picture(
            """
            def f():
                def g(): yield from a
                x = lambda: (yield)
                class C:
                    def m(self): yield
                return x
            """
        ),
        """
        def f():
            generator f.<locals>.g():
                do (yield from a)
            x = (lambda : (yield))
            class f.<locals>.C():
                generator f.<locals>.C.m(self):
                    do (yield)
            return x
        """,
    )


def test_classes_and_their_qualnames() -> None:
    same(
        picture(
            """
            @dataclass
            class A(Base, *more, metaclass=M):
                "doc"
                x: int = 1
                class B:
                    def m(self):
                        def inner(): pass
            """,
            "A",
        ),
        """
        @dataclass
        class A(Base, <?star-expression>):
            do 'doc'
            x: int = 1
            class A.B():
                def A.B.m(self):
                    def A.B.m.<locals>.inner():
                        pass
        """,
    )


CONDITIONAL = """\
if HAS:
    @jit
    def f(x):  # é
        return x
else:
\tdef f(y):
\t\treturn '''a
b'''
"""


def test_conditional_definitions_are_told_apart_by_their_line() -> None:
    read = source(CONDITIONAL)
    facts = index(read, "m", False)
    first = lower_definition(read, facts, "f", 2)
    second = lower_definition(read, facts, "f", 6)
    assert isinstance(first, ir.Function) and isinstance(second, ir.Function)
    assert (first.params[0].name, second.params[0].name) == ("x", "y")
    assert (first.span, first.head) == (Span(3, 5, 4, 17), Span(3, 9, 3, 10))
    assert (second.span, second.params[0].span) == (Span(6, 2, 8, 5), Span(6, 8, 6, 9))
    assert second.body[0].span == Span(7, 3, 8, 5)
    assert first.decorators[0].span == Span(2, 6, 2, 9)


def test_the_module_body_leaves_definitions_out() -> None:
    same(
        module_picture(
            """
            import a
            from .b import *
            try:
                from c import d
            except ImportError:
                def d(): pass
            if X:
                @jit
                def k(): pass
                y = 1
            else:
                class Y: pass
            z: int = k[1](2); pass
            """
        ),
        """
        def <module>():
            import a=a
            import *=.b
            try:
                import d=c:d
            except:
            if X:
                y = 1
            else:
            z: int = k[1](2)
            pass
        """.replace("            else:\n            z", "            z"),
    )


def test_nothing_to_lower_is_no_failure() -> None:
    read = source("x = 1\n")
    found = lower_definition(read, index(read, "m", False), "nope", 3)
    assert isinstance(found.body[0], ir.ExprStmt)
    assert isinstance(found.body[0].value, ir.Opaque) and found.body[0].value.reason == "no-such-definition"
    assert module_picture("") == "def <module>():"


DEEP = {
    "sum": "def f(a, b=1):\n    return " + " + ".join(["a"] * 2_500) + "\n",
    "attributes": "def f(a, b=1):\n    return a" + ".b" * 400 + "\n",
    "elif": "def f(a, b=1):\n    if a: b\n" + "    elif a: b\n" * 400,
    "strings": "def f(a, b=1):\n    return (" + "'x'\n" * 10_000 + ")\n",
    "strings on one line": "def f(a, b=1):\n    return (" + "'x' " * 10_000 + ")\n",
    "strings on few lines": "def f(a, b=1):\n    return (" + ("'x' " * 200 + "\n") * 50 + ")\n",
    "formatted": "def f(a, b=1):\n    return (" + "f'{a}'\n" * 10_000 + ")\n",
    "boolean": "def f(a, b=1):\n    return " + " or ".join(["a"] * 10_000) + "\n",
    "comprehension": "def f(a, b=1):\n    return [a" + " for a in b" * 1000 + "]\n",
    "power": "def f(a, b=1):\n    return " + "a ** " * 300 + "a\n",
    "not": "def f(a, b=1):\n    return " + "not " * 300 + "a\n",
    "lambda": "def f(a, b=1):\n    return " + "lambda: " * 160 + "a\n",
}


@pytest.mark.parametrize("name", DEEP)
def test_what_would_exhaust_the_stack_is_opaque(name: str) -> None:
    """Given to libcst, the sum, the chains and the strings end the process."""
    assert picture(DEEP[name]) == "def f(a, b = <?too-deep>):\n    do <?too-deep>"


def test_deep_module_bodies_and_classes_are_opaque_too() -> None:
    assert module_picture("x = " + "+".join(["a"] * 2_500)) == "def <module>():\n    do <?too-deep>"
    assert picture("class A(B):\n    x = " + "+".join(["a"] * 2_500), "A") == "class A():\n    do <?too-deep>"


def test_moderately_deep_code_is_read() -> None:
    assert picture("def f():\n    return " + "(" * 150 + "a" + ")" * 150) == "def f():\n    return a"
    assert "<?" not in body("return a" + ".b()" * 60)
    strings = "\n".join(["'x'"] * 1000)
    assert body(f"return ({strings})") == f"return {'x' * 1000!r}"


def test_what_libcst_refuses_is_opaque() -> None:
    assert picture("def f():\n    (x): int\n").endswith("do <?libcst-refused>")


def test_stars_in_a_subscript() -> None:
    code = "x[*a], x[*a, 1]"
    if sys.version_info < (3, 11):
        assert fault(code.encode()).span.line == 1
    else:
        assert body(code) == "do (x[(*a,)], x[(*a, 1)])"


def test_template_strings_are_opaque() -> None:
    code = "x = t'a{b}'"
    if sys.version_info < (3, 14):
        assert fault(code.encode()).message == "invalid syntax"
    else:
        assert body(code) == "x = <?template-string>"


def test_type_parameters() -> None:
    code = "def f[T: int, *Ts](x: T) -> T: return x\n"
    if sys.version_info < (3, 12):
        assert fault(code.encode()).span.column == 6
    else:
        assert picture(code) == "def f(x: T) -> T:\n    return x"
        assert body("type X = int") == "X = <?type-alias>"


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_do_not_change_what_is_read(end: str) -> None:
    code = "x = 1\n\n@d\ndef f():\n    '''a\n    b'''\n    return (1 +\n        x)\n"
    plain, other = source(code), source(code.replace("\n", end).encode())
    assert spans(everything(plain)) == spans(everything(other))


def test_form_feeds_between_and_inside_definitions() -> None:
    code = "x = 1\n\f\ndef f():\n    a = 1\n\f\n    b = 2\n\fdef g():\n    c\f=\f'\f'\n"
    found = everything(source(code))
    assert [type(d).__name__ for d in found] == ["Function"] * 3
    assert found[0].body[1].span == Span(6, 5, 6, 10)  # type: ignore[attr-defined]
    assert found[1].span == Span(7, 2, 8, 12)  # type: ignore[attr-defined]


def spans(node: object) -> list[Span]:
    """Every span under `node`, in order."""
    if isinstance(node, Span):
        return [node]
    if isinstance(node, (tuple, list)):
        return [span for item in node for span in spans(item)]
    return [span for name in getattr(node, "__slots__", ()) for span in spans(getattr(node, name))]


def test_every_span_is_filled() -> None:
    code = (
        "def f(a=1, *b: int, **c):\n    return f'{a!r:{b}} {c[1, 2:3]}' if a else (yield)\nclass A: x: int\n"
    )
    for span in spans(everything(source(code))):
        if span != Span(0, 0, 0, 0):
            assert span.line >= 1 and (span.line, span.column) <= (span.end_line, span.end_column)
    functions = [d for d in everything(source(code)) if isinstance(d, ir.Function) and d.name != "<module>"]
    assert all(span.line > 0 for span in spans(functions))
