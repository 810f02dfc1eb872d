"""What a crash leaves in a file: every whole record is kept, wherever the damage is."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import Fact, Prompt
from seqthink.sources.transcripts.files.damaged_lines import GluedRecord, whole_records
from seqthink.sources.transcripts.gemini.records import ChatReader
from seqthink.sources.transcripts.registry import load_source
from tests.sources.transcripts.codex import rollouts
from tests.support.depth import sized
from tests.support.transcripts import claude_lines
from tests.support.transcripts.claude_lines import line, user

CLAUDE = [user(f"u{number}", f"u{number - 1}" if number else None, f"Q{number}") for number in range(3)]
CODEX = [rollouts.event("user_message", message=f"Q{number}") for number in range(3)]
GEMINI = [json.dumps({"id": f"m{n}", "type": "user", "content": f"Q{n}"}).encode() for n in range(3)]


def read_claude(lines: Iterable[bytes], counts: ReadCounts) -> list[Fact]:
    return claude_lines.facts_of(lines, claude_lines.reader(counts=counts))


def read_codex(lines: Iterable[bytes], counts: ReadCounts) -> list[Fact]:
    return rollouts.facts_of([rollouts.meta(), *lines], counts=counts)


def read_gemini(lines: Iterable[bytes], counts: ReadCounts) -> list[Fact]:
    reader = ChatReader(counts)
    return [fact for each in lines for fact in reader.read(each)]


@pytest.mark.parametrize(
    ("records", "read"),
    [(CLAUDE, read_claude), (CODEX, read_codex), (GEMINI, read_gemini)],
    ids=["claude", "codex", "gemini"],
)
@pytest.mark.parametrize(
    "damage",
    [
        "glued to a stub",
        "glued to a stub with many parts",
        "no newline between",
        "NULs before",
        "NULs behind",
        "between two stubs",
        "no head",
        "other bytes",
    ],
)
def test_whole_records_are_kept_and_the_damaged_line_is_counted(
    records: list[bytes], read: Callable[[Iterable[bytes], ReadCounts], list[Fact]], damage: str
) -> None:
    counts = ReadCounts()
    lines, kept = damaged(damage, *records)

    facts = read(lines, counts)

    assert [fact.text for fact in facts if isinstance(fact, Prompt)] == kept
    assert counts.corrupt == 1


def damaged(damage: str, a: bytes, b: bytes, c: bytes) -> tuple[list[bytes], list[str]]:
    """Return three records with a damage, and the prompts that are left."""
    nuls = b"\0" * 700
    return {
        "glued to a stub": ([a, b[:-7] + c], ["Q0", "Q2"]),
        "glued to a stub with many parts": ([a, b[:-1] + b',"parts":[' + b'{"a":1},' * 600 + c], ["Q0", "Q2"]),
        "no newline between": ([a, b + c], ["Q0", "Q1", "Q2"]),
        "NULs before": ([a, nuls + b, c], ["Q0", "Q1", "Q2"]),
        "NULs behind": ([a, b + nuls, c], ["Q0", "Q1", "Q2"]),
        "between two stubs": ([a, b[:20] + nuls + b + c[:30]], ["Q0", "Q1"]),
        "no head": ([a[5:], b, c], ["Q1", "Q2"]),
        "other bytes": ([a, b"\xff\xfe" + b, c], ["Q0", "Q1", "Q2"]),
    }[damage]


def test_a_record_that_is_glued_to_one_of_no_use_is_not_passed_over_with_it() -> None:
    stub = line("file-history-snapshot", snapshot={"a": 1})[:-3]
    noise = b'{"type":"pr-link","sessionId":"111","prNu'
    counts = ReadCounts()

    facts = read_claude([noise + CLAUDE[0], stub + CLAUDE[1]], counts)

    assert [fact.text for fact in facts if isinstance(fact, Prompt)] == ["Q0", "Q1"]
    assert counts.corrupt == 2


@pytest.mark.parametrize("size", [1, 7, 64, 1000])
def test_a_record_that_is_glued_to_a_long_one_is_found_in_pieces_of_any_size(size: int) -> None:
    text = b'{"timestamp":"2026","type":"compacted","payload":{"message":"' + b"x" * 3000 + CODEX[0]
    glued = GluedRecord(b'{"timestamp":"', 1 << 20)
    for at in range(0, len(text), size):
        glued.take(text[at + 1 if at == 0 else at : at + size])

    assert glued.found() == [CODEX[0]]


def test_a_rollout_keeps_what_is_glued_to_a_torn_compaction(tmp_path: Path) -> None:
    folder = tmp_path / "sessions" / "2026" / "11" / "22"
    folder.mkdir(parents=True)
    torn = b'{"timestamp":"2026-11-22T17:39:00.000Z","type":"compacted","payload":{"message":"' + b"x" * 400_000
    path = folder / f"rollout-2026-11-22T17-39-00-{rollouts.THREAD}.jsonl"
    path.write_bytes(b"\n".join([rollouts.meta(), CODEX[0], torn + CODEX[1], CODEX[2], b""]))
    source = load_source("codex")
    [found] = source.find(tmp_path, 1)
    feed = source.open(found)

    facts = feed.read(1 << 30).facts

    assert [fact.text for fact in facts if isinstance(fact, Prompt)] == ["Q0", "Q1", "Q2"]
    assert feed.counts.corrupt == 1


def test_a_rollout_whose_first_line_is_damaged_is_listed_by_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "sessions" / "2026" / "11" / "22"
    folder.mkdir(parents=True)
    path = folder / f"rollout-2026-11-22T17-39-00-{rollouts.THREAD}.jsonl"
    path.write_bytes(b"\n".join([rollouts.meta()[:80], *CODEX, b""]))
    source = load_source("codex")
    [found] = source.find(tmp_path, 1)

    assert found.id == rollouts.THREAD
    assert source.recognises(path, path.read_bytes())
    assert source.sessions_in(path)[0].id == rollouts.THREAD
    assert [f.text for f in source.open(found).read(1 << 30).facts if isinstance(f, Prompt)] == ["Q0", "Q1", "Q2"]


def test_looking_for_records_in_a_line_ends() -> None:
    line = b'{"' * sized(30_000, 100_000)

    assert whole_records(line, lambda _: True) == []


def test_a_part_of_a_broken_record_is_no_record() -> None:
    def is_record(value: dict[str, Any]) -> bool:
        return "type" in value

    assert whole_records(b'{"type":"a","inner":{"x":1},"cut":{"type":"b"}', is_record) == [b'{"type":"b"}']


def test_a_last_line_without_its_newline_is_read_once_when_nothing_more_comes(tmp_path: Path) -> None:
    project = tmp_path / "-home-ada-work"
    project.mkdir()
    path = project / f"{claude_lines.SESSION}.jsonl"
    path.write_bytes(b"\n".join(CLAUDE[:2]))
    source = load_source("claude")
    [found] = source.find(tmp_path, 1)
    feed = source.open(found)
    first, settled, again = feed.read(1 << 20).facts, feed.settle(), feed.settle()
    path.write_bytes(path.read_bytes() + b"\n" + CLAUDE[2] + b"\n" + CLAUDE[0][:50])
    later = feed.read(1 << 20).facts
    torn = feed.counts.corrupt
    feed.settle()

    prompts = [[fact.text for fact in facts if isinstance(fact, Prompt)] for facts in (first, settled, again, later)]
    assert prompts == [["Q0"], ["Q1"], [], ["Q2"]]
    assert (torn, feed.counts.corrupt, feed.counts.read) == (0, 1, 4)


def test_a_torn_last_line_is_damaged_until_the_rest_of_it_comes(tmp_path: Path) -> None:
    project = tmp_path / "-home-ada-work"
    project.mkdir()
    path = project / f"{claude_lines.SESSION}.jsonl"
    path.write_bytes(CLAUDE[0] + b"\n" + CLAUDE[1][:-9])
    source = load_source("claude")
    [found] = source.find(tmp_path, 1)
    feed = source.open(found)
    feed.read(1 << 20)
    feed.settle()
    torn = feed.counts.corrupt
    path.write_bytes(CLAUDE[0] + b"\n" + CLAUDE[1] + b"\n")
    later = feed.read(1 << 20).facts

    assert [fact.text for fact in later if isinstance(fact, Prompt)] == ["Q1"]
    assert (torn, feed.counts.corrupt) == (1, 0)
