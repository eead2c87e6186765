"""Random kernels over the dtype grammar, and their agreement with Triton.

python -m tests.kernels.generate --count 20000 [--seed 0] [--python PYTHON] [--triton 3.9] [-v]
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

from dtypecheck.kernels.scope import LibraryName
from dtypecheck.kernels.typing import Accepted

from .agreement import Table
from .agreement_core import RECORDED, compare, install_record, typed
from .oracle import Oracle
from .scopes import Module

POINTERS = (
    "fp16",
    "bf16",
    "fp32",
    "fp64",
    "i8",
    "i16",
    "i32",
    "i64",
    "u8",
    "u16",
    "u32",
    "u64",
    "i1",
    "fp8e5",
    "fp8e4nv",
)
USUAL = ("fp16", "bf16", "fp32", "i32", "i64", "i32", "fp32", "i8", "u8", "i1", "fp64", "u32")
SCALARS = ("i32", "i32", "i64", "fp32", "i1", "u64")
TYPES = (
    "tl.float32", "tl.float16", "tl.bfloat16", "tl.int32", "tl.int64", "tl.uint8", "tl.int1", "tl.uint32",
    "tl.float64",
    "tl.int8", "tl.float8e5",
)  # fmt: skip
ARITHMETIC = (
    "+",
    "-",
    "*",
    "/",
    "+",
    "-",
    "*",
    "//",
    "%",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    "+",
    "-",
    "*",
    "+",
    "-",
    "*",
)
BINARY = ("tl.minimum", "tl.maximum", "min", "max", "tl.cdiv", "h_add", "h_pick", "tl.fdiv")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
LITERALS = ("0", "1", "2", "-1", "0.0", "1.0", "0.5", "255", "True", "1e-6", "70000", "2147483648")
UNARY = ("exp", "log", "sqrt", "abs", "sigmoid", "floor", "exp2", "rsqrt", "cos")
ATOMICS = ("add", "max", "min", "xchg", "and")
REDUCTIONS = ("sum", "max", "min", "argmax", "xor_sum")
HELPERS = """
@triton.jit
def h_add(x, y):
    return x + y


@triton.jit
def h_pick(x, y):
    if y > 3:
        return x
    return y


@triton.jit
def h_const(x):
    if x > 3:
        return 0
    return x


@triton.jit
def h_lit():
    return 1.5


@triton.jit
def h_pair(x, y):
    return x * 2, y


@triton.jit
def h_comb(x, y):
    return x + y
