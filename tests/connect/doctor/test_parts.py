"""The parts of the doctor that need no process: entries, folders, locks, terminals, versions."""

import errno
import os
import re
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from seqthink.cli.upkeep import check
from seqthink.connect.doctor.journal_checks import LOW_BYTES, folder_checks, network_kind
from seqthink.connect.doctor.probe_messages import OUR_SERVER, ServerName
from seqthink.connect.doctor.probe_results import ProbeResult
from seqthink.connect.doctor.server_checks import TriedEntry, server_checks
from seqthink.connect.doctor.server_commands import (
    EntryError,
    PlaceholderError,
    ServerCommand,
    filled_in,
    named_folder,
    read_entry,
    with_test_folder,
)
from seqthink.connect.doctor.terminal_checks import TerminalFacts, terminal_checks
from seqthink.connect.doctor.versions import UNKNOWN, version_in
from seqthink.core import system

# Entries


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "s", "args": ["serve"], "env": {"A": "b"}},
        {"command": ["s", "serve"], "environment": {"A": "b"}},
        {"source": "custom", "command": {"path": "s", "args": ["serve"], "env": {"A": "b"}}},
    ],
)
def test_an_entry_is_read_in_the_form_of_every_client(entry: dict[str, Any]) -> None:
    assert read_entry(entry) == ServerCommand(("s", "serve"), {"A": "b"})


@pytest.mark.parametrize(
    "entry",
    [
        {},
        {"command": ""},
        {"command": []},
        {"command": 7},
        {"command": ["s", 7]},
        {"command": "s", "args": "serve"},
        {"command": "s", "args": {}},
        {"command": "s", "env": ["A=b"]},
        {"command": "s", "env": {"A": None}},
        {"command": {"args": []}},
        {"httpUrl": "http://localhost"},
    ],
)
def test_an_entry_that_starts_nothing_says_why(entry: dict[str, Any]) -> None:
    with pytest.raises(EntryError):
        read_entry(entry)


def test_the_test_s_folder_takes_the_place_of_every_other_one() -> None:
    words = ("s", "serve", "--journal-dir", "/a", "--title", "t", "--journal-dir=/b", "--resume", "last", "--resume=x")

    tried = with_test_folder(ServerCommand(words, {"SEQTHINK_JOURNAL_DIR": "/c", "A": "b"}), "/test")

    assert tried.words == ("s", "serve", "--journal-dir", "/test", "--title", "t", "--journal-dir", "/test")
    assert tried.environment == {"SEQTHINK_JOURNAL_DIR": "/test", "SEQTHINK_RESUME": "", "A": "b"}


def test_the_command_inside_a_tap_is_not_touched() -> None:
    words = ("s", "tap", "--journal-dir", "/a", "--", "x", "--journal-dir", "/theirs", "--resume", "y")

    assert with_test_folder(ServerCommand(words), "/t").words == (*words[:3], "/t", *words[4:])
    assert named_folder(ServerCommand(words)) == "/a"


def test_a_container_keeps_the_journal_of_the_test_to_itself() -> None:
    words = ("docker", "run", "-i", "--rm", "-e", "SEQTHINK_JOURNAL_DIR=/journals", "seqthink")

    tried = with_test_folder(ServerCommand(words), "/test").words

    assert "/journals" not in " ".join(tried)
    assert "SEQTHINK_JOURNAL_DIR=/tmp/seqthink-doctor" in tried
    assert tried[:2] == ("docker", "run")


def test_placeholders_are_filled_in_from_the_environment() -> None:
    command = ServerCommand(("${env:BIN}/s", "${NAME:-x}", "{env:BIN}"), {"A": "${userHome}"})

    assert filled_in(command, {"BIN": "/b", "HOME": "/h"}) == ServerCommand(("/b/s", "x", "/b"), {"A": "/h"})


@pytest.mark.parametrize("word", ["${input:key}", "${workspaceFolder}", "${UNKNOWN}", "{file:~/key}"])
def test_a_placeholder_that_only_the_client_knows_is_not_guessed(word: str) -> None:
    with pytest.raises(PlaceholderError):
        filled_in(ServerCommand((word,)), {})


# The folder of the journals


class Room(NamedTuple):
    total: int
    used: int
    free: int


def fixes_of(folder: Path) -> list[tuple[str, str]]:
    return [(result.subject, result.verdict) for result in folder_checks(folder) if result.fix]


@pytest.mark.parametrize("mode", [0o740, 0o710, 0o704, 0o701])
def test_a_folder_into_which_others_can_look_is_named_with_its_fix(tmp_path: Path, mode: int) -> None:
    tmp_path.chmod(mode)

    assert fixes_of(tmp_path) == [("mode", "warning")]


