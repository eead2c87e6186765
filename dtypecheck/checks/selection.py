"""Which rules are on: names, prefixes and ALL against the registry.

The longer name wins, so `select = ["DT1"]` with `ignore = ["DT110"]` and the reverse both say what they look
like; of two equally long, `ignore` wins. DT001 and DT002 stay on whatever is selected: that a file was not
checked is never left out, unless it is ignored by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ..config.errors import ConfigError, did_you_mean
from ..config.globs import matcher
from ..config.settings import Settings
from ..core.diagnostics import Diagnostic
from .registry import BY_CODE, BY_SLUG, RULES, Rule, find_rule

ALWAYS = frozenset({"DT001", "DT002"})


@dataclass(frozen=True, slots=True)
class Selection:
    """The codes that are on, less those that are off for the files of some patterns."""

    codes: frozenset[str]
    off_by_path: tuple[tuple[Callable[[str], bool], frozenset[str]], ...] = ()
    notices: tuple[str, ...] = ()

    def is_on(self, code: str, path: str) -> bool:
        return code in self.codes and not any(code in off and match(path) for match, off in self.off_by_path)

    def keeps(self, finding: Diagnostic) -> bool:
        """Whether the finding's rule is on where the finding stands."""
        return self.is_on(finding.code, finding.primary.path)


def select_rules(settings: Settings) -> Selection:
    """The selection of a run; raises ConfigError for an unknown name in `select`."""
    wrong = _unknown(settings.select, settings.origin("select"))
    if wrong:
        raise ConfigError(*wrong)
    notices = _unknown(settings.ignore, settings.origin("ignore"))
    codes = frozenset(r.code for r in RULES if _is_on(r, settings.select, settings.ignore))
    by_path = []
    for entry in settings.per_file_ignores:
        notices += _unknown(entry.names, settings.origin("per-file-ignores"))
        off = frozenset(r.code for n in entry.names for r in covers(n))
        by_path.append((matcher([entry.pattern]), off))
    return Selection(codes, tuple(by_path), tuple(notices))


def covers(name: str) -> tuple[Rule, ...]:
    """The rules that a code, a slug, a prefix of a code, or ALL stands for; none for an unknown name."""
    if name.upper() == "ALL":
        return RULES
    exact = find_rule(name)
    if exact is not None:
        return (exact,)
    prefix = name.upper()
    is_prefix = len(prefix) >= 2 and prefix.startswith("DT")
    return tuple(r for r in RULES if is_prefix and r.code.startswith(prefix))


def rule_hint(name: str) -> str:
    """The nearest name of a rule, as the end of a message."""
    return did_you_mean(name, (*BY_CODE, *BY_SLUG, "ALL"))


def _unknown(names: Iterable[str], where: str) -> list[str]:
    return [f"{where}: unknown rule '{n}'{rule_hint(n)}" for n in names if not covers(n)]


def _is_on(rule: Rule, select: Sequence[str], ignore: Sequence[str]) -> bool:
    wanted = _specificity(rule, select)
    if not select and rule.level != "off":
        wanted = 0
    if rule.code in ALWAYS:
        wanted = max(wanted, 0)
    return wanted > _specificity(rule, ignore) if wanted >= 0 else False


def _specificity(rule: Rule, names: Iterable[str]) -> int:
    """How closely the closest of the names means this rule: -1 not at all, 0 by ALL, then the length."""
    lengths = [
        len(rule.code) if find_rule(n) else len(n) for n in names if n.upper() != "ALL" and rule in covers(n)
    ]
    return max(lengths, default=0 if any(n.upper() == "ALL" for n in names) else -1)
