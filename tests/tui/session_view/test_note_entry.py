"""Writing to the agent at the viewer: who reads it is said, what waits is seen, and nothing goes where nobody reads."""

# What is shown is asked of the app itself, not of its picture.

import fcntl
import json
import os
import socket
import stat
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from seqthink.chain.fold import fold
from seqthink.core.events import WriterState
from seqthink.drawing.panels.note_input import NoteInput
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.drawing.text.spans import spans_text, spans_width
from seqthink.journal.folder import notes_path
from seqthink.journal.notes_file import MAX_NOTE_BYTES, Note, NotesFile, append_note
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.note_obstacles import delivery_obstacle
from seqthink.library.places.pipe import PipePlace
from seqthink.library.redacted_lines import decode_redacted
from tests.support.depth import first
from tests.support.journals.build import SESSION, JournalBuilder, shop_api
from tests.support.screens.piloted import NOW, line, screen_text, until, viewer_of, write
from tests.support.screens.screen_text import settings_of
from tests.support.transcripts.translated import three_agents
from tui.app import Viewer

WAITING = "waiting for the agent's next thought"


class Living:
    """A session whose server lives, as far as a viewer can see."""

    def __init__(self, folder: Path, journal: JournalBuilder, *, name: str = SESSION) -> None:
        self.journal = journal
        self.path = write(folder, name, journal)
        text = self.path.read_bytes().replace(b'"host":"desk"', f'"host":"{socket.gethostname()}"'.encode())
        self.path.write_bytes(text)
        self._file = self.path.open("rb")
        fcntl.flock(self._file, fcntl.LOCK_EX)

    @property
    def notes(self) -> list[Note]:
        return NotesFile(notes_path(self.path)).read_new()

    def grow(self, journal: JournalBuilder, count: int) -> None:
        """Append the last ``count`` lines of the journal."""
        with self.path.open("ab") as end:
            end.write(b"".join(journal.lines[-count:]))

    def die(self) -> None:
        self._file.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "sessions"
    path.mkdir()
    return path


def thinking() -> JournalBuilder:
    return JournalBuilder().session().thought("Symptoms: 502s", 1, 5).thought("Layers", 2, 5)


@pytest.fixture
def live(folder: Path) -> Iterator[Callable[..., Living]]:
    """Make sessions whose servers live until the test is over."""
    with ExitStack() as ends:

        def begin(journal: JournalBuilder | None = None, name: str = SESSION) -> Living:
            session = Living(folder, journal or thinking(), name=name)
            ends.callback(session.die)
            return session

        yield begin


@pytest.fixture
def living(live: Callable[..., Living]) -> Living:
    return live()


@asynccontextmanager
async def running(
    path: Path | None,
    folder: Path,
    *,
    width: int = 120,
    height: int = 30,
    **settings: Any,  # noqa: ANN401 - as the settings have them
) -> AsyncGenerator[Pilot[str]]:
    app = Viewer(path, settings_of(folder, now=NOW, **settings))
    async with app.run_test(size=(width, height)) as pilot:
        await until(pilot, lambda: app.is_ready)
        yield pilot


def typed(pilot: Pilot[str]) -> str | None:
    field = viewer_of(pilot).session_screen.state.notes.text_input
    return field.text if field is not None else None


def said(pilot: Pilot[str]) -> str:
    return viewer_of(pilot).session_screen.state.status_message


async def paste(pilot: Pilot[str], text: str) -> None:
    pilot.app.post_message(events.Paste(text))
    await pilot.pause()


@pytest.mark.parametrize(("width", "height"), first(1, [(120, 30), (44, 12), (44, 20), (80, 24)], is_unpacked=True))
async def test_the_note_input_names_its_reader_and_enter_sends(
    living: Living, folder: Path, width: int, height: int
) -> None:
    async with running(living.path, folder, width=width, height=height) as pilot:
        await pilot.press("i", *"Look at [b]DNS", "space", "q")
        open_field = screen_text(pilot)
        await pilot.press("enter")
        sent = screen_text(pilot)

        assert "» to claude-code, with its next thought" in open_field
        assert "Look at [b]DNS q" in open_field
        assert typed(pilot) is None
        assert said(pilot) == (WAITING if width >= 60 else "note sent")
        assert "» waiting" in sent or WAITING in sent
        assert pilot.app.is_running
    [note] = living.notes
    assert (note.text, note.time) == ("Look at [b]DNS q", "2026-03-10T14:07:00.000000Z")
    assert stat.S_IMODE(notes_path(living.path).stat().st_mode) == 0o600
    assert notes_path(living.path).read_bytes().endswith(b"\n")


