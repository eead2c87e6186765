"""What an argument usually is where nothing tells: by its name, by its use, and by the draw.

Several draws are made where the first does not compile: a flag the other way, another dtype, another block.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..core.claims import Argument, Number, TritonType

_COUNTS = re.compile(
    r"idx|ind(ex|ices)|offs|cu_|seq|len|loc|table|slot|pos(?!t)|_ids?\b|ids?_|token|num_|count|lut|map|topk_i|start|end",
    re.I,
)
_MASK = re.compile(r"mask|flag|valid", re.I)
_STATISTIC = re.compile(r"scale|lse|sum|max|mean|rstd|var|acc|delta|^m$|^l$", re.I)
_FLAG = re.compile(
    r"^(is|has|use|do|with|enable|apply|return|causal|reverse|even|need|head_first)(_|$)|_flag$|"
    r"^[A-Z_]*(CAUSAL|TRANS|REVERSE|VARLEN|BIAS|EVEN)[A-Z_0-9]*$",
    re.I,
)
_REAL = re.compile(
    r"eps|scale|alpha|beta\d?$|theta|^p$|slope|temperature|clip|limit$|softcap|momentum|decay|^lr$|factor|dtype_(min|max)",
    re.I,
)
_DTYPE = re.compile(r"dtype(?!.*(min|max|size|bits|bytes|eps))|elem_type$|acc_type$|_ty$", re.I)
_WORD = re.compile(r"activation|mode|method|format|backend", re.I)
_FEW = re.compile(
    r"stages|warps|split|num_|group|^g$|^h$|^hq$|^n_|unroll|^nb|depth|steps?$|rank|ndim|topk|^k$", re.I
)
_BLOCK = re.compile(r"block|size|dim|head|^[A-Z]{1,2}$|tile|pow|pad|chunk|^B[A-Z]$|width|stride", re.I)


@dataclass(frozen=True, slots=True)
class Draw:
    """One way to choose what is not known."""

    floating: tuple[str, ...] = ("float16", "bfloat16", "float32")
    integer: tuple[str, ...] = ("int32", "int64")
    flag: bool = False
    block: int = 64
    few: int = 2
    by_name: bool = True
    """Whether names tell: `mean_ptr` is float32 in any case."""


DRAWS = (
    Draw(),
    Draw(flag=True),
    Draw(block=16),
    Draw(floating=("float32", "float16", "bfloat16")),
    Draw(floating=("float32", "float16", "bfloat16"), flag=True),
    Draw(floating=("bfloat16", "float16", "float32"), block=128, few=1),
    Draw(integer=("int64", "int32"), flag=True, block=32, few=4),
    Draw(flag=True, block=16, few=1),
)
"""The first is the likeliest; the others change one thing or two."""


def dtype(name: str, among: tuple[str, ...], draw: Draw) -> str:
    """The dtype of a tensor that may have any of these."""
    return next(iter(dtypes(name, among, draw)), among[0] if among else "float32")


def dtypes(name: str, among: tuple[str, ...], draw: Draw) -> tuple[str, ...]:
    """Those of these dtypes that a tensor of this name often has, likeliest first."""
    order = (*draw.floating, *draw.integer)
    if _STATISTIC.search(name) and draw.by_name:
        order = ("float32", *order)
    if _COUNTS.search(name):
        order = (*draw.integer, *draw.floating)
    if _MASK.search(name):
        order = ("bool", *order)
    return tuple(dict.fromkeys(d for d in (*order, "uint8", "int8") if d in among))


def number(kind: str, draw: Draw) -> bool | int | float | str:
    """The value of a number or text of a known kind."""
    if kind == "bool":
        return draw.flag
    if kind == "float":
        return 0.5
    return "none" if kind == "str" else 16


def constant(name: str, kind: str, draw: Draw) -> Argument:
    """A compile-time value: a flag, a size, a dtype..."""
    if kind == "bool" or (kind in ("", "int") and _FLAG.search(name)):
        return Number("bool", draw.flag)
    if kind == "float" or (not kind and _REAL.search(name)):
        return Number("float", 0.5)
    if kind in ("", "str") and "precision" in name.lower():
        return Number("str", "ieee")
    if kind == "str":
        return Number("str", "none")
    if not kind and _DTYPE.search(name):
        return TritonType("fp32")
    if not kind and _WORD.search(name):
        return Number("str", "none")
    if _FEW.search(name) and not _BLOCK.search(name):
        return Number("int", draw.few)
    return Number("int", draw.block)


def is_type(name: str) -> bool:
    """Whether a compile-time value of this name is a dtype."""
    return _DTYPE.search(name) is not None


def is_real(name: str) -> bool:
    """Whether a run-time number of this name is a float, as `eps` and `scale` are."""
    return _REAL.search(name) is not None
