"""Whether a process of Codex works on a session: it has the session's rollout open."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from seqthink.core.events import WriterState
from seqthink.sources.transcripts.codex import open_rollouts
from seqthink.sources.transcripts.codex.source import CodexSource
from seqthink.sources.transcripts.facts import ToolCall
from seqthink.sources.transcripts.files import local_machine
from seqthink.sources.transcripts.files.local_machine import (
    is_of_this_machine,
    parent_of,
    proc_lines,
    processes_named,
    sees_all_processes,
)
from seqthink.sources.transcripts.source import FoundSession
from seqthink.sources.transcripts.spool import Spool
from tests.sources.transcripts.codex.rollouts import FORK, THREAD, completed, event, item, line, meta

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems do not say")
SECOND = 1_000_000
Start = Callable[..., "subprocess.Popen[str]"]


def _own_processes_named(name: str) -> Iterator[int]:
    """Yield the processes that this one started: beside it another may run the same tests."""
    return (process for process in processes_named(name) if parent_of(process) == os.getpid())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / ".codex"))
    monkeypatch.setattr(open_rollouts, "MAX_KNOWN_SECONDS", 0.0)
    monkeypatch.setattr(open_rollouts, "processes_named", _own_processes_named)
    folder = tmp_path / ".codex" / "sessions" / "2026" / "11" / "22"
    folder.mkdir(parents=True)
    if not sees_all_processes() or not is_of_this_machine(proc_lines("self/mountinfo"), folder.stat().st_dev):
        pytest.skip("this system does not say")
    return folder


@pytest.fixture
def rollout(folder: Path) -> Path:
    asked = completed("UserMessage", id="u1", content=[{"type": "text", "text": "why?"}])
    lines = [meta(), event("task_started", turn_id="t1"), asked]
    return write(folder, THREAD, *lines, item("function_call", name="shell", arguments='{"command":"ls"}', call_id="c"))


def write(folder: Path, thread: str, *lines: bytes) -> Path:
    path = folder / f"rollout-2026-11-22T17-39-47-{thread}.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts programs that are called as Codex is, and have some files open."""
    program = shutil.which("tail")
    if program is None:
        pytest.skip("there is no tail")
    codex = tmp_path / "codex"
    shutil.copy(program, codex)
    with ExitStack() as stack:

        def started(*paths: Path) -> "subprocess.Popen[str]":
            command = [str(codex), "-n", "+1", "-f", *map(str, paths)]
            process = stack.enter_context(
                subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
            )
            stack.callback(process.kill)
            if paths:
                assert process.stdout is not None
                assert process.stdout.readline()
            return process

        yield started


