"""Where POSIX's modules are missing, as on Windows, server, journal, viewer and commands work all the same.

`tests/support/without_posix/` hides them from our code. The locks are those that `msvcrt` takes, and real.
"""

import ast
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from seqthink.journal.folder import notes_path
from seqthink.journal.notes_file import Note, append_note
from tests.conftest import PROJECT
from tests.support.depth import first
from tests.support.docs.source_nodes import nodes_of
from tests.support.journals.build import JournalBuilder
from tests.support.screens.terminal import Terminal
from tests.support.servers.commands import SHOP_API, CompletedCommand, command, refusal_line, seqthink
from tests.support.servers.warm_server import TIMEOUT_SECONDS
from tests.support.servers.wire import Wire, events, is_waiting, journals, start, thought
from tests.support.transcripts.recorded import lay_out

WITHOUT_POSIX = {"PYTHONPATH": os.pathsep.join([str(PROJECT / "tests/support/without_posix"), str(PROJECT)])}
POSIX_MODULES = {"fcntl", "termios", "tty", "pty", "resource", "pwd", "grp", "msvcrt", "winreg", "_winapi"}
POSIX_ONLY = {
    "seqthink/core/system.py": {"fcntl", "msvcrt"},  # this is the module for it
    "seqthink/audit/judges/worker.py": {"resource"},  # bounds a judge's memory; audits need POSIX
    "tui/terminal/driver.py": {"termios"},  # chosen on POSIX only; else Textual's own driver reads the keys
}
POLLING = {
    "seqthink/core/system.py",  # says whether it is there
    "seqthink/share/shipping/waiting.py",  # a shipper waits for a folder and a pipe with it on POSIX only
    "seqthink/server/wire/stdio.py",  # what it offers is asked for on POSIX only
    "seqthink/server/fast_path/fast_server.py",  # the fast path runs on POSIX only
    "seqthink/server/tap/relay.py",  # so does the tap
    "tui/run.py",  # a terminal that has hung up is noticed on POSIX only
    "tui/terminal/driver.py",  # as above
}

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what stands in for the hidden modules is Linux's")


@pytest.fixture(autouse=True)
def _memory_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction] - every test here has it
    """Keep spools apart: these processes do not see the locks of real ones, and would take theirs for abandoned."""
    memory = tmp_path / "runtime"
    memory.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(memory))


@pytest.fixture
def sessions(seqthink_home: Path) -> Path:
    """Return the folder of the journals."""
    return seqthink_home / "sessions"


def without_posix(*arguments: str | Path, stdin: str | None = None, **variables: str) -> CompletedCommand:
    """Run a command where POSIX's modules are hidden."""
    return seqthink(*arguments, stdin=stdin, variables=WITHOUT_POSIX | variables)


def serve(*arguments: str, environ: dict[str, str] | None = None) -> Wire:
    """Start a server where POSIX's modules are hidden."""
    return start(*arguments, environ=WITHOUT_POSIX | (environ or {}))


def imported_by(path: Path) -> set[str]:
    """Return the modules that a module imports, wherever it does; none if it names none of those looked for."""
    text = path.read_text(encoding="utf-8")
    if not any(name in text for name in (*POSIX_MODULES, "select")):
        return set()  # to parse all takes seconds
    nodes = nodes_of(path)
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return names | {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}


@pytest.mark.slow  # all modules are parsed
def test_one_module_knows_the_platforms_and_few_others_need_posix() -> None:
    modules = {
        path.relative_to(PROJECT).as_posix(): imported_by(path)
        for package in ("seqthink", "tui")
        for path in (PROJECT / package).rglob("*.py")
    }

    assert {name: found for name, names in modules.items() if (found := names & POSIX_MODULES)} == POSIX_ONLY
    assert {name for name, names in modules.items() if "select" in names} == POLLING


def test_what_is_hidden_is_missing_in_our_code_and_in_no_other() -> None:
    program = (
        "import os, select, sys, seqthink.server.run; from seqthink.core import system; "
        "print(system.HAS_POSIX_FILES, system.HAS_POLL, system.fcntl, hasattr(os, 'geteuid'), hasattr(select, 'poll'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | WITHOUT_POSIX, capture_output=True, check=True, text=True, encoding="utf-8",
    )  # fmt: skip

    assert done.stdout.split() == ["False", "False", "None", "True", "True"]


def test_a_process_is_not_interrupted_by_the_question_whether_it_runs() -> None:
    program = "import os; from seqthink.core import system; print(system.is_running(os.getpid()))"
    asked = [
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | variables, capture_output=True, check=True, text=True, encoding="utf-8",
        ).stdout.strip()
        for variables in ({}, WITHOUT_POSIX)
    ]  # fmt: skip

    assert asked == ["True", "None"]


