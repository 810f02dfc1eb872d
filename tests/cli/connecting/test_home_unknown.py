"""A user without HOME and without an entry in the system's list of users, as in many containers."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from seqthink.core import system
from tests.conftest import PROJECT
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder

BOUND = 60.0
AS_SUCH_A_USER = """
import pwd, sys

def unknown(_):
    raise KeyError("uid not found")

pwd.getpwuid = pwd.getpwnam = unknown
from seqthink.__main__ import main
sys.exit(main())
"""
"""What `setpriv --reuid=54321 env -i` leaves, for a test that may not be root."""
HOME_IS_UNKNOWN = "the home folder is unknown; set HOME, or name a folder in SEQTHINK_HOME"
THOUGHT = {"thought": "x", "nextThoughtNeeded": True, "thoughtNumber": 1, "totalThoughts": 2}


def run(
    *arguments: str, environ: Mapping[str, str] | None = None, said: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", AS_SUCH_A_USER, *arguments],
        input=said,
        capture_output=True,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(PROJECT), **(environ or {})},
        cwd="/",
        timeout=BOUND,
        check=False,
    )


def call(arguments: Mapping[str, object], number: int = 1, tool: str = "sequentialthinking") -> bytes:
    params = {"name": tool, "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
    return json.dumps(message).encode() + b"\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "sessions"
    folder.mkdir()
    JournalBuilder().session().thought("pools", next=False).end().write(folder / "20261127T000000.000000Z-abcdef.jsonl")
    return folder


@pytest.mark.parametrize("options", first(1, [(), ("--no-front",), ("--resume", "last"), ("--tools", "context")]))
def test_the_server_answers_and_keeps_its_journal_in_memory(options: tuple[str, ...]) -> None:
    done = run("serve", *options, said=call(THOUGHT) + call(THOUGHT, 2), environ={"DISABLE_THOUGHT_LOGGING": "true"})

    answers = {line["id"]: line["result"] for line in map(json.loads, done.stdout.splitlines()) if "id" in line}
    assert (done.returncode, [*answers]) == (0, [1, 2])
    assert answers[2]["structuredContent"]["thoughtHistoryLength"] == 2
    assert answers[2]["_meta"]["seqthink/journal"] == {"waiting": 3, "error": HOME_IS_UNKNOWN}
    [printed, lost] = done.stderr.decode().splitlines()
    assert printed == f"seqthink: the journal cannot be written: {HOME_IS_UNKNOWN}; events wait in memory"
    assert lost.endswith(f"could be written: {HOME_IS_UNKNOWN}")


def test_a_server_that_has_to_keep_a_journal_refuses_the_thought_and_says_why() -> None:
    done = run("serve", "--journal-required", said=call(THOUGHT))

    result = json.loads(done.stdout.splitlines()[-1])["result"]
    assert (done.returncode, result["isError"]) == (0, True)
    assert HOME_IS_UNKNOWN in result["content"][0]["text"]


@pytest.mark.parametrize(
    ("arguments", "environ"),
    first(
        2,
        [
            (("--journal-dir", "~/j"), {}),
            ((), {"SEQTHINK_HOME": "~/j"}),
            (("--resume", "abc"), {}),
            (("--workspace", "~/w"), {}),
        ],
        is_unpacked=True,
    ),
)
def test_a_folder_below_the_home_that_the_user_named_is_refused_in_one_line(
    arguments: tuple[str, ...], environ: dict[str, str]
) -> None:
    done = run("serve", *arguments, environ=environ)

    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "the home folder" in done.stderr.decode()


def test_the_tap_hands_on_and_says_why_nothing_is_kept() -> None:
    done = run("tap", "--", sys.executable, "-c", _ECHO, said=call(THOUGHT))

    assert done.returncode == 0
    assert json.loads(done.stdout)["id"] == 1
    assert f"the journal cannot be written: {HOME_IS_UNKNOWN}" in done.stderr.decode()


_ECHO = """
import json
print(json.dumps({"jsonrpc": "2.0", "id": json.loads(input())["id"], "result": {"content": []}}))
"""

COMMANDS = [
    *("status", "watch", "sessions", "show", "find x", "stats", "replay", "delete abc", "prune --older-than 3d"),
    *("export last --format md", "import --all", "settings", "check last", "web", "doctor", "setup", "demo"),
    *("config claude-code", "beside", "tap -- true", "fetch x", "ship --once redis://127.0.0.1:1"),
]


@pytest.mark.parametrize("command", first(2, COMMANDS))
def test_each_command_without_a_known_home_works_or_says_what_to_do(command: str) -> None:
    done = run(*command.split())

    assert done.returncode in {0, 1, 2}
    assert b"Traceback" not in done.stderr + done.stdout
    assert b"unexpected" not in done.stderr + done.stdout


@pytest.mark.parametrize(
    "command",
    first(
        1,
        [
            *(
                "status",
                "find pools",
                "import --all",
                "export last --format md",
                "sessions",
                "show",
                "stats",
                "watch last",
            ),
            *("replay last", "check last", "show claude-abc", "delete 2026 --yes", "prune --older-than 3d"),
        ],
    ),
)
def test_each_command_with_a_folder_that_was_named_needs_no_home(command: str, folder: Path) -> None:
    done = run(*command.split(), environ={"SEQTHINK_HOME": str(folder.parent)})

    printed = done.stderr.decode()
    assert "home" not in printed
    assert "unexpected" not in printed
    assert (done.returncode == 0) == (command != "show claude-abc"), printed


@pytest.mark.parametrize("command", [["--help"], ["serve", "--help"], ["status", "--help"], ["--version"]])
def test_help_needs_no_home(command: list[str]) -> None:
    done = run(*command)

    assert (done.returncode, done.stderr) == (0, b"")


def test_below_a_home_that_is_unknown_nothing_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", _raise)

    with pytest.raises(OSError, match="Not a directory"):
        (system.home_folder() / ".claude").stat()


def _raise() -> Path:
    raise RuntimeError("Could not determine home directory.")
