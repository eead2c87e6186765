"""What kernels accept, as JSON of version 1: every key always there; only `seconds` differs between runs."""

from __future__ import annotations

import json
from typing import Any

from .. import __version__
from ..core.acceptance import Inventory, KernelAcceptance, Parameter
from ..core.dtypes import DTypes, members
from ..core.spans import Place


def render(inventory: Inventory) -> str:
    """The inventory as indented JSON."""
    return json.dumps(document(inventory), indent=2, ensure_ascii=False) + "\n"


def document(inventory: Inventory) -> dict[str, Any]:
    """The inventory as plain values."""
    return {
        "version": 1,
        "tool": {"name": "dtypecheck", "version": __version__},
        "triton": list(inventory.releases),
        "target": list(inventory.targets),
        "kernels": [_kernel(k) for k in inventory.kernels],
        "seconds": round(inventory.seconds, 3),
    }


def _kernel(kernel: KernelAcceptance) -> dict[str, Any]:
    return {
        "kernel": kernel.key,
        **_place(kernel.place),
        "launches": [_place(p) for p in kernel.launches],
        "decided": not kernel.reason,
        "reason": kernel.reason or None,
        "parameters": [_parameter(p) for p in kernel.parameters],
    }


def _parameter(p: Parameter) -> dict[str, Any]:
    return {
        "name": p.name,
        "kind": p.takes.value,
        "strictly": p.strictly,
        "annotation": _names(p.forced)[0] if p.forced else None,
        "any": not p.restricted and not p.undecided,
        "accepts": _names(p.accepted),
        "refused": [
            {
                "dtype": _names(r.dtype)[0],
                "where": r.where or None,
                "triton_error": r.message,
                **_place(r.place),
            }
            for r in p.refused
        ],
        "undecided": _names(p.undecided),
        "reason": p.reason or None,
        "optional": p.optional,
        "unless": p.unless or None,
        "because": p.because or None,
        "same_as": p.same_as or None,
        "mixed_float8": p.mixed,
        "at_least": p.at_least or None,
        "depends_on": [
            {
                "parameter": d.other,
                "refused": [{"dtype": _names(a)[0], "beside": _names(b)[0]} for a, b in d.pairs],
            }
            for d in p.depends
        ],
        "gets": _names(p.gets),
    }


def _names(dtypes: DTypes) -> list[str]:
    return [d.name for d in members(dtypes)]


def _place(place: Place) -> dict[str, Any]:
    return {"path": place.path, "line": place.span.line, "column": place.span.column}