"""


class Writer:
    """One kernel's text; `scalars` and `blocks` are the variables that may be read."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.scalars = ["n", "m", "f", "b"]
        self.blocks: list[str] = []
        self.lines: list[str] = []
        self.fresh = 0

    def line(self, text: str, depth: int) -> None:
        self.lines.append("    " * (depth + 1) + text)

    def pick(self, *choices):
        return self.rng.choice(choices)

    def scalar(self, depth: int = 0) -> str:
        r = self.rng.random()
        if depth > 2 or r < 0.5:
            return self.rng.choice(self.scalars)
        if r < 0.62:
            return self.rng.choice(LITERALS[:5] if self.rng.random() < 0.7 else LITERALS)
        if r < 0.7:
            return f"tl.load({self.pick('p', 'q')} + {self.pick('n', '0', '1', 'm', 'tl.program_id(0)')})"
        if r < 0.74:
            return self.pick("tl.program_id(0)", "C", "D", "tl.num_programs(0)", "h_lit()")
        if r < 0.86:
            return f"({self.scalar(depth + 1)} {self.rng.choice(ARITHMETIC)} {self.scalar(depth + 1)})"
        if r < 0.9:
            return (
                f"({self.scalar(depth + 1)}).to({self.rng.choice(TYPES)})"
                if self.rng.random() < 0.5
                else f"(-{self.scalar(depth + 1)})"
            )
        if r < 0.93:
            return f"({self.scalar(depth + 1)} if {self.condition(depth + 1)} else {self.scalar(depth + 1)})"
        if r < 0.96:
            return f"{self.rng.choice(BINARY)}({self.scalar(depth + 1)}, {self.scalar(depth + 1)})"
        if self.blocks:
            return f"tl.{self.rng.choice(REDUCTIONS)}({self.rng.choice(self.blocks)}, axis=0)"
        return self.pick("h_lit()", "n", f"h_const({self.scalar(depth + 1)})")

    def condition(self, depth: int = 0) -> str:
        r = self.rng.random()
        if r < 0.7:
            return f"{self.scalar(depth + 1)} {self.rng.choice(COMPARISONS)} {self.scalar(depth + 1)}"
        if r < 0.8:
            return self.rng.choice(("b", "C > 3", "not b", "n", "D", "n > 3", "n > m", "D is None"))
        if r < 0.9:
            word, other = self.pick("and", "or", "&", "|"), self.pick("b", "n", "(n > 0)", "C > 2")
            return f"({self.scalar(depth + 1)} > 1) {word} {other}"
        return f"not ({self.scalar(depth + 1)} > 0)"

    def block(self, depth: int = 0) -> str:
        r = self.rng.random()
        if self.blocks and (depth > 2 or r < 0.3):
            return self.rng.choice(self.blocks)
        if r < 0.5 or depth > 2:
            mask = self.pick(
                "", ", mask=o < n", f", mask=o < n, other={self.pick('0', '0.0', '-1', 'f')}", ", mask=o < m"
            )
            return f"tl.load({self.pick('p', 'q')} + o{mask})"
        if r < 0.56:
            return self.pick(
                "o",
                f"tl.zeros((16,), {self.rng.choice(TYPES)})",
                f"tl.full((16,), {self.pick('0', '1', '1.5', 'n', 'f', '-1')}, {self.rng.choice(TYPES)})",
            )
        if r < 0.76:
            other = self.block(depth + 1) if self.rng.random() < 0.5 else self.scalar(depth + 1)
            return f"({self.block(depth + 1)} {self.rng.choice(ARITHMETIC)} {other})"
        if r < 0.82:
            return f"{self.block(depth + 1)}.to({self.rng.choice(TYPES)})"
        if r < 0.87:
            test = f"{self.block(depth + 1)} {self.rng.choice(COMPARISONS)} {self.pick('0', 'n', '1.0')}"
            other = self.pick(self.block(depth + 1), self.scalar(depth + 1))
            return f"tl.where({test}, {self.block(depth + 1)}, {other})"
        if r < 0.92:
            return f"tl.{self.rng.choice(UNARY)}({self.block(depth + 1)})"
        if r < 0.96:
            return (
                f"tl.{self.pick('minimum', 'maximum')}({self.block(depth + 1)}, {self.scalar(depth + 1)})"
                if self.rng.random() < 0.7
                else f"tl.fma({self.block(depth + 1)}, {self.block(depth + 1)}, {self.scalar(depth + 1)})"
            )
        return self.pick(
            f"tl.cumsum({self.block(depth + 1)}, 0)",
            f"tl.associative_scan({self.block(depth + 1)}, 0, h_comb)",
            f"tl.sort({self.block(depth + 1)})",
            f"{self.block(depth + 1)}.to({self.rng.choice(TYPES)}, bitcast=True)",
            f"tl.softmax({self.block(depth + 1)})",
        )

    def statement(self, depth: int) -> None:
        r = self.rng.random()
        if r < 0.22:
            self.assign(depth)
        elif r < 0.34:
            self.augment(depth)
        elif r < 0.5 and depth < 2:
            self.line(f"if {self.condition()}:", depth)
            self.suite(depth + 1)
            if self.rng.random() < 0.5:
                self.line("else:", depth)
                self.suite(depth + 1)
        elif r < 0.62 and depth < 2:
            name = self.pick("i", "i", "j")
            bounds = self.pick("n", "m", "0, n, 4", "1, m", "3", "tl.load(p)", "n, m", "0, n - 1", "C")
            self.line(f"for {name} in {self.pick('range', 'range', 'range', 'tl.range')}({bounds}):", depth)
            self.scalars.append(name)
            self.suite(depth + 1)
        elif r < 0.65 and depth < 2:
            self.line(f"for s in tl.static_range({self.pick('2', '3', 'C')}):", depth)
            self.suite(depth + 1)
        elif r < 0.67 and depth < 2:
            self.line(f"while {self.condition()}:", depth)
            self.suite(depth + 1)
        elif r < 0.85:
            self.store(depth)
        elif r < 0.9:
            self.line(
                f"u, v = {self.pick('h_pair', '')}({self.scalar()}, {self.scalar()})",
                depth,
            )
            self.scalars += ["u", "v"] if depth == 0 else []
        elif r < 0.93:
            self.line(
                f"tl.atomic_{self.rng.choice(ATOMICS)}({self.pick('p', 'q')}, {self.scalar()})",
                depth,
            )
        elif r < 0.95:
            self.line(f"{self.pick('q', 'p')} += {self.scalar()}", depth)
        else:
            self.line(f"record({self.scalar()})", depth)

    def suite(self, depth: int) -> None:
        for _ in range(self.rng.choice((1, 1, 2, 2, 3))):
            self.statement(depth)

    def assign(self, depth: int) -> None:
        if self.rng.random() < 0.5:
            name = self.rng.choice(["x", "y", "z", *self.scalars[:1]])
            self.line(f"{name} = {self.scalar()}", depth)
            if depth == 0 or name in self.scalars:
                self.scalars.append(name)
        else:
            name = self.pick("a", "c", "d")
            self.line(f"{name} = {self.block()}", depth)
            if depth == 0 or name in self.blocks:
                self.blocks.append(name)

    def augment(self, depth: int) -> None:
        if self.blocks and self.rng.random() < 0.4:
            self.line(
                f"{self.rng.choice(self.blocks)} {self.pick('+', '-', '*')}= "
                f"{self.pick(self.block(), self.scalar())}",
                depth,
            )
        else:
            name = self.rng.choice(self.scalars)
            self.line(f"{name} {self.pick('+', '-', '*', '+', '//', '&')}= {self.scalar()}", depth)

    def store(self, depth: int) -> None:
        if self.rng.random() < 0.5:
            self.line(
                f"tl.store({self.pick('p', 'q')} + {self.pick('0', 'n', self.scalars[-1])}, {self.scalar()})",
                depth,
            )
        else:
            mask = self.pick("", ", mask=o < n", f", mask={self.pick('b', 'o > m', '(o < n) & b')}")
            self.line(f"tl.store({self.pick('p', 'q')} + o, {self.block()}{mask})", depth)


