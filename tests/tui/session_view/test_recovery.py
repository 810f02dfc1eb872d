"""What the screen says while a journal cannot be read or a background task fails, and that the viewer lives on."""

from collections.abc import Callable
from pathlib import Path

import pytest

from seqthink.chain.health.health import Health
from seqthink.core.errors import UnreadableJournalError
from seqthink.drawing.text.spans import spans_text
from seqthink.library.catalog.journal_feed import JournalFeed
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder
from tests.support.journals.read_faults import ERRORS, IMPOSTORS, FailingReads, Impostor
from tests.support.screens.screen_text import HOST, Stage, locked_journal, running_viewer, settings_of
from tui.session_view.session_switcher import SessionSwitcher
from tui.sessions.wall_sessions import WallSessions
from tui.settings import Settings
from tui.widgets import text_pane

SIZES = ((80, 24), (39, 20))


def _journal(folder: Path) -> tuple[JournalBuilder, Path]:
    journal = JournalBuilder().session(host=HOST).thought("Why is it slow?", 1, 9)
    return journal, journal.write(folder / "shop.jsonl")


def _append(journal: JournalBuilder, path: Path, text: str, number: int) -> None:
    before = len(journal.data)
    with path.open("ab") as file:
        file.write(journal.thought(text, number, 9).data[before:])


def _is_blind(stage: Stage) -> bool:
    """Whether the screen says that nothing is read, and claims nothing else."""
    says_so = any(words in stage.lines[0] for words in ("✗ cannot read shop.jsonl: ", "✗ not read: "))
    return says_so and not any(word in stage.text for word in ("following", "thinking"))


def _settings(folder: Path) -> Settings:
    return settings_of(folder, now=0, stuck_seconds=0)


@pytest.mark.parametrize("kind", first(1, IMPOSTORS))
@pytest.mark.parametrize("size", first(1, SIZES))
async def test_a_viewer_says_that_it_reads_nothing_and_goes_on_when_the_journal_is_back(
    tmp_path: Path, kind: str, size: tuple[int, int]
) -> None:
    journal, path = _journal(tmp_path)
    with locked_journal(path):
        async with running_viewer(path, size, _settings(tmp_path)) as stage:
            await stage.shows("thinking")
            impostor = Impostor(path, kind)
            await stage.until(lambda: _is_blind(stage))
            _append(journal, impostor.journal, "It waits for the pool", 2)
            impostor.leave()
            await stage.until(lambda: not _is_blind(stage))
            await stage.press("G")  # the notice that it can be read again goes with a key
            await stage.shows("thinking", "It waits")
            _append(journal, path, "Too small a pool", 3)
            await stage.shows("Too small")

            assert not _is_blind(stage)


@pytest.mark.parametrize("code", first(1, ERRORS))
async def test_an_error_of_the_system_leaves_the_viewer_no_blind_screen(
    tmp_path: Path, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, path = _journal(tmp_path)
    with locked_journal(path):
        async with running_viewer(path, SIZES[0], _settings(tmp_path)) as stage:
            fault = FailingReads(monkeypatch, code)
            await stage.until(lambda: _is_blind(stage))
            _append(journal, path, "It waits for the pool", 2)
            fault.is_on = False
            await stage.shows("thinking", "It waits for the pool")


async def test_a_journal_that_could_not_be_read_is_said_to_be_read_again(tmp_path: Path) -> None:
    _, path = _journal(tmp_path)
    async with running_viewer(path, SIZES[0], _settings(tmp_path)) as stage:
        impostor = Impostor(path, "folder")
        await stage.until(lambda: _is_blind(stage))
        impostor.leave()
        await stage.shows("can be read again")
        await stage.press("j")

        assert "can be read again" not in stage.text


def _fails(*_: object, **__: object) -> None:
    raise RuntimeError("a thought of somebody")


@pytest.mark.parametrize(
    ("owner", "method", "words"),
    first(
        1,
        [
            (JournalFeed, "add_batch", "reading the session has stopped: unexpected RuntimeError"),
            (Health, "look_on", "looking for oddities has stopped: unexpected RuntimeError"),
            (WallSessions, "refresh", "watching the sessions has stopped: unexpected RuntimeError"),
            (SessionSwitcher, "tick", "the clock has stopped: unexpected RuntimeError"),
        ],
        is_unpacked=True,
    ),
)
async def test_a_task_that_fails_as_nobody_thought_of_is_said_to_have_stopped_and_the_viewer_lives_on(
    tmp_path: Path, owner: type, method: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, path = _journal(tmp_path)
    async with running_viewer(path, (120, 24), _settings(tmp_path)) as stage:
        monkeypatch.setattr(owner, method, _fails)
        _append(journal, path, "It waits for the pool", 2)
        await stage.shows(words)

        assert "a thought of somebody" not in stage.text
        assert "Signs on this screen" in await stage.press("?")


async def test_a_text_that_cannot_be_drawn_leaves_its_beginning_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_pane, "_render_in_thread", _fails)
    path = JournalBuilder().session().thought("word " * 9000, 1, 9).write(tmp_path / "shop.jsonl")
    async with running_viewer(path, (80, 24), _settings(tmp_path), is_ready=False) as stage:
        await stage.press("enter")
        pane = stage.session.query_one(text_pane.TextPane)
        await stage.until(lambda: not pane.is_preview or _has_trouble(pane))  # below the beginning, which stays
        await stage.press("end", "G")
        await stage.shows("drawing the text has stopped: unexpected RuntimeError")


def _has_trouble(pane: text_pane.TextPane) -> bool:
    lines = pane._lines  # pyright: ignore[reportPrivateUsage] - what is drawn below the window
    return any("has stopped" in spans_text(line) for line in lines)


def _unreadable_at_times(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """Let listing the folder fail while that is wanted."""
    fails, choose = [False], SessionSwitcher._check_for_newer  # pyright: ignore[reportPrivateUsage] - what reads it

    def check(switcher: SessionSwitcher) -> None:
        if fails[0]:
            raise UnreadableJournalError("the folder: permission denied; check its owner and mode")
        choose(switcher)

    monkeypatch.setattr(SessionSwitcher, "_check_for_newer", check)

    def set_fails(wanted: bool) -> None:
        fails[0] = wanted

    return set_fails


@pytest.mark.deep  # an error of the system is tried beside it
async def test_a_folder_that_cannot_be_listed_for_a_while_does_not_end_the_viewer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, path = _journal(tmp_path)
    set_fails = _unreadable_at_times(monkeypatch)
    with locked_journal(path):
        async with running_viewer(None, (120, 24), _settings(tmp_path)) as stage:
            await stage.shows("Why is it slow?")
            set_fails(True)
            _append(journal, path, "It waits for the pool", 2)
            await stage.shows("watching the folder: the folder: permission denied", "It waits for the pool")
            set_fails(False)
            await stage.shows("watching the folder: works again")
