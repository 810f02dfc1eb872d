"""The file of notes beside a journal: what is read of it, what is never trusted, and how a viewer adds to it."""

import json
import os
import stat
import threading
from pathlib import Path

import pytest

from seqthink.journal.notes_file import MAX_NOTE_BYTES, Note, NotesFile, append_note, fit_note_text, read_note


def line(text: object = "t", number: int = 1, **more: object) -> bytes:
    return json.dumps({"v": 1, "id": f"{number:016x}", "time": "2026-03-10T14:05:00Z", "text": text, **more}).encode()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.notes.jsonl"


def texts(file: NotesFile) -> list[str]:
    return [note.text for note in file.read_new()]


def test_notes_come_once_and_in_the_order_of_the_file(path: Path) -> None:
    file = NotesFile(path)
    before = texts(file)
    path.write_bytes(line("b", 2) + b"\n" + line("a", 1) + b"\n")
    first, again = texts(file), texts(file)
    with path.open("ab") as end:
        end.write(line("c", 3) + b"\n")

    assert (before, first, again, texts(file)) == ([], ["b", "a"], [], ["c"])


def test_a_torn_last_line_is_waited_for(path: Path) -> None:
    whole = line("whole") + b"\n"
    file = NotesFile(path)
    path.write_bytes(whole[:20])
    torn = texts(file)
    path.write_bytes(whole)

    assert torn == []
    assert texts(file) == ["whole"]


@pytest.mark.parametrize(
    "garbage",
    [
        b"", b"{", b"[]", b"null", b"\xff\xfe", b"\0" * 10, b"[" * 100_000, line(5), line(None), line(" \x1b "),
        line(v=2), line(v=True), line(id="../../x"), line(id=7), line(id="0" * 17), b'{"v":1,"text":"t"}',
        b"1" * 5000, b"x" * 300_000,
    ],
    ids=lambda garbage: repr(garbage[:20]),
)  # fmt: skip
def test_a_line_that_is_no_note_is_left_out_and_the_next_is_read(garbage: bytes, path: Path) -> None:
    path.write_bytes(garbage + b"\n" + line("good") + b"\n")
    file = NotesFile(path)

    assert texts(file) + texts(file) + texts(file) == ["good"]


def test_a_file_that_is_replaced_or_shrinks_is_read_again(path: Path) -> None:
    file = NotesFile(path)
    path.write_bytes(line("first") + b"\n" + line("second", 2) + b"\n")
    first = texts(file)
    path.write_bytes(line("other") + b"\n")
    shrunk = texts(file)
    path.unlink()
    gone = texts(file)
    path.write_bytes(line("a new one, longer than the other was", 3) + b"\n" + line("x") + b"\n")

    assert (first, shrunk, gone) == (["first", "second"], ["other"], [])
    assert texts(file) == ["a new one, longer than the other was", "x"]


def test_more_than_one_look_can_take_is_read_by_and_by(path: Path) -> None:
    path.write_bytes(b"".join(line("x" * 10_000 + str(number), number) + b"\n" for number in range(40)))
    file = NotesFile(path)
    looks = [texts(file) for _ in range(5)]

    assert [text.lstrip("x") for look in looks for text in look] == [str(number) for number in range(40)]
    assert max(map(len, looks)) < 20


def test_a_link_a_pipe_and_what_belongs_to_others_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = path.with_name("target")
    target.write_bytes(line() + b"\n")
    path.symlink_to(target)
    link = NotesFile(path)
    by_link = texts(link)
    path.unlink()
    os.mkfifo(path)
    pipe = NotesFile(path)
    by_pipe = texts(pipe)
    path.unlink()
    target.rename(path)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    foreign = NotesFile(path)
    by_other = texts(foreign)

    assert by_link == by_pipe == by_other == []
    assert [link.refusal_reason, pipe.refusal_reason, foreign.refusal_reason] == [
        "it is a symbolic link",
        "it is not a file",
        "it belongs to another user",
    ]


def test_a_note_that_is_added_is_read_back_and_is_the_user_s_alone(path: Path) -> None:
    notes = [Note("0" * 16, "Wait\nfor „me“", "2026-03-10T14:05:00.000000Z"), Note("1" * 16, "目录", "")]
    for note in notes:
        append_note(path, note)

    assert NotesFile(path).read_new() == notes
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_note_after_a_torn_line_stands_on_a_line_of_its_own(path: Path) -> None:
    path.write_bytes(b'{"v":1,"torn')
    append_note(path, Note("0" * 16, "whole", ""))

    assert path.read_bytes().count(b"\n") == 2
    assert texts(NotesFile(path)) == ["whole"]


def test_a_viewer_writes_through_no_link(path: Path) -> None:
    target = path.with_name("target")
    target.touch()
    path.symlink_to(target)
    with pytest.raises(OSError, match="symbolic"):
        append_note(path, Note("0" * 16, "t", ""))

    assert target.read_bytes() == b""


def test_two_viewers_that_write_at_once_lose_nothing(path: Path) -> None:
    def write(viewer: int) -> None:
        for number in range(100):
            append_note(path, Note(f"{viewer}{number:015}", "x" * 2000, ""))

    threads = [threading.Thread(target=write, args=(viewer,)) for viewer in (1, 2)]
    for thread in threads:
        thread.start()
    file, found = NotesFile(path), list[str]()
    for thread in threads:
        thread.join()
    while news := file.read_new():
        found += [note.id for note in news]

    assert sorted(found) == [f"{viewer}{number:015}" for viewer in (1, 2) for number in range(100)]


@pytest.mark.parametrize(
    ("text", "fit"),
    [
        ("plain", "plain"),
        (" two\r\nlines\n", "two\nlines"),
        ("\x1b[31mred\x07\0", "[31mred"),
        ("a\tb\x9b", "a    b"),
        ("\u202eevil\u2066\ud800", "evil"),
        ("hid\U000e0041den", "hidden"),
        ("👩\u200d💻", "👩\u200d💻"),
    ],
)
def test_no_control_gets_into_a_note(text: str, fit: str) -> None:
    assert fit_note_text(text) == (fit, False)


def test_a_long_note_keeps_its_beginning() -> None:
    text, is_cut = fit_note_text("é" * 50_000)

    assert is_cut
    assert text == "é" * ((MAX_NOTE_BYTES - 3) // 2) + "…"
    note = read_note(line("x" * 100_000))
    assert note is not None
    assert len(note.text.encode()) == MAX_NOTE_BYTES
    assert note.is_cut
