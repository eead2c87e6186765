"""Values of host code: callers, branches, symbols, containers, objects, and what is not known."""

from __future__ import annotations

from pathlib import Path

import pytest

from dtypecheck.core.traces import Kind

from .asking import callers, line_of, project, steps, texts, trace, traced, when

CALLERS = """
    import torch

    def inner(x, scale):
        y = torch.empty_like(x)
        return y

    def ids(n: int):
        return inner(torch.zeros(n, dtype=torch.int32), 1.0)

    def words(n: int):
        made = torch.ones(n, dtype=torch.float16)
        return inner(made, 2)
    """


def test_each_caller_is_a_way(tmp_path: Path) -> None:
    root = project(tmp_path, a=CALLERS)
    value = traced(root / "a.py", "y = torch.empty_like")
    assert texts(value) == ["int32", "float16"]
    assert [callers(way) for way in value.ways] == [["ids:9"], ["words:13"]]
    assert [steps(way, root) for way in value.ways] == [
        [
            "born a:9 torch.zeros(n, dtype=torch.int32) -> int32",
            "passed a:9 torch.zeros(n, dtype=torch.int32) -> int32 (`x` of inner)",
            "flows a:5 torch.empty_like(x) -> int32 (inherited)",
        ],
        [
            "born a:12 torch.ones(n, dtype=torch.float16) -> float16",
            "passed a:13 made -> float16 (`x` of inner)",
            "flows a:5 torch.empty_like(x) -> float16 (inherited)",
        ],
    ]


def test_what_is_the_same_for_several_callers_is_told_once(tmp_path: Path) -> None:
    source = """
        import torch

        def inner(x, fresh: bool):
            y = torch.ones(3) if fresh else x
            return y

        def once(x, fresh: bool):
            return inner(x, fresh)

        def first(n: int, fresh: bool):
            return once(torch.zeros(n, dtype=torch.int8), fresh)

        def second(n, fresh: bool):
            return inner(n, fresh)
        """
    root = project(tmp_path, a=source)
    value = traced(root / "a.py", "return y", "y")
    assert dict(zip(texts(value), map(callers, value.ways), strict=True)) == {
        "float32": ["second:15", "first:12 > once:9"],
        "what callers of second give for `n`": ["second:15"],
        "int8": ["first:12 > once:9"],
    }


def test_a_branch_is_told_with_its_test_and_outcome(tmp_path: Path) -> None:
    source = """
        import torch

        def make(x: torch.Tensor, scale: torch.Tensor | None = None):
            if scale is None:
                out = torch.empty(3, dtype=torch.int32)
            else:
                out = scale.new_empty(3)
            return out
        """
    root = project(tmp_path, a=source)
    value = traced(root / "a.py", "return out", "out")
    assert texts(value) == ["int32", "the dtype of `scale` of make"]
    assert [when(way) for way in value.ways] == [["scale is None"], ["not (scale is None)"]]
    assert value.ways[1].said.symbols == (("scale", "make"),)
    assert value.ways[0].when[0][0].place is not None
    assert value.ways[0].when[0][0].place.span.line == line_of(root / "a.py", "if scale is None")


def test_ways_that_agree_on_the_dtype_are_told_apart(tmp_path: Path) -> None:
    source = """
        import torch

        def make(n: int, fast: bool):
            if fast:
                out = torch.empty(n)
            else:
                out = torch.zeros(n)
            return out
        """
    root = project(tmp_path, a=source)
    value = traced(root / "a.py", "return out", "out")
    assert texts(value) == ["float32", "float32"]
    assert [(when(w), steps(w, root)[0]) for w in value.ways] == [
        (["fast"], "born a:6 torch.empty(n) -> float32"),
        (["not (fast)"], "born a:8 torch.zeros(n) -> float32"),
    ]


def test_a_choice_of_which_both_outcomes_lead_there_is_not_told(tmp_path: Path) -> None:
    source = """
        import torch

        def make(n: int, fast: bool):
            made = torch.empty(n)
            out = made if fast else made
            return out
        """
    root = project(tmp_path, a=source)
    (way,) = traced(root / "a.py", "return out", "out").ways
    assert way.when == ()


