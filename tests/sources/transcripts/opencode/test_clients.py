"""Of several processes with one database the one that works on a session: whether it runs, and what it asks for."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from seqthink.core.events import AskingEvent, WriterState
from seqthink.sources.transcripts.files.local_machine import (
    is_of_this_machine,
    proc_lines,
    sees_all_processes,
    started_at,
)
from seqthink.sources.transcripts.opencode.clients import DatabaseClients
from seqthink.sources.transcripts.opencode.open_database import holders_of
from seqthink.sources.transcripts.opencode.private_copy import own_file
from seqthink.sources.transcripts.opencode.source import OpenCodeSource
from seqthink.sources.transcripts.source import FoundSession
from seqthink.sources.transcripts.spool import Spool
from tests.sources.transcripts.opencode.client_database import ClientDatabase
from tests.sources.transcripts.opencode.client_log_lines import asking_line, first_line, log_path, work_line
from tests.support.transcripts.fake_source import events_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems list no locks")
SECOND = 1_000_000
CLIENT = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("UPDATE session SET version = version")
print("open", flush=True)
sys.stdin.read()
"""
Client = subprocess.Popen[str]
StartClient = Callable[[], Client]


def _are_locks_known(path: Path) -> bool:
    """Return whether this system shows the locks on a file."""
    file = own_file(path)
    return file is not None and sees_all_processes() and is_of_this_machine(proc_lines("self/mountinfo"), file.device)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[ClientDatabase]:
    """A database in which two sessions of one folder are at work."""
    database = ClientDatabase(tmp_path / "opencode.db")
    for session in ("one", "two"):
        database.now = _now() // 1000
        database.session(session, session, directory=str(tmp_path))
        database.message(session, f"{session}-1", "user")
        database.part(session, f"{session}-1", f"{session}-p", type="text", text="go")
        database.message(session, f"{session}-2", "assistant")
    yield database
    database.close()


@pytest.fixture
def path(database: ClientDatabase) -> Path:
    return database.path


@pytest.fixture
def start(path: Path, tmp_path: Path) -> Iterator[StartClient]:
    with ExitStack() as stack:

        def started() -> Client:
            command = [sys.executable, "-c", CLIENT, str(path)]
            client = stack.enter_context(
                subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
            )
            stack.callback(client.kill)
            assert client.stdout is not None
            assert client.stdout.readline() == "open\n"
            if not _are_locks_known(path.with_name("opencode.db-shm")):
                pytest.skip("locks on this file system are not listed")
            return client

        yield started


def _now() -> int:
    return time.time_ns() // 1000


def kill(client: Client) -> None:
    client.kill()
    client.wait(60)


def began(client: Client) -> int:
    start = started_at(client.pid)
    assert start is not None
    return start


def between(first: Client, second: Client) -> int:
    """Return a time between those at which two processes began."""
    return (began(first) + began(second)) // 2


def call(database: ClientDatabase, session: str, tool: str, **state: object) -> None:
    """Write a call that has begun and has no answer."""
    now = database.now = _now() // 1000
    running = {"status": "running", "input": {"filePath": "/w/a.py"}, "time": {"start": now}, **state}
    database.part(session, f"{session}-2", f"{session}-c", type="tool", tool=tool, callID="c", state=running)
    database.session(session, session, directory=str(database.path.parent))


def found_by(source: OpenCodeSource, folder: Path, session: str) -> FoundSession:
    return next(found for found in source.find(folder, 5) if found.id == session)


def write_log(path: Path, *lines: str) -> None:
    with log_path(path).open("a", encoding="utf-8") as log:
        log.writelines(lines)


def answers(path: Path, *, folder: str | None = None, changed: int | None = None) -> list[bool | None]:
    """Return of both sessions whether they are abandoned."""
    clients = DatabaseClients(path)
    now = _now() if changed is None else changed
    return [clients.is_abandoned({one}, folder or str(path.parent), now) for one in ("one", "two")]


def test_the_processes_that_can_write_a_database_are_known_with_when_they_began(path: Path, start: StartClient) -> None:
    before = _now()
    client = start()
    after = _now()

    assert holders_of(path.with_name("opencode.db-shm")) == [client.pid]
    assert before - SECOND < began(client) < after + SECOND


