"""Notes from an engine: each once, in order, and only what is one."""

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from seqthink.journal.notes_file import MAX_NOTE_BYTES, NotesFile
from seqthink.share.shipping import note_receiver
from seqthink.share.shipping.note_receiver import NoteOptions, NoteReceiver
from seqthink.share.shipping.waiting import Stop
from seqthink.sources.fleet.engine import SentNote
from tests.support.fleet.memory_origin import MemoryOrigin
from tests.support.fleet.running_shipper import wait_until

TIME = "2026-11-24T12:00:00Z"


def sent(number: int, text: str = "look at the pool", session: str = "one", note_id: str = "") -> SentNote:
    return SentNote(f"{number}-0", session, note_id or f"{number:016x}", TIME, text, "ana@desk", "")


def trust_all(_note: SentNote) -> str | None:
    return None


class Receiving:
    """A receiver in its thread, on an engine in memory."""

    def __init__(self, folder: Path, trust: Callable[[SentNote], str | None] = trust_all, after: str = "0-0") -> None:
        self.engine, self.reports, self.stop = MemoryOrigin(), list[str](), Stop()
        self.folder = folder
        (folder / "one.jsonl").touch()
        options = NoteOptions(folder, trust)
        self.receiver = NoteReceiver(lambda: self.engine, options, self.reports.append, self.stop, lambda: 0.0, after)

    def take(self, *notes: SentNote) -> list[str]:
        """Let notes come, and return the texts in the session's file."""
        self.engine.sent += notes
        self.receiver.start()
        wait_until(lambda: self.receiver.after == notes[-1].entry or self.receiver.refusal)
        self.receiver.end()
        self.stop.close()
        return [note.text for note in NotesFile(self.folder / "one.notes.jsonl").read_new()]


def test_notes_come_once_and_in_order(tmp_path: Path) -> None:
    texts = Receiving(tmp_path).take(sent(1, "first"), sent(2, "second"), sent(3, "first again", note_id=f"{1:016x}"))

    assert texts == ["first", "second"]


def test_a_note_to_one_agent_stays_one(tmp_path: Path) -> None:
    Receiving(tmp_path).take(sent(1)._replace(agent="b"), sent(2), sent(3)._replace(agent="b" * 301))

    notes = NotesFile(tmp_path / "one.notes.jsonl").read_new()
    assert [(note.id, note.agent) for note in notes] == [(f"{1:016x}", "b"), (f"{2:016x}", "")]


def test_what_is_in_the_notes_or_in_the_journal_is_not_delivered_again(tmp_path: Path) -> None:
    journaled = f'{{"v":1,"seq":3,"type":"note","id":"{1:016x}","text":"first"}}\n'
    receiving = Receiving(tmp_path)
    (tmp_path / "one.jsonl").write_text(journaled, encoding="utf-8")

    assert receiving.take(sent(1, "first"), sent(2, "second")) == ["second"]


@pytest.mark.parametrize(
    ("note", "reason"),
    [
        (sent(1, session="../one"), "it is not a note"),
        (sent(1, session="nobody"), "there is no such session here"),
        (sent(1, note_id="0123"), "it is not a note"),
        (sent(1, text="  \x1b\n "), "it has no text"),
        (sent(1, text="x" * (MAX_NOTE_BYTES + 1)), "it is too long"),
        (sent(1, text="é" * MAX_NOTE_BYTES), "it is too long"),
    ],
)
def test_what_is_no_note_is_dropped_and_said(note: SentNote, reason: str, tmp_path: Path) -> None:
    receiving = Receiving(tmp_path)

    assert receiving.take(note, sent(2, "good")) == ["good"]
    assert receiving.reports == [f"a note was dropped: {reason}"]


def test_what_is_not_signed_is_dropped_and_counted_without_a_flood(tmp_path: Path) -> None:
    receiving = Receiving(tmp_path, lambda note: None if note.mac else "it is not signed")

    assert receiving.take(*(sent(number) for number in range(1, 26))) == []
    assert receiving.reports == ["a note was dropped: it is not signed", "10 notes were dropped: it is not signed"]
    assert receiving.receiver.dropped["it is not signed"] == 25


def test_a_full_disk_keeps_a_note_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append, failures = note_receiver.append_note, [errno.ENOSPC, errno.ENOSPC]

    def full_twice(*arguments: object) -> None:
        if failures:
            raise OSError(failures.pop(), "No space left on device")
        append(*arguments)  # pyright: ignore[reportArgumentType] - whatever it is called with

    monkeypatch.setattr(note_receiver, "append_note", full_twice)
    monkeypatch.setattr(note_receiver, "_WAIT_SECONDS", 0.01)
    receiving = Receiving(tmp_path)

    assert receiving.take(sent(1, "first"), sent(2, "second")) == ["first", "second"]
    assert receiving.reports[0] == "notes wait, they cannot be written: no space left on device"


def test_a_link_in_place_of_the_file_is_not_followed(tmp_path: Path) -> None:
    receiving = Receiving(tmp_path)
    target = tmp_path / "elsewhere"
    (tmp_path / "one.notes.jsonl").symlink_to(target)

    receiving.take(sent(1))

    assert not target.exists()
    assert "its file cannot be written" in receiving.reports[0]


def test_an_engine_that_refuses_ends_the_shipper(tmp_path: Path) -> None:
    receiving = Receiving(tmp_path)
    receiving.engine.refusal = "this user may not read notes"

    receiving.take(sent(1))

    assert receiving.stop.is_set
    assert str(receiving.receiver.refusal) == "this user may not read notes"
