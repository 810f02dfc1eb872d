"""The viewer starts the user's commands: for other sessions at once, for the one on the screen when nobody is there."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from seqthink.share.notify.commands import LIMIT_SECONDS
from seqthink.share.notify.states import NotifyState
from tests.support.journals.build import SESSION, START, JournalBuilder
from tests.support.screens.screen_text import HOST, running_viewer, settings_of
from tests.tui.session_view.test_end_notice import BILLING, NOW, Living
from tui.session_view import attention_watch
from tui.settings import Settings

HOSTILE = "Go on? $(touch owned) `touch owned` \x1b]0;owned\x07\n" + "x" * 5_000


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Callable[..., Living]]:
    made: list[Living] = []

    def make(journal: JournalBuilder, name: str) -> Living:
        made.append(Living(tmp_path, journal, name=name))
        return made[-1]

    yield make
    for one in made:
        one.die()


def session(title: str, before: int = 0, *, name: str = SESSION) -> JournalBuilder:
    start = START - timedelta(seconds=before)
    return JournalBuilder(start).session(name, title=title, host=HOST).thought("Why?", 1, 3).thought("The pool", 2, 3)


def settings(one: Living, script: str, **more: Any) -> Settings:  # noqa: ANN401 - whatever a test hands over
    commands = dict.fromkeys(NotifyState, ("sh", "-c", script))
    folder = one.path.parent / "viewer"
    return settings_of(one.path.parent, now=NOW, commands=commands, viewer_folder=folder, **more)


def ask(one: Living, message: str = "Go on?") -> None:
    one.grow(one.journal.asking(one.journal.seq, "limit", "elicit", message=message), 1)


def lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines() if path.exists() else []


async def test_a_question_of_another_session_starts_the_command_once_with_its_facts(
    live: Callable[..., Living], tmp_path: Path
) -> None:
    log = tmp_path / "log"
    other, one = live(session("bill$(id)", 30, name=BILLING), BILLING), live(session("shop"), SESSION)
    async with running_viewer(one.path, (120, 35), settings(one, f"cat >> {log}; cd {tmp_path}")) as stage:
        await stage.until(lambda: len(stage.session.state.folder.needs) == 2)
        ask(other, HOSTILE)
        await stage.until(lambda: len(lines(log)) == 1)
        other.grow(other.journal.elicit(3, "limit", "accept").thought("Done", 3, 3, next=False), 2)
        await stage.until(lambda: len(lines(log)) == 2)

    asked, done = map(json.loads, lines(log))
    assert (asked["state"], asked["session"], asked["name"]) == ("asking", BILLING, "bill$(id)")
    assert asked["link"] == f"{BILLING}#e3"
    assert asked["question"].startswith("Go on? $(touch owned) `touch owned` ␛]0;owned␇ xxx")
    assert asked["question"].endswith("…")
    assert (done["state"], done["text"]) == ("done", "bill$(id) is done")
    assert "owned" not in [path.name for path in one.path.parent.iterdir()]


async def test_a_context_that_is_nearly_full_calls_once(live: Callable[..., Living], tmp_path: Path) -> None:
    log = tmp_path / "log"
    other, one = live(session("billing", 30, name=BILLING), BILLING), live(session("shop"), SESSION)
    async with running_viewer(one.path, (120, 35), settings(one, f"cat >> {log}")) as stage:
        await stage.until(lambda: len(stage.session.state.folder.needs) == 2)
        for tokens in (159_000, 170_000):
            other.grow(other.journal.event("usage", {"tokens": tokens, "window": 200_000}), 1)
        await stage.until(lambda: len(lines(log)) == 1)
        ask(other)
        await stage.until(lambda: len(lines(log)) == 2)

    full, asked = map(json.loads, lines(log))
    assert (full["state"], full["reason"]) == ("context", "context 85 % full")
    assert (asked["state"], full["text"]) == ("asking", "billing: context 85 % full")


async def test_the_session_on_the_screen_calls_once_nobody_is_there(
    live: Callable[..., Living], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    one = live(session("shop"), SESSION)
    async with running_viewer(one.path, (120, 35), settings(one, f"cat >> {log}")) as stage:
        await stage.press("j")
        ask(one)
        await stage.shows("asking you")
        await stage.until(lambda: bool(stage.session.state.folder.needs[0].standing.question))
        assert lines(log) == []
        monkeypatch.setattr(attention_watch, "PRESENT_SECONDS", 0.0)
        await stage.until(lambda: len(lines(log)) == 1)


async def test_a_command_that_fails_is_named_once_on_the_screen_and_one_that_hangs_holds_nothing_up(
    live: Callable[..., Living], tmp_path: Path
) -> None:
    other, one = live(session("billing", 30, name=BILLING), BILLING), live(session("shop"), SESSION)
    script = f"echo \"$SEQTHINK_STATE\" >> {tmp_path}/log; printf 'no \\033]0;route\\n' >&2; exit 7"
    async with running_viewer(one.path, (120, 35), settings(one, script)) as stage:
        await stage.until(lambda: len(stage.session.state.folder.needs) == 2)
        ask(other)
        await stage.shows("notify.asking: exit status 7: no ␛]0;route")
        await stage.press("j")
        other.grow(other.journal.elicit(3, "limit", "accept"), 1)
        await stage.until(lambda: not stage.session.state.folder.needs[0].standing.question)
        ask(other, "And now?")
        await stage.until(lambda: len(lines(tmp_path / "log")) == 2)

        assert "notify.asking" not in stage.text


async def test_leaving_does_not_wait_for_a_command(live: Callable[..., Living], tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    other, one = live(session("billing", 30, name=BILLING), BILLING), live(session("shop"), SESSION)
    script = f"echo $$ > {pid_file}; exec sleep 600"
    async with running_viewer(one.path, (120, 35), settings(one, script)) as stage:
        await stage.until(lambda: len(stage.session.state.folder.needs) == 2)
        ask(other)
        await stage.until(lambda: bool(lines(pid_file)))
        left_at = monotonic()

    assert monotonic() - left_at < LIMIT_SECONDS
    os.kill(int(lines(pid_file)[0]), signal.SIGKILL)
