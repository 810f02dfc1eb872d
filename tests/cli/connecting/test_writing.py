"""`seqthink config CLIENT --write`, run as a person and as a script runs it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.clients.machine import Machine, servers_in
from tests.support.depth import first
from tests.support.screens.terminal import Terminal
from tests.support.servers.commands import command, environment, refusal_line, seqthink

BEFORE = '{"mcpServers": {"gh": {"command": "x"}}}\n'
REFERENCE = (
    '{"mcpServers": {"st": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-sequential-thinking"]}}}'
)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_dry_run_shows_the_change_writes_nothing_and_says_by_its_status_that_there_is_one(machine: Machine) -> None:
    machine.write("cursor", BEFORE)
    before = machine.snapshot()

    done = seqthink("config", "cursor", "--dry-run", variables=machine.environ)

    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("--- ~/.cursor/mcp.json\n+++ ~/.cursor/mcp.json\n@@ ")
    assert machine.snapshot() == before


def test_a_script_writes_once_and_then_there_is_nothing_to_change(machine: Machine) -> None:
    path = machine.write("cursor", BEFORE)
    first, again, dry = (
        seqthink("config", "cursor", "--write", *options, variables=machine.environ)
        for options in (["--yes"], ["--yes"], ["--dry-run"])
    )

    assert [done.returncode for done in (first, again, dry)] == [0, 0, 0]
    assert set(servers_in(path.read_bytes())) == {"gh", "seqthink"}
    assert "✓ Cursor: ~/.cursor/mcp.json: written; a copy as it was: mcp.json.seqthink-" in first.stdout
    assert "\nRestart Cursor.\nThen ask, for example: Use sequential thinking: why is our CI slow?\n" in first.stdout
    assert again.stdout == dry.stdout == "✓ Cursor: ~/.cursor/mcp.json: it is all there; nothing to change\n"


def test_removing_is_a_write_and_ends_as_it_began(machine: Machine) -> None:
    machine.write("cursor", BEFORE)
    before = machine.snapshot()
    seqthink("config", "cursor", "--write", "--yes", variables=machine.environ)

    done = seqthink("config", "cursor", "--remove", "--yes", variables=machine.environ)

    assert "✓ Cursor: ~/.cursor/mcp.json: as it was before\n\nRestart Cursor.\n" in done.stdout
    assert machine.snapshot() == before
    again = seqthink("config", "cursor", "--remove", "--yes", variables=machine.environ)
    assert again.stdout == "✓ Cursor: ~/.cursor/mcp.json: seqthink is not in it; nothing to remove\n"


@pytest.mark.parametrize(
    ("answer", "status", "is_written"),
    first(2, [("y\r", 0, True), ("\r", 1, False), ("n\r", 1, False), ("\x04", 1, False)], is_unpacked=True),
)
def test_on_a_terminal_it_asks_and_only_a_yes_writes(
    machine: Machine, answer: str, status: int, is_written: bool
) -> None:
    path = machine.write("cursor", BEFORE)
    with Terminal(command("config", "cursor", "--write"), variables=machine.environ) as terminal:
        terminal.until("Write this? [y/N]")
        terminal.type(answer)
        ended = terminal.end()

    assert ended == status
    assert ("Nothing was written." in terminal.text) is not is_written
    assert ("seqthink" in servers_in(path.read_bytes())) is is_written


def test_ctrl_c_at_the_question_writes_nothing(machine: Machine) -> None:
    machine.write("cursor", BEFORE)
    before = machine.snapshot()
    with Terminal(command("config", "cursor", "--write"), variables=machine.environ, is_controlling=True) as terminal:
        terminal.until("Write this? [y/N]")
        os.kill(terminal.process.pid, signal.SIGINT)
        ended = terminal.end()

    assert ended == 130
    assert "Traceback" not in terminal.text
    assert machine.snapshot() == before


def test_a_change_while_the_question_is_open_is_shown_again(machine: Machine) -> None:
    path = machine.write("cursor", BEFORE)
    with Terminal(command("config", "cursor", "--write"), variables=machine.environ) as terminal:
        terminal.until("Write this? [y/N]")
        path.write_text('{"mcpServers": {"another": {"command": "y"}}}', "utf-8")
        seen = len(terminal.written)
        terminal.type("y\r")
        terminal.until("another program has written it meanwhile", "Write this? [y/N]", since=seen)
        terminal.type("y\r")
        assert terminal.end() == 0

    assert set(servers_in(path.read_bytes())) == {"another", "seqthink"}


def test_colours_are_for_terminals_and_no_color_turns_them_off(machine: Machine) -> None:
    with Terminal(command("config", "cursor", "--dry-run"), variables=machine.environ) as coloured:
        assert coloured.end() == 1
    with Terminal(command("config", "cursor", "--dry-run"), variables=machine.environ | {"NO_COLOR": "1"}) as plain:
        assert plain.end() == 1
    piped = seqthink("config", "cursor", "--dry-run", variables=machine.environ)

    assert "\x1b[32m+" in coloured.text
    assert "\x1b" not in plain.text + piped.stdout


def test_where_the_locale_is_not_utf_8_the_signs_are_ascii(machine: Machine) -> None:
    variables = machine.environ | {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    done = seqthink("config", "cursor", "--write", "--yes", variables=variables)

    assert done.returncode == 0
    assert "ok Cursor: ~/.cursor/mcp.json: created" in done.stdout
    assert done.stdout.isascii()


def test_the_reference_server_is_named_with_the_way_to_take_it_out(machine: Machine) -> None:
    path = machine.write("cursor", REFERENCE)
    done = seqthink("config", "cursor", "--write", "--yes", variables=machine.environ)
    seqthink("config", "cursor", "--write", "--replace", "--yes", variables=machine.environ)

    assert "st is the reference server, whose tool has the same name; --replace takes it out" in done.stderr
    assert set(servers_in(path.read_bytes())) == {"seqthink"}


@pytest.mark.parametrize("words", [("config", "cursor", "--write"), ("setup", "cursor")])
def test_before_it_writes_it_says_that_another_hard_link_keeps_the_old_text(
    machine: Machine, words: tuple[str, ...]
) -> None:
    path = machine.write("cursor", "{}")
    other = machine.home / "dotfiles.json"
    os.link(path, other)
    shown = seqthink(*words, "--dry-run", variables=machine.environ)
    done = seqthink(*words, "--yes", variables=machine.environ)
    again = seqthink(*words, "--yes", variables=machine.environ)

    said = "it has 1 more name (hard links), which will keep the old text; link it again afterwards"
    assert [said in one.stderr for one in (shown, done, again)] == [True, True, False]
    assert other.read_text("utf-8") == "{}"
    assert set(servers_in(path.read_bytes())) == {"seqthink"}


def test_options_of_the_server_go_into_the_entry(machine: Machine) -> None:
    seqthink(
        *("config", "codex", "--write", "--yes", "--journal-dir", machine.home / "j", "--", "--title", "here"),
        variables=machine.environ,
    )

    text = machine.file("codex").read_text("utf-8")
    assert f'args = ["serve", "--journal-dir", "{machine.home / "j"}", "--title", "here"]' in text


def test_a_project_file_names_no_path_of_this_machine(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = seqthink("config", "vscode", "--write", "--scope", "project", "--yes", variables=machine.environ)

    assert done.returncode == 0
    assert servers_in((tmp_path / ".vscode" / "mcp.json").read_bytes(), "servers") == {
        "seqthink": {"type": "stdio", "command": "uvx", "args": ["seqthink", "serve"]}
    }


def test_print_is_the_entry_alone_on_a_terminal_too(machine: Machine) -> None:
    with Terminal(command("config", "cursor", "--print"), variables=machine.environ) as terminal:
        assert terminal.end() == 0

    assert set(json.loads(terminal.text)) == {"mcpServers"}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--yes"], "--scope, --replace, --force and --yes need --write"),
        (["--scope", "user"], "--scope, --replace, --force and --yes need --write"),
        (["--write", "--print"], "--print or --write, not both"),
        (["--remove", "--replace", "--yes"], "--remove or --replace, not both"),
        (["--dry-run", "--yes"], "--dry-run or --yes, not both"),
        (["--write", "--tap", "--yes", "--", "x"], "--tap prints an entry and does not write it"),
        (["--write", "--tool", "x", "--yes"], "--tool and --field need --tap"),
        (["--write"], "there is no terminal to ask on; --yes writes without asking, --dry-run shows the change"),
    ],
)
def test_options_that_contradict_each_other_are_refused(machine: Machine, arguments: list[str], reason: str) -> None:
    done = seqthink("config", "cursor", *arguments, variables=machine.environ)

    assert refusal_line(done).startswith(f"config: {reason}")
    assert machine.snapshot() == {}


def test_an_entry_that_would_soon_lead_nowhere_is_not_written(machine: Machine, tmp_path: Path) -> None:
    program = tmp_path / "archive-v0" / "x" / "bin" / "seqthink"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n", "utf-8")
    program.chmod(0o755)
    call = "from seqthink.__main__ import main; sys.exit(main())"
    run = f"import sys; sys.argv = [{str(program)!r}, *sys.argv[1:]]; {call}"
    arguments = ["config", "cursor", "--write", "--yes"]
    refused, forced = (
        subprocess.run(
            [sys.executable, "-c", run, *arguments, *more], env=environment(**machine.environ), capture_output=True,
            encoding="utf-8", check=False,
        )
        for more in ([], ["--force"])
    )  # fmt: skip

    assert refused.returncode == 2
    assert (
        "is a temporary installation, and the entry would outlive it; run `uv tool install seqthink` first"
        in refused.stderr
    )
    assert forced.returncode == 0
    assert servers_in(machine.file("cursor").read_bytes())["seqthink"]["command"] == str(program)


def test_hostile_names_in_a_file_do_not_reach_the_terminal(machine: Machine) -> None:
    hostile = json.dumps(
        {"\x1b]0;owned\x07": {"command": "npx", "args": ["@modelcontextprotocol/server-sequential-thinking"]}}
    )
    machine.write("cursor", f'{{"mcpServers": {hostile}}}'.replace("\\u001b", "\x7f\u202e").replace("\\u0007", "\x9c"))

    done = seqthink("config", "cursor", "--write", "--yes", variables=machine.environ)

    assert done.returncode == 0
    assert [sign for sign in done.stdout + done.stderr if not sign.isprintable() and sign != "\n"] == []


@pytest.mark.parametrize("home", ["", "not/absolute"])
def test_without_a_home_it_says_so_in_one_line(machine: Machine, home: str) -> None:
    done = seqthink("config", "cursor", "--write", "--yes", variables=machine.environ | {"HOME": home})

    assert "HOME is not an absolute path" in refusal_line(done)
