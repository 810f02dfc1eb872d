"""What calls changed in files (``o``)."""

from collections.abc import Callable, Generator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from seqthink.journal.decode import LineDecoder
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.folder import FolderPlace
from seqthink.library.places.transcripts import TranscriptPlace
from seqthink.library.redacted_lines import decode_redacted
from tests.support.screens.screen_text import Stage, running_viewer, settings_of
from tests.support.transcripts.recorded import lay_out
from tui.screens.change import ChangeScreen
from tui.settings import Settings

NOW = 1_900_000_000_000_000
SIZE = (100, 30)
THOUGHT, ACTIONS, SECOND_THOUGHT, EDITS, LAST = 1, 2, 3, 4, 5
"""Rows of the recorded session: below its prompt a thought, what was done, and so on."""
Shown = Callable[..., tuple[Path, Settings]]


@pytest.fixture
def shown(tmp_path: Path) -> Generator[Shown]:
    """Return a function that lays out a recorded session, and returns its journal in memory and the settings."""
    places: list[TranscriptPlace] = []
    journals, runtime = tmp_path / "sessions", tmp_path / "runtime"
    journals.mkdir()
    runtime.mkdir()

    def show(run: str, **more: Any) -> tuple[Path, Settings]:  # noqa: ANN401 - whatever a test hands over
        lay_out(run, tmp_path / "home")
        environ = {"XDG_RUNTIME_DIR": str(runtime)}
        place = TranscriptPlace(frozenset({run.partition("/")[0]}), environ, tmp_path / "home", lambda: NOW)
        places.append(place)
        place.refresh()
        path = place.sessions()[0].path
        place.spools.read_whole(path)
        return path, settings_of(journals, catalog=SessionCatalog(FolderPlace(journals), place), **more)

    yield show
    for place in places:
        place.close()


async def opened(stage: Stage, row: int) -> str:
    """Press ``o`` on a row, and return what the page says when all has been read."""
    await stage.press("g", *["j"] * row, "o")
    await stage.until(lambda: isinstance(stage.app.screen, ChangeScreen) and stage.app.screen.is_ready)
    await stage.pilot.pause()
    return stage.text


@pytest.mark.parametrize(
    "run", ["claude/writing", "codex/writing", "copilot/writing", "gemini/writing", "pi/writing", "qwen/writing"]
)
async def test_o_on_a_row_of_actions_shows_each_change_with_its_lines(run: str, shown: Shown) -> None:
    path, settings = shown(run)
    async with running_viewer(path, SIZE, settings) as stage:
        text = await opened(stage, EDITS)

        assert "changed by these calls" in text
        assert "report.py" in text
        assert "-         pool.open()" in text
        assert "5 +     pool.open()" in text
        assert "failed · nothing was changed" in text
        await stage.press("escape")
        assert not isinstance(stage.app.screen, ChangeScreen)


async def test_a_client_that_records_no_lines_has_none(shown: Shown) -> None:
    path, settings = shown("cline/writing")
    async with running_viewer(path, SIZE, settings) as stage:
        assert "\n   +     pool.open()" in await opened(stage, EDITS)


async def test_o_on_a_thought_shows_what_was_changed_before_the_next(shown: Shown) -> None:
    path, settings = shown("claude/writing")
    async with running_viewer(path, SIZE, settings) as stage:
        text = await opened(stage, THOUGHT)

        assert "changed after thought 1" in text
        assert "1 file +12" in text
        assert "new file" in text
        await stage.press("escape")
        assert "nothing was done" in await stage.press("G", "k", "o")


async def test_a_journal_says_that_it_has_no_texts_of_files(shown: Shown, tmp_path: Path) -> None:
    spool, settings = shown("claude/writing")
    journal = tmp_path / "sessions" / "20260310T140200.000000Z-k3v9qa.jsonl"
    journal.write_bytes(spool.read_bytes())
    async with running_viewer(journal, SIZE, settings) as stage:
        assert "a journal does not keep the texts of files" in await opened(stage, EDITS)


async def test_a_transcript_that_is_gone_is_named(shown: Shown, tmp_path: Path) -> None:
    path, settings = shown("claude/writing")
    async with running_viewer(path, SIZE, settings) as stage:
        for file in (tmp_path / "home").rglob("*.jsonl"):
            file.unlink()
        assert "the transcript cannot be read any more" in await opened(stage, EDITS)


@pytest.mark.parametrize(("decode", "is_shown"), [(None, True), (decode_redacted, False)])
async def test_secrets_are_removed_where_the_viewer_removes_them(
    decode: LineDecoder | None, is_shown: bool, shown: Shown, tmp_path: Path
) -> None:
    path, settings = shown("claude/writing", **({"decode": decode} if decode is not None else {}))
    for file in (tmp_path / "home").rglob("*.jsonl"):
        text = file.read_text("utf-8")
        file.write_text(text.replace("import pool\\n", "password = 'hunter2-and-more'\\n"), "utf-8")
    async with running_viewer(path, SIZE, settings) as stage:
        text = await opened(stage, ACTIONS)

        assert "password" in text
        assert ("hunter2" in text) is is_shown


async def test_a_page_that_is_left_while_it_reads_stops_reading(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    path, settings = shown("claude/writing")
    went_on: list[bool] = []
    pause = Event()

    def endless(_source: object, _found: object, _calls: object, on_read: Callable[[int], bool]) -> list[object]:
        read = 0
        while on_read(read):
            read += 1 << 20
            pause.wait(0.01)
        went_on.append(False)
        return []

    monkeypatch.setattr("seqthink.sources.transcripts.edits.lookup.changes_of", endless)
    async with running_viewer(path, SIZE, settings) as stage:
        await stage.press("g", *["j"] * EDITS, "o")
        await stage.until(lambda: "reading the transcript, " in stage.text)
        await stage.press("escape")
        await stage.until(lambda: went_on == [False])