def test_a_server_answers_records_and_ends_its_journal(sessions: Path) -> None:
    with serve() as wire:
        handshake = wire.handshake()
        tools = wire.ask("tools/list")["result"]["tools"]
        answers = [wire.call(thought(f"thought {number}", number)) for number in (1, 2, 3)]
        refused = wire.call(thought(number=-1))
        wire.hang_up()

        assert wire.status() == 0
    (journal,) = journals(sessions)
    kept = events(journal)

    assert handshake["serverInfo"]["name"] == "seqthink"
    assert [tool["name"] for tool in tools] == ["sequentialthinking"]
    assert [answer["structuredContent"]["thoughtHistoryLength"] for answer in answers] == [1, 2, 3]
    assert refused["isError"]
    assert [event["type"] for event in kept] == ["session", "thought", "thought", "thought", "rejected", "end"]
    assert [event["seq"] for event in kept] == [1, 2, 3, 4, 5, 6]
    assert kept[-1]["reason"] == "eof"
    assert b"\r" not in journal.read_bytes()


@pytest.mark.deep  # the hidden modules change nothing else in what is tested without them
def test_a_signal_ends_a_server_that_waits_for_its_client(sessions: Path) -> None:
    with serve() as wire:
        wire.handshake()
        wire.call(thought())
        os.kill(wire.pid, signal.SIGTERM)

        assert wire.status() == 0
    assert events(journals(sessions)[0])[-1]["reason"] == "signal"


@pytest.mark.deep  # the hidden modules change nothing else in what is tested without them
def test_a_signal_that_does_not_interrupt_the_wait_for_the_client_ends_a_server(sessions: Path) -> None:
    with serve() as wire:
        wire.handshake()
        wire.call(thought())
        until = time.monotonic() + TIMEOUT_SECONDS
        while not is_waiting(wire.pid):
            assert time.monotonic() < until, "the server does not wait"
        # Linux hands the signal to the thread that is named. The main thread waits on, as it does with a signal that
        # comes after it has looked for signals and before it waits.
        threads = [int(task.name) for task in Path(f"/proc/{wire.pid}/task").iterdir()]
        os.kill(next(thread for thread in threads if thread != wire.pid), signal.SIGTERM)

        assert wire.status() == 0
    assert events(journals(sessions)[0])[-1]["reason"] == "signal"


@pytest.mark.deep  # the hidden modules change nothing else in what is tested without them
def test_a_client_that_reads_late_gets_every_answer_in_order() -> None:
    pings = b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % number for number in range(5_000))
    with serve() as wire:
        wire.handshake()
        wire.send_unread(pings)
        wire.hang_up()
        answers = wire.rest()

        assert wire.status() == 0
    assert [answer["id"] for answer in answers] == list(range(5_000))


@pytest.mark.deep  # the hidden modules change nothing else in what is tested without them
def test_one_server_writes_a_journal_and_others_see_that_it_does(sessions: Path) -> None:
    with serve() as wire:
        wire.handshake()
        wire.call(thought("one"))
        (journal,) = journals(sessions)
        size = journal.stat().st_size
        refused = refusal_line(without_posix("serve", "--resume", journal.stem, stdin=""))
        kept = without_posix("delete", journal.stem, "--yes")
        (listed,) = json.loads(without_posix("sessions", "--json").stdout)
        status = without_posix("status").stdout
        shown = without_posix("show", journal)
        wire.call(thought("two", 2))

        assert refused.startswith(f"session {journal.stem} is in use by another server")
        assert (kept.returncode, "a server is using it" in kept.stderr) == (1, True)
        assert (listed["alive"], listed["state"]) == (True, "thinking")
        assert "1" in status
        assert "one" in shown.stdout
        assert journal.stat().st_size > size
        wire.hang_up()
        assert wire.status() == 0
    (left,) = json.loads(without_posix("sessions", "--json").stdout)

    assert left["alive"] is False


@pytest.mark.deep  # the hidden modules change nothing else in what is tested without them
def test_a_session_is_resumed_behind_what_a_killed_server_left(sessions: Path) -> None:
    with serve() as wire:
        wire.handshake()
        wire.call(thought("one"))
        os.kill(wire.pid, signal.SIGKILL)
        wire.status()
    (journal,) = journals(sessions)
    with journal.open("ab") as file:
        file.write(b'{"v":1,"seq":3,"ti')
    with serve("--resume", "last") as wire:
        wire.handshake()
        answer = wire.call(thought("two", 2))
        wire.hang_up()
        assert wire.status() == 0

    assert answer["structuredContent"]["thoughtHistoryLength"] == 2
    assert [event["type"] for event in events(journal)] == ["session", "thought", "session", "thought", "end"]


@pytest.mark.deep  # the hidden modules change nothing else in what is tested without them
def test_a_note_reaches_the_agent_once(sessions: Path) -> None:
    with serve() as wire:
        wire.handshake()
        wire.call(thought("one"))
        append_note(
            notes_path(journals(sessions)[0]), Note("0" * 16, "look at the lock", "2026-03-10T14:05:00.000000Z")
        )
        answers = [wire.call(thought(f"thought {number}", number)) for number in (2, 3)]

    assert [answer["structuredContent"].get("notes") for answer in answers] == [["look at the lock"], None]


