"""The speculative-decoding package, on a machine without a GPU.

Every launch of the pipeline compiles to Triton IR with the repaired dtype, and the faulty one is refused. In
Triton's interpreter the repaired pipeline gives the numbers of the references. `gpu_chain.py` does the same
on a GPU.
"""

import ast
import itertools
import os
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
import torch
import triton

sys.path.insert(0, str(Path(__file__).resolve().parent))

import reference
from package import FIXTURE, Package, load_faulty, load_repaired
from toy_models import HIDDEN, ToyDraft, ToyTarget, toy_tables
from ttir import CompilationError, compile_launches, messages, refusal

CPU = torch.device("cpu")
LOOP_REFUSAL = "initial value for `i` is of type int64[], but the then block redefines it as int32[]"
TOKEN_REFUSAL = "Mismatched type for next_token between then block (int32) and else block (int64)"
EAGLE_TYPES = {
    "last_token_indices_ptr": "*i64",
    "eagle_input_ids_ptr": "*i32",
    "eagle_positions_ptr": "*i64",
    "eagle_query_start_loc_ptr": "*i32",
    "eagle_seq_lens_ptr": "*i32",
    "target_input_ids_ptr": "*i32",
    "target_positions_ptr": "*i64",
    "idx_mapping_ptr": "*i32",
    "last_sampled_ptr": "*i64",
    "next_prefill_tokens_ptr": "*i32",
    "num_sampled_ptr": "*i32",
    "num_rejected_ptr": "*i32",
    "query_start_loc_ptr": "*i32",
    "seq_lens_ptr": "*i32",
    "max_num_reqs": "i32",
}


@pytest.fixture(scope="module")
def faulty() -> Package:
    return load_faulty()


