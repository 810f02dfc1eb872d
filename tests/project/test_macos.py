"""Where the system answers as macOS does, server, tap, viewer, audits and doctor work all the same.

`tests/support/like_macos/` changes those of Linux's answers that differ. It has not been compared with a Mac.
"""

import fcntl
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from seqthink.audit.workspace.processes import run_process
from seqthink.core import system
from seqthink.core.saving import write_atomically
from tests.conftest import PROJECT
from tests.connect.doctor.set_ups import SetUp
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder
from tests.support.screens.terminal import Terminal
from tests.support.servers.commands import SHOP_API, TIMEOUT_SECONDS, command, environment, seqthink
from tests.support.servers.dialogue_clients import CLIENTS, no_answer
from tests.support.servers.wire import events, journals, start, thought
from tests.support.transcripts.recorded import lay_out

LIKE_MACOS = {"PYTHONPATH": os.pathsep.join([str(PROJECT / "tests/support/like_macos"), str(PROJECT)])}
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{}}\n'

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what stands in for macOS is Linux's")


@pytest.fixture
def sessions(seqthink_home: Path) -> Path:
    """Return the folder of the journals."""
    return seqthink_home / "sessions"


def test_what_stands_in_differs_in_our_code_and_in_no_other() -> None:
    program = "import os, sys, seqthink.server.run; from seqthink.connect.doctor import started_server as s; " + (
        "print(s.sys.platform, hasattr(s.os, 'waitid'), sys.platform, hasattr(os, 'waitid'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | LIKE_MACOS, capture_output=True, check=True, text=True, encoding="utf-8",
    )  # fmt: skip

    assert done.stdout.split() == ["darwin", "False", "linux", "True"]


@pytest.mark.parametrize("options", first(1, [(), ("--no-front",)]), ids=["fast path", "SDK path"])
def test_a_server_answers_what_is_in_a_file_and_ends(options: Sequence[str], tmp_path: Path) -> None:
    requests = tmp_path / "requests"
    requests.write_bytes(PING)
    with requests.open("rb") as file:
        done = subprocess.run(
            command("serve", *options),
            stdin=file, env=environment() | LIKE_MACOS, capture_output=True, timeout=TIMEOUT_SECONDS, check=False,
        )  # fmt: skip

    assert (done.returncode, done.stdout, done.stderr) == (0, ANSWER, b"")


@pytest.mark.parametrize("options", first(1, [(), ("--no-front",)]), ids=["fast path", "SDK path"])
def test_a_server_ends_where_its_stdin_is_the_null_device(options: Sequence[str]) -> None:
    done = seqthink("serve", *options, variables=LIKE_MACOS)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("options", first(1, [(), ("--no-front",)]), ids=["fast path", "SDK path"])
def test_a_server_whose_answers_go_to_the_null_device_keeps_none_of_them(
    options: Sequence[str], sessions: Path
) -> None:
    call = {"name": "sequentialthinking", "arguments": thought()}
    line = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}).encode() + b"\n"
    done = subprocess.run(
        command("serve", *options),
        input=line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env=environment(DISABLE_THOUGHT_LOGGING="true") | LIKE_MACOS,
        timeout=TIMEOUT_SECONDS, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, b"")
    assert [event["type"] for event in events(journals(sessions)[0])] == ["session", "thought", "end"]


