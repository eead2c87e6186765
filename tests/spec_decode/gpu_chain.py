"""Runs the package and compares it with the references; prints one line per check.

    python tests/spec_decode/gpu_chain.py             on a GPU: everything
    TRITON_INTERPRET=1 python tests/spec_decode/gpu_chain.py --device cpu --small
                                                      in Triton's interpreter: all but the compiler's refusal

Exits with 1 when a check fails. The random parts are checked twice: token by token against a reference that
reproduces the random numbers, and by Pearson's chi-square statistic, the sum of (O - E)^2 / E over all
outcomes of a request (drafts kept and tokens), against the exact distribution of speculative sampling. The
threshold is the value that a right sampler exceeds once in ten thousand runs.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import torch
import triton
from chain import Settings, run_chain
from distribution import check_distribution
from package import Package, load_faulty, load_repaired
from samplers import check_dtypes, check_eagle_preparation, check_samplers

REFUSAL = "initial value for `i` is of type int64[], but the then block redefines it as int32[]"


@dataclass(frozen=True)
class Sizes:
    """How much is run."""

    seeds: int
    chains: tuple[Settings, ...]
    num_reqs: int
    vocab_sizes: tuple[int, ...]
    draws: int


LARGE = Sizes(
    seeds=3,
    chains=(Settings("", 12, 3, 5000), Settings("", 5, 1, 700), Settings("", 40, 5, 1500, 4)),
    num_reqs=48,
    vocab_sizes=(50, 1024, 5000),
    draws=400_000,
)
SMALL = Sizes(seeds=1, chains=(Settings("", 4, 2, 1100, 4),), num_reqs=4, vocab_sizes=(1100,), draws=150)


def refused_by_triton(package: Package, settings: Settings, device: torch.device) -> str:
    """Run the faulty chain; it must stop where `num_rejected` reaches the Eagle kernel."""
    try:
        run_chain(package, settings, device)
    except triton.compiler.errors.CompilationError as error:
        text, cause = str(error), error.__cause__
        while cause is not None:
            text, cause = f"{text}\n{cause}", cause.__cause__
        assert REFUSAL in text, f"another refusal: {text}"
        frames, traceback = [], error.__traceback__
        while traceback is not None:
            frames.append(traceback.tb_frame.f_code.co_name)
            traceback = traceback.tb_next
        assert "prepare_eagle_inputs" in frames, f"refused elsewhere: {frames}"
        return REFUSAL
    raise AssertionError("Triton took the faulty chain")


def checks(sizes: Sizes, device: torch.device, folder: Path) -> Iterator[tuple[str, Callable[[], str]]]:
    """Every check: its name, and what runs it and returns a remark."""
    faulty, repaired = load_faulty(), load_repaired(folder)
    if device.type == "cuda":
        probabilistic = Settings("probabilistic")
        yield "faulty chain refused by Triton", lambda: refused_by_triton(faulty, probabilistic, device)
        yield "faulty package, strict chain runs", lambda: str(run_chain(faulty, Settings("strict"), device))

    yield "dtypes, faulty package", lambda: check_dtypes(faulty, device, torch.int64)
    yield "dtypes, repaired package", lambda: check_dtypes(repaired, device, torch.int32)
    for seed in range(sizes.seeds):
        for vocab_size in sizes.vocab_sizes:
            for dtype in (torch.float32, torch.bfloat16):
                name = f"samplers, seed {seed}, vocabulary {vocab_size}, {dtype}"
                yield (
                    name,
                    lambda s=seed, v=vocab_size, d=dtype: check_samplers(
                        repaired, device, s, sizes.num_reqs, v, d
                    ),
                )
        yield f"Eagle inputs, seed {seed}", lambda s=seed: check_eagle_preparation(repaired, device, s)
        for shape in sizes.chains:
            for method in ("strict", "probabilistic", "synthetic"):
                for kind, temperatures in (("greedy", (0.0,)), ("random", (0.7, 1.3)), ("mixed", (0.0, 1.0))):
                    settings = Settings(
                        method,
                        shape.num_reqs,
                        shape.num_steps,
                        shape.vocab_size,
                        shape.rounds,
                        temperatures,
                        seed=seed,
                    )
                    sizes_text = f"{shape.num_reqs} requests, {shape.num_steps} steps"
                    name = f"chain {method}, {kind}, {sizes_text}, seed {seed}"
                    yield name, lambda s=settings: str(run_chain(repaired, s, device))
    for seed in range(sizes.seeds):
        yield (
            f"distribution, seed {seed}",
            lambda s=seed: check_distribution(repaired, device, s, sizes.draws),
        )


def main(arguments: list[str] | None = None) -> int:
    """Run the checks; 0 when all pass."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--small", action="store_true", help="few and small runs")
    options = parser.parse_args(arguments)
    device = torch.device(options.device)
    name = torch.cuda.get_device_name() if device.type == "cuda" else "Triton's interpreter"
    print(f"torch {torch.__version__}, triton {triton.__version__}, {name}", flush=True)

    failed = total = 0
    with tempfile.TemporaryDirectory() as folder:
        for title, run in checks(SMALL if options.small else LARGE, device, Path(folder)):
            total += 1
            try:
                print(f"ok    {title}: {run()}", flush=True)
            except Exception as error:
                failed += 1
                print(f"FAIL  {title}: {type(error).__name__}: {error}", flush=True)
    print(f"{total - failed} of {total} checks passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
