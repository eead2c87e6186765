"""Host code that runs on a CPU: what to import, and statements that lead it to its launches.

The statements see the module as `m`, `torch`, shorthands that make tensors, and `mod(name)`, which gives a
module beside `m`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:
    import tomli as tomllib

TENSORS = """
def f32(*size): return torch.rand(size)
def f16(*size): return torch.rand(size).half()
def b16(*size): return torch.rand(size).bfloat16()
def i32(*size): return torch.zeros(size, dtype=torch.int32)
def i64(*size): return torch.zeros(size, dtype=torch.int64)
"""


@dataclass(frozen=True, slots=True)
class Program:
    """`root` is the project; `module` is imported, then each of `calls` is run, whether or not others fail."""

    name: str
    root: Path
    module: str
    calls: tuple[str, ...]


RELEASED: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "liger-kernel-0.8.5": (
        ("liger_kernel.ops.rms_norm", (
            "m.LigerRMSNormFunction.apply(f16(4, 8), f16(8), 1e-6)",
            "m.LigerRMSNormFunction.apply(b16(4, 8), f32(8), 1e-6, 0.0, 'gemma')",
            "x = f16(4, 8).requires_grad_(); m.LigerRMSNormFunction.apply(x, f16(8).requires_grad_(), 1e-6).sum().backward()",
        )),
        ("liger_kernel.ops.layer_norm", (
            "m.LigerLayerNormFunction.apply(b16(4, 8), b16(8), b16(8), 1e-5)",
            "x = f32(4, 8).requires_grad_(); m.LigerLayerNormFunction.apply(x, f32(8).requires_grad_(), f32(8), 1e-5).sum().backward()",
        )),
        ("liger_kernel.ops.swiglu", (
            "m.LigerSiLUMulFunction.apply(f16(4, 8), f16(4, 8))",
            "x = b16(4, 8).requires_grad_(); m.LigerSiLUMulFunction.apply(x, b16(4, 8).requires_grad_()).sum().backward()",
        )),
        ("liger_kernel.ops.geglu", ("m.LigerGELUMulFunction.apply(f32(4, 8), f32(4, 8))",)),
        ("liger_kernel.ops.cross_entropy", (
            "m.LigerCrossEntropyFunction.apply(b16(4, 8), i64(4), None)",
            "m.LigerCrossEntropyFunction.apply(f32(4, 8), i64(4), f32(8))",
        )),
        ("liger_kernel.ops.kl_div", ("m.LigerKLDivLossFunction.apply(f32(4, 8), f32(4, 8))",)),
        ("liger_kernel.ops.jsd", ("m.LigerJSDFunction.apply(f16(4, 8), f16(4, 8))",)),
        ("liger_kernel.ops.tvd", ("m.LigerTVDLossFunction.apply(b16(4, 8), b16(4, 8))",)),
        ("liger_kernel.ops.group_norm", ("m.LigerGroupNormFunction.apply(f16(2, 4, 8), f16(4), f16(4), 4, 2, 1e-5)",)),
        ("liger_kernel.ops.softmax", ("m.LigerSoftmaxFunction.apply(f16(4, 8))",)),
        ("liger_kernel.ops.rope", ("m.LigerRopeFunction.apply(f16(1, 2, 3, 8), f16(1, 2, 3, 8), f16(1, 3, 8), f16(1, 3, 8))",)),
        ("liger_kernel.ops.dyt", ("m.LigerDyTFunction.apply(f32(4, 8), f32(1), f32(8), f32(8))",)),
    ),
    "conch-triton-kernels-1.3": (
        ("conch.ops.normalization.rms_norm", ("m.rms_norm(f16(4, 8), f16(8), 1e-6)", "m.fused_add_rms_norm(b16(4, 8), b16(4, 8), b16(8), 1e-6)")),
        ("conch.ops.normalization.gemma_rms_norm", ("m.gemma_rms_norm(f16(4, 8), f16(8), 1e-6)",)),
        ("conch.ops.activation.silu_and_mul", ("m.silu_and_mul(f32(4, 8))",)),
        ("conch.ops.activation.gelu_tanh_and_mul", ("m.gelu_tanh_and_mul(b16(4, 8))",)),
        ("conch.ops.quantization.int8", ("m.scaled_int8_quant(f16(4, 8), f32(1))",)),
        ("conch.ops.vision.nms", ("m.nms(f32(4, 4), f32(4), 0.5)",)),
    ),
    "fla-core-0.6.0": (
        ("fla.modules.l2norm", ("m.l2norm(f16(2, 4, 8))", "x = f32(2, 4, 8).requires_grad_(); m.l2norm(x).sum().backward()")),
        ("fla.ops.utils.cumsum", (
            "m.chunk_local_cumsum(f32(1, 8, 2), 4)",
            "m.chunk_local_cumsum(b16(1, 8, 2, 16), 4, output_dtype=torch.float)",
            "m.chunk_global_cumsum(f16(1, 8, 2))",
        )),
        ("fla.modules.activations", ("m.swish(f16(4, 8))", "m.sigmoid(b16(4, 8))", "m.swiglu(f32(4, 8), f32(4, 8))")),
        ("fla.ops.utils.softmax", ("m.softmax(f16(4, 8))",)),
        ("fla.ops.gla.fused_recurrent", ("m.fused_recurrent_gla(f16(1, 4, 2, 16), f16(1, 4, 2, 16), f16(1, 4, 2, 16), f16(1, 4, 2, 16))",)),
        ("fla.ops.delta_rule.fused_recurrent", ("m.fused_recurrent_delta_rule(b16(1, 4, 2, 16), b16(1, 4, 2, 16), b16(1, 4, 2, 16), b16(1, 4, 2))",)),
        ("fla.ops.retention.fused_recurrent", ("m.fused_recurrent_retention(f32(1, 4, 2, 16), f32(1, 4, 2, 16), f32(1, 4, 2, 16))",)),
        ("fla.ops.simple_gla.chunk", ("m.chunk_simple_gla(f16(1, 64, 2, 16), f16(1, 64, 2, 16), f16(1, 64, 2, 16), f32(1, 64, 2))",)),
        ("fla.ops.gated_delta_rule.chunk", (
            "m.chunk_gated_delta_rule(b16(1, 64, 2, 16), b16(1, 64, 2, 16), b16(1, 64, 2, 16), f32(1, 64, 2), b16(1, 64, 2))",
        )),
    ),
    "vllm-0.20.0": (
        ("vllm.v1.worker.gpu.input_batch", (
            "m.prepare_prefill_inputs(i32(8), i32(2), i32(4), i32(3), i32(4, 16), i32(4), i32(4))",
            "m.prepare_pos_seq_lens(i32(2), i32(3), i32(4), i64(8), i32(4))",
            "m.get_num_sampled_and_rejected(i32(2), i32(2), i32(3), i32(2), i32(4))",
            "m.expand_idx_mapping(i32(2), 4, i32(3), 2)",
        )),
        ("vllm.v1.worker.gpu.sample.gumbel", (
            "m.apply_temperature(f32(2, 8), i32(2), f32(4))",
            "m.gumbel_sample(f32(2, 8), i32(2), f32(4), i64(4), i64(2), True)",
        )),
        ("vllm.v1.worker.gpu.sample.min_p", ("m.apply_min_p(f32(2, 8), i32(2), f32(4))",)),
        ("vllm.v1.worker.gpu.sample.logprob", ("m.compute_token_logprobs(b16(2, 8), i64(2, 3))", "m.compute_topk_logprobs(f32(2, 8), 2, i32(2))")),
        ("vllm.v1.worker.gpu.spec_decode.rejection_sampler", ("m.strict_rejection_sample(i64(4), i32(4), i32(3), 3)",)),
    ),
}  # fmt: skip


def released(key: str, root: Path) -> Iterator[Program]:
    """The programs of one package of the corpus, which lies at `root`."""
    for module, calls in RELEASED[key]:
        yield Program(f"{key} {module}", root, module, calls)


def cases(folder: Path) -> Iterator[Program]:
    """The programs of a folder of cases: each `case.toml` with a `[host]` says what to run."""
    for file in sorted(folder.glob("*/case.toml")):
        host = tomllib.loads(file.read_text("utf-8")).get("host")
        if host:
            module = host["module"].removesuffix(".py").replace("/", ".")
            yield Program(file.parent.name, file.parent, module, (host["setup"],))