async def test_a_note_is_seen_waiting_then_delivered_on_the_thought_s_row(living: Living, folder: Path) -> None:
    async with running(living.path, folder) as pilot:
        await pilot.press("i", *"Wait", "enter")
        await until(pilot, lambda: "» note waiting" in screen_text(pilot))
        waiting = screen_text(pilot)
        [note] = living.notes
        journal = living.journal.thought("Hypotheses", 3, 5).note(note.text, id=note.id)
        living.grow(journal, 2)
        await until(pilot, lambda: "» note delivered" in screen_text(pilot))
        await pilot.press("f")

        assert line(pilot, "keys").rstrip().endswith("following")
        assert "written 14:07:00" in waiting
        assert WAITING in waiting
        assert "» waiting" not in screen_text(pilot)
        assert ["Hypotheses", "»"] in [row.split()[-3:-1] for row in screen_text(pilot).split("\n")]


async def test_the_message_about_a_note_changes_when_it_is_delivered(living: Living, folder: Path) -> None:
    async with running(living.path, folder) as pilot:
        await pilot.press("i", *"Wait", "enter")
        [note] = living.notes
        living.grow(living.journal.thought("Hypotheses", 3, 5).note(note.text, id=note.id), 2)
        await until(pilot, lambda: said(pilot) == "note delivered")


async def test_a_note_to_a_chain_that_is_done_says_that_it_may_not_arrive(
    live: Callable[..., Living], folder: Path
) -> None:
    living = live(thinking().thought("Done", 3, 3, next=False))
    async with running(living.path, folder) as pilot:
        await pilot.press("i", *"More")
        prompt = screen_text(pilot)
        await pilot.press("enter")

        assert "to claude-code, if it thinks again" in prompt
        assert said(pilot) == "it arrives only if the agent thinks again"


async def test_waiting_notes_survive_a_restart_of_the_viewer_and_are_sanitized_and_redacted(
    living: Living, folder: Path
) -> None:
    append_note(notes_path(living.path), Note("0" * 16, "\x1b]0;evil\x07 password=hunter2hunter2", ""))
    append_note(notes_path(living.path), Note("1" * 16, "second", ""))
    async with running(living.path, folder, decode=decode_redacted) as pilot:
        await until(pilot, lambda: "» 2 waiting" in screen_text(pilot))
        shown = screen_text(pilot)

        assert "]0;evil password=[redacted" in shown
        assert "hunter2" not in shown
        assert "second" in shown
        assert "\x1b" not in shown


async def test_a_note_of_another_viewer_shows_up(living: Living, folder: Path) -> None:
    async with running(living.path, folder) as pilot:
        append_note(notes_path(living.path), Note("0" * 16, "from elsewhere", ""))
        await until(pilot, lambda: "from elsewhere" in screen_text(pilot))

        assert line(pilot, "keys").rstrip().endswith("» waiting")


async def test_escape_keeps_the_draft_for_its_session_alone(
    living: Living, live: Callable[..., Living], folder: Path
) -> None:
    other = live(name="20260310T150000.000000Z-aaaaaa")
    async with running(living.path, folder) as pilot:
        await pilot.press("i", *"half a", "escape")
        closed = typed(pilot)
        viewer_of(pilot).session_screen.switcher.choose(other.path)
        await until(pilot, lambda: viewer_of(pilot).is_ready)
        viewer_of(pilot).session_screen.switcher.choose(living.path)
        await until(pilot, lambda: viewer_of(pilot).is_ready)
        await pilot.press("i", *" note")

        assert closed is None
        assert typed(pilot) == "half a note"
    assert living.notes == []


async def test_a_sent_note_leaves_no_draft_and_a_blank_one_is_not_sent(living: Living, folder: Path) -> None:
    async with running(living.path, folder) as pilot:
        await pilot.press("i", *"one", "enter")
        first = line(pilot, "keys")
        await pilot.press("down", "i")
        again = typed(pilot)
        await pilot.press("space", "enter")

        assert WAITING in first
        assert again == ""
        assert typed(pilot) is None
    assert [note.text for note in living.notes] == ["one"]


