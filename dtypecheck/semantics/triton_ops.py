"""Triton's library as data: each operation's names, parameters, and the rule that types it.

`rule` names one of the rules that `kernels.apply` implements; `detail` is what that rule needs to know of
this operation. Parameters read as in Python: `name`, `name=default`, `*rest`, `/` never, `*` before
keyword-only ones. Checked against Triton 3.6.0 and 3.9.0; `versions` limits an entry to one of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from .triton_promotion import MODERN
from .triton_types import FP32, FP64, INT32, INT64, UINT32, UINT64

REQUIRED = object()
"""The default of a parameter that has none."""


@dataclass(frozen=True, slots=True)
class Op:
    """`params` are (name, default) pairs; `rest` is the name of the star parameter; `positional` how many
    may be
    given by position."""

    name: str
    params: tuple[tuple[str, object], ...]
    rule: str
    detail: object = None
    rest: str = ""
    positional: int = 99
    names: frozenset[str] = field(default=frozenset())


_DEFAULTS = {"None": None, "True": True, "False": False, "''": "", "0": 0, "1": 1, "()": ()}


def _op(name: str, text: str, rule: str, detail: object) -> Op:
    params: list[tuple[str, object]] = []
    rest, positional = "", 99
    for word in text.split():
        key, eq, default = word.partition("=")
        if key == "*":
            positional = len(params)
        elif key.startswith("*"):
            rest, positional = key[1:], len(params)
        else:
            params.append((key, _DEFAULTS[default] if eq else REQUIRED))
    return Op(name, tuple(params), rule, detail, rest, positional, frozenset(p for p, _ in params))


_FLOAT = FP32 | FP64
_AXIS = "input axis=None keep_dims=False"
_ATOMIC = "pointer val mask=None sem=None scope=None"
_N = "n_rounds=None"

Row = tuple[str, str, str, object]

_COMMON: tuple[Row, ...] = (
    ("program_id num_programs", "axis", "fixed", INT32),
    ("arange", "start end", "arange", None),
    ("zeros", "shape dtype", "full", 0),
    ("full", "shape value dtype", "full", None),
    ("zeros_like", "input", "like", None),
    ("atomic_add", _ATOMIC, "atomic", "add"),
    ("atomic_max", _ATOMIC, "atomic", "max"),
    ("atomic_min", _ATOMIC, "atomic", "min"),
    ("atomic_and", _ATOMIC, "atomic", "and"),
    ("atomic_or", _ATOMIC, "atomic", "or"),
    ("atomic_xor", _ATOMIC, "atomic", "xor"),
    ("atomic_xchg", _ATOMIC, "atomic", "xchg"),
    ("atomic_cas", "pointer cmp val sem=None scope=None", "atomic_cas", None),
    ("exp exp2 log log2 cos sin sqrt rsqrt erf floor ceil", "x", "math", _FLOAT),
    ("sqrt_rn", "x", "math", FP32),
    ("sigmoid", "x", "sigmoid", None),
    ("softmax", "x dim=None keep_dims=None ieee_rounding=False", "softmax", None),
    ("abs", "x", "abs", None),
    ("minimum maximum", "x y propagate_nan=None", "extreme", None),
    ("clamp", "x min max propagate_nan=None", "clamp", None),
    ("fma", "x y z", "fma", None),
    ("umulhi", "x y", "checked", ("umulhi", INT32 | INT64 | UINT32 | UINT64)),
    ("div_rn", "x y", "checked", ("div_rn", FP32)),
    ("fdiv", "x y ieee_rounding=False approx=False", "fdiv", None),
    ("add", "x y sanitize_overflow=True", "operator", "+"),
    ("sub", "x y sanitize_overflow=True", "operator", "-"),
    ("mul", "x y sanitize_overflow=True", "operator", "*"),
    ("cdiv", "x div", "cdiv", None),
    ("swizzle2d", "i j size_i size_j size_g", "swizzle", None),
    ("where", "condition x y", "where", None),
    ("cast", "input dtype fp_downcast_rounding=None bitcast=False", "cast", None),
    ("reduce", "input axis combine_fn keep_dims=False", "reduce", None),
    ("associative_scan", "input axis combine_fn reverse=False", "scan", None),
    ("map_elementwise", "scalar_fn *args pack=1", "map", None),
    ("sum", _AXIS + " dtype=None", "reduction", "sum"),
    (
        "max min",
        "input axis=None return_indices=False return_indices_tie_break_left=True keep_dims=False",
        "extremum",
        None,
    ),
    ("argmax argmin", "input axis tie_break_left=True keep_dims=False", "argument", None),
    ("xor_sum", _AXIS, "reduction", "xor_sum"),
    ("reduce_or", "input axis=None keep_dims=False", "reduction", "reduce_or"),
    ("cumsum", "input axis=0 reverse=False dtype=None", "cumulative", "sum"),
    ("cumprod", "input axis=0 reverse=False dtype=None", "cumulative", "prod"),
    ("sort", "x dim=None descending=0", "sort", None),
    ("topk", "x k dim=None descending=True", "topk", None),
    ("bitonic_merge", "x dim=None descending=0", "sort", None),
    ("flip", "x dim=None", "sort", None),
    ("histogram", "input num_bins mask=None", "histogram", None),
    ("gather", "src index axis", "gather", None),
    ("join", "a b", "join", None),
    ("interleave", "a b", "interleave", None),
    ("split", "a", "split", None),
    ("cat", "input other can_reorder=False dim=0", "cat", None),
    ("reshape view", "input *shape can_reorder=False", "reshape", None),
    ("ravel", "x can_reorder=False", "ravel", None),
    ("broadcast", "input other", "broadcast", None),
    ("broadcast_to", "input *shape", "broadcast_to", None),
    ("expand_dims", "input axis", "expand_dims", None),
    ("permute trans", "input *dims", "permute", None),
    ("squeeze", "x dim", "squeeze", None),
    ("unsqueeze", "x dim", "expand_dims", None),
    ("item", "input", "item", None),
    ("multiple_of max_contiguous max_constancy", "input values", "same", None),
    ("expect_zero", "x mask", "same", None),
    ("to_tensor", "x", "to_tensor", None),
    ("assume", "cond", "assume", None),
    ("debug_barrier", "", "nothing", None),
    ("device_print print", "prefix *args hex=False", "nothing", None),
    ("static_print", "*values sep=None end=None file=None flush=None", "nothing", None),
    ("device_assert", "cond msg='' mask=None", "device_assert", None),
    ("static_assert", "cond msg=''", "static_assert", None),
    (
        "dot",
        "input other acc=None input_precision=None allow_tf32=None max_num_imprecise_acc=None out_dtype=None",
        "dot",
        None,
    ),
    (
        "dot_scaled",
        "lhs lhs_scale lhs_format rhs rhs_scale rhs_format acc=None fast_math=False lhs_k_pack=True "
        "rhs_k_pack=True "
        "out_dtype=None",
        "dot_scaled",
        None,
    ),
    ("inline_asm_elementwise", "asm constraints args dtype is_pure pack", "asm", None),
    ("make_tensor_descriptor", "base shape strides block_shape padding_option=''", "descriptor", None),
    ("load_tensor_descriptor", "desc offsets", "descriptor_load", None),
    ("store_tensor_descriptor", "desc offsets value", "descriptor_store", "store"),
    ("range", "arg1 arg2=None step=None num_stages=None loop_unroll_factor=None "
     "disallow_acc_multi_buffer=False "
     "flatten=False warp_specialize=False disable_licm=False", "range", False),
    ("static_range", "arg1 arg2=None step=None", "range", True),
    ("condition", "arg1 disable_licm=False", "same", None),
    ("constexpr", "value", "constexpr", None),
    ("pointer_type", "element_ty address_space='' const=False", "pointer_type", None),
    ("block_type", "element_ty shape", "block_type", None),
    ("tuple", "args", "tuple", None),
    ("randint", f"seed offset {_N}", "random", "randint"),
    ("randint4x", f"seed offset {_N}", "random", "randint4x"),
    ("rand randn", f"seed offset {_N}", "random", "rand"),
    ("rand4x randn4x", f"seed offsets {_N}", "random", "rand4x"),
    ("philox", f"seed c0 c1 c2 c3 {_N}", "philox", None),
    ("uint_to_uniform_float", "x", "uniform", None),
    ("pair_uniform_to_normal", "u1 u2", "normal", None),
)  # fmt: skip

_LEGACY: tuple[Row, ...] = (
    ("load", "pointer mask=None other=None boundary_check=() padding_option='' cache_modifier='' "
     "eviction_policy='' volatile=False", "load", None),
    ("store", "pointer value mask=None boundary_check=() cache_modifier='' eviction_policy=''", "store",
     None),
    ("make_block_ptr", "base shape strides offsets block_shape order", "block_pointer", None),
    ("advance", "base offsets", "advance", None),
)  # fmt: skip

_RECENT: tuple[Row, ...] = (
    (
        "load",
        "pointer mask=None other=None * cache_modifier='' eviction_policy='' volatile=False",
        "load",
        None,
    ),
    ("store", "pointer value mask=None * cache_modifier='' eviction_policy=''", "store", None),
    ("atomic_load", "pointer mask=None sem=None scope=None", "atomic_load", None),
    ("atomic_store", _ATOMIC, "atomic", "store"),
    ("atomic_poll", "pointer expected_value sem=None scope=None timeout_ns=None", "atomic_poll", None),
    ("make_block_ptr", "base shape strides offsets block_shape order", "removed", None),
    ("advance", "base offsets", "removed", None),
)

_BUILTINS: tuple[Row, ...] = (
    ("min", "*args propagate_nan=None", "builtin_extreme", "minimum"),
    ("max", "*args propagate_nan=None", "builtin_extreme", "maximum"),
    ("range", "arg1 arg2=None step=None", "range", False),
    ("print", "prefix *args hex=False", "nothing", None),
    ("int", "x", "number", int),
    ("float", "x", "number", float),
    ("len", "x", "len", None),
    ("isinstance", "x y", "isinstance", None),
    ("triton.cdiv", "x y", "constexpr_function", "cdiv"),
    ("triton.next_power_of_2", "n", "constexpr_function", "next_power_of_2"),
    ("tl._log2", "i", "constexpr_function", "log2"),
    ("tl.target_info.is_cuda", "", "is_cuda", None),
    ("tl.target_info.is_hip", "", "is_hip", None),
    ("tl.extra.cuda.gdc_wait tl.extra.cuda.gdc_launch_dependents", "", "nothing", None),
    ("tl.extra.cuda.globaltimer", "", "fixed", INT64),
    ("tl.extra.cuda.smid tl.extra.cuda.num_threads tl.extra.cuda.num_warps", "", "fixed", INT32),
)


def _rows(prefix: str, rows: tuple[Row, ...]) -> dict[str, Op]:
    return {
        prefix + n: _op(prefix + n, text, rule, detail)
        for names, text, rule, detail in rows
        for n in names.split()
    }


@cache
def operations(version: tuple[int, int]) -> dict[str, Op]:
    """Every operation known of one Triton version, by canonical name."""
    own = _RECENT if version >= MODERN else _LEGACY
    return _rows("tl.", _COMMON) | _rows("tl.", own) | _rows("", _BUILTINS)


TENSOR_METHODS = frozenset(
    [
        "to",
        "abs",
        "advance",
        "argmax",
        "argmin",
        "associative_scan",
        "atomic_add",
        "atomic_and",
        "atomic_cas",
        "atomic_load",
        "atomic_max",
        "atomic_min",
        "atomic_or",
        "atomic_poll",
        "atomic_store",
        "atomic_xchg",
        "atomic_xor",
        "broadcast_to",
        "cast",
        "cdiv",
        "ceil",
        "cos",
        "cumprod",
        "cumsum",
        "erf",
        "exp",
        "exp2",
        "expand_dims",
        "flip",
        "floor",
        "gather",
        "histogram",
        "item",
        "log",
        "log2",
        "logical_and",
        "logical_or",
        "max",
        "min",
        "permute",
        "ravel",
        "reduce",
        "reduce_or",
        "reshape",
        "rsqrt",
        "sigmoid",
        "sin",
        "softmax",
        "sort",
        "split",
        "sqrt",
        "sqrt_rn",
        "store",
        "sum",
        "trans",
        "view",
        "xor_sum",
    ]
)
"""Methods of `tl.tensor`; the first parameter of the function of the same name is the tensor."""

DESCRIPTOR_METHODS = frozenset(
    [
        "load",
        "store",
        "gather",
        "scatter",
        "atomic_add",
        "atomic_min",
        "atomic_max",
        "atomic_and",
        "atomic_or",
        "atomic_xor",
    ]
)

NOT_MODELLED = frozenset(
    [
        "PropagateNan",
        "TRITON_MAX_TENSOR_NUMEL",
        "aggregate_replace",
        "const",
        "constexpr_type",
        "core",
        "dtype",
        "extra",
        "math",
        "philox_impl",
        "random",
        "slice",
        "standard",
        "str_to_ty",
        "target_info",
        "tensor",
        "tensor_descriptor",
        "tensor_descriptor_type",
        "tuple_type",
        "void",
        "semantic",
        "pi32_t",
        "condition",
    ]
)
"""Names of `triton.language` that exist and that typing does not follow."""
