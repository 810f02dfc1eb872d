"""Sessions that are one JSON document, as before April 2026, and are cut short or damaged."""

import json
from pathlib import Path

import pytest

from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.facts import Fact, Prompt, Reasoning, TurnEnded
from seqthink.sources.transcripts.gemini.source import GeminiSource
from tests.sources.transcripts.gemini.test_records import HEADER, SESSION, model, user

MESSAGES = [
    message
    for number in (1, 2, 3)
    for message in (
        user(f"u{number}", f"Q{number}"),
        model(f"t{number}", thoughts=[{"subject": "Hm", "description": f"R{number}"}]),
        model(f"m{number}", content=f"A{number}"),
    )
]
ALL = [text for number in (1, 2, 3) for text in (f"Q{number}", f"**Hm**\n\nR{number}", f"A{number}")]
DOCUMENT = json.dumps(HEADER | {"messages": MESSAGES}, indent=2).encode()
LINE = json.dumps(HEADER | {"messages": MESSAGES}, separators=(",", ":")).encode()
ZEROS = bytes(60)


def written(folder: Path, content: bytes) -> Path:
    path = folder / "tmp" / "work" / "chats" / f"session-2026-03-22T17-43-{SESSION[:8]}.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    return path


def texts(facts: list[Fact]) -> list[str]:
    return [fact.text for fact in facts if isinstance(fact, Prompt | Reasoning | TurnEnded)]


def at(text: bytes, document: bytes = DOCUMENT) -> int:
    return document.index(text)


@pytest.mark.parametrize(
    ("content", "whole", "damaged"),
    [
        (DOCUMENT[: at(b'"A2"')], ALL[:5], 1),
        (LINE[: at(b'"A2"', LINE)], ALL[:5], 1),
        (DOCUMENT[: at(b'"messages"')], [], 1),
        (DOCUMENT[: at(b"Q2")] + ZEROS + DOCUMENT[at(b"Q2") + 60 :], [*ALL[:3], *ALL[5:]], 1),
        (DOCUMENT.replace(b'"Q1"', b"Q1").replace(b'"A3"', b"A3"), ALL[1:8], 2),
        (ZEROS + DOCUMENT[60:], ALL, 1),
        (ZEROS + LINE[60:], ALL, 1),
        (DOCUMENT + ZEROS, ALL, 1),
        (DOCUMENT + DOCUMENT, ALL, 1),
        (b"\xef\xbb\xbf" + DOCUMENT, ALL, 0),
        (DOCUMENT.replace(b"\n", b"\r\n"), ALL, 0),
    ],
    ids=[
        *("cut", "cut line", "cut head", "zeros in the middle", "two messages"),
        *("zeros first", "zeros first in a line", "zeros last", "twice", "byte order mark", "carriage returns"),
    ],
)
def test_of_a_damaged_document_what_is_whole_is_shown_and_the_damage_is_counted(
    tmp_path: Path, content: bytes, whole: list[str], damaged: int
) -> None:
    path = written(tmp_path, content)
    source = GeminiSource()
    (found,) = source.find(tmp_path, 10)
    feed = source.open(found)

    shown = texts(list(feed.read(1 << 20).facts))
    assert shown == whole
    assert feed.counts.corrupt == damaged
    assert found.id in {SESSION, SESSION[:8]}
    assert source.recognises(path, content)


def test_a_document_of_nothing_but_zeros_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, ZEROS)
    budget = Budget()

    assert GeminiSource(budget).find(tmp_path, 10) == []
    assert any(path.name in words for words in budget.left_out)
