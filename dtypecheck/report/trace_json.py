"""The answer of `dtypecheck trace` as JSON of version 1: every key always there, nothing of the run itself.

Its schema is `trace_v1.schema.json`, beside this module.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .. import __version__
from ..core.diagnostics import Step
from ..core.spans import Place
from ..core.traces import Call, Condition, Said, Trace, Traced, Way
from .sources import Sources


def render(trace: Trace) -> str:
    """The answer as indented JSON."""
    return json.dumps(document(trace), indent=2, ensure_ascii=False) + "\n"


def document(trace: Trace) -> dict[str, Any]:
    """The answer as plain values."""
    sources = Sources(Path(trace.root))
    return {
        "version": 1,
        "tool": {"name": "dtypecheck", "version": __version__},
        "values": [_value(v, sources) for v in trace.values],
    }


def _value(value: Traced, sources: Sources) -> dict[str, Any]:
    return {
        "name": value.name,
        **_start(value.place),
        "source": sources.text(value.place),
        "ways": [_way(w, sources) for w in value.ways],
        "complete": not value.cut,
    }


def _way(way: Way, sources: Sources) -> dict[str, Any]:
    return {
        **_said(way.said),
        "callers": [[_call(c) for c in chain] for chain in way.callers],
        "when": [[_condition(c) for c in choices] for choices in way.when],
        "steps": [_step(s, sources) for s in way.steps],
    }


def _said(said: Said) -> dict[str, Any]:
    return {
        "kind": said.kind.value,
        "value": said.text,
        "dtypes": list(said.dtypes),
        "depends_on": [{"parameter": path, "function": function} for path, function in said.symbols],
        "reason": said.reason or None,
    }


def _call(call: Call) -> dict[str, Any]:
    return {"function": call.function, **_start(call.place)}


def _condition(choice: Condition) -> dict[str, Any]:
    place = _start(choice.place) if choice.place is not None else None
    return {"choice": choice.text, "outcome": choice.outcome, "place": place}


def _step(step: Step, sources: Sources) -> dict[str, Any]:
    source = sources.text(step.place)
    return {"role": step.role, **_start(step.place), "source": source, "dtype": step.dtype, "note": step.note}


def _start(place: Place) -> dict[str, Any]:
    return {"path": place.path, "line": place.span.line, "column": place.span.column}
