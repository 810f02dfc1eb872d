"""Without a viewer, `seqthink watch --all` in a pipe and `seqthink web` start the user's commands."""

import json
import signal
import subprocess
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from time import monotonic

import pytest

from tests.support.journals.build import SESSION, JournalBuilder
from tests.support.screens.screen_text import HOST
from tests.support.servers.commands import TIMEOUT_SECONDS, command, environment
from tests.support.web.command import running_web
from tests.tui.session_view.test_end_notice import Living

WATCH = ("watch", "--all", "--sources", "journal")


@pytest.fixture
def log(seqthink_home: Path, tmp_path: Path) -> Path:
    """Return the file to which the user's commands write what they get."""
    (seqthink_home / "sessions").mkdir()
    settings, path = seqthink_home / "settings.toml", tmp_path / "log"
    settings.touch(0o600)
    settings.write_text(f'[notify]\nasking = ["sh", "-c", "cat >> {path}"]\n', encoding="utf-8")
    return path


@pytest.fixture
def living(seqthink_home: Path, log: Path) -> Iterator[Living]:
    journal = JournalBuilder(datetime.now(UTC)).session(SESSION, title="shop", host=HOST).thought("Why?", 1, 3)
    one = Living(seqthink_home / "sessions", journal)
    yield one
    one.die()


def ask(one: Living) -> None:
    journal = JournalBuilder(datetime.now(UTC))
    journal.seq = one.journal.seq
    one.journal = journal.asking(2, "limit", "elicit", message="Go on?")
    one.grow(one.journal, 1)


def wait_until(is_so: Callable[[], bool]) -> None:
    end, pause = monotonic() + TIMEOUT_SECONDS, Event()
    while not is_so():
        assert monotonic() < end
        pause.wait(0.02)


def asked(log: Path) -> list[str]:
    return [json.loads(line)["text"] for line in log.read_text("utf-8").splitlines()] if log.exists() else []


@contextmanager
def watching() -> Generator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        command(*WATCH), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", env=environment()
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def test_watch_all_in_a_pipe_prints_what_has_happened_and_starts_the_command_until_it_is_ended(
    living: Living, log: Path
) -> None:
    with watching() as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stderr.readline() == "seqthink: watching the sessions; commands for: asking\n"
        ask(living)
        time, _, text = process.stdout.readline().rstrip("\n").partition(" ")
        wait_until(lambda: asked(log) == ["shop asks you: Go on?"])
        process.send_signal(signal.SIGINT)

        assert (datetime.fromisoformat(time).tzinfo is not None, text) == (True, "shop asks you: Go on?")
        assert process.wait(TIMEOUT_SECONDS) == 130
        assert process.stderr.read() == ""


def test_two_that_watch_start_one_command(living: Living, log: Path) -> None:
    with watching() as first, watching() as second:
        assert first.stdout and first.stderr and second.stdout and second.stderr
        for one in (first, second):
            one.stderr.readline()
        ask(living)
        lines = [one.stdout.readline().partition(" ")[2] for one in (first, second)]
        wait_until(lambda: bool(asked(log)))

    assert lines == ["shop asks you: Go on?\n"] * 2
    assert asked(log) == ["shop asks you: Go on?"]


def test_the_pages_start_the_command_though_no_browser_is_open(living: Living, log: Path) -> None:
    with running_web("--sources", "journal"):
        ask(living)
        wait_until(lambda: asked(log) == ["shop asks you: Go on?"])