@pytest.fixture(scope="module")
def repaired(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return load_repaired(tmp_path_factory.mktemp("repaired"))


def run_pipeline(package: Package, method: str, with_drafts: bool, num_steps: int = 3) -> None:
    """One step of the model runner; call it within `compile_launches`, which runs no kernel."""
    target, draft = toy_tables(300, seed=0)
    config = package.model_runner.SpecDecodeConfig(
        max_num_reqs=5,
        max_num_tokens=32,
        max_model_len=64,
        vocab_size=300,
        hidden_size=HIDDEN,
        num_speculative_steps=num_steps,
        rejection_method=method,
        acceptance_rates=(0.5,) * num_steps,
    )
    runner = package.model_runner.ModelRunner(config, ToyTarget(target), CPU)
    runner.load(ToyDraft(draft))
    runner.states.add_request(3, [1, 2, 3], temperature=1.0, top_p=0.9, seed=5)
    runner.states.add_request(0, [4, 5])
    runner.states.apply()
    scheduled = package.input_batch.ScheduledRequest
    num_drafts = 2 if with_drafts else 0
    batch = runner.prepare_inputs([scheduled("a", 3, [1, 2, 3], 0, num_drafts), scheduled("b", 0, [4, 5], 0)])
    runner.step(batch)


def kernel_names() -> set[str]:
    """Every kernel of the package: a jit function that is named as one."""
    names = set()
    for path in FIXTURE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.endswith("_kernel"):
                names.add(node.name)
    return names


def test_every_kernel_compiles_as_it_is_launched(repaired: Package) -> None:
    with compile_launches() as launches:
        for method in ("strict", "probabilistic", "synthetic"):
            run_pipeline(repaired, method, with_drafts=True)
        run_pipeline(repaired, "strict", with_drafts=False)
    assert set(launches.types) == kernel_names()
    eagle = launches.types["_prepare_eagle_inputs_kernel"]
    assert all(types == EAGLE_TYPES | {"BLOCK_SIZE": "constexpr"} for types in eagle)


@pytest.mark.parametrize("method", ["strict", "synthetic"])
def test_the_faulty_package_compiles_with_the_sibling_methods(faulty: Package, method: str) -> None:
    with compile_launches():
        run_pipeline(faulty, method, with_drafts=True)


def test_the_faulty_chain_is_refused_at_the_eagle_launch(faulty: Package) -> None:
    with compile_launches() as launches, pytest.raises(CompilationError) as caught:
        run_pipeline(faulty, "probabilistic", with_drafts=True)
    assert LOOP_REFUSAL in messages(caught.value)
    assert list(launches.types)[-1] == "_prepare_eagle_inputs_kernel"
    types = launches.types["_prepare_eagle_inputs_kernel"][0]
    changed = {name: kind for name, kind in types.items() if EAGLE_TYPES.get(name, "constexpr") != kind}
    assert changed == {"num_sampled_ptr": "*i64", "num_rejected_ptr": "*i64"}


@pytest.mark.parametrize("logits", ["*fp16", "*bf16", "*fp32"])
def test_the_samplers_take_any_float_logits(repaired: Package, logits: str) -> None:
    with compile_launches() as launches:
        run_pipeline(repaired, "probabilistic", with_drafts=True)
    for module, name in (
        ("probabilistic_rejection_sampler", "_block_stats_kernel"),
        ("probabilistic_rejection_sampler", "_rejection_kernel"),
        ("probabilistic_rejection_sampler", "_resample_kernel"),
        ("gumbel", "_gumbel_sample_kernel"),
    ):
        types = dict(launches.types[name][0])
        for parameter in ("logits_ptr", "target_logits_ptr", "draft_logits_ptr"):
            if parameter in types:
                types[parameter] = logits
        constants = {"BLOCK_SIZE": 1024, "PADDED_BLOCKS": 4, "APPLY_TEMPERATURE": True, "IS_DRAFT": False}
        constants |= {parameter: 1 for parameter, kind in types.items() if kind == "constexpr"} | constants
        constants = {
            parameter: constants[parameter] for parameter, kind in types.items() if kind == "constexpr"
        }
        own = {parameter: kind for parameter, kind in types.items() if kind != "constexpr"}
        assert refusal(getattr(getattr(repaired, module), name), own, constants) is None


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param({}, None, id="as described"),
        pytest.param({"num_sampled_ptr": "*i64"}, None, id="num_sampled int64"),
        pytest.param({"num_rejected_ptr": "*i64"}, LOOP_REFUSAL, id="num_rejected int64"),
        pytest.param({"next_prefill_tokens_ptr": "*i64"}, TOKEN_REFUSAL, id="next_prefill_tokens int64"),
        pytest.param({"query_start_loc_ptr": "*i64"}, LOOP_REFUSAL, id="query_start_loc int64"),
        pytest.param({"last_sampled_ptr": "*i32"}, None, id="last_sampled int32"),
    ],
)
def test_verdicts_of_the_eagle_kernel(faulty: Package, changes: dict[str, str], expected: str | None) -> None:
    words = refusal(faulty.eagle._prepare_eagle_inputs_kernel, EAGLE_TYPES | changes, {"BLOCK_SIZE": 1024})
    if expected is None:
        assert words is None
    else:
        assert words is not None and expected in words


def test_staged_writes_take_three_dtypes_only(faulty: Package) -> None:
    for dtype in (torch.int32, torch.int64, torch.float32):
        assert faulty.buffers.StagedWriteBuffer(2, 3, dtype, CPU).gpu.dtype == dtype
    for dtype in (torch.int16, torch.float64, torch.bfloat16, torch.bool):
        with pytest.raises(ValueError, match="int32, int64 or float32"):
            faulty.buffers.StagedWriteBuffer(2, 3, dtype, CPU)


def test_dummy_batch(faulty: Package) -> None:
    buffers = faulty.input_batch.InputBuffers(4, 16, CPU)
    batch = faulty.input_batch.InputBatch.make_dummy(3, 8, buffers)
    assert batch.query_start_loc.tolist() == [0, 3, 6, 8]
    assert batch.seq_lens.tolist() == [3, 3, 2]
    assert batch.logits_indices.tolist() == [2, 5, 7]
    dtypes = {name: value.dtype for name, value in vars(batch).items() if isinstance(value, torch.Tensor)}
    int64_names = {"positions", "logits_indices"}
    assert dtypes == {name: torch.int64 if name in int64_names else torch.int32 for name in dtypes}
    assert len(dtypes) == 9