def test_what_a_test_leaves_of_a_symbol(tmp_path: Path) -> None:
    source = """
        import torch

        def run(x: torch.Tensor):
            assert x.dtype == torch.int32
            y = x
            return y
        """
    root = project(tmp_path, a=source)
    value = traced(root / "a.py", "y = x")
    assert texts(value) == ["int32, by what tests leave of the dtype of `x` of run"]
    assert steps(value.ways[0], root) == [
        "born a:4 x: torch.Tensor -> the dtype of `x` of run (a parameter)",
        "here a:6 y -> int32",
    ]


def test_a_cast_changes_the_dtype_and_a_view_is_no_station(tmp_path: Path) -> None:
    source = """
        import torch

        def run(n: int):
            x = torch.zeros(n, n).view(-1)
            y = x.to(torch.bfloat16)
            return y[0]
        """
    root = project(tmp_path, a=source)
    assert steps(traced(root / "a.py", "return y").ways[0], root) == [
        "born a:5 torch.zeros(n, n) -> float32",
        "cast a:6 x.to(torch.bfloat16) -> bfloat16",
        "here a:7 return y[0] -> bfloat16",
    ]


def test_attributes_and_the_object_that_carries_them(tmp_path: Path) -> None:
    source = """
        import torch

        class Buffers:
            def __init__(self, n: int) -> None:
                self.ids = torch.zeros(n, dtype=torch.int32)

        class Runner:
            def __init__(self, n: int) -> None:
                self.buffers = make(n)

            def step(self):
                ids = self.buffers.ids
                return ids

        def make(n: int):
            return Buffers(n)
        """
    root = project(tmp_path, a=source)
    assert steps(traced(root / "a.py", "ids = self.buffers.ids").ways[0], root) == [
        "born a:6 torch.zeros(n, dtype=torch.int32) -> int32",
        "stored a:6 self.ids -> int32 (Buffers.ids)",
        "returned a:10 make(n) -> int32 (by make)",
        "stored a:10 self.buffers -> int32 (Runner.buffers)",
        "here a:13 ids -> int32",
    ]
    assert texts(traced(root / "a.py", "ids = self.buffers.ids", "self.buffers.ids")) == ["int32"]
    assert texts(traced(root / "a.py", "ids = self.buffers.ids", "self.buffers")) == [
        "an object of class Buffers"
    ]


def test_what_a_container_holds_moves_with_it(tmp_path: Path) -> None:
    source = """
        import torch

        def pair(n: int):
            return {"a": torch.zeros(n, dtype=torch.int8)}, n

        def use(tables, *rest):
            a = tables["a"]
            b = rest[0]
            return a, b

        def run(n: int):
            made, _ = pair(n)
            return use(made, torch.ones(n))
        """
    root = project(tmp_path, a=source)
    assert steps(traced(root / "a.py", 'a = tables["a"]').ways[0], root) == [
        "born a:5 torch.zeros(n, dtype=torch.int8) -> int8",
        "returned a:13 pair(n) -> int8 (by pair)",
        "passed a:14 made -> int8 (`tables` of use)",
        "here a:8 a -> int8",
    ]
    assert steps(traced(root / "a.py", "b = rest[0]").ways[0], root) == [
        "born a:14 torch.ones(n) -> float32",
        "passed a:14 use(made, torch.ones(n)) -> float32 (`rest` of use)",
        "here a:9 b -> float32",
    ]


PREFACE = """
    import torch
    from torch import nn
    from elsewhere import make

    class Thing:
        pass

    def run(x, n: int, *args, **options):
        """
