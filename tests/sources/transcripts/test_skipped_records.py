"""Records of a transcript that were left out are counted in the journal, and said wherever the session is shown."""

from collections.abc import Generator
from pathlib import Path

import pytest

from seqthink.chain.fold import fold
from seqthink.cli.journal_output import unread_messages
from seqthink.core.events import SkippedEvent
from seqthink.drawing.describe.unread import corrupt_lines, short_unread, unread_phrases
from seqthink.library.journal_texts import JournalTexts
from seqthink.library.live_session import load_journal
from seqthink.share.export.document import document
from seqthink.share.export.html import html
from seqthink.share.export.markdown import markdown
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import Prompt
from seqthink.sources.transcripts.imports.importing import Outcome
from seqthink.sources.transcripts.opencode.records import OpenCodeReader
from seqthink.sources.transcripts.opencode.rows import MessageRow, PartRow
from seqthink.sources.transcripts.registry import load_source
from seqthink.sources.transcripts.spool import Spool
from seqthink.sources.transcripts.translation import SessionNames, Translator
from tests.support.journals.build import JournalBuilder
from tests.support.journals.events_factory import Journal
from tests.support.transcripts.claude_lines import user
from tests.support.transcripts.imports import EARLY, events_of, import_all

STUB = b'{"parentUuid":null,"type":"user","uuid":"cut","message":{"role":"user","content":"los'
PROJECT = ".claude/projects/-home-ada"


def _transcript(home: Path, *damaged: bytes) -> Path:
    path = home / PROJECT / "aaaaaaaa-0000-4000-8000-000000000001.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\n".join([user("u0", None, "Why?"), *damaged, user("u1", "u0", "And now?"), b""]))
    return path


@pytest.fixture
def spool(tmp_path: Path) -> Generator[Spool]:
    _transcript(tmp_path, STUB, b"\0" * 9)
    source = load_source("claude")
    [found] = source.find(source.folder({}, tmp_path), 9)
    spool = Spool(source, found, tmp_path / "spool.jsonl")
    yield spool
    spool.close()


def _texts(spool: Spool) -> JournalTexts:
    spool.advance_to_end(EARLY, 1 << 20)
    return load_journal(spool.path)


def test_damage_of_a_transcript_is_said_by_show_in_exports_and_on_the_screen(spool: Spool) -> None:
    texts = _texts(spool)
    said = "2 records of the transcript could not be read"

    assert unread_messages(texts.session, texts.corrupt_lines) == [said]
    assert said in "".join(html(texts))
    assert f"Left out: {said}." in "".join(markdown(texts))
    assert (document(texts)["corrupt"], document(texts)["unread"]) == (2, 0)
    assert short_unread(texts.session) == ["2 records corrupt"]


def test_damage_that_comes_while_the_session_is_open_is_added(spool: Spool) -> None:
    before = _texts(spool).session.corrupt_count
    with spool.found.path.open("ab") as file:
        file.write(STUB + b"\n")
    after = _texts(spool).session.corrupt_count
    again = _texts(spool).session.corrupt_count

    assert (before, after, again) == (2, 3, 3)


def test_a_transcript_that_is_mended_is_counted_again(spool: Spool, tmp_path: Path) -> None:
    before = _texts(spool).session.corrupt_count
    _transcript(tmp_path, STUB)

    assert (before, _texts(spool).session.corrupt_count) == (2, 1)


def test_a_line_of_our_own_journal_that_is_left_out_of_a_joined_session_is_counted(
    spool: Spool, tmp_path: Path
) -> None:
    path = JournalBuilder().session().thought("One", 1, 2).write(tmp_path / "ours.jsonl")
    path.write_bytes(path.read_bytes() + b"no json\n")
    spool.attach([path])

    assert _texts(spool).session.corrupt_count == 3


def test_an_import_keeps_the_count_and_a_second_one_adds_nothing(tmp_path: Path) -> None:
    _transcript(tmp_path, STUB)
    folder = tmp_path / "kept"
    [first] = import_all(tmp_path, folder)
    [second] = import_all(tmp_path, folder)
    assert first.journal is not None
    counts = [event.corrupt for event in events_of(first.journal) if isinstance(event, SkippedEvent)]

    assert (first.outcome, second.outcome) == (Outcome.IMPORTED, Outcome.UNCHANGED)
    assert (counts, load_journal(first.journal).session.corrupt_count) == ([1], 1)


def test_the_newest_count_of_each_transcript_holds_at_every_place_of_a_replay() -> None:
    journal = Journal().skipped(corrupt=2, id="a").skipped(tooLong=3, id="b").skipped(corrupt=1, unknown=4, id="a")
    session = fold(event for event in journal.items if not isinstance(event, str))
    shown = [session.at(count) for count in range(len(journal.items) + 1)]

    assert [(at.corrupt_count, at.unknown_count) for at in shown] == [(0, 0), (2, 0), (5, 0), (4, 4)]
    assert [corrupt_lines(at) for at in shown] == [0] * 4


def test_lines_and_records_are_named_apart() -> None:
    journal = Journal().skipped(corrupt=2, unknown=1, id="a").unread()
    session = fold(event for event in journal.items if not isinstance(event, str))

    assert unread_phrases(session) == [
        "2 records of the transcript could not be read",
        "1 line of a newer version left out",
        "1 record of a newer client left out",
    ]
    assert short_unread(session) == ["2 records corrupt", "2 lines unknown"]


def test_nothing_is_counted_before_the_session_has_begun() -> None:
    translator = Translator(SessionNames("s", "claude", "s1", "Claude Code"))

    early = translator.note_skipped("s1", ReadCounts(corrupt=1))
    begun = translator.translate([Prompt(id="p", time=1, text="Why?")])
    drafts = [translator.note_skipped("s1", ReadCounts(corrupt=1)) for _ in range(2)]

    assert (early, [draft.kind for draft in begun]) == ([], ["session", "prompt"])
    assert [[(draft.kind, draft.fields) for draft in each] for each in drafts] == [
        [("skipped", {"corrupt": 1, "id": "s1"})],
        [],
    ]


def test_a_session_of_which_nothing_can_be_read_begins_with_what_was_left_out() -> None:
    translator = Translator(SessionNames("s", "claude", "s1", "Claude Code"))

    nothing = translator.note_skipped("s1", ReadCounts(), begins_at=7_000_000)
    drafts = translator.note_skipped("s1", ReadCounts(unknown=1), begins_at=7_000_000)

    assert (nothing, [(draft.kind, draft.time) for draft in drafts]) == (
        [],
        [("session", 7_000_000), ("skipped", 7_000_000)],
    )


def test_a_row_of_a_database_that_is_read_again_is_counted_once() -> None:
    counts = ReadCounts()
    reader = OpenCodeReader("root", counts)
    rows = [
        (MessageRow("m1", "root", 1, b"{"), [PartRow("p1", 1, b"{}")]),
        (MessageRow("m2", "root", 1, b'{"role":"oracle"}'), list[PartRow]()),
        (MessageRow("m3", "root", 1, b'{"role":"assistant"}'), [PartRow("p3", 1, b"["), PartRow("p4", 1, None)]),
    ]

    for row, parts in rows * 3:
        reader.take_message(row, parts)

    assert (counts.corrupt, counts.unknown, counts.too_long) == (2, 1, 1)