def test_a_lock_that_keeps_nobody_out_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o700)

    def always(_descriptor: int) -> bool:
        return True

    monkeypatch.setattr(system, "try_lock", always)

    assert fixes_of(tmp_path) == [("lock", "wrong")]
    assert not list(tmp_path.glob(".*"))


def test_a_file_system_without_locks_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_descriptor: int) -> bool:
        raise OSError(errno.ENOLCK, "No locks available")

    tmp_path.chmod(0o700)
    monkeypatch.setattr(system, "try_lock", refuse)

    assert fixes_of(tmp_path) == [("lock", "wrong")]


@pytest.mark.parametrize(("free", "verdict"), [(LOW_BYTES - 1, "warning"), (1000, "wrong")])
def test_a_full_disk_is_named(free: int, verdict: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o700)

    def room(_folder: Path) -> Room:
        return Room(10**12, 10**12 - free, free)

    monkeypatch.setattr(shutil, "disk_usage", room)

    assert fixes_of(tmp_path) == [("room", verdict)]


def test_a_folder_of_another_user_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 12345)

    assert fixes_of(tmp_path) == [("owner", "warning")]


def test_a_file_in_the_path_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    assert fixes_of(tmp_path / "file" / "sessions") == [("folder", "wrong")]


def test_the_network_file_system_of_a_folder_is_that_of_its_nearest_mount(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(
        f"/dev/a / ext4 rw 0 0\nhost:/x {tmp_path}/n nfs4 rw 0 0\n/dev/b {tmp_path}/n/local ext4 rw 0 0\n",
        encoding="utf-8",
    )

    kinds = [network_kind(tmp_path / name, str(mounts)) for name in ("", "n", "n/x", "nn", "n/local/x")]

    assert kinds == ["", "nfs4", "nfs4", "", ""]


# The terminal

GOOD = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


def terminal_fixes(
    environ: dict[str, str], size: tuple[int, int] = (80, 24), ascii_reason: str = "", tmux: str | None = "on"
) -> list[str]:
    facts = TerminalFacts(True, *size, 40, 12, ascii_reason)
    return [result.subject for result in terminal_checks(facts, environ, lambda _option: tmux) if result.fix]


def test_each_trouble_of_a_terminal_has_its_fix_and_no_other() -> None:
    assert terminal_fixes(GOOD) == []
    assert terminal_fixes(GOOD | {"TERM": "dumb"}) == ["kind"]
    assert terminal_fixes(GOOD, (39, 24)) == ["size"]
    assert terminal_fixes(GOOD, ascii_reason="LC_ALL") == ["signs"]
    assert terminal_fixes({"TERM": "xterm"}) == ["colours"]
    assert terminal_fixes(GOOD | {"TMUX": "x"}) == []
    assert terminal_fixes(GOOD | {"TMUX": "x"}, tmux="off") == ["tmux"]
    assert terminal_fixes(GOOD | {"TMUX": "x"}, tmux=None) == []


def test_without_a_terminal_nothing_is_judged() -> None:
    [result] = terminal_checks(TerminalFacts(False, 0, 0, 40, 12, "LANG"), {}, lambda _option: None)

    assert result.verdict == "not looked at"


# Versions


def test_of_a_program_s_words_only_the_version_is_taken() -> None:
    assert version_in("codex-cli 0.169.0-alpha.3 of jane") == "0.169.0-alpha.3"
    assert version_in("2.1.197 (Claude Code)") == "2.1.197"
    assert version_in("v1.2") == "1.2"
    assert version_in("secret") == UNKNOWN
    assert version_in("key1.2.3x") == UNKNOWN


@pytest.mark.parametrize(("seconds", "shown"), [(0.0412, "41 ms"), (0.9994, "999 ms"), (1.26, "1.3 s")])
def test_how_long_a_server_took_is_never_nothing(seconds: float, shown: str) -> None:
    entry = TriedEntry(
        words=["seqthink", "serve"], is_ours=True, is_this_program=True, is_container=False,
        write="", rewrite="", file="", version="0.1.0", how="as it is",
    )  # fmt: skip
    result = ProbeResult("answered", ServerName(OUR_SERVER, "0.1.0"), has_journal=True, seconds=seconds)

    [server, *_] = server_checks(entry, result, 20)

    assert server.message == f"0.1.0 answered after {shown}, as it is"


def test_the_folder_names_a_command_that_can_be_given_so(tmp_path: Path) -> None:
    [folder, *_] = folder_checks(tmp_path)
    [words] = re.findall("`seqthink check (.*?)`", folder.message)

    assert check.make_parser().parse_args(words.split()).sessions == ["SESSION"]