def test_of_two_sessions_the_one_whose_process_was_killed_is_abandoned(path: Path, start: StartClient) -> None:
    killed, other = start(), start()
    for run, session, first in (("aaaa", "one", between(killed, other)), ("bbbb", "two", began(other) + SECOND)):
        write_log(path, first_line(first, run), work_line(first, run, session))
    during = answers(path)
    kill(killed)

    assert (during, answers(path)) == ([False, False], [True, False])


def test_which_of_two_processes_that_began_together_was_killed_is_not_known(path: Path, start: StartClient) -> None:
    first, second = start(), start()
    for run, session, client in (("aaaa", "one", first), ("bbbb", "two", second)):
        write_log(path, first_line(began(client) + SECOND, run), work_line(began(client) + SECOND, run, session))
    both = answers(path)
    kill(first)
    one = answers(path)
    kill(second)

    assert (both, one, answers(path)) == ([False, False], [None, None], [True, True])


def test_without_a_log_a_session_belongs_to_the_only_process_in_its_folder(path: Path, start: StartClient) -> None:
    client = start()
    here, elsewhere, earlier = answers(path), answers(path, folder="/"), answers(path, changed=began(client) - SECOND)
    other = start()
    two = answers(path)
    kill(client)
    kill(other)

    assert (here, elsewhere, earlier) == ([False, False], [None, None], [True, True])
    assert (two, answers(path)) == ([None, None], [True, True])


def test_a_database_without_shared_memory_is_not_known_to_be_abandoned(tmp_path: Path) -> None:
    assert answers(tmp_path / "opencode.db") == [None, None]


def test_a_session_whose_process_was_killed_while_another_one_has_the_database_open_is_lost(
    database: ClientDatabase, start: StartClient, tmp_path: Path
) -> None:
    killed, other = start(), start()
    call(database, "one", "read")
    first = between(killed, other)
    write_log(database.path, first_line(first, "aaaa"), work_line(first, "aaaa", "one"))
    source, now = OpenCodeSource(), _now() + 60 * SECOND
    spool = Spool(source, found_by(source, tmp_path, "one"), tmp_path / "spool.jsonl")
    spool.advance_to_end(now, 1 << 20)
    during = spool.writer(now)
    kill(killed)

    assert (during, spool.writer(now)) == (WriterState.ALIVE, WriterState.GONE)
    spool.close()


@pytest.mark.parametrize("tool", ["edit", "write", "apply_patch", "read", "task", "seq_sequentialthinking"])
def test_a_call_for_which_the_client_asks_for_a_permission_asks_you(
    database: ClientDatabase, start: StartClient, tmp_path: Path, tool: str
) -> None:
    client, path = start(), database.path
    write_log(path, first_line(began(client) + SECOND, "aaaa"), work_line(began(client) + SECOND, "aaaa", "one"))
    call(database, "one", tool)
    source, now = OpenCodeSource(), _now() + 3600 * SECOND
    found = found_by(source, tmp_path, "one")
    spool = Spool(source, found, tmp_path / "spool.jsonl")

    def asked() -> list[str]:
        spool.advance_to_end(now, 1 << 20)
        return [event.message or "" for event in events_of(spool.path) if isinstance(event, AskingEvent)]

    before = asked()
    permission = {"write": "edit", "apply_patch": "edit"}.get(tool, tool)
    write_log(path, asking_line(_now() + SECOND, "aaaa", permission))
    after, waits = asked(), found_by(source, tmp_path, "one").waits_for
    kill(client)

    assert (before, len(after)) == ([], 1)
    assert after[0].startswith("allow ")
    assert (found.waits_for, bool(waits), found_by(source, tmp_path, "one").waits_for) == ("", True, "")
    spool.close()


@pytest.mark.parametrize(("tool", "waits"), [("bash", True), ("question", True), ("webfetch", False)])
def test_a_session_that_waits_for_you_is_listed_as_such_while_its_client_runs(
    database: ClientDatabase, start: StartClient, tmp_path: Path, tool: str, waits: bool
) -> None:
    client, source = start(), OpenCodeSource()
    call(database, "one", tool)
    during = {found.id: bool(found.waits_for) for found in source.find(tmp_path, 5)}
    kill(client)

    assert during == {"one": waits, "two": False}
    assert not any(found.waits_for for found in source.find(tmp_path, 5))


def test_a_command_that_runs_waits_for_nobody(database: ClientDatabase, start: StartClient, tmp_path: Path) -> None:
    assert start()
    call(database, "one", "bash", metadata={"output": ""})

    assert not any(found.waits_for for found in OpenCodeSource().find(tmp_path, 5))