def test_a_writer_distinguishes_the_null_device_from_a_pipe_that_is_full() -> None:
    program = """
import os
from seqthink.server.wire.stdio import NonBlockingWriter, is_writable
null = os.open(os.devnull, os.O_WRONLY)
writer = NonBlockingWriter(null)
writer.send(b"x" * 100_000)
_, full = os.pipe()
os.set_blocking(full, False)
try:
    while True:
        os.write(full, b"x" * 65536)
except BlockingIOError:
    print(writer.unsent_bytes, is_writable(null), is_writable(full))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | LIKE_MACOS, capture_output=True, check=True, text=True, encoding="utf-8",
        timeout=TIMEOUT_SECONDS,
    )  # fmt: skip

    assert done.stdout.split() == ["0", "True", "False"]


def test_a_signal_ends_a_server_on_either_path(sessions: Path) -> None:
    for options in ((), ("--no-front",)):
        with start(*options, environ=LIKE_MACOS) as wire:
            wire.handshake()
            wire.call(thought())
            os.kill(wire.pid, signal.SIGTERM)

            assert wire.status() == 0

    assert [events(path)[-1]["reason"] for path in journals(sessions)] == ["signal", "signal"]


@pytest.mark.deep  # the simulated system has two tests above
def test_code_in_a_thought_is_audited(tmp_path: Path) -> None:
    environ = LIKE_MACOS | {"ENABLE_GAN_AUDITING": "true"}
    with start("--journal-dir", str(tmp_path), environ=environ, cwd=tmp_path) as wire:
        host = CLIENTS["handshake"](wire, {})
        text = "```python\ndef load(text):\n    return eval(text)\n```\n"
        result = host.call("sequentialthinking", thought(text), no_answer)["structuredContent"]

    assert "auditError" not in result
    assert result["gan"]["review"]["inline"][0]["comment"].startswith("eval runs")


def test_the_tap_passes_on_what_a_server_says() -> None:
    done = subprocess.run(
        command("tap", "--", *command("serve")),
        input=PING, env=environment() | LIKE_MACOS, capture_output=True, timeout=TIMEOUT_SECONDS, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stdout) == (0, ANSWER)


@pytest.mark.deep  # this system differs from Linux in nothing else that it uses
def test_the_doctor_tries_a_server_and_ends_it(tmp_path: Path) -> None:
    set_up = SetUp(tmp_path / "home")
    set_up.connect("codex")
    examined = set_up.examine("codex", variables=LIKE_MACOS)

    assert examined.done.stderr == ""
    assert ("server", "right") in examined.of("Codex")


@pytest.mark.deep  # this system differs from Linux in nothing else that it uses
def test_the_viewer_follows_a_journal_below_a_linked_folder(tmp_path: Path) -> None:
    real, link = tmp_path / "private", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    journal = link / "live.jsonl"
    begun = JournalBuilder().session().thought("the first thought", 1, 3)
    begun.write(journal)
    with Terminal(command("watch", journal), variables=LIKE_MACOS) as terminal:
        terminal.until("the first thought")
        begun.thought("the second thought", 2, 3).append_to(journal)
        terminal.until("the second thought")
        terminal.type("q")

        assert terminal.end() == 0


def test_the_viewer_shows_a_client_s_session_with_its_temporary_folder_behind_a_link(tmp_path: Path) -> None:
    lay_out("claude/agents", tmp_path / "home")
    real, link = tmp_path / "private", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    with Terminal(command("watch"), variables=LIKE_MACOS | {"TMPDIR": str(link)}) as terminal:
        terminal.until("the cron job")
        assert [path.name[:15] for path in real.iterdir()] == ["seqthink-spool-"]
        terminal.type("q")

        assert terminal.end() == 0
    assert list(real.iterdir()) == []


@pytest.mark.parametrize("name", first(1, ["status", "sessions", "find", "export"]))
def test_commands_write_what_they_write_anywhere(name: str, sessions: Path) -> None:
    sessions.mkdir()
    (sessions / "shop.jsonl").write_bytes(SHOP_API.read_bytes())
    arguments = {"find": ["find", "checkout"], "export": ["export", str(SHOP_API), "--format", "md"]}.get(name, [name])
    here, there = seqthink(*arguments), seqthink(*arguments, variables=LIKE_MACOS)

    assert (there.returncode, there.stdout, there.stderr) == (here.returncode, here.stdout, "")


async def test_a_program_that_ends_while_it_is_killed_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.killpg

    def killpg(group: int, number: int) -> None:
        real(group, number)
        raise PermissionError  # as macOS says about a group whose processes have all ended

    monkeypatch.setattr(os, "killpg", killpg)
    words = [sys.executable, "-c", "import time\nwhile True: print('x' * 9999, flush=True)"]

    assert await run_process(words, tmp_path, dict(os.environ), b"", 1000) is None


@pytest.mark.parametrize("is_supported", [True, False])
def test_a_sync_reaches_the_disk_where_the_system_has_a_call_for_it(
    *, is_supported: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def control(_descriptor: int, operation: int) -> int:
        asked.append(operation)
        if not is_supported:
            raise OSError
        return 0

    def fsync(_descriptor: int) -> None:
        asked.append("fsync")

    monkeypatch.setattr(fcntl, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", control)
    monkeypatch.setattr(os, "fsync", fsync)
    with (tmp_path / "file").open("wb") as file:
        system.sync(file.fileno())

    assert asked == ([51] if is_supported else [51, "fsync"])


@pytest.mark.parametrize("is_taken", [False, True])
def test_an_export_is_written_where_the_file_system_has_no_links(
    *, is_taken: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def link(_one: Path, other: Path) -> None:
        if is_taken:
            other.write_text("theirs", encoding="utf-8")
        raise PermissionError

    monkeypatch.setattr(os, "link", link)
    folder = tmp_path / "pages"
    folder.mkdir()
    target = folder / "page.md"
    if is_taken:
        with pytest.raises(FileExistsError):
            write_atomically(target, [b"ours"], may_replace=False)
    else:
        write_atomically(target, [b"ours"], may_replace=False)

    assert target.read_text(encoding="utf-8") == ("theirs" if is_taken else "ours")
    assert list(folder.iterdir()) == [target]
