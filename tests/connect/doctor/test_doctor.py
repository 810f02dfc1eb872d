"""`seqthink doctor`, run as a person does: what it starts, what it leaves, and what it says about strange set-ups."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from seqthink.connect.clients.launch import Launch
from seqthink.connect.clients.registry import CLIENTS
from tests.conftest import PROJECT
from tests.connect.doctor.set_ups import INSTALLED, SetUp
from tests.support.depth import first
from tests.support.screens.terminal import Terminal, check_written
from tests.support.servers.commands import TIMEOUT_SECONDS, command, refusal_line, seqthink

HOSTILE = "\x1b]0;owned\x07\x1b[2J\u202eevil\r\nsecond line"


def processes_of(word: str) -> list[str]:
    """Return the command lines of running programs that hold a word."""
    shown = subprocess.run(["ps", "-eo", "args"], capture_output=True, check=True, encoding="utf-8", errors="replace")
    lines = shown.stdout.splitlines()
    return [line for line in lines if word in line and "ps -eo" not in line]


def wait_until_none_of(word: str) -> list[str]:
    until = time.monotonic() + TIMEOUT_SECONDS
    while (found := processes_of(word)) and time.monotonic() < until:
        time.sleep(0.05)  # noqa: TID251 - looks again at what another process does
    return found


# Which clients


def test_where_nothing_is_configured_the_fix_is_the_set_up(set_up: SetUp) -> None:
    for client in ("codex", "zed"):
        set_up.use(client)

    examined = set_up.examine()

    assert examined.fixes == ["seqthink setup"]
    assert examined.status == 1
    assert examined.of("Codex") == [("entry", "not looked at")]


def test_a_client_without_an_entry_is_no_failure_where_another_has_one(set_up: SetUp) -> None:
    set_up.connect("codex")
    set_up.use("zed")

    examined = set_up.examine()

    assert examined.fixes == []
    assert examined.of("Zed") == [("entry", "not looked at")]


def test_a_home_without_any_client_says_which_were_looked_for(set_up: SetUp) -> None:
    examined = set_up.examine()

    assert examined.fixes == ["seqthink config --list"]
    assert examined.status == 0
    assert all(client.title in examined.messages("clients") for client in CLIENTS.values())


def test_an_unknown_client_is_refused_with_the_one_that_is_meant() -> None:
    assert refusal_line(seqthink("doctor", "codx")).startswith("doctor: unknown client 'codx'; did you mean codex?")


def test_in_a_folder_that_is_gone_it_says_so(tmp_path: Path) -> None:
    words = " ".join(command("doctor"))
    done = subprocess.run(
        ["/bin/sh", "-c", f"mkdir gone && cd gone && rmdir ../gone && exec {words}"],
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=TIMEOUT_SECONDS,
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "seqthink: doctor: the current folder is gone; change to another\n"


def test_report_and_json_exclude_each_other() -> None:
    assert "not allowed with argument" in refusal_line(seqthink("doctor", "--report", "--json"))


def test_the_project_s_entry_counts_and_the_user_s_is_named(set_up: SetUp) -> None:
    set_up.connect("cursor", words=("/nowhere/seqthink", "serve"))
    set_up.connect("cursor", scope="project")

    examined = set_up.examine("cursor")

    assert examined.fixes == []
    assert "the user's file has one, too, which does not count here" in examined.messages("entry")


def test_the_fix_of_a_project_s_entry_is_for_the_project(set_up: SetUp) -> None:
    set_up.connect("cursor")
    set_up.connect("cursor", words=("/nowhere/seqthink", "serve"), scope="project")

    assert set_up.examine("cursor").fixes == ["seqthink config cursor --write --scope project"]


def test_in_the_home_folder_a_file_is_not_read_twice(set_up: SetUp) -> None:
    set_up.connect("cursor")
    set_up.project.rmdir()
    set_up.project = set_up.home

    assert "too" not in set_up.examine("cursor").messages("entry")


def test_our_server_under_another_name_is_the_entry(set_up: SetUp) -> None:
    set_up.servers(thinking={"command": str(INSTALLED), "args": ["serve"]})

    examined = set_up.examine("cursor")

    assert examined.fixes == []
    assert ("server", "right") in examined.of("Cursor")


def test_two_entries_of_ours_are_one_too_many(set_up: SetUp) -> None:
    entry = {"command": str(INSTALLED), "args": ["serve"]}
    set_up.servers(seqthink=entry, thinking=entry)

    assert set_up.examine("cursor").fixes == ["take the entry thinking out of the file"]


# What is started


def test_the_version_of_a_client_is_asked_of_its_program(set_up: SetUp) -> None:
    set_up.program("codex", "echo codex-cli 0.169.0-alpha.3", language="sh")
    set_up.connect("codex")

    assert "0.169.0-alpha.3" in set_up.examine("codex").messages("client")


@pytest.mark.parametrize(
    ("client", "program", "variable"),
    [
        ("claude-code", "claude", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"),
        ("gemini-cli", "gemini", "GEMINI_TELEMETRY_ENABLED=false"),
        ("opencode", "opencode", "OPENCODE_DISABLE_AUTOUPDATE=true"),
    ],
)
def test_a_program_that_is_asked_for_its_version_gets_its_switches_against_sending(
    set_up: SetUp, client: str, program: str, variable: str
) -> None:
    seen = set_up.home / "seen"
    set_up.program(program, f"env > {seen}; echo 9.8.7", language="sh")
    set_up.connect(client)

    assert "9.8.7" in set_up.examine(client).messages("client")
    assert variable in seen.read_text("utf-8").splitlines()


def test_the_version_of_an_npm_package_is_read_and_its_program_not_started(set_up: SetUp) -> None:
    trace = set_up.home / "trace"
    package = set_up.home / "package"
    (package / "bin").mkdir(parents=True)
    set_up.program("codex", f"touch {trace}", language="sh").rename(package / "bin/codex.js")
    (set_up.home / "bin/codex").symlink_to(package / "bin/codex.js")
    description = {"name": "codex", "version": "0.169.0", "bin": {"codex": "bin/codex.js"}}
    (package / "package.json").write_text(json.dumps(description), encoding="utf-8")
    set_up.connect("codex")

    assert "0.169.0" in set_up.examine("codex").messages("client")
    assert not trace.exists()


def test_advice_of_a_launcher_is_not_taken_for_the_reason(set_up: SetUp) -> None:
    path = set_up.program("uvx", "import sys; sys.exit('there is no such package\\nhint: try another')")
    set_up.connect(words=(path, "seqthink", "serve"))

    assert set_up.examine("cursor").messages("server").endswith("there is no such package")


def test_without_starting_nothing_is_started(set_up: SetUp) -> None:
    trace = set_up.home / "trace"
    set_up.program("codex", f"touch {trace}", language="sh")
    set_up.connect("codex", words=(set_up.program("seqthink-serve", f"touch {trace}", language="sh"), "serve"))

    examined = set_up.examine("codex", "--no-start")

    assert not trace.exists()
    assert ("server", "not looked at") in examined.of("Codex")


@pytest.mark.parametrize("client", first(2, ["claude-code", "codex", "gemini-cli", "opencode", "cursor"]))
def test_a_server_is_started_with_what_its_client_gives_it(client: str, set_up: SetUp) -> None:
    seen = set_up.home / "seen.json"
    program = set_up.program(
        "seqthink-x",
        f"import json, os, sys\njson.dump([sys.argv, dict(os.environ), os.getcwd()], open({str(seen)!r}, 'w'))",
    )
    set_up.connect(client, words=(program, "serve", "--title", "mine"), environment={"OWN": "value"})

    set_up.examine(client, variables={"SECRET_OF_THE_SHELL": "x", "PLAIN_OF_THE_SHELL": "x"})

    arguments, environment, folder = json.loads(seen.read_text(encoding="utf-8"))
    assert arguments == [str(program), "serve", "--title", "mine"]
    assert environment["OWN"] == "value"
    assert environment["HOME"] == str(set_up.home)
    assert folder == str(set_up.home if client == "cursor" else set_up.project)
    assert ("SECRET_OF_THE_SHELL" in environment) == (client in {"claude-code", "opencode"})
    assert ("PLAIN_OF_THE_SHELL" in environment) == (client in {"claude-code", "opencode", "gemini-cli"})
    assert (environment["PATH"] == set_up.variables["PATH"]) == (client != "cursor")


def test_the_test_of_a_server_leaves_no_trace(set_up: SetUp, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    set_up.connect(
        words=(INSTALLED, "serve", "--journal-dir", set_up.sessions, "--resume", "20260101T000000.000000Z-x")
    )

    examined = set_up.examine("cursor", variables={"TMPDIR": str(temporary), "SEQTHINK_RESUME": "last"})

    assert ("call", "right") in examined.of("Cursor")
    assert list(set_up.sessions.iterdir()) == []
    assert list(temporary.iterdir()) == []


def test_a_server_that_hangs_is_ended_with_all_that_it_has_started(set_up: SetUp) -> None:
    mark = f"sleep 6{os.getpid()}.25"
    path = set_up.program("hang", f"trap '' TERM HUP INT\n{mark} &\n{mark} | {mark}", language="sh")
    set_up.connect(words=(path.rename(set_up.home / "seqthink"), "serve"))

    set_up.examine("cursor", "--timeout", "1")

    assert wait_until_none_of(mark) == []


@pytest.mark.parametrize("number", first(1, [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]))
def test_a_signal_ends_the_doctor_and_what_it_has_started(number: signal.Signals, set_up: SetUp) -> None:
    mark = f"sleep 7{os.getpid()}.{number.value}"
    path = set_up.program("hang", f"trap '' TERM HUP INT\ntouch ~/started\n{mark}", language="sh")
    set_up.connect(words=(path.rename(set_up.home / "seqthink"), "serve"))
    running = subprocess.Popen(
        command("doctor", "cursor"),
        cwd=set_up.project,
        env=set_up.variables | {"PYTHONPATH": str(PROJECT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    until = time.monotonic() + TIMEOUT_SECONDS
    while not (set_up.home / "started").exists():
        assert time.monotonic() < until, "the server was never started"

    running.send_signal(number)
    out, error = running.communicate(timeout=TIMEOUT_SECONDS)

    assert (running.returncode, out, error) == (130, b"", b"")
    assert wait_until_none_of(mark) == []


def test_a_server_of_two_clients_is_tried_once(set_up: SetUp) -> None:
    trace = set_up.home / "trace"
    path = set_up.program("once", f"echo started >> {trace}\nexec {INSTALLED} serve", language="sh")
    program = path.rename(set_up.home / "seqthink")
    set_up.connect("cursor", words=(program, "serve"))
    set_up.connect("windsurf", words=(program, "serve"))

    examined = set_up.examine("cursor", "windsurf")

    assert trace.read_text(encoding="utf-8") == "started\n"
    assert ("server", "right") in examined.of("Cursor")
    assert ("server", "right") in examined.of("Windsurf")


def test_a_placeholder_of_the_client_is_not_judged(set_up: SetUp) -> None:
    set_up.connect("vscode", words=("${workspaceFolder}/seqthink", "serve"))

    examined = set_up.examine("vscode")

    assert examined.fixes == []
    assert ("server", "not looked at") in examined.of("VS Code")


def test_a_variable_in_an_entry_is_filled_in(set_up: SetUp) -> None:
    set_up.connect("cursor", words=("${env:TOOLS}/seqthink", "serve"))

    assert set_up.examine("cursor", variables={"TOOLS": str(INSTALLED.parent)}).fixes == []


def test_a_program_that_only_the_shell_finds_is_tried_with_a_warning(set_up: SetUp) -> None:
    set_up.connect("windsurf", words=("seqthink", "serve"))

    examined = set_up.examine("windsurf")

    assert examined.fixes == ["seqthink config windsurf --write"]
    assert examined.status == 0
    assert ("server", "right") in examined.of("Windsurf")


# The machine and the journals


def test_without_a_folder_for_journals_it_is_said_that_the_first_thought_makes_it(set_up: SetUp) -> None:
    set_up.connect()
    shutil.rmtree(set_up.sessions)

    examined = set_up.examine("cursor")

    assert examined.fixes == []
    assert examined.of("Journals") == [("folder", "right"), ("lock", "not looked at")]
    assert not set_up.sessions.exists()


def without_root(words: list[str]) -> list[str]:
    """Return a command line that runs ``words`` without root's right to read everything."""
    if os.geteuid() != 0:
        return words
    program = shutil.which("setpriv")
    if program is None:
        pytest.skip("root reads every folder, and setpriv, which takes that from it, is not installed")
    return [program, "--bounding-set=-all", "--inh-caps=-all", *words]


