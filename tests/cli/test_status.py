"""`seqthink status`: one line about all sessions."""

import json
import os
import re
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from seqthink.cli.overview.status import FIELDS
from seqthink.library.viewer_store.folder import viewer_folder
from seqthink.library.viewer_store.read_state import ReadState
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder
from tests.support.screens.screen_text import HOST, locked_journal
from tests.support.servers.commands import refusal_line, seqthink
from tests.support.transcripts.claude_lines import SESSION, assistant, call, result, text, user
from tests.support.transcripts.recorded import lay_out


def _now() -> datetime:
    """Return the time by the file system, which is the clock of a journal's last change."""
    probe = Path(os.environ["SEQTHINK_HOME"]) / "clock"
    probe.parent.mkdir(parents=True, exist_ok=True)
    probe.write_bytes(b"")
    return datetime.fromtimestamp(probe.stat().st_mtime, UTC)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SEQTHINK_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SEQTHINK_SOURCES", "journal")
    monkeypatch.delenv("SEQTHINK_JOURNAL_DIR", raising=False)
    (tmp_path / "sessions").mkdir()
    return tmp_path


def _journal(seconds_ago: int = 0) -> JournalBuilder:
    """Return a journal whose second thought came ``seconds_ago``."""
    return (
        JournalBuilder(_now() - timedelta(seconds=seconds_ago + 10))
        .session(host=HOST)
        .thought("Why?", 1, 5)
        .thought("The pool", 2, 5)
    )


def _write(home: Path, name: str, journal: JournalBuilder) -> Path:
    return journal.write(home / "sessions" / f"{name}.jsonl")


def _counts(*options: str) -> dict[str, int]:
    done = seqthink("status", "--format", "json", *options)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def _some(**counts: int) -> dict[str, int]:
    return dict.fromkeys(FIELDS, 0) | counts


def test_without_sessions_everything_is_zero_and_the_line_is_empty() -> None:
    assert _counts() == _some()
    assert seqthink("status").stdout == "\n"
    assert seqthink("status", "--format", "tmux").stdout == "\n"


def test_six_sessions_are_counted_by_what_they_need(home: Path) -> None:
    asking = _journal().asking(3, "limit", "elicit", message="Go on?")
    again = _journal().thought("The pool", 3, 5)
    with ExitStack() as locks:
        for name, journal in {"asks": asking, "silent": _journal(400), "again": again, "thinks": _journal()}.items():
            locks.enter_context(locked_journal(_write(home, name, journal)))
        _write(home, "done", _journal().thought("So", 3, 3, next=False).end())
        _write(home, "lost", _journal())
        _write(home, "old", _journal(7 * 24 * 3600))
        assert _counts() == _some(asking=1, stuck=2, thinking=1, done=1, lost=1)
        assert _counts("--stuck", "1000")["stuck"] == 1
        (home / "settings.toml").write_text("stuck = 1000\n", encoding="utf-8")
        assert (_counts()["stuck"], _counts("--stuck", "300")["stuck"]) == (1, 2)
        (home / "settings.toml").unlink()
        line = seqthink("status", variables={"PYTHONIOENCODING": "utf-8"}).stdout
        assert line == "▲3 ●1 ✗1\n"
        assert seqthink("status", variables={"PYTHONIOENCODING": "ascii"}).stdout == "!3 o1 x1\n"
        assert seqthink("status", variables={"PYTHONIOENCODING": "utf-8", "LC_ALL": "C"}).stdout == "!3 o1 x1\n"
        tmux = seqthink("status", "--format", "tmux", variables={"PYTHONIOENCODING": "utf-8"}).stdout
        assert tmux == "#[fg=yellow]▲3#[default] #[fg=blue]●1#[default] #[fg=red]✗1#[default]\n"
        template = "{asking}/{stuck}/{thinking}/{done}/{lost}/{unread} {{x}}"
        assert seqthink("status", f"--format={template}").stdout == "1/2/1/1/1/0 {x}\n"


