"""Launches of slices on a GPU, on harmless arguments: one program, large buffers, indices that are zero.

On the device "cpu" the launches go through Triton's interpreter, where TRITON_INTERPRET is set.
"""

from __future__ import annotations

import sys
from typing import Any

from .arguments import Given, Tensor

ELEMENTS = 1 << 22
"""Elements before and behind the address that a kernel is given: offsets of either sign stay inside."""
SHOWN = 4096
"""Elements behind the address that are compared."""


def machine(device: str) -> dict[str, Any]:
    """What this interpreter has: Triton, and a GPU where launches are wanted (`device` is not "")."""
    import triton

    told = {
        "outcome": "taken",
        "triton": triton.__version__,
        "python": sys.version.split()[0],
        "gpu": "",
        "arch": 0,
    }
    if device == "cpu":
        told["gpu"] = "Triton's interpreter"
    elif device:
        import torch

        if torch.cuda.is_available():
            major, minor = torch.cuda.get_device_capability()
            told |= {"gpu": torch.cuda.get_device_name(), "arch": 10 * major + minor}
    return told


def launch(kernel: Any, given: Given, device: str) -> dict[str, Any]:
    """Runs one program of a kernel, and tells what it changed. Raises what Triton and the device raise."""
    import torch
    import triton

    if device != "cpu":
        triton.runtime.driver.reset_active()
        # Descriptors that a kernel makes itself lie in memory of the launch's own.
        triton.set_allocator(lambda size, _, __: torch.empty(size, dtype=torch.int8, device=device))
    torch.manual_seed(0)
    buffers: dict[str, Any] = {}
    values = {}
    for name, value in given.values.items():
        values[name] = _real(value, torch, device)
        if isinstance(value, Tensor):
            buffers[name] = values[name]
    before = {name: buffer[:SHOWN].clone() for name, buffer in buffers.items()}
    kernel[(1,)](**values)
    if device != "cpu":
        torch.cuda.synchronize()
    changed = {}
    for name, buffer in buffers.items():
        now = buffer[:SHOWN]
        different = (
            now.view(torch.uint8).view(SHOWN, -1) != before[name].view(torch.uint8).view(SHOWN, -1)
        ).any(1)
        where = different.nonzero().flatten()[:4].tolist()
        changed[name] = [[i, now[i].to(torch.float64).item()] for i in where]
    return {"outcome": "taken", "changed": changed}


def _real(value: Any, torch: Any, device: str) -> Any:
    """The argument itself: a tensor for what stands for one."""
    if isinstance(value, tuple):
        items = [_real(item, torch, device) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if hasattr(value, "block_shape"):
        from triton.tools.tensor_descriptor import TensorDescriptor

        return TensorDescriptor(
            _real(value.base, torch, device), value.shape, value.strides, value.block_shape
        )
    if not isinstance(value, Tensor):
        return value
    dtype = getattr(torch, value.dtype.name)
    if dtype.is_floating_point:
        return (torch.rand(2 * ELEMENTS, device=device) + 0.25).to(dtype)[ELEMENTS:]
    return torch.zeros(2 * ELEMENTS, dtype=dtype, device=device)[ELEMENTS:]