def kill(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.wait(60)


def is_running(path: Path) -> bool | None:
    return CodexSource().process_of(FoundSession("codex", THREAD, path, 0, 0)).is_running


def test_a_session_whose_rollout_no_process_has_open_has_none(rollout: Path, folder: Path, start: Start) -> None:
    process = start(rollout)
    during = is_running(rollout)
    kill(process)
    after = is_running(rollout)
    start(write(folder, FORK, meta(FORK)))

    assert (during, after, is_running(rollout)) == (True, False, False)


def test_where_a_process_has_no_rollout_open_it_is_not_known(rollout: Path, tmp_path: Path, start: Start) -> None:
    other = tmp_path / "other"
    other.write_text("a line\n", "utf-8")
    start(other)

    assert is_running(rollout) is None


@pytest.mark.parametrize(
    ("variables", "known"),
    [
        ({"CODEX_HOME": "{elsewhere}"}, False),
        ({"CODEX_HOME": "", "HOME": "{elsewhere}"}, False),
        ({"CODEX_HOME": "", "HOME": "{here}"}, None),
        ({"CODEX_HOME": "relative"}, None),
        ({"CODEX_HOME": "", "HOME": ""}, None),
    ],
    ids=["another folder", "another home", "this home", "a folder that is not known", "no home"],
)
def test_only_a_codex_that_may_keep_its_sessions_there_counts(
    rollout: Path,
    tmp_path: Path,
    start: Start,
    monkeypatch: pytest.MonkeyPatch,
    variables: dict[str, str],
    known: bool | None,
) -> None:
    other = tmp_path / "other"
    other.write_text("a line\n", "utf-8")
    for name, value in variables.items():
        monkeypatch.setenv(name, value.format(elsewhere=tmp_path / "elsewhere", here=tmp_path))
    start(other)

    assert is_running(rollout) is known


def test_a_program_of_another_name_that_writes_the_rollout_works_on_it_and_one_that_reads_it_does_not(
    rollout: Path,
) -> None:
    with rollout.open("rb"):
        read = is_running(rollout)
    with rollout.open("ab"):
        written = is_running(rollout)

    assert (read, written, is_running(rollout)) == (False, True, False)


def test_programs_are_looked_through_once_however_many_sessions_ask(
    rollout: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []

    def look(name: str = "") -> Iterator[int]:
        looked.append(name)
        return iter(())

    monkeypatch.setattr(open_rollouts, "MAX_KNOWN_SECONDS", 3600.0)
    monkeypatch.setattr(open_rollouts, "processes_named", look)
    monkeypatch.setattr(local_machine, "all_processes", look)
    source, other = CodexSource(), write(folder, FORK, meta(FORK))
    found = [FoundSession("codex", THREAD, path, 0, 0) for path in (rollout, other, rollout)]

    assert [source.process_of(one).is_running for one in found] == [False, False, False]
    assert looked == ["codex", ""]


def test_a_program_of_another_name_does_not_keep_a_session_at_work_for_ever(rollout: Path) -> None:
    an_hour_ago = time.time() - 3601
    os.utime(rollout, (an_hour_ago, an_hour_ago))
    with rollout.open("ab"):
        written = is_running(rollout)

    assert written is False


def test_of_a_copy_outside_of_codex_s_folder_nothing_is_known(rollout: Path, tmp_path: Path) -> None:
    copy = tmp_path / rollout.name
    shutil.copy(rollout, copy)

    assert is_running(copy) is None


def test_a_session_whose_codex_was_killed_is_lost_and_one_that_runs_is_at_work_however_long(
    rollout: Path, tmp_path: Path, start: Start
) -> None:
    process, source, now = start(rollout), CodexSource(), time.time_ns() // 1000 + 3600 * SECOND
    (found,) = source.find(tmp_path / ".codex", 5)
    spool = Spool(source, found, tmp_path / "spool.jsonl")
    spool.advance_to_end(now, 1 << 20)
    during = spool.writer(now)
    kill(process)

    assert (during, spool.writer(now)) == (WriterState.ALIVE, WriterState.GONE)
    spool.close()


def test_a_session_that_asks_you_is_listed_as_such_while_its_codex_runs(
    folder: Path, tmp_path: Path, start: Start
) -> None:
    def waits() -> bool:
        (found,) = CodexSource().find(tmp_path / ".codex", 5)
        return bool(found.waits_for)

    asks = item("function_call", name="request_user_input", arguments='{"questions":[]}', call_id="q1")
    rollout = write(folder, THREAD, meta(), event("task_started", turn_id="t1"), asks)
    before = waits()
    process = start(rollout)
    during = waits()
    with rollout.open("ab") as out:
        out.write(item("function_call_output", call_id="q1", output="{}") + b"\n")
    answered = waits()
    rollout = write(folder, THREAD, meta(), asks, event("token_count"))
    again = waits()
    kill(process)

    assert (before, during, answered, again, waits()) == (False, True, False, True, False)


@pytest.mark.parametrize(
    "wanted", [{"sandbox_permissions": "require_escalated"}, {"with_escalated_permissions": True}], ids=str
)
def test_a_command_for_which_codex_asks_asks_you_until_it_runs(
    folder: Path, tmp_path: Path, wanted: dict[str, object]
) -> None:
    shell = tmp_path / "codex"
    shutil.copy("/bin/sh", shell)
    command = json.dumps({"cmd": "make deploy", **wanted})
    rollout = write(
        folder, THREAD, meta(), event("task_started", turn_id="t1"),
        line("response_item", {"type": "function_call", "name": "exec_command", "arguments": command, "call_id": "c"}),
    )  # fmt: skip
    script = 'exec 3<"$0"; echo open; read go; sleep 600 & echo runs; read end; kill $!'
    source, now = CodexSource(), time.time_ns() // 1000
    (found,) = source.find(tmp_path / ".codex", 5)
    feed = source.open(found)
    (call,) = (fact for fact in feed.read(1 << 20).facts if isinstance(fact, ToolCall))
    at_first = dict(feed.unstarted_calls)
    with subprocess.Popen(
        [str(shell), "-c", script, str(rollout)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as codex:
        assert codex.stdin is not None
        assert codex.stdout is not None
        assert codex.stdout.readline() == "open\n"
        asked, (listed,) = dict(feed.unstarted_calls), source.find(tmp_path / ".codex", 5)
        print("go", file=codex.stdin, flush=True)
        assert codex.stdout.readline() == "runs\n"
        running, (later,) = dict(feed.unstarted_calls), source.find(tmp_path / ".codex", 5)
        print("end", file=codex.stdin, flush=True)
    feed.close()

    assert call.time < now
    assert (at_first, asked, running) == ({}, {call.id: call.time}, {})
    assert [bool(one.waits_for) for one in (found, listed, later)] == [False, True, False]