def test_journals_that_cannot_be_read_get_the_right_fix(set_up: SetUp) -> None:
    set_up.connect()
    set_up.sessions.chmod(0)
    try:
        done = subprocess.run(
            without_root([*command("doctor", "cursor", "--json")]),
            cwd=set_up.project,
            env=set_up.variables,
            capture_output=True,
            check=False,
            timeout=TIMEOUT_SECONDS,
        )
    finally:
        set_up.sessions.chmod(0o700)

    results = [result for group in json.loads(done.stdout)["groups"] for result in group["results"]]
    assert [result["fix"] for result in results if result["fix"]] == [f"chmod u+rwx {set_up.sessions}"]
    assert done.returncode == 1


def test_without_home_the_account_s_home_is_taken_and_it_is_said(set_up: SetUp, tmp_path: Path) -> None:
    del set_up.variables["HOME"]
    variables = {"CODEX_HOME": str(tmp_path / "codex"), "SEQTHINK_HOME": str(tmp_path / "own")}
    (tmp_path / "codex").mkdir()
    (tmp_path / "codex/config.toml").write_text(
        CLIENTS["codex"].snippet(Launch(str(INSTALLED), environment={"SEQTHINK_HOME": str(tmp_path / "own")})),
        encoding="utf-8",
    )

    examined = set_up.examine("codex", variables=variables)

    [fix] = examined.fixes
    assert re.fullmatch(r"export HOME=/\S*", fix)
    assert examined.status == 0