UNMODELLED = "say it there with `dtype=...`, or after it with `.to(...)`"
SAID = [
    ("it = 3", Kind.NUMBER, "a Python int: 3"),
    ("it = n", Kind.NUMBER, "a Python int"),
    ("it = 'strict'", Kind.NUMBER, "a Python str: 'strict'"),
    ("it = None", Kind.NONE, "None"),
    ("it = torch.float16", Kind.DTYPE, "float16, a torch.dtype"),
    ("it = x.dtype", Kind.DTYPE, "the dtype of `x` of run, a torch.dtype"),
    ("it = [torch.ones(n), None]", Kind.CONTAINER, "list(float32, None)"),
    ("it = {'a': torch.ones(n), 'b': 2}", Kind.CONTAINER, "dict(a: float32, b: int)"),
    ("it = Thing()", Kind.OBJECT, "an object of class Thing"),
    ("it = nn.Linear(2, 3)", Kind.OBJECT, "a Linear layer of float32"),
    ("it = x", Kind.OUTSIDE, "what callers of run give for `x`"),
    ("it = x[0].y", Kind.OUTSIDE, "`x[0].y` of run, as its callers have it"),
    ("it = make(n).to(torch.int32)", Kind.TENSOR, "int32"),
    ("it = run", Kind.CODE, "function run"),
    ("it = Thing", Kind.CODE, "class Thing"),
    ("it = torch.empty", Kind.CODE, "torch.empty, of a library"),
    (
        "it = torch.frob(n)",
        Kind.UNKNOWN,
        f"unknown: what `torch.frob` gives is not known here: {UNMODELLED}",
    ),
    ("it = options['x']", Kind.OUTSIDE, "`options['x']` of run, as its callers have it"),
]


@pytest.mark.parametrize(("code", "kind", "text"), SAID, ids=[code for code, _, _ in SAID])
def test_everything_is_called_by_what_it_is(tmp_path: Path, code: str, kind: Kind, text: str) -> None:
    file = project(tmp_path, a=PREFACE + code) / "a.py"
    (way,) = traced(file, "it = ").ways
    assert (way.said.kind, way.said.text) == (kind, text)


def test_where_something_ceased_to_be_known_is_a_station(tmp_path: Path) -> None:
    source = """
        import torch
        from elsewhere import make

        def run(n: int):
            odd = torch.frob(n)
            like = torch.empty_like(odd)
            made = make(n)
            fixed = made.to(torch.int32)
            return like, fixed
        """
    root = project(tmp_path, a=source)
    (way,) = traced(root / "a.py", "like = torch.empty_like(odd)").ways
    assert way.said.reason == "no-model(torch.frob)"
    assert steps(way, root) == [
        "lost a:6 torch.frob(n) (no-model(torch.frob))",
        "flows a:7 torch.empty_like(odd) -> any dtype",
    ]
    assert steps(traced(root / "a.py", "fixed =").ways[0], root) == [
        "lost a:8 make(n) (no-model(elsewhere.make))",
        "cast a:9 made.to(torch.int32) -> int32",
    ]


def test_what_comes_from_loops(tmp_path: Path) -> None:
    source = """
        import torch

        def run(x: torch.Tensor, n: int):
            total = torch.zeros(n, dtype=torch.int32)
            for i in range(n):
                total = total * 0.5
            return total
        """
    root = project(tmp_path, a=source)
    value = traced(root / "a.py", "return total", "total")
    assert texts(value) == ["int32", "float32"]


def test_names_calls_parameters_and_results(tmp_path: Path) -> None:
    source = """
        import torch

        def make(n: int, x: torch.Tensor):
            return torch.ones(n, dtype=torch.int8), x

        def run(n: int):
            a, b = make(n, torch.zeros(n))
            return torch.add(
                a,
                b,
            )
        """
    file = project(tmp_path, a=source) / "a.py"
    assert [v.name for v in trace(file, line_of(file, "a, b = make")).values] == ["a", "b"]
    assert texts(traced(file, "a, b = make", "torch.zeros()")) == ["float32"]
    assert texts(traced(file, "a, b = make", "torch.zeros(n)")) == ["float32"]
    assert texts(traced(file, "a, b = make", "make()")) == ["tuple(int8, float32)"]
    assert texts(traced(file, "def make", "x")) == ["float32"]
    assert texts(traced(file, "return torch.add")) == ["float32"]
    assert texts(traced(file, "        b,")) == ["float32"]


def test_nothing_comes_where_no_way_leads(tmp_path: Path) -> None:
    source = """
        import torch

        def run(n: int):
            x = None
            if x is not None:
                y = x.half()
            return n
        """
    root = project(tmp_path, a=source)
    assert traced(root / "a.py", "y = x.half()").ways == ()
