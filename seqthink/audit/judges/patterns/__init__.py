"""All patterns of known mistakes, language by language. Pure."""

from typing import Final

from seqthink.audit.judges.patterns import go, java, python, rust, script, system
from seqthink.audit.judges.patterns.pattern import CodePattern

PATTERNS: Final[tuple[CodePattern, ...]] = (
    *python.PATTERNS, *script.PATTERNS, *go.PATTERNS, *rust.PATTERNS, *java.PATTERNS, *system.C, *system.BASH,
)  # fmt: skip
"""The order of the patterns is the order of the findings."""

WITHOUT_RUFF: Final = python.WITHOUT_RUFF

__all__ = ["PATTERNS", "WITHOUT_RUFF", "CodePattern"]
