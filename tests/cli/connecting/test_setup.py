"""`seqthink setup`: all clients of a machine, in one dialogue."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from seqthink.connect.clients.entries import REFERENCE_PACKAGE
from seqthink.connect.clients.registry import CLIENTS
from tests.support.clients.machine import Machine, servers_in
from tests.support.depth import first
from tests.support.screens.terminal import Terminal
from tests.support.servers.commands import TIMEOUT_SECONDS, command, environment, refusal_line, seqthink


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def _install_all(machine: Machine) -> None:
    machine.install_claude()
    for client in CLIENTS:
        if client != "claude-code":
            machine.use(client)


def test_every_client_is_connected_and_afterwards_all_is_as_before(machine: Machine) -> None:
    _install_all(machine)
    machine.write("claude-code", '{"userID": "claude\'s own", "mcpServers": {}}')
    before = machine.snapshot()
    done = seqthink("setup", "--yes", variables=machine.environ)
    dry = seqthink("setup", "--dry-run", variables=machine.environ)

    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split(":")[0] for line in done.stdout.splitlines() if line.startswith("✓")] == [
        f"✓ {client.title}" for client in CLIENTS.values()
    ]
    assert all("seqthink" in machine.file(client).read_text("utf-8") for client in CLIENTS)
    assert dry.returncode == 0
    assert dry.stdout.count("nothing to change") == len(CLIENTS)

    removed = seqthink("setup", "--remove", "--yes", variables=machine.environ)

    assert removed.returncode == 0
    assert machine.snapshot() == before


def test_what_removing_leaves_does_not_look_like_a_client(machine: Machine) -> None:
    for options in ([], ["--remove"]):
        seqthink("setup", "codex", "--yes", *options, variables=machine.environ)

    assert machine.file("codex").parent.is_dir()
    assert "none of these clients was found" in seqthink("setup", "--yes", variables=machine.environ).stderr


def test_it_ends_with_what_to_do_next(machine: Machine) -> None:
    _install_all(machine)
    lines = seqthink("setup", "--yes", variables=machine.environ).stdout.splitlines()

    assert lines[-5:-1] == [
        "Restart Claude Code, Codex, Cursor, VS Code, Copilot CLI, Kilo, OpenCode, Qwen Code, Cline CLI, pi, Windsurf "
        "and Zed.",
        "Quit Claude Desktop completely and start it again.",
        "Restart Gemini CLI, in a folder that it trusts.",
        "Then ask, for example: Use sequential thinking: why is our CI slow?",
    ]
    assert lines[-1].startswith("And watch: ")


def test_a_client_that_fails_does_not_keep_the_others_from_it(machine: Machine) -> None:
    machine.write("cursor", "{ half")
    machine.write("zed", "{}")

    done = seqthink("setup", "--yes", variables=machine.environ)

    assert done.returncode == 1
    assert "✗ Cursor  ~/.cursor/mcp.json:1:" in done.stdout
    assert "✓ Zed: " in done.stdout
    assert set(servers_in(machine.file("zed").read_bytes(), "context_servers")) == {"seqthink"}
    assert machine.file("cursor").read_text("utf-8") == "{ half"


def test_only_the_named_clients_are_connected_whether_they_are_there_or_not(machine: Machine) -> None:
    machine.write("zed", "{}")

    seqthink("setup", "--yes", "cursor", "cursor", variables=machine.environ)

    assert machine.file("zed").read_text("utf-8") == "{}"
    assert set(servers_in(machine.file("cursor").read_bytes())) == {"seqthink"}


def test_on_a_machine_without_clients_it_says_what_it_looked_for(machine: Machine) -> None:
    done = seqthink("setup", "--yes", variables=machine.environ)

    assert (done.returncode, done.stdout) == (1, "")
    assert "none of these clients was found: Claude Code, Claude Desktop, Codex, Cursor, VS Code, " in done.stderr
    assert "name yours (`seqthink setup cursor`)" in done.stderr
    assert machine.snapshot() == {}


def test_a_name_that_is_no_client_gets_the_nearest_one(machine: Machine) -> None:
    assert "unknown client 'curser'; did you mean cursor?" in refusal_line(
        seqthink("setup", "--yes", "curser", variables=machine.environ)
    )


def test_without_a_terminal_and_without_yes_nothing_is_asked_or_written(machine: Machine) -> None:
    machine.write("zed", "{}")

    assert "there is no terminal to ask on" in refusal_line(seqthink("setup", variables=machine.environ))
    assert machine.file("zed").read_text("utf-8") == "{}"


@pytest.mark.parametrize(
    ("answers", "connected"),
    first(
        2,
        [(["y"], ["cursor", "zed"]), (["n"], []), ([""], []), (["o", "n", "y"], ["zed"]), (["o", "n", "n"], [])],
        is_unpacked=True,
    ),
)
def test_one_question_is_for_all_and_one_by_one_if_wanted(
    machine: Machine, answers: list[str], connected: list[str]
) -> None:
    machine.write("cursor", "{}")
    machine.write("zed", "{}")
    questions = ["Write these 2 files? [y]es, [N]o, [o]ne by one", "Cursor, ~/.cursor/mcp.json? [y/N]", "Zed, "]
    with Terminal(command("setup"), variables=machine.environ) as terminal:
        for question, answer in zip(questions, answers, strict=False):
            terminal.until(question)
            terminal.type(f"{answer}\r")
        ended = terminal.end()

    assert ended == (0 if len(connected) == 2 else 1)
    assert [name for name in ("cursor", "zed") if "seqthink" in machine.file(name).read_text("utf-8")] == connected
    assert ("Nothing was written." in terminal.text) is (not connected)


def test_a_file_that_changes_while_the_question_is_open_is_not_written(machine: Machine) -> None:
    path = machine.write("cursor", "{}")
    with Terminal(command("setup"), variables=machine.environ | {"NO_COLOR": "1"}) as terminal:
        terminal.until("Write this? [y/N]")
        path.write_text('{"a": 1}', "utf-8")
        terminal.type("y\r")
        assert terminal.end() == 1

    said = " ".join(terminal.text.split())
    assert "✗ Cursor: ~/.cursor/mcp.json: another program has written it meanwhile; try again" in said
    assert path.read_text("utf-8") == '{"a": 1}'


def test_an_answer_that_means_nothing_is_asked_for_again(machine: Machine) -> None:
    machine.write("cursor", "{}")
    machine.write("zed", "{}")
    with Terminal(command("setup"), variables=machine.environ) as terminal:
        terminal.until("[o]ne by one ")
        seen = len(terminal.text)
        terminal.type("x\r")
        terminal.until("Answer with y, o or n.", "[o]ne by one", since=seen)
        terminal.type("yes\r")
        assert terminal.end() == 0

    assert "seqthink" in machine.file("zed").read_text("utf-8")


@pytest.mark.parametrize("answers", [[], ["o", "y"]])
def test_after_an_interrupt_it_says_that_nothing_was_written(machine: Machine, answers: list[str]) -> None:
    machine.write("cursor", "{}")
    machine.write("zed", "{}")
    before = machine.snapshot()
    with Terminal(command("setup"), variables=machine.environ, is_controlling=True) as terminal:
        for question, answer in zip(["Write these 2 files?", "Cursor, "], answers, strict=False):
            terminal.until(question)
            terminal.type(f"{answer}\r")
        terminal.until("Zed, " if answers else "[o]ne by one")
        terminal.type("\x03")
        assert terminal.end() == 130

    assert terminal.text.endswith("\r\nNothing was written.\r\n")
    assert machine.snapshot() == before


def test_what_is_to_be_done_stands_between_the_changes_and_the_question(machine: Machine) -> None:
    machine.write("cursor", "{ half")
    machine.write("zed", "{}")
    machine.write("windsurf", "{}")
    with Terminal(command("setup"), (80, 24), variables=machine.environ | {"NO_COLOR": "1"}) as terminal:
        terminal.until("[o]ne by one ")
        terminal.type("n\r")
        assert terminal.end() == 1

    lines = terminal.text.splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("✗ Cursor"))
    assert [line.split()[:2] for line in lines[first : first + 3]] == [
        ["✗", "Cursor"],
        ["+", "Windsurf"],
        ["+", "Zed"],
    ]
    assert not any(line.startswith(("---", "@@")) for line in lines[first:])
    assert lines[-3:] == ["Nothing was written.", "", "Not done, for the reason above: Cursor."]


@pytest.mark.parametrize("columns", first(1, [20, 44, 80]))
def test_its_sentences_are_broken_between_words_and_fit_the_terminal(machine: Machine, columns: int) -> None:
    machine.write("claude-code", "{}")  # and there is no `claude` here
    machine.write("codex", "")
    machine.write("opencode", '{"theme": "x"}')
    with Terminal(command("setup", "--yes"), (columns, 24), variables=machine.environ | {"NO_COLOR": "1"}) as terminal:
        terminal.until("And")
        assert terminal.end() == 1

    lines = terminal.text.splitlines()
    table, end = (next(place for place, line in enumerate(lines) if line.startswith(f"{sign} ")) for sign in "✗✓")
    said = lines[table:end]
    assert max(map(len, said)) <= columns
    assert "Claude Code rewrites it while it runs, so only its own command" in " ".join(" ".join(said).split())
    assert all(line.startswith("  ") for line in said if line and line[0] not in "✗+")


def test_in_a_pipe_each_client_is_one_line(machine: Machine) -> None:
    machine.write("claude-code", "{}")
    machine.write("zed", "{}")

    lines = seqthink("setup", "--dry-run", variables=machine.environ).stdout.splitlines()

    assert [line[:13] for line in lines[-3:-1]] == ["✗ Claude Code", "+ Zed        "]
    assert lines[-2].endswith("/settings.json  to be changed")


def test_removing_does_not_name_the_reference_server(machine: Machine) -> None:
    machine.write("cursor", json.dumps({"mcpServers": {"st": {"command": "npx", "args": ["-y", REFERENCE_PACKAGE]}}}))
    seqthink("setup", "--yes", variables=machine.environ)

    removed = seqthink("setup", "--remove", "--yes", variables=machine.environ)

    assert (removed.returncode, removed.stderr) == (0, "")


@pytest.mark.parametrize(("option", "status"), first(1, [("--yes", 0), ("--dry-run", 1)], is_unpacked=True))
def test_a_reader_who_leaves_changes_nothing_of_what_is_done(machine: Machine, option: str, status: int) -> None:
    machine.write("cursor", "{}")
    machine.write("zed", "{}")
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as nobody:
        done = subprocess.run(
            command("setup", option),
            env=environment(**machine.environ),
            stdin=subprocess.DEVNULL,
            stdout=nobody,
            stderr=subprocess.PIPE,
            check=False,
            timeout=TIMEOUT_SECONDS,
        )

    assert (done.returncode, done.stderr) == (status, b"")
    written = [name for name in ("cursor", "zed") if "seqthink" in machine.file(name).read_text("utf-8")]
    assert written == (["cursor", "zed"] if option == "--yes" else [])
