"""Every rule there is: one row each. A code never changes its meaning; a family may grow.

A rule's page is `pages/CODE.md` beside this module. Predicates live with the families, not here.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..core.diagnostics import Severity

FAMILIES = {
    "DT0": "the checker itself",
    "DT1": "declared and inherited dtypes",
    "DT2": "what Triton refuses",
    "DT3": "what Triton takes and loses",
    "DT4": "the launch",
    "DT5": "cost",
}
"""The layer that speaks, by the first three characters of a code."""


@dataclass(frozen=True, slots=True)
class Rule:
    """`level` is "error", "warning" or "off": how the rule starts out, before any selection."""

    code: str
    slug: str
    level: str
    summary: str
    per_place: bool = False
    """One finding tells all that comes of one place, whichever kernels it reaches."""

    @property
    def family(self) -> str:
        return FAMILIES[self.code[:3]]

    @property
    def severity(self) -> Severity:
        """How its findings count once it is on; a rule that is off by default speaks as a warning."""
        return Severity.ERROR if self.level == "error" else Severity.WARNING


_ROWS = (
    ("DT001", "internal-error", "error", "the checker failed on one function; the rest was checked"),
    ("DT002", "invalid-syntax", "error", "a file does not parse or decode"),
    ("DT003", "unused-suppression", "warning", "a suppression comment that suppresses nothing"),
    ("DT004", "stale-rule", "warning", "a rules file names something that the project does not have"),
    ("DT101", "declared-argument", "error", "a launch argument breaks the contract declared in a rules file"),
    ("DT102", "declared-return", "error", "a function returns another dtype than declared"),
    ("DT103", "declared-field", "error", "an attribute or dataclass field gets another dtype than declared"),
    (
        "DT110",
        "divergent-dtype",
        "off",
        "paths that join give one value different dtypes, and it reaches a kernel",
        True,
    ),
    (
        "DT111",
        "inherited-dtype",
        "warning",
        "a buffer inherits its dtype, and the kernel stores another kind in it",
    ),
    ("DT201", "unstable-type", "error", "a kernel variable changes type across if, for or while"),
    ("DT202", "operand-dtypes", "error", "an operation whose operands' dtypes Triton refuses"),
    ("DT203", "unsupported-atomic", "error", "an atomic on a dtype that it does not take"),
    ("DT204", "pointer-misuse", "error", "a non-pointer dereferenced, or a pointer used as a number"),
    ("DT205", "unsupported-dtype", "error", "a dtype that Triton, or the target architecture, does not take"),
    ("DT206", "invalid-cast", "error", "a cast or bitcast that Triton refuses"),
    (
        "DT207",
        "annotation-override",
        "error",
        "an annotation on a kernel parameter that a caller's dtype contradicts",
    ),
    ("DT301", "narrowing-store", "warning", "a store or atomic that silently loses kind or width"),
    (
        "DT302",
        "half-accumulator",
        "off",
        "a sum computed in half, or a sum or a statistic kept in a half buffer by inheritance",
        True,
    ),
    ("DT303", "offset-overflow", "off", "an offset computed in 32 bits that can exceed them", True),
    ("DT304", "half-roundtrip", "warning", "fp16 to bf16 or back on the way to a pointer"),
    ("DT305", "storage-width", "error", "a pointer cast to another element width than the argument has"),
    (
        "DT306",
        "signedness-view",
        "off",
        "a view that changes signedness, widened in the kernel and then biased",
    ),
    ("DT307", "tf32-dot", "off", "a product of float32 matrices at the default precision, which is TF32", True),
    ("DT308", "bytes-as-numbers", "off", "an argument that is floating or uint8, and is converted by value"),
    ("DT401", "launch-arity", "error", "missing, extra, repeated or unknown arguments of a launch"),
    (
        "DT402",
        "launch-argument-kind",
        "error",
        "an argument that is no tensor, or no number, where the kernel needs one",
    ),
    ("DT403", "stride-order", "off", "the stride of one axis of a tensor, and the bound of another"),
    ("DT404", "dtype-free-key", "off", "a compiled kernel kept under a key without the dtypes it is for"),
    ("DT501", "recompilation", "off", "one kernel launched with different dtypes for one parameter"),
)

RULES: tuple[Rule, ...] = tuple(Rule(*row) for row in _ROWS)
"""All rules, by code."""

BY_CODE: dict[str, Rule] = {r.code: r for r in RULES}
BY_SLUG: dict[str, Rule] = {r.slug: r for r in RULES}


def find_rule(name: str) -> Rule | None:
    """The rule with this code or slug, in any case."""
    return BY_CODE.get(name.upper()) or BY_SLUG.get(name.lower())


def page(rule: Rule) -> str:
    """The rule's page in Markdown; where it has none yet, its heading and summary."""
    file = Path(__file__).with_name("pages") / f"{rule.code}.md"
    if file.is_file():
        return file.read_text("utf-8")
    return f"# {rule.code} {rule.slug}\n\n{rule.summary[0].upper()}{rule.summary[1:]}.\n"