# The pages


def everything_broken(set_up: SetUp) -> None:
    """Break every client in a way of its own, the settings, the folder of the journals and the terminal."""
    gone = "/nowhere/seqthink"
    set_up.write("claude-code", '{"mcpServers": {"seqthink": ')
    set_up.connect("claude-desktop", words=(gone, "serve"))
    set_up.write("codex", "[mcp_servers.seqthink]\ncommand = 7\n")
    set_up.servers("cursor", seqthink={"url": "http://localhost/"})
    set_up.connect("vscode", words=(INSTALLED, "serve", "--no-such-option"))
    set_up.connect("gemini-cli", environment={"SEQTHINK_HOME": "/nowhere"})
    set_up.servers("opencode", seqthink={"type": "local", "command": [str(INSTALLED), "serve"], "enabled": False})
    set_up.connect("windsurf", words=(set_up.program("weather", "print('sunny')"),))
    set_up.connect("zed", words=(set_up.home, "serve"))
    (set_up.sessions.parent / "settings.toml").write_text("theme = 7\n", encoding="utf-8")
    set_up.sessions.rmdir()
    set_up.sessions.write_text("", encoding="utf-8")


def test_where_everything_is_broken_everything_is_named(set_up: SetUp) -> None:
    everything_broken(set_up)

    examined = set_up.examine()

    assert examined.fixes == [
        f"correct {set_up.sessions.parent}/settings.toml; `seqthink settings` names each line",
        f"correct line 1 of {set_up.file('claude-code')}",
        "seqthink config claude-desktop --write",
        "seqthink config codex --write --force",
        "seqthink config cursor --write --force",
        "seqthink config vscode --write",
        "seqthink watch --journal-dir /nowhere/sessions",
        f"take `enabled: false` out of the entry in {set_up.file('opencode')}",
        "seqthink config windsurf --write --force",
        "seqthink config zed --write --force",
        f"mv {set_up.sessions} {set_up.sessions}.moved",
    ]
    assert examined.status == 1
    assert "Traceback" not in examined.done.stderr


