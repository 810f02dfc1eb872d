"""Without a viewer, `seqthink watch --all` in a pipe and `seqthink web` start the user's commands."""

import json
import signal
import subprocess
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Timer
from time import monotonic, time
from typing import IO

import pytest

from tests.support.journals.build import SESSION, JournalBuilder
from tests.support.screens.screen_text import HOST
from tests.support.servers.commands import TIMEOUT_SECONDS, command, environment
from tests.support.web.command import running_web
from tests.tui.session_view.test_end_notice import Living


@pytest.fixture
def log(seqthink_home: Path, tmp_path: Path) -> Path:
    """Return the file to which the user's commands write what they get."""
    settings, path = seqthink_home / "settings.toml", tmp_path / "log"
    settings.touch(0o600)
    settings.write_text(f'[notify]\nasking = ["sh", "-c", "cat >> {path}"]\n', encoding="utf-8")
    return path


@pytest.fixture
def living(seqthink_home: Path) -> Iterator[Living]:
    journal = JournalBuilder(now()).session(SESSION, title="shop", host=HOST).thought("Why?", 1, 3)
    folder = seqthink_home / "sessions"
    folder.mkdir()
    one = Living(folder, journal)
    yield one
    one.die()


def now() -> datetime:
    return datetime.fromtimestamp(time(), UTC)


def ask(one: Living) -> None:
    journal = JournalBuilder(now())
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
def watching(*options: str) -> Generator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        command("watch", "--all", *(options or ("--sources", "journal"))),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment(),
    )
    bound = Timer(TIMEOUT_SECONDS, process.kill)  # a line that never comes ends the reading
    bound.start()
    with process:
        try:
            yield process
        finally:
            bound.cancel()
            process.kill()


def pipes(process: "subprocess.Popen[str]") -> tuple[IO[str], IO[str]]:
    assert process.stdout is not None
    assert process.stderr is not None
    return process.stdout, process.stderr


def test_watch_all_in_a_pipe_prints_what_has_happened_and_starts_the_command_until_it_is_ended(
    living: Living, log: Path
) -> None:
    with watching() as process:
        out, err = pipes(process)
        assert err.readline() == "seqthink: watching 1 recent session and new ones; commands for: asking\n"
        ask(living)
        when, _, text = out.readline().rstrip("\n").partition(" ")
        wait_until(lambda: asked(log) == ["shop asks you: Go on?"])
        process.send_signal(signal.SIGINT)

        assert (datetime.fromisoformat(when).tzinfo is not None, text) == (True, "shop asks you: Go on?")
        assert process.wait(TIMEOUT_SECONDS) == 130
        assert err.read() == ""


def test_two_that_watch_start_one_command(living: Living, log: Path) -> None:
    with watching() as first, watching() as second:
        both = [pipes(one) for one in (first, second)]
        for _, err in both:
            err.readline()
        ask(living)
        lines = [out.readline().partition(" ")[2] for out, _ in both]
        wait_until(lambda: bool(asked(log)))

    assert lines == ["shop asks you: Go on?\n"] * 2
    assert asked(log) == ["shop asks you: Go on?"]


def test_the_pages_start_the_command_though_no_browser_is_open(living: Living, log: Path) -> None:
    with running_web("--sources", "journal"):
        ask(living)
        wait_until(lambda: asked(log) == ["shop asks you: Go on?"])
