"""Notes on their way to the agent: in the next thought's answer, once, in order, on both server paths."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from seqthink.core.events import NoteEvent
from seqthink.journal.decode import decode
from seqthink.journal.folder import notes_path
from seqthink.journal.notes_file import MAX_NOTE_BYTES, Note, append_note
from tests.journal.test_writer import disk_of
from tests.server.test_recorder import Session
from tests.support.servers.server_paths import FAST_PATH, SDK_PATH, SERVER_PATHS, call, lines
from tests.support.servers.warm_server import WarmServer
from tests.support.servers.wire import STATELESS_META, Message, Wire, events, journals, start, thought

VERSIONS: dict[str, Message | None] = {"handshake": None, "stateless": STATELESS_META}


def serve(folder: Path, warm: WarmServer, *arguments: str, **environ: str) -> Wire:
    environ = {"DISABLE_THOUGHT_LOGGING": "true", "SEQTHINK_JOURNAL_DIR": str(folder), **environ}
    return start(*arguments, warm=warm, environ=environ, keep_stderr=True)


def leave(folder: Path, *texts: str, first: int = 0) -> None:
    """Write notes to the only session there is."""
    for number, text in enumerate(texts, first):
        append_note(notes_path(journals(folder)[0]), Note(f"{number:016x}", text, "2026-03-10T14:05:00.000000Z"))


def noted(result: Message) -> list[str]:
    """Return the notes of an answer, which stand in its text and in its structure."""
    notes: list[str] = result.get("structuredContent", {}).get("notes", [])
    text, *beside = [item["text"] for item in result["content"]]
    assert beside == [f"Note from the user: {note}" for note in notes]
    assert result.get("isError") or json.loads(text) == result["structuredContent"]
    return notes


def codex(thread: str) -> Message:
    """Return what Codex sends with a call of a thread."""
    return {"threadId": thread, "sessionId": "root"}


@pytest.mark.parametrize("server_path", SERVER_PATHS)
def test_a_note_to_one_agent_comes_with_its_next_thought_and_others_with_any(
    server_path: str, warm: WarmServer, tmp_path: Path
) -> None:
    with serve(tmp_path, warm, *SERVER_PATHS[server_path]) as wire:
        wire.handshake()
        wire.call(thought(), meta=codex("root"))
        path = notes_path(journals(tmp_path)[0])
        for number, (text, agent) in enumerate([("b alone", "b"), ("never", "nobody"), ("any", ""), ("b again", "b")]):
            append_note(path, Note(f"{number:016x}", text, "", agent=agent))
        got = [wire.call(thought(number=number), meta=codex(agent)) for number, agent in enumerate("aabb", 2)]
        leave(tmp_path, "later", first=9)
        last = wire.call(thought(number=9), meta=codex("a"))

    assert [noted(result) for result in (*got, last)] == [["any"], [], ["b alone", "b again"], [], ["later"]]
    journal = events(journals(tmp_path)[0])
    assert journal[0]["agentNotes"] is True
    carriers = {event["seq"]: event.get("agent") for event in journal if event["type"] == "thought"}
    assert [(note["text"], note.get("agent"), carriers[note["of"]]) for note in delivered(tmp_path)] == [
        ("any", None, "a"),
        ("b alone", "b", "b"),
        ("b again", "b", "b"),
        ("later", None, "a"),
    ]


def test_a_note_to_one_agent_waits_through_a_resume_and_comes_once(warm: WarmServer, tmp_path: Path) -> None:
    with serve(tmp_path, warm) as wire:
        wire.handshake()
        wire.call(thought(), meta=codex("b"))
    append_note(notes_path(journals(tmp_path)[0]), Note("0" * 16, "kept", "", agent="b"))
    for expected in (["kept"], []):
        with serve(tmp_path, warm, "--resume", "last") as wire:
            wire.handshake()
            others = wire.call(thought(number=2), meta=codex("root"))
            own = wire.call(thought(number=2), meta=codex("b"))

        assert (noted(others), noted(own)) == ([], expected)


def delivered(folder: Path) -> list[Message]:
    return [event for event in events(journals(folder)[0]) if event["type"] == "note"]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("server_path", SERVER_PATHS)
def test_notes_come_with_the_next_thought_s_answer_once_and_in_order(
    server_path: str, version: str, warm: WarmServer, tmp_path: Path
) -> None:
    meta = VERSIONS[version]
    with serve(tmp_path, warm, *SERVER_PATHS[server_path]) as wire:
        if meta is None:
            wire.handshake()
        before = wire.call(thought(), meta=meta)
        leave(tmp_path, "Wait", "for „me“\nplease")
        refused = wire.call(thought(number=0), meta=meta)
        carrying = wire.call(thought(number=2), meta=meta)
        after = wire.call(thought(number=3), meta=meta)

    assert [noted(result) for result in (before, refused, carrying, after)] == [
        [],
        [],
        ["Wait", "for „me“\nplease"],
        [],
    ]
    journal = events(journals(tmp_path)[0])
    assert [event["type"] for event in journal[-4:]] == ["thought", "note", "note", "thought"]
    place = {"of": journal[-4]["seq"], "writtenAt": "2026-03-10T14:05:00.000000Z"}
    assert [{key: note[key] for key in list(note)[4:]} for note in delivered(tmp_path)] == [
        {"id": f"{0:016x}", "text": "Wait", **place},
        {"id": f"{1:016x}", "text": "for „me“\nplease", **place},
    ]
    assert all(isinstance(decode(line), NoteEvent) for line in journals(tmp_path)[0].read_bytes().splitlines()[-3:-1])


def carried(server_path: tuple[str, ...], meta: Message | None, folder: Path, warm: WarmServer) -> list[Any]:
    """Return the lines that answer three calls of one chunk; the second is the first that is accepted."""
    with serve(folder, warm, *server_path) as wire:
        if meta is None:
            wire.handshake()
        wire.call(thought(), meta=meta)
        leave(folder, "a", 'b "quoted" é 目', "\x1b[31mc\u202e")
        calls = [thought(number=0), thought(number=2), thought(number=3)]
        is_stateless = meta is not None
        wire.send_bytes(lines(*(call(one, place, is_stateless=is_stateless) for place, one in enumerate(calls))))
        answers = [wire.receive() for _ in calls]
        wire.hang_up()
        assert wire.status() == 0
    return sorted(answers, key=lambda answer: answer["id"])


@pytest.mark.parametrize("version", VERSIONS)
def test_both_server_paths_answer_alike_and_the_first_accepted_thought_gets_the_notes(
    version: str, warm: WarmServer, tmp_path: Path
) -> None:
    fast = carried(FAST_PATH, VERSIONS[version], tmp_path / "fast", warm)
    sdk = carried(SDK_PATH, VERSIONS[version], tmp_path / "sdk", warm)

    assert fast == sdk
    assert [noted(answer["result"]) for answer in fast] == [[], ["a", 'b "quoted" é 目', "[31mc"], []]
    [number] = {event["of"] for event in delivered(tmp_path / "fast")}
    [carrying] = [event for event in events(journals(tmp_path / "fast")[0]) if event["seq"] == number]
    assert carrying["thoughtNumber"] == 2


def test_a_note_behind_many_that_were_given_before_a_resume_comes_with_the_first_thought(
    warm: WarmServer, tmp_path: Path
) -> None:
    with serve(tmp_path, warm) as wire:
        wire.call(thought(number=1))
        for number in range(2, 14):
            leave(tmp_path, "x" * (MAX_NOTE_BYTES - 1), first=number)
            wire.call(thought(number=number))
    leave(tmp_path, "stop", first=99)
    with serve(tmp_path, warm, "--resume", "last") as wire:
        assert noted(wire.call(thought(number=14))) == ["stop"]


def test_a_note_is_handed_over_once_though_the_server_is_killed_before_it_answers(
    warm: WarmServer, tmp_path: Path
) -> None:
    with serve(tmp_path, warm) as wire:
        wire.call(thought())
        leave(tmp_path, "once")
        assert noted(wire.call(thought(number=2))) == ["once"]
        os.kill(wire.pid, signal.SIGKILL)
        wire.status()
    leave(tmp_path, "while it was down", first=1)
    with serve(tmp_path, warm, "--resume", "last") as wire:
        resumed = noted(wire.call(thought(number=3)))

    assert resumed == ["while it was down"]
    assert [note["text"] for note in delivered(tmp_path)] == ["once", "while it was down"]


def test_a_note_whose_line_was_torn_off_is_handed_over_again(warm: WarmServer, tmp_path: Path) -> None:
    with serve(tmp_path, warm) as wire:
        wire.call(thought())
        leave(tmp_path, "torn")
        wire.call(thought(number=2))
        os.kill(wire.pid, signal.SIGKILL)
        wire.status()
    os.truncate(journals(tmp_path)[0], journals(tmp_path)[0].stat().st_size - 5)
    with serve(tmp_path, warm, "--resume", "last") as wire:
        assert noted(wire.call(thought(number=3))) == ["torn"]


@pytest.mark.parametrize("server_path", SERVER_PATHS)
def test_without_notes_the_file_is_not_looked_at(server_path: str, warm: WarmServer, tmp_path: Path) -> None:
    by_option = serve(tmp_path / "option", warm, "--no-notes", *SERVER_PATHS[server_path])
    by_variable = serve(tmp_path / "variable", warm, *SERVER_PATHS[server_path], SEQTHINK_NO_NOTES="yes")
    with by_option, by_variable:
        for wire, name in ((by_option, "option"), (by_variable, "variable")):
            wire.call(thought())
            leave(tmp_path / name, "unread")

            assert noted(wire.call(thought(number=2))) == []
            assert events(journals(tmp_path / name)[0])[0]["notes"] is False


@pytest.mark.parametrize("server_path", SERVER_PATHS)
def test_a_note_of_a_hundred_kilobytes_is_cut_and_said_and_a_link_is_refused(
    server_path: str, warm: WarmServer, tmp_path: Path
) -> None:
    with serve(tmp_path, warm, *SERVER_PATHS[server_path]) as wire:
        wire.call(thought())
        leave(tmp_path, "x" * 100_000)
        [note] = noted(wire.call(thought(number=2)))
        path = notes_path(journals(tmp_path)[0])
        path.rename(tmp_path / "elsewhere")
        path.symlink_to(tmp_path / "elsewhere")
        refused = [noted(wire.call(thought(number=number))) for number in (3, 4)]
        wire.hang_up()
        wire.rest()
        assert wire.status() == 0
        assert wire.stderr is not None
        said = os.read(wire.stderr, 1 << 16).decode().splitlines()

    assert len(note.encode()) == MAX_NOTE_BYTES
    assert refused == [[], []]
    assert ["longer than 16 KiB" in words or "symbolic link" in words for words in said] == [True, True]


def test_a_note_that_waits_with_its_thought_is_handed_over_once(tmp_path: Path) -> None:
    session = Session(tmp_path, has_notes=True)
    session.call(thought())
    leave(tmp_path, "once")
    with disk_of(session.journal().stat().st_size):
        waiting = session.call(thought(number=2)).result()
        again = session.call(thought(number=3)).result()
    session.call(thought(number=4))

    assert waiting["_meta"]["seqthink/journal"]["waiting"] == 2
    assert (noted(waiting), noted(again)) == (["once"], [])
    kinds = [event["type"] for event in events(session.journal())]
    assert kinds == ["session", "thought", "thought", "note", "thought", "thought"]


def test_a_note_is_kept_when_the_thought_is_refused_for_want_of_a_journal(tmp_path: Path) -> None:
    session = Session(tmp_path, required=True, has_notes=True)
    session.call(thought())
    leave(tmp_path, "kept")
    with disk_of(session.journal().stat().st_size):
        refused = session.call(thought(number=2))
    accepted = session.call(thought(number=2)).result()

    assert refused.is_error
    assert noted(accepted) == ["kept"]


def test_a_note_stays_with_its_thought_when_a_deleted_journal_is_gone_on_with(tmp_path: Path) -> None:
    session = Session(tmp_path, has_notes=True)
    session.call(thought())
    leave(tmp_path, "moved", 'says ,"of":77,')
    with disk_of(session.journal().stat().st_size):
        session.call(thought(number=2))
    session.journal().unlink()
    session.call(thought(number=3))

    journal = events(session.journal())
    assert [event["type"] for event in journal] == ["session", "thought", "note", "note", "thought"]
    assert [event["of"] for event in journal if event["type"] == "note"] == [2, 2]
    assert [event["text"] for event in journal if event["type"] == "note"] == ["moved", 'says ,"of":77,']
