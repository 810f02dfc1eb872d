"""A feed of several files, with readers that take a line's number as the time of a fact."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import Fact, Prompt
from seqthink.sources.transcripts.files.jsonl_feed import JsonlFeed, TranscriptFile


class NumberReader:
    """Reads lines like ``17 text``."""

    def __init__(self, agent: str | None, counts: ReadCounts) -> None:
        self._agent = agent
        self._counts = counts

    def wants(self, line: bytes) -> bool:
        return not line.startswith(b"#")

    def read(self, line: bytes) -> Sequence[Fact]:
        time, _, text = line.decode().partition(" ")
        if not time.isdigit():
            self._counts.corrupt += 1
            return []
        return [Prompt(id=text, time=int(time), agent=self._agent, text=text)]

    def settle(self) -> Sequence[Fact]:
        return []


class NumberFiles:
    """All files of a folder; those whose name begins with ``fork`` after the main one."""

    def __init__(self, folder: Path, counts: ReadCounts) -> None:
        self._folder = folder
        self._counts = counts
        self._known: dict[Path, TranscriptFile] = {}

    def files(self) -> Iterable[TranscriptFile]:
        for path in sorted(self._folder.iterdir(), key=lambda path: (path.name != "main", path.name)):
            agent = None if path.name == "main" else path.name
            after = self._folder / "main" if path.name.startswith("fork") else None
            self._known.setdefault(path, TranscriptFile(path, NumberReader(agent, self._counts), after))
        return list(self._known.values())


def feed_of(folder: Path) -> JsonlFeed:
    return JsonlFeed(folder / "main", lambda counts: NumberFiles(folder, counts))


def times(facts: Iterable[Fact]) -> list[int]:
    return [fact.time for fact in facts]


def drain(feed: JsonlFeed, limit_bytes: int) -> list[Fact]:
    facts: list[Fact] = []
    while True:
        batch = feed.read(limit_bytes)
        facts += batch.facts
        if batch.at_end:
            return facts


def append(path: Path, lines: Iterable[str]) -> None:
    with path.open("a", encoding="utf-8") as out:
        out.writelines(f"{line}\n" for line in lines)


@pytest.mark.parametrize("limit_bytes", [1, 30, 100_000])
def test_the_facts_of_all_files_come_in_the_order_of_their_times(tmp_path: Path, limit_bytes: int) -> None:
    main, first, second = range(0, 300, 3), range(1, 300, 3), range(2, 150, 3)
    append(tmp_path / "main", (f"{time} m" for time in main))
    append(tmp_path / "a1", (f"{time} a" for time in first))
    append(tmp_path / "a2", (f"{time} b" for time in second))

    assert times(drain(feed_of(tmp_path), limit_bytes)) == sorted([*main, *first, *second])


def test_within_a_file_the_order_of_its_lines_stands(tmp_path: Path) -> None:
    append(tmp_path / "main", ["5 a", "4 b", "9 c"])
    append(tmp_path / "a1", ["6 d"])

    assert [fact.id for fact in drain(feed_of(tmp_path), 1000)] == ["a", "b", "d", "c"]


def test_files_that_appear_later_are_read_and_named(tmp_path: Path) -> None:
    append(tmp_path / "main", ["1 a", "# noise", "no number"])
    feed = feed_of(tmp_path)
    assert times(feed.read(1000).facts) == [1]
    assert feed.agent_files == []
    append(tmp_path / "a1", ["2 b"])
    append(tmp_path / "main", ["3 c"])
    batch = feed.read(1000)

    assert (times(batch.facts), batch.at_end, batch.restarted) == ([2, 3], True, False)
    assert feed.agent_files == [tmp_path / "a1"]
    assert feed.counts == ReadCounts(read=5, corrupt=1)
    assert feed.read(1000).facts == []


@pytest.mark.parametrize("limit_bytes", [1, 1000])
def test_a_file_that_comes_after_another_waits_for_its_end(tmp_path: Path, limit_bytes: int) -> None:
    append(tmp_path / "main", [f"{time} m" for time in range(10, 20)])
    append(tmp_path / "fork", ["1 f", "12 f"])
    facts = drain(feed_of(tmp_path), limit_bytes)

    assert len(facts) == 12
    if limit_bytes == 1:
        assert [fact.agent for fact in facts][-2:] == ["fork", "fork"]


def test_if_one_file_was_replaced_all_are_read_again(tmp_path: Path) -> None:
    append(tmp_path / "main", ["1 a", "5 b"])
    append(tmp_path / "a1", ["2 c", "3 d"])
    feed = feed_of(tmp_path)
    drain(feed, 1000)
    os.truncate(tmp_path / "a1", 4)
    batch = feed.read(1000)

    assert (times(batch.facts), batch.restarted) == ([1, 2, 5], True)
    assert feed.counts.read == 3


def test_an_agent_s_file_that_is_gone_does_not_stop_the_rest(tmp_path: Path) -> None:
    append(tmp_path / "main", ["1 a"])
    append(tmp_path / "a1", ["2 b"])
    feed = feed_of(tmp_path)
    drain(feed, 1000)
    (tmp_path / "a1").unlink()
    append(tmp_path / "main", ["3 c"])

    assert times(drain(feed, 1000)) == [3]


def test_a_session_whose_own_file_is_gone_cannot_be_read(tmp_path: Path) -> None:
    append(tmp_path / "main", ["1 a"])
    feed = feed_of(tmp_path)
    drain(feed, 1000)
    (tmp_path / "main").unlink()

    with pytest.raises(FileNotFoundError):
        feed.read(1000)
    feed.close()
    feed.close()
