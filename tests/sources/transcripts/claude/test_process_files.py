"""What Claude Code's processes say of themselves in ``~/.claude/sessions``."""

import json
import os
from pathlib import Path

import pytest

from seqthink.core import system
from seqthink.sources.transcripts.claude.process_files import process_of, waiting_sessions
from seqthink.sources.transcripts.claude.source import ClaudeSource
from seqthink.sources.transcripts.source import ClientProcess
from tests.support.transcripts.claude_lines import SESSION, user

DEAD = 2**22 + 1
WAITS: dict[str, object] = {
    "pid": os.getpid(),
    "sessionId": SESSION,
    "status": "waiting",
    "waitingFor": "permission prompt",
    "statusUpdatedAt": 1795824326427,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "sessions"
    made.mkdir()
    return made


def write(folder: Path, fields: object, name: str = "1.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(fields), "utf-8")
    return path


def test_a_process_says_that_its_session_waits_for_the_user_and_since_when(folder: Path) -> None:
    write(folder, WAITS)
    write(folder, {**WAITS, "sessionId": "other", "status": "busy"}, "2.json")
    expected = ClientProcess(is_running=True, waits_for="permission prompt", since=1795824326427000)

    assert (process_of(folder, SESSION), waiting_sessions(folder)) == (expected, {SESSION: "permission prompt"})


@pytest.mark.parametrize(
    "fields",
    [
        {"status": "busy"},
        {"status": "idle"},
        {"status": 7},
        {"status": None},
        {"waitingFor": "dialog open"},
        {"pid": DEAD},
        {"pid": -1},
        {"pid": True},
        {"pid": "1"},
        {"sessionId": "other"},
        {"sessionId": ["x"]},
    ],
    ids=str,
)
def test_a_session_does_not_wait_unless_its_own_running_process_says_so(
    folder: Path, fields: dict[str, object]
) -> None:
    write(folder, {**WAITS, **fields})

    assert process_of(folder, SESSION).waits_for == ""
    assert SESSION not in waiting_sessions(folder)


@pytest.mark.parametrize("waits_for", [None, 7, [], ""], ids=str)
def test_a_process_that_does_not_say_what_it_waits_for_waits_for_input(folder: Path, waits_for: object) -> None:
    write(folder, {**WAITS, "waitingFor": waits_for, "statusUpdatedAt": "now"})

    assert process_of(folder, SESSION) == ClientProcess(is_running=True, waits_for="input")


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"\0" * 500, b'{"pid": 1', json.dumps({**WAITS, "x": "y" * 20_000}).encode(), b"\xff\xfe"],
    ids=["empty", "list", "nul", "torn", "huge", "no text"],
)
def test_a_file_that_is_damaged_or_huge_says_nothing(folder: Path, data: bytes) -> None:
    (folder / "1.json").write_bytes(data)

    assert (process_of(folder, SESSION), waiting_sessions(folder)) == (ClientProcess(), {})


@pytest.mark.skipif(not system.HAS_POSIX_FILES, reason="links")
def test_a_link_in_the_place_of_a_file_is_not_followed(folder: Path) -> None:
    write(folder.parent, WAITS, "elsewhere.json")
    (folder / "1.json").symlink_to(folder.parent / "elsewhere.json")

    assert (process_of(folder, SESSION), waiting_sessions(folder)) == (ClientProcess(), {})


def test_a_long_text_is_cut(folder: Path) -> None:
    write(folder, {**WAITS, "waitingFor": "x" * 5000})

    assert process_of(folder, SESSION).waits_for == "x" * 80


@pytest.mark.skipif(system.process_start(os.getpid()) is None, reason="the system does not say when a process began")
def test_a_process_whose_number_another_program_has_by_now_is_gone(folder: Path) -> None:
    started = system.process_start(os.getpid())
    write(folder, {**WAITS, "procStart": started})
    own = process_of(folder, SESSION)
    write(folder, {**WAITS, "procStart": "1"})

    assert own.is_running is True
    assert process_of(folder, SESSION) == ClientProcess(is_running=False)


@pytest.mark.skipif(not Path("/proc/self/ns/pid").is_symlink(), reason="namespaces of processes are Linux's")
def test_a_process_of_a_container_that_shares_the_folder_is_not_known_by_its_number(folder: Path) -> None:
    here = Path("/proc/self/ns/pid").readlink()
    write(folder, {**WAITS, "pidDomain": f"linux:abc:{here.name}"})
    own = process_of(folder, SESSION)
    write(folder, {**WAITS, "pidDomain": "linux:abc:pid:[1]"})

    assert (own.is_running, process_of(folder, SESSION)) == (True, ClientProcess())


def test_a_listed_session_says_what_it_waits_for(folder: Path) -> None:
    projects = folder.parent / "projects"
    for name in (SESSION, "other"):
        path = projects / "-p" / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(user(f"u-{name}", None, "why?").replace(SESSION.encode(), name.encode()) + b"\n")
    write(folder, WAITS)

    assert {one.id: one.waits_for for one in ClaudeSource().find(projects, 10)} == {
        SESSION: "permission prompt",
        "other": "",
    }