@pytest.mark.parametrize(
    "arguments",
    first(
        1,
        [
            ["show", SHOP_API],
            ["watch", SHOP_API],
            ["find", "checkout"],
            ["sessions"],
            ["settings"],
            *(["export", SHOP_API, "--format", kind] for kind in ("html", "md", "mermaid", "svg", "json")),
            ["replay", SHOP_API, "--at", "6"],
            ["check", SHOP_API],
            ["stats", SHOP_API],
        ],
    ),
    ids=lambda arguments: "-".join(map(str, [arguments[0], *arguments[3:]])),
)
def test_commands_write_what_they_write_anywhere(arguments: list[str | Path], sessions: Path) -> None:
    sessions.mkdir()
    (sessions / "shop.jsonl").write_bytes(SHOP_API.read_bytes())
    here, there = seqthink(*arguments), without_posix(*arguments)

    assert here.returncode == 0
    assert (there.returncode, there.stdout, there.stderr) == (0, here.stdout, here.stderr)


def test_an_export_is_written_and_replaced(tmp_path: Path) -> None:
    target = tmp_path / "page.md"
    first = without_posix("export", SHOP_API, "--output", target)
    again = without_posix("export", SHOP_API, "--output", target)
    forced = without_posix("export", SHOP_API, "--output", target, "--force")

    assert (first.returncode, again.returncode, forced.returncode) == (0, 2, 0)
    assert target.read_bytes() == seqthink("export", SHOP_API, "--format", "md").stdout.encode()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_journals_are_deleted(sessions: Path) -> None:
    sessions.mkdir()
    for name in ("a", "b"):
        journal = JournalBuilder().session().thought(name, 1, 1).end().write(sessions / f"{name}.jsonl")
        notes_path(journal).touch()
    deleted = without_posix("delete", "a", "--yes")
    left = [path.name for path in journals(sessions)]
    pruned = without_posix("prune", "--older-than", "1h")

    assert (deleted.returncode, deleted.stderr, left) == (0, "", ["b.jsonl"])
    assert (pruned.returncode, pruned.stderr, list(sessions.iterdir())) == (0, "", [])


def test_a_client_s_session_is_imported(tmp_path: Path, sessions: Path) -> None:
    lay_out("claude/agents", tmp_path / "home")
    first, second = without_posix("import", "--all"), without_posix("import", "--all")

    assert (first.returncode, first.stderr, second.returncode, second.stderr) == (0, "", 0, "")
    assert "1 imported" in first.stdout
    assert "1 unchanged" in second.stdout
    assert without_posix("show", journals(sessions)[0]).stdout == seqthink("show", journals(sessions)[0]).stdout


@pytest.mark.deep  # the hidden modules change nothing else in what is tested without them
def test_the_demo_is_played_and_its_journal_kept(sessions: Path) -> None:
    done = without_posix("demo", "--fast")

    assert (done.returncode, done.stderr) == (0, "")
    assert f"journal: {journals(sessions)[0]}" in done.stdout


def test_the_viewer_follows_a_journal_on_a_terminal(sessions: Path) -> None:
    sessions.mkdir()
    journal = sessions / "live.jsonl"
    begun = JournalBuilder().session().thought("the first thought", 1, 3)
    begun.write(journal)
    with Terminal(command("watch", journal), variables=WITHOUT_POSIX) as terminal:
        terminal.until("the first thought")
        begun.thought("the second thought", 2, 3).append_to(journal)
        terminal.until("the second thought")
        terminal.type("q")

        assert terminal.end() == 0


@pytest.mark.deep  # the hidden modules change nothing else in what is tested without them
def test_the_viewer_shows_a_client_s_session_and_leaves_nothing_of_it(tmp_path: Path) -> None:
    lay_out("claude/agents", tmp_path / "home")
    memory = tmp_path / "memory"
    memory.mkdir()
    left: list[list[Path]] = []
    for _ in range(2):
        with Terminal(command("watch"), variables=WITHOUT_POSIX | {"XDG_RUNTIME_DIR": str(memory)}) as terminal:
            terminal.until("the cron job")
            terminal.type("q")

            assert terminal.end() == 0
        left.append(list(memory.iterdir()))

    assert [path for path in memory.rglob("*") if path.is_file() and path.stat().st_size] == []
    assert len(left[1]) <= 1  # a folder that could not be deleted at once is by the next viewer
    assert set(left[0]) & set(left[1]) == set()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["tap", "--", "cat"], "tap needs a POSIX system"),
        (["watch", "-"], "watch - needs a POSIX system"),
    ],
)
def test_what_needs_posix_says_so_in_one_line(arguments: list[str], says: str) -> None:
    assert refusal_line(without_posix(*arguments, stdin="")).startswith(says)


def test_audits_need_posix_and_say_so_in_one_line() -> None:
    done = without_posix("serve", stdin="", ENABLE_GAN_AUDITING="true")

    assert refusal_line(done).startswith("audits need a POSIX system")
