"""Code with one known mistake each, and clean code: the fences of `tests/audit/defects` and `tests/audit/clean`.

The info string of a fence is the language, the line of the mistake and, where the piece is a file, its name. `⟪AKIA|…⟫`
stands for one word whose parts are joined here, so that no secret scanner reports the folder.
"""

import re
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from msgspec import Struct

from seqthink.audit.code.blocks import fenced_blocks
from seqthink.audit.code_units import CodeUnit
from seqthink.audit.review import JudgeCard
from tests.conftest import PROJECT

_AUDIT = PROJECT / "tests" / "audit"
_PIECES = re.compile(r"⟪([^⟫]*)⟫")


class Specimen(Struct, frozen=True):
    """A piece of code with a mistake on ``line``."""

    kind: str
    source: CodeUnit
    line: int
    name: str


@cache
def defects() -> dict[str, list[Specimen]]:
    """Return the specimens by kind."""
    return {path.stem: _specimens(path) for path in sorted((_AUDIT / "defects").glob("*.md"))}


def clean() -> list[CodeUnit]:
    """Return clean pieces, which should get no finding."""
    return [one.source for path in sorted((_AUDIT / "clean").glob("*.md")) for one in _specimens(path)]


def is_found(specimen: Specimen, card: JudgeCard) -> bool:
    """Return whether ``card`` has a finding on the line of the mistake."""
    return any(finding.line == specimen.line for finding in card.findings)


def _specimens(path: Path) -> list[Specimen]:
    text = path.read_text("utf-8")
    tokens = [token for token in MarkdownIt("commonmark").parse(text) if token.type == "fence"]
    found = list[Specimen]()
    for token, block in zip(tokens, fenced_blocks(text), strict=True):
        words = token.info.split()
        line = int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
        name = next((word for word in words[1:] if not word.isdigit()), "thought")
        code = _PIECES.sub(lambda match: match[1].replace("|", ""), block.text)
        source = CodeUnit(path=name, text=code, language=block.language)
        found.append(Specimen(path.stem, source, line, f"{path.stem}:{block.first_line}"))
    return found
