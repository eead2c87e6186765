"""What the index says of sample sources."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from dtypecheck.core.spans import Span
from dtypecheck.syntax.index import index
from dtypecheck.syntax.index_imports import absolute
from dtypecheck.syntax.model import FunctionEntry

from .sources import indexed, source

IMPORTS = """
import a
import a.b.c
import a.b as x, d
from m import n, o as p
from s import *
if cond:
    import in_if
elif other:
    import in_elif
else:
    import in_else
if TYPE_CHECKING:
    import checking
    try:
        import deep
    except ImportError:
        pass
else:
    import running
if not typing.TYPE_CHECKING:
    import not_checking
else:
    import negated
try:
    import tried
except ImportError:
    import excepted
else:
    import orelse
finally:
    import final
with ctx():
    import within
for _ in y:
    import looped
def f():
    import local
class C:
    import inner
"""


def test_import_contexts() -> None:
    facts = indexed(IMPORTS)
    assert [(i.name, i.module, i.attr, i.context) for i in facts.imports] == [
        ("a", "a", None, ""),
        ("a", "a", None, ""),
        ("x", "a.b", None, ""),
        ("d", "d", None, ""),
        ("n", "m", "n", ""),
        ("p", "m", "o", ""),
        ("in_if", "in_if", None, "if"),
        ("in_elif", "in_elif", None, "else"),
        ("in_else", "in_else", None, "else"),
        ("checking", "checking", None, "type-checking"),
        ("deep", "deep", None, "type-checking"),
        ("running", "running", None, "else"),
        ("not_checking", "not_checking", None, "if"),
        ("negated", "negated", None, "type-checking"),
        ("tried", "tried", None, "try"),
        ("excepted", "excepted", None, "except"),
        ("orelse", "orelse", None, "try"),
        ("final", "final", None, ""),
        ("within", "within", None, ""),
        ("looped", "looped", None, ""),
    ]
    assert facts.stars == ("s",)
    assert facts.imports[0].line == 2


@pytest.mark.parametrize(
    ("module", "is_package", "level", "name", "expected"),
    [
        ("pkg.mod", False, 0, "x.y", "x.y"),
        ("pkg.mod", False, 1, "", "pkg"),
        ("pkg.mod", False, 1, "x", "pkg.x"),
        ("pkg.sub.mod", False, 2, "x", "pkg.x"),
        ("pkg.sub", True, 1, "x", "pkg.sub.x"),
        ("pkg.sub", True, 2, "x", "pkg.x"),
        ("pkg", True, 1, "", "pkg"),
        ("mod", False, 1, "x", "x"),
        ("pkg.mod", False, 2, "x", ".x"),
        ("pkg.mod", False, 3, "x", "..x"),
    ],
)
def test_relative_imports(module: str, is_package: bool, level: int, name: str, expected: str) -> None:
    assert absolute(module, is_package, level, name) == expected


def test_relative_imports_in_an_index() -> None:
    facts = indexed("from . import a\nfrom ..b import c\nfrom .d import *\n", "p.q.r")
    assert [(i.name, i.module, i.attr) for i in facts.imports] == [("a", "p.q", "a"), ("c", "p.b", "c")]
    assert facts.stars == ("p.q.d",)


DEFINITIONS = """\
import triton

if COND:
    @triton.jit
    def kernel(x_ptr, n: tl.constexpr):
        pass
else:
    @triton.autotune(configs=[
        1,
    ], key=[])
    @triton.jit
    def kernel(x_ptr, n):
        helper(n)

class A(Base, mod.Other, Generic[T], metaclass=M):
    'doc'
    size: int
    dtype: "torch.dtype" = torch.int32
    limit = other = 3

    @property
    def m(self, a, /, b: "int" = 1, *args: int, c, d: Dict[str,
        int] = {}, **kw):
        def inner():
            self.count = g(1)
            deep()
        self.buffer, (x.y, *z.w) = 1, 2
        return inner
    class B:
        async  def n(self): await run_it()

def outer():
    class Local:
        def meth(self): kernel[grid](x)
    for self.i in []: pass
    with open() as self.handle: self.total += 1
    self.annotated: int = 1
    kernel.warmup(1, grid=(1,)); s.run()
    return lambda: (kernel
        [(1,)](a.b(c)))
