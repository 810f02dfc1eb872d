import os
import subprocess
import sys
from pathlib import Path

import pytest

from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.copilot.source import CopilotSource
from seqthink.sources.transcripts.facts import Prompt, TurnEnded
from seqthink.sources.transcripts.unreadable import skipped_link
from tests.sources.transcripts.copilot.event_lines import SESSION, begun, lines_of, message, of, record, request

START = record("session.start", 1, sessionId=SESSION, copilotVersion="1.0.102")
ASKED = record("user.message", 2, content="Why?")


def write(path: Path, *records: dict[str, object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(b"".join(line + b"\n" for line in lines_of(records)))
    return path


def session(folder: Path, name: str, *records: dict[str, object]) -> Path:
    return write(folder / "session-state" / name / "events.jsonl", *records)


def test_the_folder_is_that_of_the_environment_or_below_home() -> None:
    assert CopilotSource().folder({"COPILOT_HOME": "/x"}, Path("/home/ada")) == Path("/x")
    assert CopilotSource().folder({}, Path("/home/ada")) == Path("/home/ada/.copilot")


def test_sessions_are_listed_newest_first_by_the_names_of_their_folders(tmp_path: Path) -> None:
    older, newer = (session(tmp_path, name, START, ASKED) for name in ("older", "newer"))
    session(tmp_path, ".session-operation-locks", START)
    write(tmp_path / "session-state" / "older" / "other.jsonl", START)
    os.utime(older, (1_000, 1_000))

    found = CopilotSource().find(tmp_path, 10)

    assert [(one.id, one.path) for one in found] == [("newer", newer), ("older", older)]
    assert [one.id for one in CopilotSource().find(tmp_path, 1)] == ["newer"]
    assert set(CopilotSource().watched_folders(tmp_path)) >= {older.parent, newer.parent, tmp_path / "session-state"}
    assert CopilotSource().watched_folders(tmp_path / "none") == []


@pytest.mark.parametrize("of_folder", [True, False])
def test_a_link_is_not_followed_and_is_named(tmp_path: Path, *, of_folder: bool) -> None:
    path = session(tmp_path / "elsewhere", "linked", START)
    link = tmp_path / "session-state" / "linked" / ("" if of_folder else "events.jsonl")
    link.parent.mkdir(parents=True)
    link.symlink_to(path.parent if of_folder else path)
    budget = Budget()

    assert CopilotSource(budget).find(tmp_path, 10) == []
    assert budget.left_out == [skipped_link(str(link))]


def test_a_file_of_any_name_is_recognised_also_if_its_first_line_is_damaged(tmp_path: Path) -> None:
    whole = write(tmp_path / "copy.jsonl", START, ASKED)
    damaged = tmp_path / "id-by-name" / "events.jsonl"
    damaged.parent.mkdir()
    damaged.write_bytes(whole.read_bytes()[20:])
    other = tmp_path / "other.jsonl"
    other.write_text('{"type":"user","sessionId":"s","message":{"content":"x"}}\n', "utf-8")

    source = CopilotSource()
    assert [source.recognises(path, path.read_bytes()) for path in (whole, damaged, other)] == [True, True, False]
    assert [source.sessions_in(path)[0].id for path in (whole, damaged)] == [SESSION, "id-by-name"]


def test_a_session_whose_file_the_client_shortens_to_go_back_is_read_again(tmp_path: Path) -> None:
    path = session(tmp_path, SESSION, START, ASKED, message(3, content="Done"))
    kept = path.stat().st_size
    write(path, record("user.message", 4, content="And?"), message(5, content="So"))
    source = CopilotSource()
    feed = source.open(source.find(tmp_path, 1)[0])
    assert [one.text for one in of(TurnEnded, feed.read(1 << 20).facts)] == ["Done", "So"]

    os.truncate(path, kept)
    write(path, record("session.info", 6, infoType="rewind"))
    batch = feed.read(1 << 20)

    assert batch.restarted
    assert [one.text for one in of(Prompt, batch.facts)] == ["Why?"]


def test_calls_that_wait_for_permission_have_not_started(tmp_path: Path) -> None:
    asked = record("permission.requested", 5, permissionRequest={"toolCallId": "c1"})
    session(tmp_path, SESSION, START, ASKED, message(3, request("c1")), begun(4, "c1"), asked)
    source = CopilotSource()
    feed = source.open(source.find(tmp_path, 1)[0])
    feed.read(1 << 20)

    assert list(feed.unstarted_calls) == ["c1"]


def test_a_process_that_has_the_session_open_is_known_by_its_file(tmp_path: Path) -> None:
    path = session(tmp_path, SESSION, START, ASKED)
    source = CopilotSource()
    [found] = source.find(tmp_path, 1)

    assert source.process_of(found).is_running is None

    running = path.parent / f"inuse.{os.getpid()}.lock"
    running.write_text(str(os.getpid()), "utf-8")

    assert source.process_of(found).is_running is True

    os.utime(running, (1_000, 1_000))  # written before this process began: the number was another one's

    assert source.process_of(found).is_running is False


def test_a_process_that_was_killed_leaves_its_file_behind(tmp_path: Path) -> None:
    path = session(tmp_path, SESSION, START, ASKED)
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait(60)
    (path.parent / f"inuse.{ended.pid}.lock").touch()
    source = CopilotSource()

    assert source.process_of(source.find(tmp_path, 1)[0]).is_running is False