def test_top_p_keeps_the_likeliest_tokens(faulty: Package) -> None:
    logits = torch.tensor([[0.5, 0.3, 0.15, 0.05], [0.05, 0.15, 0.3, 0.5]]).log()
    cut = faulty.sampler.apply_top_p(logits, torch.tensor([0.7, 1.0]))
    assert torch.isinf(cut).tolist() == [[False, False, True, True], [False] * 4]


def test_the_exact_distribution_follows_the_target() -> None:
    generator = torch.Generator().manual_seed(1)
    p = torch.randn(3, 4, generator=generator, dtype=torch.float64).softmax(-1)
    q = torch.randn(2, 4, generator=generator, dtype=torch.float64).softmax(-1)
    outcomes = reference.outcome_distribution(p, q)
    assert sum(outcomes.values()) == pytest.approx(1.0)
    for token in range(4):
        assert sum(mass for key, mass in outcomes.items() if key[1] == token) == pytest.approx(
            float(p[0, token])
        )


def test_chi_square_tells_a_right_distribution_from_a_wrong_one() -> None:
    generator = torch.Generator().manual_seed(2)
    p = torch.tensor([0.4, 0.3, 0.2, 0.1])
    counts = torch.bincount(torch.multinomial(p, 20_000, replacement=True, generator=generator)).tolist()
    right, degrees = reference.chi_square(counts, (20_000 * p).tolist())
    assert right < reference.chi_square_threshold(degrees)
    wrong, degrees = reference.chi_square(counts, [20_000 * 0.25] * 4)
    assert wrong > reference.chi_square_threshold(degrees)


def test_reference_uniforms_are_uniform_and_streams_differ() -> None:
    values = reference.uniform(1234567890123, torch.arange(20_000))
    assert float(values.min()) > 0.0 and float(values.max()) < 1.0
    counts = torch.histc(values.to(torch.float32), bins=20, min=0.0, max=1.0).tolist()
    statistic, degrees = reference.chi_square(counts, [1000.0] * 20)
    assert statistic < reference.chi_square_threshold(degrees)
    seeds = {
        reference.stream_seed(7, 3, stream)
        for stream in (reference.TARGET, reference.DRAFT, reference.ACCEPT)
    }
    assert len(seeds) == 3


def in_subprocess(arguments: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=600,
    )


def version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".")[:2])


@pytest.mark.skipif(
    version(triton.__version__) < (3, 7) and version(numpy.__version__) >= (2, 4),
    reason="the interpreter of Triton 3.6 does not run with NumPy 2.4",
)
def test_the_repaired_chain_in_the_interpreter() -> None:
    script = str(Path(__file__).resolve().parent / "gpu_chain.py")
    result = in_subprocess(
        ["-W", "ignore::RuntimeWarning", script, "--device", "cpu", "--small"], TRITON_INTERPRET="1"
    )
    assert result.returncode == 0, result.stdout + result.stderr
    for method in ("strict", "probabilistic", "synthetic"):
        for kind in ("greedy", "random", "mixed"):
            assert f"ok    chain {method}, {kind}" in result.stdout


def test_the_package_imports_without_triton() -> None:
    program = f"""
import importlib.util
find_spec = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "triton" else find_spec(name, *rest)
import sys
sys.path.insert(0, {str(FIXTURE.parent)!r})
import spec_decode.model_runner
from spec_decode._triton import HAS_TRITON
from spec_decode.eagle import _prepare_eagle_inputs_kernel
assert not HAS_TRITON
try:
    _prepare_eagle_inputs_kernel[(1,)]()
except RuntimeError as error:
    print(error)
"""
    result = in_subprocess(["-c", program])
    assert result.returncode == 0, result.stderr
    assert "needs Triton" in result.stdout


def test_only_the_fault_is_marked() -> None:
    marked: set[tuple[str, str]] = set()
    for path in sorted(FIXTURE.glob("*.py")):
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
        for number, line in enumerate(lines):
            if line.startswith("# expect:"):
                after = itertools.dropwhile(lambda text: text.startswith("#"), lines[number:])
                marked.add((path.name, next(after)))
    assert marked == {("probabilistic_rejection_sampler.py", "num_sampled = sampled.new_empty(num_reqs)")}
