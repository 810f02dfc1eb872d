"""What needs the person: the question, the counts, `!`, and what the terminal gets."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.support.depth import first
from tests.support.journals.build import SESSION, START, JournalBuilder
from tests.support.screens.screen_text import HOST, Stage, running_viewer, settings_of
from tests.tui.session_view.test_end_notice import BILLING, LATER, NOW, Living
from tui.app import Viewer
from tui.session_view import attention_watch
from tui.sessions.wall_sessions import WallSessions
from tui.settings import Alerts, Settings
from tui.widgets.line_view import LineView

SIZES = [(44, 20), (80, 24), (120, 35), (200, 60)]
QUESTION = "May the chain go on past 12 thoughts, \x1b]0;owned\x07 or is that enough?"


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Callable[..., Living]]:
    made: list[Living] = []

    def make(journal: JournalBuilder, name: str) -> Living:
        made.append(Living(tmp_path, journal, name=name))
        return made[-1]

    yield make
    for one in made:
        one.die()


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect what the viewer writes to its terminal besides the screen."""
    found: list[str] = []

    def write(_app: Viewer, sequence: str) -> None:
        found.append(sequence)

    monkeypatch.setattr(Viewer, "write_to_terminal", write)
    return found


def _session(title: str, before: int = 0, *, name: str = SESSION) -> JournalBuilder:
    start = START - timedelta(seconds=before)
    return JournalBuilder(start).session(name, title=title, host=HOST).thought("Why?", 1, 3).thought("The pool", 2, 3)


def _settings(one: Living, **more: Any) -> Settings:  # noqa: ANN401 - whatever a test hands over
    return settings_of(one.path.parent, now=NOW, **more)


def _ask(one: Living) -> None:
    one.grow(one.journal.asking(one.journal.seq, "limit", "elicit", message=QUESTION), 1)


@pytest.mark.parametrize("size", first(1, SIZES))
async def test_a_question_stands_under_the_first_line_until_it_is_answered(
    live: Callable[..., Living], size: tuple[int, int]
) -> None:
    one = live(_session("shop"), SESSION)
    async with running_viewer(None, size, _settings(one)) as stage:
        await stage.shows("The pool")
        _ask(one)
        await stage.shows("asking you", "May the chain go on")
        await stage.until(lambda: "thought 2 waits" in " ".join(" ".join(stage.lines[1:4]).split()))
        await stage.press("g")

        framed = {part.id for part in stage.app.screen.query(LineView) if part.is_alert}
        assert {"state", "heading", "divider", "keys"} <= framed
        assert "▲" in stage.lines[0]
        assert stage.lines[1].startswith(" ▲ May the chain go on")
        assert "\x1b" not in stage.text
        one.grow(one.journal.elicit(3, "limit", "accept"), 1)
        await stage.until(lambda: "▲" not in stage.text)
        assert not any(part.is_alert for part in stage.app.screen.query(LineView))


async def test_the_others_are_counted_never_the_one_that_is_shown_and_the_next_key_reaches_them(
    live: Callable[..., Living],
) -> None:
    other = live(_session("billing", 30, name=BILLING), BILLING)
    live(_session("third", 60, name=LATER), LATER)
    one = live(_session("shop"), SESSION)
    async with running_viewer(one.path, (120, 35), _settings(one)) as stage:
        await stage.until(lambda: stage.lines[0].rstrip().endswith("○2"))
        _ask(other)
        await stage.until(lambda: stage.lines[0].rstrip().endswith("▲1 ○1"))
        await stage.press("exclamation_mark")
        await stage.shows("May the chain go on")

        assert "billing" in stage.lines[0]
        await stage.until(lambda: stage.lines[0].rstrip().endswith("●1 ○1"))
        await stage.press("exclamation_mark")
        await stage.shows("no other session needs you")


@pytest.mark.deep  # the look itself is tried above
async def test_a_look_that_waited_for_its_turn_is_not_followed_by_a_long_pause(
    live: Callable[..., Living], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine a look of milliseconds can take seconds; only the milliseconds are a reason to look less."""
    refresh = WallSessions.refresh

    def refresh_after_waiting(wall: WallSessions) -> bool:
        Event().wait(0.3)
        return refresh(wall)

    monkeypatch.setattr(WallSessions, "refresh", refresh_after_waiting)
    monkeypatch.setattr(attention_watch, "BUSY_TIME_FACTOR", 400)
    other, one = live(_session("billing", 30, name=BILLING), BILLING), live(_session("shop"), SESSION)
    async with running_viewer(one.path, (120, 35), _settings(one)) as stage:
        await stage.until(lambda: stage.lines[0].rstrip().endswith("○1"))
        _ask(other)
        await stage.until(lambda: stage.lines[0].rstrip().endswith("▲1"))


def _others(stage: Stage) -> int:
    return len(stage.session.state.folder.needs)


async def test_the_terminal_is_notified_once_with_nothing_of_the_model_that_could_control_it(
    live: Callable[..., Living], written: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TMUX", "STY", "WT_SESSION", "KITTY_WINDOW_ID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-ghostty")
    other, one = live(_session("billing", 30, name=BILLING), BILLING), live(_session("shop"), SESSION)
    alerts = Alerts(has_title=True, has_bell=True, has_notifications=True)
    async with running_viewer(one.path, (120, 35), _settings(one, alerts=alerts)) as stage:
        await stage.until(lambda: _others(stage) == 2)
        assert written == ["\x1b]2;●1 ○1 seqthink\x1b\\"]
        _ask(other)
        await stage.until(lambda: len(written) == 4)

        title, bell, notification = written[1:]
        assert (title, bell) == ("\x1b]2;▲1 ●1 seqthink\x1b\\", "\x07")
        assert notification.startswith("\x1b]9;seqthink: billing asks you: May the chain go on")
        assert notification.count("\x1b") == 2
        assert "\x07" not in notification


async def test_the_first_title_waits_until_all_sessions_have_been_looked_at(
    live: Callable[..., Living], written: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    refresh, looks = WallSessions.refresh, list[bool]()

    def refresh_in_two_looks(wall: WallSessions) -> bool:
        looks.append(refresh(wall))
        if len(looks) == 1:
            wall.entries, wall.is_behind = wall.entries[:1], True
        return looks[-1]

    monkeypatch.setattr(WallSessions, "refresh", refresh_in_two_looks)
    _, one = live(_session("billing", 30, name=BILLING), BILLING), live(_session("shop"), SESSION)
    async with running_viewer(one.path, (120, 35), _settings(one, alerts=Alerts(has_title=True))) as stage:
        await stage.until(lambda: _others(stage) == 2)

        assert written == ["\x1b]2;●1 ○1 seqthink\x1b\\"]


async def test_each_can_be_turned_off_and_a_question_before_the_viewer_rings_for_nobody(
    live: Callable[..., Living], written: list[str]
) -> None:
    other, one = live(_session("billing", 30, name=BILLING), BILLING), live(_session("shop"), SESSION)
    _ask(other)
    async with running_viewer(one.path, (120, 35), _settings(one, alerts=Alerts(has_bell=True))) as stage:
        await stage.until(lambda: stage.lines[0].rstrip().endswith("▲1"))
        assert written == []