def test_the_settings_count_as_they_do_in_the_viewer_and_an_option_is_stronger(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = home / "settings.toml"
    with locked_journal(_write(home, "silent", _journal(200))):
        settings.write_text('theme = "light"\n', encoding="utf-8")
        assert _counts() == _some(quiet=1)
        settings.write_text("stuck = 100\n", encoding="utf-8")
        assert _counts() == _some(stuck=1)
        assert _counts("--stuck", "1000") == _some(quiet=1)
        settings.write_text("stale = 250\n", encoding="utf-8")
        assert _counts() == _some(thinking=1)
        settings.write_text('sources = ["claude"]\n', encoding="utf-8")
        assert _counts() == _some(quiet=1)  # the variable is stronger
        monkeypatch.delenv("SEQTHINK_SOURCES")
        assert _counts() == _some()
        assert _counts("--sources", "journal") == _some(quiet=1)
        settings.write_bytes(b"stuck = \xff")
        assert _counts() == _some(quiet=1)


def test_what_ended_since_the_viewer_was_first_opened_is_unread_until_it_was_read(home: Path) -> None:
    state = ReadState(viewer_folder(home))
    state.begin(int((_now().timestamp() - 3600) * 1_000_000))
    _write(home, "done", _journal(1800).thought("So", 3, 3, next=False).end())
    newest = int((_now().timestamp() + 60) * 1_000_000)
    assert _counts() == _some(unread=1)

    state.mark_read("done", 3, newest)

    assert _counts() == _some()


def test_a_session_of_another_host_is_neither_lost_nor_thinking(home: Path) -> None:
    _write(home, "far", JournalBuilder(_now()).session(host="elsewhere").thought("Why?", 1, 3))
    assert _counts() == _some()


def test_what_cannot_be_read_is_left_out(home: Path) -> None:
    folder = home / "sessions"
    (folder / "torn.jsonl").write_bytes(b'{"v":1,"seq":1')
    (folder / "odd.jsonl").write_bytes(b"\xff\x00\n[1]\n{}\n" + b"x" * 100_000 + b"\n")
    (folder / "empty.jsonl").write_bytes(b"")
    (folder / "link.jsonl").symlink_to("/dev/zero")
    (folder / "folder.jsonl").mkdir()
    os.mkfifo(folder / "pipe.jsonl")
    assert _counts() == _some()


def test_a_long_last_thought_does_not_hide_the_state(home: Path) -> None:
    _write(home, "done", _journal().thought("x" * 300_000, 3, 3, next=False))
    assert _counts()["done"] == 1


@pytest.mark.parametrize("template", first(2, ["{x}", "{", "}", "{asking", "{0}", "{asking.real}", "{}"]))
def test_a_wrong_template_is_refused_with_the_fields_that_there_are(template: str) -> None:
    refused = refusal_line(seqthink("status", "--format", template))
    assert all(field in refused for field in FIELDS)


def test_what_each_live_session_does_now_is_a_line_of_its_own(home: Path) -> None:
    with locked_journal(_write(home, "thinks", _journal())):
        done = seqthink("status", "--now", variables={"PYTHONIOENCODING": "utf-8"})
    refused = seqthink("status", "--now", "--format", "json")

    assert [line.split()[1] for line in done.stdout.splitlines()] == ["shop-api"]
    assert refusal_line(refused) == "status: --now and --format exclude each other; leave one out"


def test_a_wrong_option_or_source_or_folder_is_one_line(home: Path) -> None:
    assert "unknown option --nonsense" in refusal_line(seqthink("status", "--nonsense"))
    assert "unknown source" in refusal_line(seqthink("status", "--sources", "x"))
    assert "must name a folder" in refusal_line(seqthink("status", "--journal-dir", ""))
    assert seqthink("status", "--journal-dir", str(home / "none")).returncode == 0
    assert _counts("--sources", "none") == _some()


def test_transcripts_count_and_are_never_lost_or_stuck_on_a_guess(home: Path) -> None:
    lay_out("claude/agents", home)
    for path in home.rglob("*.jsonl"):
        os.utime(path)
    counts = _counts("--sources", "journal,claude")
    assert (counts["lost"], counts["stuck"], counts["asking"]) == (0, 0, 0)


def _joined(home: Path, seconds_ago: int = 60) -> Path:
    """Lay out a session of Claude Code in the middle of a turn, with our server's journal, which has no end."""
    call = {"thought": "Why?", "nextThoughtNeeded": True, "thoughtNumber": 1, "totalThoughts": 3}
    began = _now() - timedelta(seconds=seconds_ago)
    journal = JournalBuilder(began).session(host=HOST, client="claude-code").thought("Why?", 1, 3)
    uses = [{"type": "tool_use", "id": "toolu_1", "name": "mcp__seqthink__sequentialthinking", "input": call}]
    records = [
        {"type": "user", "uuid": "u1", "parentUuid": None, "message": {"role": "user", "content": "why?"}},
        {
            "type": "assistant",
            "uuid": "u2",
            "parentUuid": "u1",
            "requestId": "r",
            "message": {"id": "m", "role": "assistant", "content": uses},
        },
    ]
    about = {"sessionId": "s1", "cwd": "/w", "isSidechain": False, "timestamp": began.isoformat()}
    transcript = home / ".claude" / "projects" / "-w" / "s1.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text("".join(json.dumps(record | about) + "\n" for record in records), "utf-8")
    os.utime(transcript, (began.timestamp() + 1, began.timestamp() + 1))
    return _write(home, "ours", journal)


def test_a_session_with_a_journal_and_a_transcript_counts_once_and_is_lost_when_its_server_was_killed(
    home: Path,
) -> None:
    ReadState(viewer_folder(home)).begin(int((_now().timestamp() - 3600) * 1_000_000))
    journal = _joined(home)
    with locked_journal(journal):
        assert _counts("--sources", "journal,claude") == _some(quiet=1)

    assert _counts("--sources", "journal,claude") == _some(lost=1)
    assert _counts("--sources", "claude") == _some(lost=1)
    assert seqthink("status", "--sources", "journal,claude", "--ascii").stdout == "x1\n"


def _thinks(number: int, thought: str, total: int) -> dict[str, object]:
    given = {"thought": thought, "thoughtNumber": number, "totalThoughts": total, "nextThoughtNeeded": number < total}
    return call(f"{thought} {number}", "mcp__seq__sequentialthinking", **given)


def _write_now(path: Path, *lines: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    now = _now().isoformat().encode()
    path.write_bytes(b"".join(re.sub(rb'(?<="timestamp": ")[^"]+', now, line) + b"\n" for line in lines))


def test_a_transcript_counts_by_its_newest_thoughts_and_by_its_subagents_in_the_background(home: Path) -> None:
    project = home / ".claude" / "projects" / "-w"
    asked = [user("u1", None, "why?"), assistant("u2", "u1", "m1", _thinks(1, "Look", 4))]
    repeated = [user("u3", "u2", [result("Look 1")]), assistant("u4", "u3", "m2", _thinks(2, "Look", 4))]
    closed = [assistant("u4", "u3", "m2", _thinks(4, "So", 4)), user("u5", "u4", [result("So 4")])]
    ended = [*asked, repeated[0], *closed, assistant("u6", "u5", "m3", text("The pool."), stop="end_turn")]
    agent = [assistant("a2", "a1", "m4", _thinks(2, "It fails", 2)), user("a3", "a2", [result("It fails 2")])]
    _write_now(project / f"{SESSION}.jsonl", *asked, *repeated, user("u5", "u4", [result("Look 2")]))

    assert _counts("--sources", "claude") == _some(stuck=1)

    _write_now(project / f"{SESSION}.jsonl", *ended)
    _write_now(project / SESSION / "subagents" / "agent-x.jsonl", user("a1", None, "Read the log"), *agent)

    assert _counts("--sources", "claude") == _some(thinking=1)


def test_a_session_of_claude_code_that_shows_a_permission_prompt_asks_you_however_long(home: Path) -> None:
    transcript = home / ".claude" / "projects" / "-w" / f"{SESSION}.jsonl"
    _write_now(transcript, user("u1", None, "why?"), assistant("a1", "u1", "m1", call("1", "Bash", command="make\x1b")))
    os.utime(transcript, (_now().timestamp() - 7200, _now().timestamp() - 7200))
    process = home / ".claude" / "sessions" / "1.json"
    process.parent.mkdir()
    says = {"pid": os.getpid(), "sessionId": SESSION, "status": "waiting", "waitingFor": "permission prompt"}
    process.write_text(json.dumps(says), "utf-8")

    assert _counts("--sources", "claude") == _some(asking=1)
    assert "asks you: allow Bash make␛?" in seqthink("status", "--now", "--sources", "claude").stdout

    process.write_text(json.dumps(says | {"status": "busy"}), "utf-8")

    assert _counts("--sources", "claude") == _some()


def test_what_was_read_of_a_session_counts_for_its_journal_too(home: Path) -> None:
    state = ReadState(viewer_folder(home))
    state.begin(int((_now().timestamp() - 3600) * 1_000_000))
    journal = _joined(home, 1200)
    os.utime(journal, (_now().timestamp() - 1200, _now().timestamp() - 1200))
    assert _counts("--sources", "journal,claude") == _some(unread=1)

    state.mark_read("claude-s1", 1, int(_now().timestamp() * 1_000_000))

    assert _counts("--sources", "journal,claude") == _some()


def test_what_comes_from_a_clock_that_is_ahead_is_not_of_now(home: Path) -> None:
    journal = _joined(home, -3600)
    os.utime(journal, (_now().timestamp() + 3600, _now().timestamp() + 3600))
    assert _counts("--sources", "claude") == _some()
    assert _counts() == _some()

    with locked_journal(journal):
        assert _counts() == _some(thinking=1)


def test_live_sessions_with_a_nearly_full_context_are_counted(home: Path) -> None:
    def using(tokens: int, window: int | None, agent: str | None = None) -> JournalBuilder:
        journal = _journal()
        return journal.event("usage", {"tokens": tokens, "window": window, "agent": agent})

    compacted = using(900, 1_000).event("compacted", {"tokensAfter": 100})
    over = using(900, 1_000).thought("So", 3, 3, next=False).end()
    at_work = (
        using(1, 1_000)
        .event("prompt", {"text": "look", "agent": "a"})
        .event("usage", {"tokens": 900, "window": 1_000, "agent": "a"})
    )
    with ExitStack() as locks:
        for name, journal in {
            "full": using(800, 1_000),
            "not": using(799, 1_000),
            "unknown": using(900_000, None),
            "compacted": compacted,
            "sub": at_work,
        }.items():
            locks.enter_context(locked_journal(_write(home, name, journal)))
        _write(home, "over", over)
        assert (_counts()["full"], _counts()["thinking"]) == (2, 5)
        assert seqthink("status", "--format", "{full}").stdout == "2\n"
