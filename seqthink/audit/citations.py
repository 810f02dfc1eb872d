"""Where in the workspace the lines stand that were judged (gan-audit.md, "repo://path:start-end"). Pure."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Final
from urllib.parse import quote

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.review import JudgeCard
from seqthink.audit.unread import consecutive_runs, lines_read

MAX_CITATIONS: Final = 200


def citations(cards: Sequence[JudgeCard], files: Sequence[CodeUnit]) -> tuple[str, ...]:
    """Return what of ``files``, which are the workspace's, the judges of ``cards`` have read, in their order.

    What a diff would bring is not there yet, and a fence may show anything under a file's name: only what stands word
    for word in the file counts.
    """
    texts = {file.path: file.text.split("\n") for file in files}
    found = chain.from_iterable(
        _cited(card, texts.get(source.path), source) for card in cards for source in card.read_units
    )
    return tuple(islice(dict.fromkeys(found), MAX_CITATIONS))


def _cited(card: JudgeCard, file: Sequence[str] | None, source: CodeUnit) -> Iterator[str]:
    lines, shown = lines_read(source, card.unread), source.text.split("\n")
    if file is None or any(file[line - 1 : line] != [shown[line - source.first_line]] for line in lines):
        return
    place = f"repo://{re.sub(r'[^!-~]|%', lambda found: _quoted(found[0]), source.path)}"
    for first, last in consecutive_runs(lines):
        yield f"{place}:{first}-{last}"


def _quoted(letter: str) -> str:
    return letter if letter.isprintable() and letter not in " %" else quote(letter, safe="")
