"""Kernels as modules of their own: everything that they read comes along, and Triton takes what it took before."""

from __future__ import annotations

import pytest

from dtypecheck.confirm.bench import Bench
from dtypecheck.confirm.requests import request
from dtypecheck.confirm.slices import Slice
from dtypecheck.core.claims import Argument, Number, Tensor

from .conftest import HEAD, Cutter

COPY = """
@triton.jit
def kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + i, {})
"""
ARGUMENTS: dict[str, Argument] = {
    "x_ptr": Tensor(("float16",)),
    "out_ptr": Tensor(("float32",)),
    "BLOCK": Number("int", 16),
}


def ask(at: Bench, made: Slice, **options: object) -> dict:
    asked = {**request("compile", made, "cuda:90", ARGUMENTS, {}), **options}
    return at.ask(asked)


def taken(at: Bench, made: Slice) -> bool:
    answer = ask(at, made)
    assert answer["outcome"] == "taken", answer
    assert made.missing == ()
    return True


def test_helpers_constants_and_modules_come_along(sliced: Cutter, asked: Bench) -> None:
    made = sliced(
        pkg____init__="",
        pkg__numbers="SCALE = tl.constexpr(2.0)\nHALF = tl.constexpr(1.0 / 2)\n",
        pkg__helpers="""
from .numbers import SCALE as FACTOR, HALF

@triton.jit
def scaled(x):
    return x * FACTOR * HALF
""",
        pkg__main="import pkg.helpers\nfrom . import helpers as h\n"
        + COPY.format("h.scaled(pkg.helpers.scaled(tl.load(x_ptr + i)))"),
    )
    assert taken(asked, made)
    assert "import pkg" not in made.text and "from ." not in made.text


def test_names_that_collide_are_told_apart(sliced: Cutter, asked: Bench) -> None:
    """Two modules have a helper of one name, and a constant of one name with another value."""
    helper = "W = tl.constexpr({})\n\n@triton.jit\ndef grow(x):\n    return x * W\n"
    made = sliced(
        one=helper.format(2) + "\n@triton.jit\ndef first(x):\n    return grow(x)\n",
        two=helper.format(3) + "\n@triton.jit\ndef second(x):\n    return grow(x)\n",
        main="from one import first\nfrom two import second\n"
        + COPY.format("first(second(tl.load(x_ptr + i)))"),
    )
    assert taken(asked, made)
    assert "W = (tl.constexpr(2))" in made.text and "W_2 = (tl.constexpr(3))" in made.text
    assert "def grow_2(x):" in made.text


def test_lines_lead_back_to_the_files(sliced: Cutter, asked: Bench) -> None:
    """A refusal inside a helper names the helper's file and line, and the kernel's before."""
    made = sliced(
        lib="\n\n\n@triton.jit\ndef half(x):\n    return x & 1\n",
        main="from lib import half\n" + COPY.format("half(tl.load(x_ptr + i))"),
    )
    answer = ask(asked, made)
    assert answer["outcome"] == "refused"
    places = [made.origin(line) for line in answer["lines"]]
    texts = {"main.py": HEAD.count("\n") + 6, "lib.py": HEAD.count("\n") + 6}
    assert [(p.path, p.line) for p in places] == [("main.py", texts["main.py"]), ("lib.py", texts["lib.py"])]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"lib": "from inner import *\n", "inner": "@triton.jit\ndef h(x):\n    return x\n"}, id="star"),
        pytest.param({"lib": "from inner import g as h\n", "inner": "@triton.jit\ndef g(x):\n    return x\n"}, id="alias"),
        pytest.param(
            {"lib": "if tl.constexpr is None:\n    h = None\nelse:\n    @triton.jit\n    def h(x):\n        return x\n"},
            id="conditional",
        ),
        pytest.param(
            {"lib": "try:\n    from nowhere import h\nexcept ImportError:\n    @triton.jit\n    def h(x):\n        return x\n"},
            id="fallback",
        ),
        pytest.param(
            {"lib": "@triton.jit\ndef g(x):\n    return x\n\nFOUND = None\n\ndef look():\n    return FOUND\n\n"
             "try:\n    h = look()\nexcept ImportError:\n    h = g\n"},
            id="looked for in vain",
        ),
        pytest.param(
            {"lib": "deep = triton.language.extra.libdevice\n\n@triton.jit\ndef h(x):\n    return deep.abs(x.to(tl.float32))\n"},
            id="a module that nobody imports",
        ),
        pytest.param(
            {"lib": "from packaging import version\n\nNEW = tl.constexpr(version.parse(triton.__version__) >= version.parse('3'))\n"
             "\n@triton.jit\ndef h(x):\n    tl.static_assert(NEW)\n    return x\n"},
            id="compared versions",
        ),
        pytest.param({"lib": "def g(x):\n    return x\n\nh = triton.jit(g)\n"}, id="jit as a call"),
        pytest.param({"lib": "class K:\n    @staticmethod\n    @triton.jit\n    def g(x):\n        return x\n\nh = K.g\n"}, id="static"),
    ],
)  # fmt: skip
def test_ways_to_name_a_helper(sliced: Cutter, asked: Bench, files: dict[str, str]) -> None:
    made = sliced(main="from lib import h\n" + COPY.format("h(tl.load(x_ptr + i))"), **files)
    assert taken(asked, made)


