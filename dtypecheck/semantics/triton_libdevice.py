"""The signatures of `tl.extra.cuda.libdevice` (identical in Triton 3.6.0 and 3.9.0), and what HIP has of it.

Generated from the installed module by `tests/kernels/generate_libdevice.py`. Each row gives the accepted
argument types, the result, and the functions that share them. A call matches one tuple of types exactly;
nothing is converted (`extern_elementwise`).
"""

from __future__ import annotations

ROWS: tuple[tuple[str, str], ...] = (
    ("int32>int32; int64>int32", "clz popc ffs"),
    ("int32,int32,int32>int32", "byte_perm"),
    ("int32,int32>int32; uint32,uint32>uint32; int64,int64>int64; uint64,uint64>uint64", "mulhi"),
    ("int32,int32>int32; uint32,uint32>uint32", "mul24 hadd rhadd"),
    ("int32>int32; int64>int64", "brev"),
    ("int32,int32,uint32>int32; uint32,uint32,uint32>uint32", "sad"),
    ("int32>int32; int64>int64; fp32>fp32; fp64>fp64", "abs"),
    (
        "fp32>fp32; fp64>fp64",
        "floor rsqrt exp2 rcp_rn rcp_rz rcp_rd rcp_ru sqrt_rn sqrt_rz sqrt_rd sqrt_ru sqrt rint nearbyint "
        "sin "
        "cos sinpi cospi tan log2 exp exp10 cosh sinh tanh atan asin acos log log10 log1p acosh asinh atanh "
        "expm1 cbrt rcbrt j0 j1 y0 y1 cyl_bessel_i0 cyl_bessel_i1 erf erfinv erfc erfcx erfcinv normcdfinv "
        "normcdf lgamma tgamma round logb",
    ),
    ("fp64>fp64", "rcp64h"),
    ("fp64>fp64; fp32>fp32", "ceil trunc"),
    (
        "fp32>fp32",
        "saturatef fast_sinf fast_cosf fast_log2f fast_logf fast_expf fast_tanf fast_exp10f fast_log10f "
        "rsqrt_rn",
    ),
    ("fp32,fp32,fp32>fp32; fp64,fp64,fp64>fp64", "fma_rn fma_rz fma_rd fma_ru norm3d rnorm3d fma"),
    ("fp32,fp32>fp32", "fast_dividef fast_powf"),
    (
        "fp32,fp32>fp32; fp64,fp64>fp64",
        "div_rn div_rz div_rd div_ru sub_rn sub_rz sub_rd sub_ru copysign nextafter atan2 hypot rhypot fmod "
        "remainder fdim",
    ),
    ("fp64,fp64>fp64; fp32,fp32>fp32", "add_rn add_rz add_rd add_ru mul_rn mul_rz mul_rd mul_ru"),
    ("fp64>fp32", "double2float_rn double2float_rz double2float_rd double2float_ru"),
    (
        "fp64>int32",
        "double2int_rn double2int_rz double2int_rd double2int_ru double2uint_rn double2uint_rz "
        "double2uint_rd "
        "double2uint_ru double2loint double2hiint isfinited",
    ),
    ("int32>fp64", "int2double_rn"),
    ("uint32>fp64", "uint2double_rn"),
    (
        "fp32>int32",
        "float2int_rn float2int_rz float2int_rd float2int_ru float2uint_rn float2uint_rz float2uint_rd "
        "float2uint_ru float_as_int float_as_uint finitef",
    ),
    ("int32>fp32", "int2float_rn int2float_rz int2float_rd int2float_ru int_as_float"),
    ("uint32>fp32", "uint2float_rn uint2float_rz uint2float_rd uint2float_ru uint_as_float"),
    ("int32,int32>fp64", "hiloint2double"),
    (
        "fp32>int64",
        "float2ll_rn float2ll_rz float2ll_rd float2ll_ru float2ull_rn float2ull_rz float2ull_rd float2ull_ru",
    ),
    (
        "fp64>int64",
        "double2ll_rn double2ll_rz double2ll_rd double2ll_ru double2ull_rn double2ull_rz double2ull_rd "
        "double2ull_ru double_as_longlong",
    ),
    ("int64>fp32", "ll2float_rn ll2float_rz ll2float_rd ll2float_ru"),
    ("uint64>fp32", "ull2float_rn ull2float_rz ull2float_rd ull2float_ru"),
    ("int64>fp64", "ll2double_rn ll2double_rz ll2double_rd ll2double_ru longlong_as_double"),
    ("uint64>fp64", "ull2double_rn ull2double_rz ull2double_rd ull2double_ru"),
    ("fp32>int64; fp64>int64", "llrint llround"),
    ("fp32>int32; fp64>int32", "isnan signbit isinf ilogb"),
    ("fp32,fp32,fp32,fp32>fp32; fp64,fp64,fp64,fp64>fp64", "norm4d rnorm4d"),
    ("int32,fp32>fp32; int32,fp64>fp64", "yn jn"),
    ("fp32,int32>fp32; fp64,int32>fp64", "ldexp scalbn"),
    ("fp32,int32>fp32; fp64,int32>fp64; fp32,fp32>fp32; fp64,fp64>fp64", "pow"),
)
"""(signatures "a,b>result; ...", function names)."""

BOOLEAN = frozenset(["isnan", "isinf", "isfinited", "finitef", "signbit"])
"""Functions whose result is then cast to int1."""


def _parse(signatures: str) -> dict[tuple[str, ...], str]:
    table: dict[tuple[str, ...], str] = {}
    for one in signatures.split("; "):
        arguments, _, result = one.partition(">")
        table[tuple(arguments.split(","))] = result
    return table


FUNCTIONS: dict[str, dict[tuple[str, ...], str]] = {
    name: table for signatures, names in ROWS for table in (_parse(signatures),) for name in names.split()
}
"""Function -> argument types -> result type."""

HIP_ALONE: dict[str, dict[tuple[str, ...], str]] = {"fast_tanhf": {("fp32",): "fp32"}}
"""What only `tl.extra.hip.libdevice` has."""

_HIP = (
    "abs acos acosh asin asinh atan atan2 atanh ceil copysign cos cosh cyl_bessel_i0 cyl_bessel_i1 erf "
    "erfc erfcx erfinv exp exp2 expm1 fast_dividef fast_expf floor fma fmod hypot ilogb isinf isnan j0 j1 "
    "ldexp lgamma llrint log log10 log1p log2 nearbyint nextafter pow round rsqrt signbit sin sinh sqrt "
    "tan tanh trunc y0 y1"
)
HIP = frozenset({*_HIP.split(), *HIP_ALONE})
"""What `tl.extra.hip.libdevice` has in both releases, with the same signatures."""


def signatures(name: str, target: str) -> dict[tuple[str, ...], str] | None:
    """The argument types that a function takes on a target, with its result; None where it is not there.

    Any other target than "cuda:..." and "hip:..." has what some target has.
    """
    if target.startswith("hip") and name not in HIP:
        return None
    found = FUNCTIONS.get(name)
    return HIP_ALONE.get(name) if found is None and not target.startswith("cuda") else found
