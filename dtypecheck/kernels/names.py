"""Names of Triton's library, normalised, and names that kernels may use without importing them.

`tl.math.exp`, `triton.language.core.exp` and `tl.exp` are one operation; libdevice has many paths.
"""

from __future__ import annotations

BUILTINS = frozenset(
    ("len", "list", "range", "float", "int", "isinstance", "getattr", "hasattr", "print", "min", "max")
)
"""`CodeGenerator.builtin_namespace`."""

_TRANSPARENT = ("core", "standard", "random")

MATH = frozenset(
    [
        "umulhi",
        "exp",
        "exp2",
        "log",
        "log2",
        "cos",
        "sin",
        "sqrt",
        "sqrt_rn",
        "rsqrt",
        "abs",
        "fdiv",
        "div_rn",
        "erf",
        "floor",
        "ceil",
        "fma",
    ]
)
"""What `triton.language.math` holds."""


def canonical(name: str) -> str:
    """The one spelling of a dotted library name: "tl.load", "libdevice.exp", "triton.cdiv"."""
    if name.startswith("triton.language"):
        name = "tl" + name[len("triton.language") :]
    if name.startswith("builtins."):
        return name[len("builtins.") :]
    parts = name.split(".")
    if "libdevice" in parts:
        rest = parts[parts.index("libdevice") + 1 :]
        return ".".join(["libdevice", *rest])
    while len(parts) > 2 and parts[0] == "tl" and parts[1] in _TRANSPARENT:
        del parts[1]
    if len(parts) == 3 and parts[:2] == ["tl", "math"] and parts[2] in MATH:
        del parts[1]
    return ".".join(parts)
