"""What the internal judge looked for in the code that it read, for the summary of a review. Pure."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

_NAMES: Final = {
    "javascript": "JavaScript", "typescript": "TypeScript", "tsx": "TSX", "csharp": "C#", "cpp": "C++", "php": "PHP",
    "sql": "SQL", "html": "HTML", "css": "CSS", "json": "JSON", "yaml": "YAML", "toml": "TOML", "bash": "shell",
    "dockerfile": "Dockerfiles",
}  # fmt: skip
"""Names of languages that are not the grammar's name with a capital."""


class LookedFor(Struct, frozen=True):
    """What was looked for in one unit."""

    language: str
    """The name of its grammar."""
    has_syntax: bool
    """Whether broken syntax would have been found; not in a piece of a file."""
    rule_count: int = 0
    """How many rules were loaded for it."""
    has_ruff: bool = False
    """Whether ruff judged it, too."""


def looked_for_phrase(units: Iterable[LookedFor]) -> str:
    """Return in words what was looked for in all ``units``, secrets last; "" without any."""
    by_language: dict[str, LookedFor] = {}
    for unit in units:
        before = by_language.get(unit.language, unit)
        by_language[unit.language] = LookedFor(
            unit.language,
            unit.has_syntax or before.has_syntax,
            max(unit.rule_count, before.rule_count),
            unit.has_ruff or before.has_ruff,
        )
    phrases = [f"{what} for {_name(language)}" for language, unit in by_language.items() if (what := _what(unit))]
    return f"{'; '.join(phrases)}; secrets" if phrases else ""


def _what(unit: LookedFor) -> str:
    rules = f"{unit.rule_count} rule{'s' * (unit.rule_count != 1)}" if unit.rule_count else ""
    parts = [part for part in ("syntax" if unit.has_syntax else "", rules, "ruff" if unit.has_ruff else "") if part]
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def _name(language: str) -> str:
    return _NAMES.get(language, language.capitalize())