async def test_a_paste_keeps_its_lines_and_loses_its_controls(living: Living, folder: Path) -> None:
    async with running(living.path, folder) as pilot:
        await pilot.press("i")
        await paste(pilot, "one\r\ntwo\x1b[31m\x00\u202e\nthree")
        lines = screen_text(pilot)
        await pilot.press("enter")

        assert "\n one\n" in "\n".join(row.rstrip() for row in lines.split("\n"))
    assert [note.text for note in living.notes] == ["one\ntwo[31m\nthree"]


async def test_more_than_sixteen_kibibytes_is_refused_where_it_is_seen(living: Living, folder: Path) -> None:
    async with running(living.path, folder, width=44, height=20) as pilot:
        await pilot.press("i")
        await paste(pilot, "é" * (MAX_NOTE_BYTES // 2))
        kept = typed(pilot)
        await pilot.press("x")

        assert kept == typed(pilot) == "é" * (MAX_NOTE_BYTES // 2)
        assert "too long: at most 16 KiB" in screen_text(pilot)


async def test_a_session_that_has_ended_takes_no_note(folder: Path) -> None:
    path = write(folder, SESSION, JournalBuilder().session(host=socket.gethostname()).thought("a", 1, 1).end())
    for settings in ({}, {"is_replay": True, "replay_at": 0}):
        async with running(path, folder, **settings) as pilot:
            await pilot.press("i")
            await pilot.pause()

            assert typed(pilot) is None
            assert said(pilot) == "session ended: no notes possible"
            assert said(pilot) in screen_text(pilot)


async def test_a_session_that_is_resumed_takes_notes_before_its_first_new_thought(
    live: Callable[..., Living], folder: Path
) -> None:
    living = live(thinking().end())
    async with running(living.path, folder) as pilot:
        await pilot.press("i", *"Go on", "enter")

        assert said(pilot) == WAITING
    assert [note.text for note in living.notes] == ["Go on"]


@pytest.mark.deep  # that it changes is tried when it is delivered
async def test_the_message_that_nobody_reads_goes_when_it_is_no_longer_true(
    live: Callable[..., Living], folder: Path
) -> None:
    living = live(thinking())
    living.die()
    async with running(living.path, folder) as pilot:
        await pilot.press("i")
        ended = said(pilot)
        live(thinking())
        await until(pilot, lambda: not said(pilot))

        assert ended == "session ended: no notes possible"


@pytest.mark.deep  # that it changes is tried when it is delivered
async def test_the_message_about_a_note_changes_when_the_chain_ends_without_it(living: Living, folder: Path) -> None:
    async with running(living.path, folder) as pilot:
        await pilot.press("i", *"Wait", "enter")
        before = said(pilot)
        living.grow(living.journal.thought("Done", 3, 3, next=False), 1)
        await until(pilot, lambda: said(pilot) == "it arrives only if the agent thinks again")

        assert before == WAITING


async def test_a_long_draft_says_which_of_its_lines_is_seen(living: Living, folder: Path) -> None:
    async with running(living.path, folder, width=44, height=20) as pilot:
        await pilot.press("i")
        await paste(pilot, "\n".join("abcdefghi"))

        lines = screen_text(pilot).split("\n")
        assert [row for row in lines if "its next thought" in row] == [" » to claude-co…, with its next thought 9/9 "]


async def test_a_note_that_was_begun_is_kept_when_its_session_ends(living: Living, folder: Path) -> None:
    async with running(living.path, folder) as pilot:
        await pilot.press("i", *"late")
        living.die()
        await pilot.press("enter")

        assert said(pilot) == "session ended: no notes possible"
        assert typed(pilot) == "late"
    assert living.notes == []


@pytest.mark.parametrize(
    ("more", "why"),
    [({}, "its server takes no notes (--no-notes)"), ({"source": "tap"}, "only listened to (tap): no notes possible")],
)
def test_a_server_without_notes_takes_none(more: dict[str, Any], why: str) -> None:
    journal = JournalBuilder().session(host=socket.gethostname(), notes=False, **more).thought("a", 1, 2)
    session = fold(journal.events, WriterState.ALIVE)

    assert delivery_obstacle(session, SESSION, socket.gethostname()) == why


def test_a_recorded_transcript_takes_no_notes() -> None:
    session = fold(three_agents().events, WriterState.ALIVE)
    assert session.session_event is not None

    obstacle = delivery_obstacle(session, session.session_event.session, socket.gethostname())

    assert obstacle == "only a transcript: no notes possible"


def test_a_transcript_takes_no_note() -> None:
    journal = JournalBuilder().session(host=None, server=None, notes=False, source="claude").thought("a", 1, 2)
    session = fold(journal.events, WriterState.ALIVE)

    obstacle = delivery_obstacle(session, SESSION, socket.gethostname())
    assert obstacle == "only a transcript: no notes possible"


async def test_another_machine_s_journal_and_a_copy_take_no_note(live: Callable[..., Living], folder: Path) -> None:
    far = write(folder, SESSION, shop_api())
    copy = live(name="copy")
    for path, why in ((far, "its server is on another machine"), (copy.path, "a copy: no agent reads its notes")):
        async with running(path, folder) as pilot:
            await pilot.press("i")

            assert typed(pilot) is None
            assert said(pilot) == why


async def test_a_journal_from_a_pipe_takes_no_note(folder: Path) -> None:
    reads, writes = os.pipe()
    os.write(writes, b"".join(thinking().lines))
    async with running(None, folder, catalog=SessionCatalog(PipePlace(reads))) as pilot:
        await until(pilot, lambda: "Layers" in screen_text(pilot))
        await pilot.press("i")

        assert typed(pilot) is None
        assert said(pilot) == "no notes on a journal from a pipe"
        os.close(writes)


async def test_a_newer_session_does_not_take_over_while_a_note_is_typed(
    live: Callable[..., Living], folder: Path
) -> None:
    living = live(thinking().thought("Done", 3, 3, next=False))
    async with running(living.path, folder) as pilot:
        viewer = viewer_of(pilot)
        await pilot.press("i", *"to the first")
        newer = live(name="20260310T150000.000000Z-aaaaaa")
        viewer.session_screen.switcher.check_for_newer()
        await pilot.pause()

        assert viewer.session_screen.state.feed.path == living.path
        await pilot.press("enter")
        assert newer.notes == []
    assert [note.text for note in living.notes] == ["to the first"]


async def test_a_notes_file_that_cannot_be_written_is_said_and_the_note_stays(living: Living, folder: Path) -> None:
    notes_path(living.path).symlink_to(folder / "elsewhere")
    async with running(living.path, folder) as pilot:
        await pilot.press("i", *"text", "enter")

        assert said(pilot).startswith("not written: ")
        assert typed(pilot) == "text"
    assert not (folder / "elsewhere").exists()


async def test_a_replaced_journal_closes_the_note_input(living: Living, folder: Path) -> None:
    async with running(living.path, folder) as pilot:
        await pilot.press("i", *"text")
        living.path.write_bytes(b"".join(shop_api().lines[:4]))
        await until(pilot, lambda: "reloaded" in screen_text(pilot))

        assert typed(pilot) is None


@pytest.mark.parametrize("text", ["", "a", "a " * 60, "目录" * 50, "one\n\ntwo\n", "x" * 500])
@pytest.mark.parametrize("cells", [10, 43])
def test_the_rows_of_a_note_fit_and_show_the_cursor(text: str, cells: int) -> None:
    field = NoteInput(MAX_NOTE_BYTES, text)
    for _ in range(len(text) + 1):
        rows = field.lines(cells, 3)

        assert 1 <= len(rows) <= 3
        assert max(map(spans_width, rows)) <= cells
        assert sum(span.role.name == "MATCH" for row in rows for span in row) == 1
        field.press("left")
    assert (
        "".join(spans_text(row)[1:] for row in field.lines(cells, 10_000)).split() == text.replace("\n", "").split()
        or text
    )


def test_the_notes_of_a_viewer_are_what_other_programs_can_read(living: Living) -> None:
    append_note(notes_path(living.path), Note("0" * 16, "目\nb", "2026-03-10T14:05:00.000000Z"))

    assert json.loads(notes_path(living.path).read_text(encoding="utf-8")) == {
        "v": 1, "id": "0" * 16, "time": "2026-03-10T14:05:00.000000Z", "text": "目\nb",
    }  # fmt: skip
    assert UNICODE.note == "»"
