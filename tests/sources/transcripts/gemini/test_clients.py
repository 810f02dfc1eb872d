"""What the processes of Gemini CLI say: which commands it runs before its file does, and whether it is gone."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from seqthink.core.events import ActionEvent, WriterState
from seqthink.sources.transcripts.facts import Result, ToolCall
from seqthink.sources.transcripts.files.local_machine import is_of_this_machine, proc_lines, sees_all_processes
from seqthink.sources.transcripts.gemini.source import GeminiSource
from seqthink.sources.transcripts.spool import Spool
from tests.sources.transcripts.gemini.process_table import (
    BEGAN,
    OPTIONS,
    SECOND,
    ProcessTable,
    look_each_time,
    wrapped,
    write_session,
)
from tests.sources.transcripts.gemini.test_records import SESSION, at, call, model, of, user
from tests.support.transcripts.fake_source import events_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems do not say")
OTHER = "0b604766-c3e3-4424-ba95-637ddb06728b"
KID = "1a57cd8d-5b7e-44df-bbcb-7ae7405c7632"
CLIENT, COMMAND = 100, 200
BY_THE_USER = f"{OPTIONS}{{\nmake\n}}\n__code=$?; pwd > /tmp/gemini-shell-0D3Ia3/pwd.tmp; exit $__code"
ASKED = [user("u1", "why?"), model("m1", second=5, content="I run the tests.")]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def table(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> ProcessTable:
    return ProcessTable(tmp_path, home, monkeypatch)


def shell(name: str, command: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    answer = {"output": "Output: 3 passed"}
    return call(name, tool="run_shell_command", args={"command": command} | more, response=answer)


def running(home: Path, path: Path | None = None) -> list[tuple[str, str | None]]:
    """Return the calls that are emitted before its file holds them, and whose they are."""
    source = GeminiSource()
    found = [one for one in source.find(home / ".gemini", 5) if path is None or one.path == path]
    feed = source.open(found[0])
    assert feed.read(1 << 20).at_end
    return [(one.summary, one.agent) for one in feed.unwritten_calls()]


def is_running(home: Path) -> bool | None:
    source = GeminiSource()
    return source.process_of(source.find(home / ".gemini", 5)[0]).is_running


def test_a_command_is_emitted_while_it_runs_and_is_the_same_call_when_the_file_holds_it(
    table: ProcessTable, home: Path
) -> None:
    path = write_session(home, ASKED)
    source = GeminiSource()
    feed = source.open(source.find(home / ".gemini", 5)[0])
    feed.read(1 << 20)
    table.client(CLIENT)
    before = feed.unwritten_calls()
    table.start(COMMAND, wrapped("mix test &&\n  mix credo"), CLIENT, 5.2)
    (unwritten,) = feed.unwritten_calls()
    again = feed.unwritten_calls()
    with path.open("a", encoding="utf-8") as out:
        out.write(json.dumps(ASKED[1] | {"toolCalls": [shell("c1", "mix test &&\n  mix credo")]}) + "\n")
    facts = feed.read(1 << 20).facts

    assert (before, list(again)) == ([], [unwritten])
    assert (unwritten.tool, unwritten.summary, unwritten.agent) == ("run_shell_command", "mix test && mix credo", None)
    assert unwritten.time == BEGAN + int(5.2 * SECOND)
    assert [one.id for one in of(ToolCall, facts)] == [one.id for one in of(Result, facts)] == [unwritten.id]
    assert feed.unwritten_calls() == []


def test_commands_that_run_at_once_are_each_one_call_also_where_the_file_names_a_folder(
    table: ProcessTable, home: Path
) -> None:
    path = write_session(home, ASKED)
    source = GeminiSource()
    feed = source.open(source.find(home / ".gemini", 5)[0])
    feed.read(1 << 20)
    table.client(CLIENT)
    table.start(COMMAND, wrapped("make a"), CLIENT, 5.2)
    table.start(COMMAND + 1, wrapped("make b"), CLIENT, 5.3)
    first, second = feed.unwritten_calls()
    table.end(COMMAND)
    calls = [shell("c1", "make a", dir_path="lib"), shell("c2", "make b"), shell("c3", "make c")]
    with path.open("a", encoding="utf-8") as out:
        out.write(json.dumps(ASKED[1] | {"toolCalls": calls}) + "\n")
    facts = feed.read(1 << 20).facts

    assert [one.summary for one in (first, second)] == ["make a", "make b"]
    assert [one.id for one in of(ToolCall, facts)] == [first.id, second.id, "c3"]


@pytest.mark.parametrize(
    ("line", "parent", "second"),
    [
        (["bash", "-c", BY_THE_USER], CLIENT, 6),
        (["node", "/usr/bin/some-mcp-server"], CLIENT, 6),
        (["rg", "--json", "x"], CLIENT, 6),
        (wrapped("make"), CLIENT, 4),
        (wrapped("make"), 1, 6),
    ],
    ids=["what the user runs", "a server", "a search", "one that was begun before", "one that nobody waits for"],
)  # fmt: skip
def test_nothing_else_that_the_client_starts_is_a_call(
    table: ProcessTable, home: Path, line: list[str], parent: int, second: float
) -> None:
    write_session(home, ASKED)
    table.client(CLIENT)
    table.start(COMMAND, line, parent, second)

    assert running(home) == []


def test_a_command_is_the_session_s_of_the_only_client_there_and_the_only_session_that_it_can_be(
    table: ProcessTable, home: Path, tmp_path: Path
) -> None:
    path = write_session(home, ASKED)
    write_session(home, ASKED, name="session-2026-11-21T17-43-0b604766.jsonl", session=OTHER, second=-60)
    write_session(home, [], name="session-2026-11-22T17-44-1a57cd8d.jsonl", session=KID)
    table.client(90, line=("node", "/usr/bin/gemini"))
    table.client(CLIENT, parent=90)
    table.client(101, work=tmp_path)
    table.client(102, environ={"HOME": "/x", "GEMINI_CLI_HOME": "/elsewhere"})
    table.start(COMMAND, wrapped("make"), CLIENT, 6)
    alone = running(home, path)
    table.client(103)
    with_another_client = running(home, path), is_running(home)
    table.end(103)
    write_session(home, ASKED, name="session-2026-11-21T17-43-0b604766.jsonl", session=OTHER)

    assert alone == [("make", None)]
    assert with_another_client == ([], None)
    assert (running(home, path), is_running(home)) == ([], None)


def test_after_clear_a_command_is_the_new_session_s_unless_another_client_may_have_begun_that(
    table: ProcessTable, home: Path
) -> None:
    first = write_session(home, ASKED)
    second = write_session(
        home, [user("u2", "and?"), model("m2", second=25)], name="session-2026-11-22T17-44-0b604766.jsonl",
        session=OTHER, began=20, second=55,
    )  # fmt: skip
    log = home / ".gemini" / "tmp" / "work" / "logs.json"

    def typed(*texts: tuple[int, str, str]) -> None:
        lines = [{"sessionId": name, "timestamp": at(time), "message": text} for time, text, name in texts]
        log.write_text(json.dumps(lines), "utf-8")

    def calls() -> list[list[tuple[str, str | None]]]:
        return [running(home, path) for path in (first, second)]

    table.client(CLIENT)
    table.start(COMMAND, wrapped("make"), CLIENT, 26)
    without_log = calls()
    typed((1, "why?", SESSION), (19, "/clear", SESSION), (21, "and?", SESSION))
    cleared = calls()
    os.utime(first, (BEGAN / SECOND + 59, BEGAN / SECOND + 59))
    gone_back = calls()
    os.utime(first, (BEGAN / SECOND + 50, BEGAN / SECOND + 50))
    typed((1, "why?", SESSION), (19, "/clear", SESSION), (21, "and?", OTHER))
    another_client = calls()
    typed((1, "why?", SESSION), (9, "/clear", SESSION))
    begun_otherwise = calls()

    assert cleared == [[], [("make", None)]]
    assert [without_log, gone_back, another_client, begun_otherwise] == [[[], []]] * 4


def test_a_command_is_that_of_the_subagent_for_which_the_main_agent_waits_if_there_is_one_only(
    table: ProcessTable, home: Path
) -> None:
    path = write_session(home, ASKED)
    kid = {"sessionId": KID, "projectHash": "55e6", "startTime": at(6), "kind": "subagent"}

    def write(name: str) -> None:
        agent = path.parent / SESSION / f"{name}.jsonl"
        agent.parent.mkdir(exist_ok=True)
        lines = [kid | {"sessionId": name}, user(f"u-{name}", "look", second=6), model(f"m-{name}", second=7)]
        agent.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")

    table.client(CLIENT)
    write(KID)
    table.start(COMMAND, wrapped("make"), CLIENT, 8)
    one = running(home, path)
    write(OTHER)

    assert (one, running(home, path)) == ([("make", KID)], [])


def test_a_session_is_known_to_be_lost_when_nothing_can_be_its_client(table: ProcessTable, home: Path) -> None:
    write_session(home, ASKED)
    none = is_running(home)
    table.client(CLIENT)
    one = is_running(home)
    table.end(CLIENT)
    table.start(300, ["/usr/share/code/code", "/x/google.geminicodeassist-2/agent/a2a-server.mjs"], 1, 0)
    with_an_editor = is_running(home)
    table.end(300)
    table.start(301, ["tmux: server", "new", "gemini"], 1, 0)
    table.start(302, ["-zsh", "-c", "gemini"], 1, 0)

    assert (none, one, with_an_editor, is_running(home)) == (False, True, None, False)


def test_a_session_is_at_work_while_its_command_runs_and_lost_when_its_client_is_gone(
    table: ProcessTable, home: Path, tmp_path: Path
) -> None:
    path = write_session(home, ASKED)
    now = BEGAN + 3600 * SECOND
    source = GeminiSource()
    spool = Spool(source, source.find(home / ".gemini", 5)[0], tmp_path / "spool.jsonl")
    table.client(CLIENT)
    states: list[WriterState] = []

    def look() -> None:
        spool.advance_to_end(now, 1 << 20)
        states.append(spool.writer(now))

    look()
    table.start(COMMAND, wrapped("make"), CLIENT, 6)
    look()
    table.end(COMMAND)
    with path.open("a", encoding="utf-8") as out:
        out.write(json.dumps(ASKED[1] | {"toolCalls": [shell("c1", "make")]}) + "\n")
    os.utime(path, (BEGAN / SECOND + 60, BEGAN / SECOND + 60))
    look()
    table.end(CLIENT)
    look()
    begun, ended = [event for event in events_of(spool.path) if isinstance(event, ActionEvent)]
    spool.close()

    assert states == [WriterState.UNKNOWN, WriterState.ALIVE, WriterState.UNKNOWN, WriterState.GONE]
    assert (begun.summary, begun.call, ended.ended) == ("make", ended.call, "done")


def test_a_command_of_a_real_process_is_emitted_while_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not sees_all_processes() or not is_of_this_machine(proc_lines("self/mountinfo"), tmp_path.stat().st_dev):
        pytest.skip("this system does not say")
    home = tmp_path.resolve()
    node = home / "node"
    shutil.copy("/bin/sh", node)
    (home / "work").mkdir()
    look_each_time(monkeypatch)
    text = 'echo ready; read go; /bin/sh -c "$1" & echo runs; read end; kill $!; wait; echo ended; read end'
    started = time.time()
    with subprocess.Popen(
        [str(node), "-c", text, "/usr/bin/gemini", wrapped("echo $$; exec sleep 600")[2]],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", cwd=home / "work",
        env={"HOME": str(home)},
    ) as client:  # fmt: skip
        assert client.stdin is not None
        assert client.stdout is not None
        assert client.stdout.readline() == "ready\n"
        path = write_session(home, ASKED)
        os.utime(path, (started + 1, started + 1))
        before = running(home), is_running(home)
        print("go", file=client.stdin, flush=True)
        lines = {client.stdout.readline() for _ in range(2)}
        during = running(home)
        client.kill()
        pid = next(int(line) for line in lines if line.strip().isdecimal())
        os.kill(pid, 9)

    assert before == ([], True)
    assert during == [("echo $$; exec sleep 600", None)]
