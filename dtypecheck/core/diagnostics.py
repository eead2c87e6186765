"""Findings: what a rule says about the program, ready for any renderer.

Shapes follow the JSON of version 1. Text is data, never markup: renderers decide the layout.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, unique

from .claims import Claim
from .spans import Place


@unique
class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"
    """What Triton itself has refuted: shown, and not counted."""


@unique
class Certainty(Enum):
    PROVEN = "proven"
    """One alternative is refused whatever is not known may be."""
    POSSIBLE = "possible"
    """It depends on something that is not known; shown on request only."""


@unique
class Applicability(Enum):
    SAFE = "safe"
    """Nothing but the dtype that the finding names changes, and every use takes the new one."""
    UNSAFE = "unsafe"
    """Values, or other uses, may change."""
    DISPLAY = "display-only"
    """Meant to be read, not applied."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of `place` by `text`."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    applicability: Applicability
    title: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One station of a dtype's journey; `dtype` is a torch name, or "" where the step has none.

    `role` is "born", "flows", "launched" or "kernel"; in traces also "given", "lost", "cast", "stored",
    "returned", "passed" or "here".
    """

    place: Place
    role: str
    dtype: str
    note: str


@unique
class State(Enum):
    NOT_RUN = "not-run"
    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What Triton itself said: `by` names version and target, `evidence` holds its words."""

    state: State = State.NOT_RUN
    by: str = ""
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `primary` is the birth where the project holds it, else the launch.

    `actual` and `expected` are torch dtype names, sorted; empty where the rule is not about dtypes.
    `notes` are lines of context, each a (label, text) pair such as ("siblings", "...").
    """

    code: str
    slug: str
    severity: Severity
    certainty: Certainty
    message: str
    primary: Place
    kernel: str = ""
    parameter: str = ""
    actual: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()
    birth: Place | None = None
    launch: Place | None = None
    kernel_site: Place | None = None
    trace: tuple[Step, ...] = ()
    triton_error: str | None = None
    notes: tuple[tuple[str, str], ...] = ()
    fix: Fix | None = None
    verdict: Verdict = Verdict()
    claim: Claim | None = None
    """What can be tried with Triton itself; None where the finding is about no launch."""
    condition: str = ""
    """What a caller would have to provide; findings that rest on the same condition are told as one."""

    @property
    def order(self) -> tuple[object, ...]:
        """The total order of reports: path, line, column, code, then what tells twins apart."""
        span = self.primary.span
        return (
            self.primary.path,
            span.line,
            span.column,
            self.code,
            self.kernel,
            self.parameter,
            self.message,
            str(self.launch),
        )


@dataclass(frozen=True, slots=True)
class Stats:
    """What a run saw. Counts are of launches and of their tensor arguments, as resolved."""

    files: int = 0
    kernels: int = 0
    launches: int = 0
    launches_resolved: int = 0
    tensor_arguments: int = 0
    tensor_arguments_known: int = 0
    tensor_arguments_symbolic: int = 0
    launches_decided: int = 0
    unknown_reasons: dict[str, int] = field(default_factory=dict)
    """Why tensor arguments are not known: so many for each reason."""
    blinded_launches: dict[str, int] = field(default_factory=dict)
    """The same reasons: so many launches have an argument that is not known for it."""
    unresolved_launches: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Report:
    """All findings of one run, in order, and its statistics; `root` is an absolute path."""

    root: str
    findings: tuple[Diagnostic, ...]
    stats: Stats
    notices: tuple[str, ...] = ()
    """One-line remarks about the run itself (an unknown name in `--ignore`, an empty folder)."""
