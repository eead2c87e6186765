"""Agreement with Triton over the launched kernels of released packages, as a table.

    python -m tests.kernels.agreement FOLDER... [--python PYTHON] [--triton 3.9] [--variants 6] [-v]

Each FOLDER is an import root. Kernels are cut into flat modules; signatures are guessed, and varied with a
fixed seed.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
import zlib
from collections import Counter
from pathlib import Path

from .agreement_core import Comparison, compare, install_record, typed
from .cut import CannotCut, cut, kernels
from .guess import signature
from .oracle import Oracle


class Table:
    """Counts by kind, and what to look at."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.agreed = self.klass = self.message = self.line = 0
        self.accepted = 0
        self.ours: list[float] = []
        self.theirs: list[float] = []
        self.ratios: list[float] = []

    def add(self, c: Comparison, ours: float, answer: dict) -> None:
        self.kinds[c.kind] += 1
        if c.kind == "undecided":
            self.reasons[c.note.split(" | ")[0]] += 1
        refused = "error" in answer
        if c.kind == "agree" and refused:
            self.agreed += 1
            self.klass += c.klass
            self.message += c.message
            self.line += c.line
        if not refused:
            self.accepted += 1
        self.ours.append(ours)
        self.theirs.append(answer.get("seconds", 0))
        if not refused:
            self.ratios.append(answer["seconds"] / ours)

    def show(self, title: str) -> str:
        total = sum(n for k, n in self.kinds.items() if k != "wrong types") or 1
        lines = [f"{title}: {total} kernels x signatures, {self.accepted} accepted by Triton"]
        for kind in ("agree", "false refusal", "false acceptance", "undecided"):
            lines.append(f"  {kind:<18}{self.kinds[kind]:>8} {100 * self.kinds[kind] / total:7.2f}%")
        if self.agreed:
            lines.append(
                f"  of {self.agreed} refused by both: class {100 * self.klass / self.agreed:.1f}%, "
                f"words {100 * self.message / self.agreed:.1f}%, line {100 * self.line / self.agreed:.1f}%"
            )
        if self.ratios:
            lines.append(
                f"  median ms of processor time, accepted: Triton {1e3 * statistics.median(self.theirs):.2f}, "
                f"ours {1e3 * statistics.median(self.ours):.3f}; ratio {statistics.median(self.ratios):.1f}"
            )
        for reason, n in self.reasons.most_common(8):
            lines.append(f"    undecided {n}: {reason}")
        return "\n".join(lines)


def run(
    folder: Path,
    oracle: Oracle,
    version: str,
    variants: int,
    limit: int,
    verbose: bool,
    table: Table,
    skip: int,
) -> None:
    scratch = Path(tempfile.mkdtemp(prefix="kernels-"))
    failed = Counter()
    seen = 0
    for module, node in kernels(folder):
        if seen >= limit:
            break
        try:
            made = cut(module, node)
            text = made.text()
            function, flat = made.typed()
        except (CannotCut, SyntaxError, AssertionError, KeyError) as error:
            failed[type(error).__name__] += 1
            continue
        seen += 1
        if seen <= skip:
            continue
        path = scratch / f"k{seen}.py"
        path.write_text(text)
        name = f"{module.name}.{node.name}"
        rng = random.Random(zlib.crc32(name.encode()))
        for variant in range(variants):
            types, constants = signature(node, rng, variant > 0)
            request = {"file": str(path), "kernel": node.name, "signature": types, "constexprs": constants}
            answer = oracle.ask(request)
            if answer.get("stage") in ("import", "crash"):
                failed[answer["error"][:60]] += 1
                if answer["stage"] == "import":
                    break
                continue
            start = time.process_time()
            typing = typed(function, flat, types, constants, version, "cuda:90")
            ours = time.process_time() - start
            c = compare(function, typing, answer)
            table.add(c, ours, answer)
            if verbose and (c.kind != "agree" or not (c.klass and c.line)):
                print(
                    f"{c.kind}{'' if c.klass else ' class'}{'' if c.line else ' line'} "
                    f"| {name} | {path} | {c.note[:300]}"
                )
                if c.kind.startswith("false"):
                    print("     ", types, constants)
    print(f"{folder.name}: {seen} kernels cut; not cut: {dict(failed.most_common(5))}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--triton", default="3.9")
    parser.add_argument("--variants", type=int, default=6)
    parser.add_argument("--limit", type=int, default=10**9)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    install_record()
    oracle = Oracle(options.python)
    table = Table()
    for folder in options.folders:
        run(
            folder,
            oracle,
            options.triton,
            options.variants,
            options.limit,
            options.verbose,
            table,
            options.skip,
        )
    oracle.close()
    print(table.show(f"Triton {options.triton}"))


if __name__ == "__main__":
    main()
