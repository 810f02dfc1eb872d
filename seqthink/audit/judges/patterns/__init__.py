"""The table of known mistakes, language by language: a pattern of the tree each. Pure."""

from typing import Final

from seqthink.audit.judges.patterns import compiled, python, script, system
from seqthink.audit.judges.patterns.pattern import Pattern

PATTERNS: Final[tuple[Pattern, ...]] = (
    *python.PATTERNS, *script.PATTERNS, *compiled.GO, *compiled.RUST, *compiled.JAVA, *system.C, *system.BASH,
)  # fmt: skip
"""In the order in which findings are told."""

WITHOUT_RUFF: Final = python.WITHOUT_RUFF

__all__ = ["PATTERNS", "WITHOUT_RUFF", "Pattern"]
