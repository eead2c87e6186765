"""What a torch tensor, torch itself and its dtypes tell: attributes, sizes, flags, dtypes."""

from __future__ import annotations

from ..core.dtypes import BY_NAME
from . import rules
from .describe import computed, op, same, spell
from .ops import Default, DTypeOf, Each, Item, Like, Nothing, OneOf, Op, Other, Scalar, Sizes, When

_COUNTS = "numel nelement dim ndimension element_size data_ptr storage_offset get_device dense_dim"
_FLAGS = (
    "is_contiguous is_floating_point is_complex is_signed is_pinned is_shared is_conj is_neg is_inference "
    "is_same_size is_nonzero"
)
_FLAG_ATTRIBUTES = (
    "is_cuda is_cpu is_xpu is_meta is_sparse is_quantized is_leaf requires_grad is_mps is_nested"
)

OPS: tuple[Op, ...] = (
    op("Tensor.dtype", "self", DTypeOf(Like("self")), attribute=True),
    op("Tensor.shape", "self", Sizes("self"), attribute=True),
    op("Tensor.ndim Tensor.itemsize Tensor.nbytes", "self", Scalar("int"), attribute=True),
    op(spell(_FLAG_ATTRIBUTES, "Tensor"), "self", Scalar("bool"), attribute=True),
    op("Tensor.device", "self", Other("torch.device"), attribute=True),
    op("Tensor.layout", "self", Other("layout"), attribute=True),
    op("Tensor.T Tensor.mT Tensor.H Tensor.mH Tensor.data", "self", same("self"), attribute=True),
    op("Tensor.grad", "self", same("self"), attribute=True),
    op("Tensor.size", "self dim", When("dim", Scalar("int"), Sizes("self"))),
    op("Tensor.stride", "self dim", When("dim", Scalar("int"), Sizes("self"))),
    op(spell(_COUNTS, "Tensor"), "self", Scalar("int")),
    op("torch.numel", "input", Scalar("int")),
    op(spell(_FLAGS, "Tensor"), "self", Scalar("bool")),
    op(spell("is_floating_point is_complex is_signed is_nonzero is_conj", "torch"), "input", Scalar("bool")),
    op("torch.is_tensor", "obj", Scalar("bool")),
    op("Tensor.item", "self", Item("self")),
    op("Tensor.tolist", "self", Other("list")),
    op(spell("storage untyped_storage", "Tensor"), "self", Other("storage")),
    op("Tensor.__len__", "self", Scalar("int")),
    op("Tensor.record_stream Tensor.backward", "self", Nothing()),
    op("torch.autograd.grad", "outputs inputs", Each("inputs")),
    op("torch.promote_types", "type1 type2", DTypeOf(computed(rules.common, "type1 type2"))),
    op("torch.result_type", "tensor1 tensor2", DTypeOf(computed(rules.common, "tensor1 tensor2"))),
    op("torch.get_default_dtype", "", DTypeOf(Default())),
    op(
        "torch.get_autocast_dtype torch.get_autocast_gpu_dtype torch.get_autocast_cpu_dtype",
        "device_type",
        DTypeOf(OneOf(tuple(BY_NAME[n] for n in ("float16", "bfloat16", "float32", "float64")))),
    ),
    op("torch.can_cast", "from_ to", Scalar("bool")),
    op("torch.is_grad_enabled torch.is_inference_mode_enabled", "", Scalar("bool")),
    op("torch.finfo torch.iinfo", "type", Other("torch.limits")),
    op("torch.device", "type index", Other("torch.device")),
    op("torch.get_default_device", "", Other("torch.device")),
    op("torch.broadcast_shapes torch.Size", "*shapes", Other("sizes")),
    op("torch.manual_seed", "seed", Other("object")),
    op("torch.Generator torch.cuda.Stream torch.cuda.Event", "", Other("object")),
    op("torch.cuda.is_available torch.cuda.is_current_stream_capturing", "", Scalar("bool")),
    op("torch.cuda.current_device torch.cuda.device_count", "", Scalar("int")),
    op("torch.cuda.get_device_name", "device", Scalar("str")),
    op("torch.cuda.get_device_capability torch.cuda.get_device_properties", "device", Other("object")),
    op("torch.cuda.synchronize torch.cuda.set_device torch.cuda.empty_cache", "", Nothing()),
    op("torch.set_default_dtype torch.set_default_device", "d", Nothing()),
)
