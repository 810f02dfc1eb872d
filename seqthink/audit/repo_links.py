"""Which lines of workspace files were judged, as ``repo://`` links (docs/audit.md, "Citations"). Pure."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Final
from urllib.parse import quote

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.review import JudgeCard
from seqthink.audit.unread_lines import consecutive_runs, lines_read

MAX_CITATIONS: Final = 200


def citations(cards: Sequence[JudgeCard], files: Sequence[CodeUnit]) -> tuple[str, ...]:
    """Return links to those lines of ``files`` that the judges of ``cards`` read, in the order of the cards.

    A line counts only if it is in the file word for word: a diff may add it, and a fence may show anything under a
    file's name.
    """
    texts = {file.path: file.text.split("\n") for file in files}
    links = chain.from_iterable(_cited(card, texts.get(unit.path), unit) for card in cards for unit in card.read_units)
    return tuple(islice(dict.fromkeys(links), MAX_CITATIONS))


def _cited(card: JudgeCard, file: Sequence[str] | None, unit: CodeUnit) -> Iterator[str]:
    lines, unit_lines = lines_read(unit, card.unread), unit.text.split("\n")
    if file is None or any(file[line - 1 : line] != [unit_lines[line - unit.first_line]] for line in lines):
        return
    url = f"repo://{re.sub(r'[^!-~]|%', lambda match: _quoted(match[0]), unit.path)}"
    for first, last in consecutive_runs(lines):
        yield f"{url}:{first}-{last}"


def _quoted(character: str) -> str:
    return character if character.isprintable() and character not in " %" else quote(character, safe="")
