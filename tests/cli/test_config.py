"""`seqthink config`: run as a person does, and what it prints taken at its word."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from seqthink.connect.clients.registry import CLIENTS
from tests.support.depth import first
from tests.support.screens.terminal import Terminal
from tests.support.servers.commands import (
    TIMEOUT_SECONDS,
    CompletedCommand,
    command,
    environment,
    refusal_line,
    seqthink,
)
from tests.support.servers.tapped import SCRIPTED_SERVER
from tests.support.servers.wire import events, journals, start, thought

INSTALLED = Path(sys.executable).parent / "seqthink"


def test_in_a_pipe_stdout_is_the_snippet_and_stderr_says_where_it_goes(tmp_path: Path) -> None:
    done = seqthink("config", "cursor", variables={"HOME": str(tmp_path)})

    assert done.returncode == 0
    entry = json.loads(done.stdout)["mcpServers"]["seqthink"]
    assert entry == {
        "command": str(INSTALLED),
        "args": ["serve"],
        "env": {"SEQTHINK_HOME": os.environ["SEQTHINK_HOME"]},
    }
    assert (
        "Cursor: this entry in ~/.cursor/mcp.json (all your projects; create it if it does not exist):" in done.stderr
    )
    assert "Or in .cursor/mcp.json, for one project." in done.stderr


@pytest.mark.parametrize("client", first(4, CLIENTS))
def test_what_is_said_about_a_client_are_whole_sentences(client: str, tmp_path: Path) -> None:
    said = seqthink("config", client, variables={"HOME": str(tmp_path)}).stderr

    assert "Then ask, for example: Use sequential thinking" in said
    assert re.findall(r"[,;:.] ?[,;:.](?!\S)", said) == []


def test_what_is_printed_starts_a_server_that_answers(tmp_path: Path) -> None:
    done = seqthink("config", "codex", "--", "--title", "from here", variables={"SEQTHINK_HOME": str(tmp_path)})

    entry = tomllib.loads(done.stdout)["mcp_servers"]["seqthink"]
    assert entry["env"] == {"SEQTHINK_HOME": str(tmp_path)}
    with start(program=[entry["command"], *entry["args"]], environ=entry["env"]) as wire:
        wire.handshake()
        wire.call(thought())
    [journal] = journals(tmp_path / "sessions")
    assert events(journal)[0]["title"] == "from here"


def test_on_a_terminal_all_stands_on_the_screen_in_the_order_in_which_it_is_read(tmp_path: Path) -> None:
    with Terminal(command("config", "claude-code"), variables={"HOME": str(tmp_path)}) as terminal:
        assert terminal.end() == 0

    home = os.environ["SEQTHINK_HOME"]
    page = terminal.text.replace("\r\n", "\n")
    parts = [
        "Claude Code, by command:\n\n",
        f"  claude mcp add --scope user seqthink --env SEQTHINK_HOME={home} -- {INSTALLED} serve\n\n",
        "Or this entry in ~/.claude.json (all your projects; create it if it does not\nexist):\n\n{\n",
        '"mcpServers"',
        "}\n\nOr in .mcp.json, for one project, shared with everyone on it.\n",
        "With --write it is written for you: you see the change, and are asked.\n",
        "Restart it. Then ask, for example: Use sequential thinking: why is our CI slow?\n",
        f"Then: {INSTALLED} watch\n",
    ]
    places = [page.find(part) for part in parts]
    assert -1 not in places
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{}", "add the entry to its content"),
        (
            '{"mcpServers": {"st": {"command": "npx", "args": ["@modelcontextprotocol/server-sequential-thinking"]}}}',
            "remove server-sequential-thinking there: its tool has the same name",
        ),
    ],
)
def test_a_file_that_is_there_is_looked_at(tmp_path: Path, text: str, what: str) -> None:
    (tmp_path / ".cursor").mkdir()
    (tmp_path / ".cursor" / "mcp.json").write_text(text, "utf-8")

    done = seqthink("config", "cursor", variables={"HOME": str(tmp_path)})

    assert f"(all your projects; {what}):" in done.stderr


def test_the_list_names_every_client_and_its_file() -> None:
    lines = seqthink("config", "--list").stdout.splitlines()

    assert [line.split()[0] for line in lines] == list(CLIENTS)
    assert all("/" in line or "\\" in line for line in lines)


def test_with_tap_the_entry_starts_the_server_inside_the_tap(tmp_path: Path) -> None:
    server = [sys.executable, "-I", str(SCRIPTED_SERVER)]
    done = seqthink(
        *("config", "--tap", "codex", "--tool", "think", "--field", "step=thoughtNumber", "--", *server),
        variables={"SEQTHINK_HOME": str(tmp_path), "SEQTHINK_TITLE": "from here", "SEQTHINK_FSYNC": "always"},
    )

    entry = tomllib.loads(done.stdout)["mcp_servers"]["seqthink"]
    assert entry["env"] == {"SEQTHINK_HOME": str(tmp_path), "SEQTHINK_TITLE": "from here"}
    assert entry["args"] == ["tap", "--tool", "think", "--field", "step=thoughtNumber", "--", *server]
    assert "in place of the server's own entry there" in done.stderr
    with start(program=[entry["command"], *entry["args"]], environ=entry["env"]) as wire:
        assert wire.handshake()["serverInfo"]["name"] == "scripted"
        wire.call({**thought(), "step": 2, "thoughtNumber": None}, name="think")
        wire.hang_up()
        wire.status()
    [journal] = journals(tmp_path / "sessions")
    session, heard, _ = events(journal)
    assert (session["title"], session["source"], heard["thoughtNumber"]) == ("from here", "tap", 2)


@pytest.mark.parametrize("client", first(4, CLIENTS))
def test_with_tap_every_client_gets_its_own_form_of_the_entry(client: str, tmp_path: Path) -> None:
    plain = seqthink("config", client, variables={"HOME": str(tmp_path)}).stdout
    tapped = seqthink(
        *("config", client, "--tap", "--journal-dir", tmp_path, "--", "npx", "-y", "x"),
        variables={"HOME": str(tmp_path)},
    ).stdout

    words = ["tap", "--journal-dir", str(tmp_path), "--", "npx", "-y", "x"]
    joined = ", ".join(json.dumps(word) for word in words)
    assert "".join(tapped.split()) == "".join(plain.replace('"serve"', joined).split())


def test_the_folder_of_the_journals_goes_along_as_an_absolute_path(tmp_path: Path) -> None:
    done = seqthink("config", "windsurf", variables={"SEQTHINK_HOME": "~/seq", "HOME": str(tmp_path)})

    assert json.loads(done.stdout)["mcpServers"]["seqthink"]["env"] == {"SEQTHINK_HOME": str(tmp_path / "seq")}


def test_a_folder_that_is_named_is_the_server_s_too(tmp_path: Path) -> None:
    done = seqthink("config", "windsurf", "--journal-dir", os.path.relpath(tmp_path), "--", "--resume", "last")

    arguments = json.loads(done.stdout)["mcpServers"]["seqthink"]["args"]
    assert arguments == ["serve", "--journal-dir", str(tmp_path), "--resume", "last"]
    assert done.stderr.endswith(f"Then: {INSTALLED} watch --journal-dir {Path(os.path.relpath(tmp_path)).absolute()}\n")


def test_environment_variables_for_the_server_are_in_the_configuration() -> None:
    done = seqthink("config", "zed", variables={"SEQTHINK_FSYNC": "always", "SEQTHINK_THEME": "light"})

    env = json.loads(done.stdout)["context_servers"]["seqthink"]["env"]
    assert env.keys() == {"SEQTHINK_HOME", "SEQTHINK_FSYNC"}


def test_a_command_that_no_line_can_show_is_left_out() -> None:
    done = seqthink("config", "codex", "--", "--title", "a\nb")

    assert "by command" not in done.stderr
    assert tomllib.loads(done.stdout)["mcp_servers"]["seqthink"]["args"][-1] == "a\nb"


@pytest.mark.parametrize(
    ("arguments", "words"),
    first(
        5,
        [
            ([], "which client? choose from: claude-code, claude-desktop, codex,"),
            (["claud"], "unknown client 'claud'; did you mean claude-code? choose from:"),
            (["emacs"], "unknown client 'emacs'; choose from: claude-code"),
            (["codex", "zed"], "unexpected argument 'zed'"),
            (["codex", "--journal-dir", ""], "must name a folder, got nothing"),
            (["codex", "--", "--journal-dir", "here"], "put --journal-dir here before --"),
            (["codex", "--journal-dir", "~nobody-here/x"], "the home folder (~) is unknown"),
            (["codex", "--", "--resum", "last"], "serve: unknown option --resum; did you mean --resume?"),
            (["codex", "--", "--fsync", "maybe"], "must be never or always"),
            (["codex", "--tap"], "config: --tap: which server? write its command after --"),
            (["codex", "--tap", "--", "./server"], "a client may start ./server in any folder; write its whole path"),
            (["codex", "--tool", "think", "--", "npx"], "config: --tool and --field need --tap"),
            (["codex", "--tap", "--field", "a=b", "--", "npx"], "must be THEIRS=OURS"),
        ],
        is_unpacked=True,
    ),
)
def test_bad_arguments_are_refused_in_one_line(arguments: list[str], words: str) -> None:
    assert words in refusal_line(seqthink("config", *arguments))


def test_a_path_that_no_configuration_can_hold_is_refused(tmp_path: Path) -> None:
    environ = {os.fsencode(name): os.fsencode(value) for name, value in environment().items()}
    done = subprocess.run(
        command("config", "zed"),
        env=environ | {b"SEQTHINK_HOME": os.fsencode(tmp_path) + b"/\xff"},
        capture_output=True,
        check=False,
        timeout=TIMEOUT_SECONDS,
    )

    said = CompletedCommand(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "is not UTF-8; no client's configuration can hold it" in refusal_line(said)


def test_a_link_to_the_program_is_left_as_it_is(tmp_path: Path) -> None:
    link = tmp_path / "bin" / "seqthink"
    link.parent.mkdir()
    link.symlink_to(INSTALLED)

    done = subprocess.run(
        [link, "config", "zed"],
        env=environment(),
        capture_output=True,
        check=True,
        encoding="utf-8",
        timeout=TIMEOUT_SECONDS,
    )

    assert json.loads(done.stdout)["context_servers"]["seqthink"]["command"] == str(link)


def test_a_program_of_one_run_is_warned_about(tmp_path: Path) -> None:
    passing = tmp_path / "archive-v0" / "bin" / "seqthink"
    passing.parent.mkdir(parents=True)
    passing.symlink_to(INSTALLED)

    done = subprocess.run(
        [passing, "config", "zed"],
        env=environment(),
        capture_output=True,
        check=True,
        encoding="utf-8",
        timeout=TIMEOUT_SECONDS,
    )

    assert "is a temporary installation" in done.stderr
    assert json.loads(done.stdout)


def test_no_name_of_a_client_is_broken_on_a_help_page() -> None:
    for name in ("setup", "config", "doctor"):
        for columns in (44, 60, 72, 80):
            page = seqthink(name, "--help", variables={"COLUMNS": str(columns)}).stdout
            words = re.split(r"[\s,()]+", page)
            assert set(CLIENTS) <= set(words), (name, columns)