def kernel(name: str, rng: random.Random) -> str:
    writer = Writer(rng)
    writer.line("o = tl.arange(0, 16)", 0)
    for _ in range(rng.choice((1, 1, 2, 2, 3, 3, 4, 5, 6))):
        writer.statement(0)
    for x in dict.fromkeys(writer.scalars[4:] + writer.blocks):
        writer.line(f"record({x})", 0)
    head = f"@triton.jit\ndef {name}(p, q, n, m, f, b, C: tl.constexpr, D: tl.constexpr):\n"
    return head + "\n".join(writer.lines) + "\n"


def arguments(rng: random.Random) -> tuple[dict[str, str], dict[str, object]]:
    pool = USUAL if rng.random() < 0.8 else POINTERS
    types = {
        "p": "*" + rng.choice(pool),
        "q": "*" + rng.choice(pool),
        "n": rng.choice(("i32", "i32", "i32", "i64")),
        "m": rng.choice(("i32", "i64", "i64", "u64")),
        "f": rng.choice(("fp32", "fp32", "fp32", "i32", "fp64")),
        "b": rng.choice(("i1", "i1", "i1", "i32")),
        "C": "constexpr",
        "D": "constexpr",
    }
    return types, {
        "C": rng.choice((2, 3, 4, 1)),
        "D": rng.choice((True, False, 0, True, False, 1.0, None, 5)),
    }


HEAD = "import triton\nimport triton.language as tl\n\nrecord = None\n" + HELPERS


def run(
    count: int,
    seed: int,
    oracle: Oracle,
    version: str,
    verbose: bool,
    per_file: int = 100,
    signatures: int = 2,
) -> Table:
    """`count` kernels times signatures."""
    table = Table()
    scratch = Path(tempfile.mkdtemp(prefix="generated-"))
    done = 0
    batch = 0
    while done < count:
        rng = random.Random(seed * 1_000_003 + batch)
        names = [f"k{i}" for i in range(per_file)]
        text = HEAD + "\n\n".join(kernel(n, rng) for n in names)
        path = scratch / f"b{batch}.py"
        path.write_text(text)
        module = Module("generated", "generated.py", text)
        module.cache["record"] = LibraryName("record")
        for name in names:
            function = module.function(name)
            for _ in range(signatures):
                if done >= count:
                    return table
                done += 1
                one(table, oracle, path, name, function, module, arguments(rng), version, verbose)
        batch += 1
    return table


def one(table, oracle, path, name, function, module, given, version, verbose) -> None:
    types, constants = given
    request = {"file": str(path), "kernel": name, "signature": types, "constexprs": constants}
    answer = oracle.ask(request)
    start = time.process_time()
    typing = typed(function, module, types, constants, version, "cuda:90")
    ours = time.process_time() - start
    c = compare(function, typing, answer)
    table.add(c, ours, answer)
    wrong = ""
    if c.kind == "agree" and isinstance(typing.outcome, Accepted):
        have = {str(r).replace("'", "") for r in RECORDED}
        want = {str(r).replace("'", "") for r in answer["types"]}
        if have != want:
            wrong = f"types {sorted(have ^ want)}"
            table.kinds["wrong types"] += 1
    if verbose and (c.kind != "agree" or not (c.klass and c.line) or wrong):
        flags = ("" if c.klass else " class") + ("" if c.line else " line")
        print(f"{c.kind}{flags} {wrong}| {path}:{function.head.line} {name} | {c.note[:260]}")
        if c.kind.startswith("false") or wrong:
            print("     ", types, constants)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--triton", default="3.9")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    install_record()
    oracle = Oracle(options.python)
    table = run(options.count, options.seed, oracle, options.triton, options.verbose)
    oracle.close()
    print(table.show(f"Triton {options.triton}, generated"))


if __name__ == "__main__":
    main()