def test_the_last_line_of_a_server_that_ends_is_shown(set_up: SetUp) -> None:
    program = set_up.program("x", "import sys; sys.exit('first\\nthe \\x1b[31mreason\\n\\n')").rename(
        set_up.home / "seqthink"
    )
    set_up.connect(words=(program, "serve"))

    page = set_up.run("cursor", "--width", "200").stdout

    assert "it ends at once with status 1: the ␛[31mreason\n" in page


def test_hostile_texts_reach_no_screen(set_up: SetUp) -> None:
    answers = set_up.answering_server("x", HOSTILE, HOSTILE, "sequentialthinking").rename(set_up.home / "server")
    entries = {
        "seqthink": {"command": str(answers), "args": [HOSTILE], "env": {"X": HOSTILE}},
        HOSTILE: {"command": f"/nowhere/{HOSTILE}/seqthink"},
        f"{HOSTILE}2": {"command": "npx", "args": ["@modelcontextprotocol/server-sequential-thinking"]},
    }
    set_up.servers("cursor", **entries)
    with Terminal(command("doctor", "cursor"), variables=set_up.variables | {"PYTHONPATH": str(PROJECT)}) as terminal:
        assert terminal.end() == 1

    assert "evil" in terminal.text
    check_written(terminal.text)


@pytest.mark.parametrize("size", first(1, [(44, 20), (80, 24)]))
def test_on_a_terminal_no_line_is_wider_than_the_screen(size: tuple[int, int], set_up: SetUp) -> None:
    everything_broken(set_up)
    with Terminal(command("doctor"), size, variables=set_up.variables | {"PYTHONPATH": str(PROJECT)}) as terminal:
        assert terminal.end() == 1

    lines = re.sub(r"\x1b\[[0-9;]*[mK]", "", terminal.text).replace("\r\n", "\n").split("\n")
    drawn = [line.rpartition("\r")[2] for line in lines]
    assert max(map(len, drawn)) <= size[0]
    assert [line for line in drawn if "✗" in line] != []
    assert "Terminal" in drawn
    assert "fix: seqthink config zed --write --force" in " ".join(line.strip() for line in drawn)


def test_where_the_locale_has_no_signs_it_is_ascii(set_up: SetUp) -> None:
    everything_broken(set_up)

    done = set_up.run(variables={"LC_ALL": "C"})

    assert done.stdout.isascii()
    assert "X  " in done.stdout


def test_while_a_server_is_waited_for_a_line_says_so(set_up: SetUp) -> None:
    path = set_up.program("hang", "import time; time.sleep(600)").rename(set_up.home / "seqthink")
    set_up.connect("cursor", words=(path, "serve"))
    with Terminal(
        command("doctor", "cursor", "--timeout", "2"), variables=set_up.variables | {"PYTHONPATH": str(PROJECT)}
    ) as terminal:
        terminal.until("seqthink: waiting for Cursor's server ...")
        assert terminal.end() == 1

    assert "no answer within 2 s" in terminal.text