"""


def by_name(code: str) -> dict[tuple[str, int], FunctionEntry]:
    return {(f.qualname, f.first_line): f for f in indexed(code).functions}


def test_functions() -> None:
    found = by_name(DEFINITIONS)
    assert list(found) == [
        ("kernel", 4),
        ("kernel", 8),
        ("A.m", 21),
        ("A.m.<locals>.inner", 24),
        ("A.B.n", 30),
        ("outer", 32),
        ("outer.<locals>.Local.meth", 34),
    ]
    second = found["kernel", 8]
    assert (second.last_line, second.decorators, second.calls) == (
        13,
        ("triton.autotune", "triton.jit"),
        ("helper",),
    )
    assert second.head == Span(12, 9, 12, 15)
    method = found["A.m", 21]
    assert (method.class_name, method.nested, method.outermost, method.outermost_line) == (
        "A",
        False,
        "A",
        15,
    )
    assert method.calls == ("deep", "g")
    inner = found["A.m.<locals>.inner", 24]
    assert (inner.class_name, inner.nested, inner.outermost) == ("", True, "A")
    assert found["A.B.n", 30].head == Span(30, 20, 30, 21)
    assert found["A.B.n", 30].calls == ("run_it",)
    local = found["outer.<locals>.Local.meth", 34]
    assert (local.class_name, local.nested, local.outermost) == ("outer.<locals>.Local", True, "outer")


def test_parameters() -> None:
    method = by_name(DEFINITIONS)["A.m", 21]
    assert [(p.name, p.kind, p.has_default, p.annotation) for p in method.params] == [
        ("self", "positional-only", False, ""),
        ("a", "positional-only", False, ""),
        ("b", "normal", True, '"int"'),
        ("args", "*", False, "int"),
        ("c", "keyword-only", False, ""),
        ("d", "keyword-only", True, "Dict[str,\n        int]"),
        ("kw", "**", False, ""),
    ]


def test_defaults_belong_to_the_last_positional_parameters() -> None:
    entry = indexed("def f(a, b=1, /, c=2, *, d, e=3): pass\n").functions[0]
    assert [p.has_default for p in entry.params] == [False, True, True, False, True]


def test_classes() -> None:
    first, second, local = indexed(DEFINITIONS).classes
    assert first.bases == ("Base", "mod.Other", "Generic")
    assert [(f.name, f.annotation, f.has_default, f.line) for f in first.fields] == [
        ("size", "int", False, 17),
        ("dtype", '"torch.dtype"', True, 18),
    ]
    assert (first.constants, first.methods) == (("limit", "other"), ("m",))
    assert (first.first_line, first.last_line, first.head) == (15, 30, Span(15, 7, 15, 8))
    assert (second.qualname, second.methods, second.outermost) == ("A.B", ("n",), "A")
    assert (local.qualname, local.outermost, local.outermost_line) == ("outer.<locals>.Local", "outer", 32)


def test_launch_like_sites_belong_to_the_innermost_function() -> None:
    found = by_name(DEFINITIONS)
    assert found["outer.<locals>.Local.meth", 34].sites == ((34, 25),)
    assert found["outer", 32].sites == ((38, 5), (38, 34), (39, 21))
    assert "kernel" in found["outer", 32].calls


def test_attribute_writes() -> None:
    assert indexed(DEFINITIONS).attribute_writes == (
        ("count", "A.m.<locals>.inner"),
        ("buffer", "A.m"),
        ("y", "A.m"),
        ("w", "A.m"),
        ("i", "outer"),
        ("handle", "outer"),
        ("total", "outer"),
        ("annotated", "outer"),
    )


def test_module_constants_sites_and_calls() -> None:
    facts = indexed(
        """\
        A = B = make()
        C, (D, *E) = 1, [2]
        F: int = 3
        G += 1
        if x:
            H = 1
        try:
            J = 1
        finally:
            for K in y: L = 1
        with z as M:
            x.attr = 1
        k[g](1)
        class Body:
            N = k[(1,)](helper())
        def f(a=default()): P = 1
        """
    )
    assert facts.constants == tuple(zip("ABCDEFGHJKLM", (1, 1, 2, 2, 2, 3, 4, 6, 8, 10, 10, 11), strict=True))
    assert facts.module_sites == ((13, 1), (15, 9))
    assert facts.module_calls == ("default", "helper", "k", "make")
    assert facts.attribute_writes == ()


def test_calls_reach_out_of_nested_definitions_but_not_out_of_functions() -> None:
    facts = indexed(
        "def f():\n    class C:\n        x = a()\n        def m(self): b()\n    def g(): c()\n    d()\n"
    )
    assert {f.qualname: f.calls for f in facts.functions} == {
        "f": ("a", "b", "c", "d"),
        "f.<locals>.C.m": ("b",),
        "f.<locals>.g": ("c",),
    }
    assert facts.module_calls == ()


def test_decorators_without_a_dotted_name() -> None:
    entry = indexed("@(lambda f: f)\n@a.b(1)(2)\n@(\n  c\n)\ndef f(): pass\n").functions[0]
    assert (entry.decorators, entry.first_line) == (("?", "a.b", "c"), 1)


def test_columns_are_code_points() -> None:
    facts = indexed("def é(): 'é'; k[é](1); x.é = 'ü'; y[é, 'é'](z)\n")
    assert facts.functions[0].sites == ((1, 15), (1, 35))
    assert facts.functions[0].head == Span(1, 5, 1, 6)
    assert facts.attribute_writes == (("é", "é"),)


def test_mentions() -> None:
    assert indexed("import triton_x\n").mentions == ("triton",)
    assert indexed("# torch\nimport triton\n").mentions == ("torch", "triton")
    assert indexed("x = 1\n").mentions == ()


def test_match_and_long_elif_chains() -> None:
    chain = "if a: X0 = 1\n" + "".join(f"elif b{i}: X{i} = f{i}()\n" for i in range(1, 1500))
    assert len(indexed(chain).constants) == 1500
    facts = indexed("match x:\n    case A(y) if g(): import m\n    case _:\n        def f(): h()\n")
    assert (facts.module_calls, facts.imports[0].context, facts.functions[0].calls) == (("g",), "if", ("h",))


def test_a_fault_leaves_the_rest_empty() -> None:
    facts = index(source("x = (\n# triton\n"), "m", False)
    assert facts.fault is not None
    assert (facts.functions, facts.constants, facts.mentions) == ((), (), ("triton",))


def listed(value: object) -> object:
    """`value` as JSON gives it back; anything but text, numbers, tuples and mappings fails."""
    if isinstance(value, dict):
        return {str(key): listed(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [listed(item) for item in value]
    assert value is None or isinstance(value, (str, int)), value
    return value


def test_the_index_survives_json() -> None:
    facts = asdict(indexed(DEFINITIONS + IMPORTS))
    assert json.loads(json.dumps(facts)) == listed(facts)


OPERATORS = '''
lib = Library("ns", "FRAGMENT")

@torch.library.custom_op("ns::a", mutates_args=())
def a(x): ...

@torch.library.register_fake("ns::a")
def _(x): ...

@torch.library.impl(lib, "b", "CUDA")
def b_cuda(x): ...

lib.impl("c", module.c, "CPU")
direct_register_custom_op(op_name="d", op_func=d, mutates_args=[], fake_impl=d_fake)
direct_register_custom_op("e", e, [])
lib.impl(name, f)
self.impl("text")
'''


def test_registered_operators() -> None:
    facts = indexed(OPERATORS)
    assert facts.libraries == ("ns",)
    assert [(o.name, o.function, o.line, o.key) for o in facts.operators] == [
        ("ns::a", "a", 4, ""),
        ("ns::a", "_", 7, "Meta"),
        ("b", "b_cuda", 10, "CUDA"),
        ("c", "module.c", 0, "CPU"),
        ("d", "d", 0, ""),
        ("d", "d_fake", 0, "Meta"),
        ("e", "e", 0, ""),
    ]


def test_the_default_overload_is_a_call_of_the_operator() -> None:
    assert indexed("def f(x):\n    torch.ops.ns.a.default(x)\n").functions[0].calls == ("a",)
