"""Libraries that are not installed where the oracle runs: what their own sources and documentation say.

Every row names its source. Only what holds for each release and device that the source speaks of is
written down; anything else stays without a description.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..core.dtypes import BY_NAME
from .describe import BOOL, INT32, INT64, given, like, op, same, spell
from .ops import Fixed, Itself, Op, Other, Several, Tensor, Test, When

_FLOAT32 = Fixed(BY_NAME["float32"])
_BUFFER = "deep_ep.Buffer"
_SAMPLING = "flashinfer flashinfer.sampling"


@dataclass(frozen=True, slots=True)
class Documented:
    """Operations and where it stands what they give."""

    source: str
    ops: tuple[Op, ...]


def _sampled(word: str, params: str) -> Op:
    """int32 samples, or the dtype of `indices`; `return_valid` adds a flag for each."""
    samples = When("indices", like("indices"), Tensor(INT32))
    both = Several((samples, Tensor(BOOL)))
    outcome = When("return_valid", both, samples, Test.TRUE)
    names = spell(word, *_SAMPLING.split())
    return op(names, f"{params} indices deterministic generator check_nan seed offset return_valid", outcome)


_FP8 = Several(
    (
        Tensor(Fixed(BY_NAME["float8_e4m3fn"])),
        When("use_ue8m0", Tensor(INT32), Tensor(_FLOAT32), Test.TRUE),
    )
)
_RECEIVED = When("use_fp8", When("use_fp8", _FP8, Tensor(Fixed(BY_NAME["bfloat16"])), Test.TRUE), _FP8)
"""`use_fp8` is true where it is not given; where it stands among the positions, releases do not agree."""

DOCUMENTED: tuple[Documented, ...] = (
    Documented(
        "flashinfer 0.7, flashinfer/sampling.py: the samples are int32, or of the dtype of `indices`",
        (
            _sampled("sampling_from_probs", "probs"),
            _sampled("top_p_sampling_from_probs", "probs top_p"),
            _sampled("top_k_sampling_from_probs", "probs top_k"),
            _sampled("min_p_sampling_from_probs", "probs min_p"),
            op(
                spell("sampling_from_logits", *_SAMPLING.split()),
                "logits indices",
                When("indices", like("indices"), Tensor(INT32)),
            ),
            op(
                spell("top_k_top_p_sampling_from_probs top_k_top_p_sampling_from_logits", *_SAMPLING.split()),
                "probs top_k top_p indices",
                When("indices", like("indices"), Tensor(INT32)),
            ),
        ),
    ),
    Documented(
        "flashinfer 0.7, flashinfer/topk.py: values of the input's dtype, int64 indices",
        (op("flashinfer.top_k flashinfer.topk.top_k", "input k", Several((like("input"), Tensor(INT64)))),),
    ),
    Documented(
        "flashinfer 0.7, flashinfer/norm: a result that is not given is made like the input",
        (
            op(
                spell("rmsnorm gemma_rmsnorm", "flashinfer", "flashinfer.norm"),
                "input weight eps",
                like("input"),
                out=True,
            ),
            op(
                "flashinfer.gated_residual_rmsnorm flashinfer.norm.gated_residual_rmsnorm",
                "branch residual weight",
                like("residual"),
                out=True,
            ),
        ),
    ),
    Documented(
        "fast-hadamard-transform 1.1, csrc/fast_hadamard_transform.cpp: `out` is made like `x`",
        (op("fast_hadamard_transform.hadamard_transform", "x scale", like("x")),),
    ),
    Documented(
        "DeepGEMM, csrc/apis/attention.hpp: logits have `logits_dtype`, float32 by default",
        (
            op(spell("fp8_mqa_logits fp8_paged_mqa_logits", "deep_gemm"), "q", Tensor(_FLOAT32)),
            op(
                "deep_gemm.fp8_fp4_mqa_logits",
                "q kv weights cu_seq_len_k_start cu_seq_len_k_end clean_logits max_seqlen_k logits_dtype",
                Tensor(given(_FLOAT32, "logits_dtype")),
            ),
            op(
                "deep_gemm.fp8_fp4_paged_mqa_logits",
                "q kv_cache weights context_lens block_table schedule_meta max_context_len clean_logits "
                "logits_dtype",
                Tensor(given(_FLOAT32, "logits_dtype")),
            ),
        ),
    ),
    Documented(
        "DeepEP 1.2, deep_ep/buffer.py: what each method of Buffer returns",
        (
            op(_BUFFER, "group", Other(_BUFFER)),
            op(
                f"{_BUFFER}.get_dispatch_layout",
                "topk_idx num_experts",
                Several((Tensor(INT32), Other("optional"), Tensor(INT32), Tensor(BOOL), Other("event"))),
            ),
            op(
                f"{_BUFFER}.dispatch",
                "x handle num_tokens_per_rank num_tokens_per_rdma_rank is_token_in_rank "
                "num_tokens_per_expert topk_idx topk_weights",
                Several(
                    (
                        Itself("x"),
                        Itself("topk_idx"),
                        Itself("topk_weights"),
                        *map(Other, ("list", "handle", "event")),
                    )
                ),
            ),
            op(
                f"{_BUFFER}.combine",
                "x handle topk_weights",
                Several((like("x"), Itself("topk_weights"), Other("event"))),
            ),
            op(
                f"{_BUFFER}.low_latency_dispatch",
                "x topk_idx num_max_dispatch_tokens_per_rank num_experts *more use_fp8 use_ue8m0",
                When(
                    "more",
                    Other("positions"),
                    Several((_RECEIVED, Tensor(INT32), *map(Other, ("handle", "event", "hook")))),
                ),
            ),
            op(
                f"{_BUFFER}.low_latency_combine",
                "x topk_idx topk_weights handle",
                Several((like("x"), Other("event"), Other("hook"))),
            ),
        ),
    ),
    Documented(
        "vLLM, csrc/cuda_view.cu, and vllm-xpu-kernels after it: a view with the options of the CPU tensor",
        (
            op(
                spell("get_cuda_view_from_cpu_tensor get_xpu_view_from_cpu_tensor", "torch.ops._C"),
                "cpu_tensor",
                same("cpu_tensor"),
            ),
        ),
    ),
    Documented(
        "torch_npu and torch_musa, as `Tensor.cuda`: a copy on the device",
        (op("Tensor.npu Tensor.musa", "self device", same("self")),),
    ),
)

OPS: tuple[Op, ...] = tuple(one for row in DOCUMENTED for one in row.ops)
