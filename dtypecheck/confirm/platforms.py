"""What a machine of the chosen target answers to questions like `is_hip()` and `IS_HOPPER`.

Such predicates lead into code that looks for devices; their names say enough.
"""

from __future__ import annotations

import re

_NVIDIA = re.compile(r"(is|has|on|use)_?(cuda|nvidia|cuda_alike|cuda_available|nvidia_gpu)")
_AMD = re.compile(
    r"(is|has|on|use)_?(hip|amd|rocm|rocm_available|amd_gpu|cdna|cdna\d|gfx9\w*|mi300|mi350|fp8_fnuz)"
)
_OTHER = re.compile(
    r"(is|has|on|use)_?(xpu|intel|intel_gpu|intel_alchemist|cpu|npu|ascend|musa|mthreads|metax|maca|iluvatar|gcu|mlu|tpu|"
    r"hpu|out_of_tree|rdna|rdna\d|navi|gfx1\w*|interpreter|interpret)"
)
_TRITON = re.compile(r"has_triton|has_triton_\w+|triton_available|is_triton_available|is_gpu|has_gpu")
_VENDORS = re.compile(r"hip|rocm|amd|xpu|intel|npu|musa|metax|iluvatar|mlu|cpu|mps|interpret", re.I)
_GENERATIONS = {"ampere": (80, 90), "ada": (89, 90), "hopper": (90, 100), "blackwell": (100, 130)}
_GENERATION = re.compile(
    rf"(?:is|has|on|use)_?(?:nvidia_|cuda_)?({'|'.join(_GENERATIONS)})(?:_or_newer|_plus)?"
)
_AT_LEAST = re.compile(
    r"(?:is|has|on)_?(?:nvidia_|cuda_)?sm_?(\d+)(?:_or_newer|_plus|_supported)?|is_(tma)_supported"
)


def answer(name: str, target: str) -> str | None:
    """What a predicate of this name gives on a target such as `cuda:90`, as code; None for other names."""
    vendor, _, arch = target.partition(":")
    owner, _, last = name.rpartition(".")
    if last == "fp8_dtype" and owner:
        return "torch.float8_e4m3fnuz" if target == "hip:gfx942" else "torch.float8_e4m3fn"
    if owner.endswith("version") and last in ("cuda", "hip"):
        return repr({"cuda": "12.8", "hip": "6.4"}[last]) if vendor == last else "None"
    if last == "get_device_capability":
        return f"({arch[:-1]}, {arch[-1]})" if vendor == "cuda" else "(9, 4)"
    if name == "torch.cuda.is_available":
        return "True"
    said = _said(last.lower().strip("_"), target)
    return None if said is None else str(said)


def is_elsewhere(test: str, target: str) -> bool:
    """Whether a condition that cannot be evaluated asks for another vendor's machine than the target."""
    found = _VENDORS.search(test)
    return found is not None and (found[0].lower() in ("hip", "rocm", "amd")) is not target.startswith("hip")


def _said(word: str, target: str) -> bool | None:
    vendor, _, arch = target.partition(":")
    number = int(arch) if vendor == "cuda" else 0
    if word in ("is_cuda_alike", "is_gpu", "has_gpu") or _TRITON.fullmatch(word):
        return True
    if _NVIDIA.fullmatch(word):
        return vendor == "cuda"
    if _AMD.fullmatch(word):
        return vendor == "hip"
    if _OTHER.fullmatch(word):
        return False
    generation = _GENERATION.fullmatch(word)
    if generation:
        first, end = _GENERATIONS[generation[1]]
        return first <= number and (number < end or word.endswith(("_or_newer", "_plus")))
    newer = _AT_LEAST.fullmatch(word)
    if newer:
        return number >= (90 if newer[2] else int(newer[1]))
    return None