def test_a_kernel_inside_a_function(sliced: Cutter, asked: Bench) -> None:
    nested = COPY.format("g(tl.load(x_ptr + i)) * W").replace("\n", "\n    ")
    made = sliced(
        main="def make():\n    W = tl.constexpr(2)\n\n    @triton.jit\n    def g(x):\n        return x\n" + nested
        + "\n    return kernel\n"
    )  # fmt: skip
    assert taken(asked, made)


def test_what_a_maker_is_given_is_not_known(sliced: Cutter) -> None:
    nested = COPY.format("tl.load(x_ptr + i) * W").replace("\n", "\n    ")
    made = sliced(main="def make(W):" + nested + "\n    return kernel\n")
    assert made.missing == (("W", "`W` is a parameter of `make`, which makes the kernel"),)


def test_the_project_and_other_libraries_stay_outside(sliced: Cutter, asked: Bench) -> None:
    made = sliced(main="from numpy import float64 as f\n" + COPY.format("f(tl.load(x_ptr + i))"))
    assert dict(made.missing)["f"] == "`numpy.float64` is neither Triton's nor torch's"
    answer = ask(asked, made)
    assert (answer["class"], answer["error"]) == ("NameError", "f is not defined")


def test_predicates_answer_for_the_target(sliced: Cutter) -> None:
    lib = "import os, nowhere\n\ndef is_hip():\n    return nowhere.ask()\n\nBLOCK_W = tl.constexpr(2 if is_hip() else 3)\n"
    for target, width in (("cuda:90", "3"), ("hip:gfx942", "2")):
        made = sliced(
            target, lib=lib, main="from lib import BLOCK_W\n" + COPY.format("tl.load(x_ptr + i) * BLOCK_W")
        )
        assert f"is_hip = (lambda *_, **__: {width == '2'})" in made.text
        assert made.assumed == (f"`is_hip` is {target.startswith('hip')} on {target}",)


def test_decorators_provide_what_the_launch_does_not(sliced: Cutter, asked: Bench) -> None:
    decorated = COPY.format("tl.load(x_ptr + i)").replace(
        "@triton.jit",
        "@triton.autotune(configs=[triton.Config({'BLOCK': 32})], key=[])\n"
        "@triton.heuristics({'EVEN': lambda args: args['BLOCK'] % 32 == 0})\n@triton.jit",
    )
    made = sliced(main=decorated.replace("BLOCK: tl.constexpr", "BLOCK: tl.constexpr, EVEN: tl.constexpr"))
    arguments = {n: a for n, a in ARGUMENTS.items() if n != "BLOCK"}
    answer = asked.ask(request("compile", made, "cuda:90", arguments, {}))
    assert answer["assumed"] == ["BLOCK=32 (of its autotune configs)", "EVEN=True (by its heuristics)"]
    assert answer["outcome"] == "taken"


def test_annotations_mean_what_they_mean_in_their_file(sliced: Cutter, asked: Bench) -> None:
    """A type as text forces a pointer; under the future import it is text within text, and forces nothing."""
    annotated = COPY.format("tl.load(x_ptr + i)").replace("x_ptr,", 'x_ptr: "*fp64",')
    for future, type_ in (("", "*fp64"), ("from __future__ import annotations\n", "*fp16")):
        made = sliced(main=annotated, before=future)
        answer = ask(asked, made)
        assert answer["signature"]["x_ptr"] == type_
