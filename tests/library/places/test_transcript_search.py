"""Looking for the transcript of a journal: what is read for it, and what is not."""

from pathlib import Path

from seqthink.journal.store import SessionFile
from seqthink.library.places.transcript_search import TranscriptSearch
from seqthink.sources.transcripts.call_keys import CallKeys
from tests.support.journals.build import JournalBuilder


class Calls:
    """Counts how often each transcript is read for its calls."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def __call__(self, path: Path) -> CallKeys | None:
        self.read.append(path.name)
        return None if path.name.startswith("busy") else CallKeys()


def transcript(name: str, changed: int, *, size: int = 10, source: str = "claude") -> SessionFile:
    moment = JournalBuilder().now.replace(year=2026, month=3, day=10, hour=15, minute=changed)
    return SessionFile(name, Path(name), size, moment, source)


def journal_file(folder: Path, name: str = "j", *, client: str = "claude-code", thoughts: int = 1) -> SessionFile:
    journal = JournalBuilder().session(client=client)
    for number in range(thoughts):
        journal.thought(f"t{number}", number + 1, 9)
    path = journal.write(folder / f"{name}.jsonl")
    return SessionFile(name, path, path.stat().st_size, journal.now)


def test_a_journal_without_a_transcript_costs_only_what_changed_since(tmp_path: Path) -> None:
    read = Calls()
    search, journal = TranscriptSearch(read, lambda _: 0), journal_file(tmp_path)
    listed = [transcript("a", 1), transcript("b", 2), transcript("of another client", 3, source="codex")]

    for grown in (1, 2, 3):
        assert search.look([journal._replace(size=grown)], listed) == []
    first = list(read.read)
    search.look([journal], [transcript("b", 4), transcript("a", 1)])
    search.look([journal], [transcript("b", 4), transcript("a", 1)])

    assert first == ["a", "b"]
    assert read.read == ["a", "b", "b"]


def test_a_transcript_is_read_once_for_all_journals(tmp_path: Path) -> None:
    read = Calls()
    journals = [journal_file(tmp_path, f"j{number}") for number in range(5)]

    TranscriptSearch(read, lambda _: 0).look(journals, [transcript("a", 1), transcript("b", 2)])

    assert sorted(read.read) == ["a", "b"]


def test_a_transcript_that_had_ended_before_the_call_is_not_read(tmp_path: Path) -> None:
    read, earlier = Calls(), transcript("a", 1)._replace(last=JournalBuilder().now.replace(year=2020))

    TranscriptSearch(read, lambda _: 0).look([journal_file(tmp_path)], [earlier])

    assert read.read == []


def test_a_transcript_that_began_after_the_call_is_not_read(tmp_path: Path) -> None:
    read = Calls()
    began = {"a": 1 << 62, "b": 0}

    TranscriptSearch(read, lambda path: began[path.stem]).look(
        [journal_file(tmp_path)], [transcript("a", 1), transcript("b", 2)]
    )

    assert read.read == ["b"]


def test_a_look_that_takes_long_is_continued_by_the_next(tmp_path: Path) -> None:
    read = Calls()
    search, journal = TranscriptSearch(read, lambda _: 0), journal_file(tmp_path)
    listed = [transcript(name, minute, size=40 << 20) for minute, name in enumerate("abcde")]

    counts: list[int] = []
    for _ in range(5):
        search.look([journal], listed)
        counts.append(len(read.read))

    assert counts[:3] == [1, 3, 5]  # the first frame waits for the first look
    assert not search.is_due
    assert sorted(read.read) == list("abcde")


def test_a_transcript_that_could_not_be_read_to_its_end_is_looked_at_again(tmp_path: Path) -> None:
    read = Calls()
    search, journal = TranscriptSearch(read, lambda _: 0), journal_file(tmp_path)

    for _ in range(3):
        search.look([journal], [transcript("busy", 1)])

    assert read.read == ["busy"] * 3


def test_a_journal_without_a_call_or_of_a_client_without_transcripts_is_not_looked_for(tmp_path: Path) -> None:
    read = Calls()
    journals = [journal_file(tmp_path, "empty", thoughts=0), journal_file(tmp_path, "cursor", client="cursor")]

    TranscriptSearch(read, lambda _: 0).look(journals, [transcript("a", 1)])

    assert read.read == []
