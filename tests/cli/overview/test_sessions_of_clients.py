"""`seqthink sessions` with the sessions of clients: rows beside the journals, each counted if there is time."""

import errno
import json
import os
import shutil
import sqlite3
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from seqthink.__main__ import main
from seqthink.cli.overview import machine_sessions
from seqthink.cli.overview.session_table import short_ids
from seqthink.core import progress_line
from seqthink.journal.store import SessionFile
from seqthink.library.places.transcript_spools import TranscriptSpools
from seqthink.library.places.transcripts import TranscriptPlace
from seqthink.sources.transcripts.budget import LIST_SECONDS, Budget
from seqthink.sources.transcripts.registry import TRANSCRIPTS
from tests.support.journals.build import shop_api
from tests.support.transcripts import claude_lines
from tests.support.transcripts.recorded import journals_of, lay_out

RUNS = ("claude/agents", "codex/agents", "gemini/agents", "opencode/agents")
SECRET = "AKIAIOSFODNN7EXAMPLE"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The home folder of this test, which the clients share."""
    return tmp_path / "home"


def in_json(capsys: pytest.CaptureFixture[str], *options: str) -> list[dict[str, Any]]:
    assert main(["sessions", "--json", *options]) == 0
    return json.loads(capsys.readouterr().out)


def claude_file(home: Path, *lines: bytes) -> Path:
    """Write a session of Claude Code."""
    path = home / ".claude" / "projects" / "-home-ada-work" / f"{claude_lines.SESSION}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def thinking(home: Path, text: str) -> Path:
    """Write a session of Claude Code with one thought."""
    arguments: dict[str, object] = {"thoughtNumber": 1, "totalThoughts": 3, "nextThoughtNeeded": True}
    call = claude_lines.call("toolu_1", "mcp__seq__sequentialthinking", thought=text, **arguments)
    return claude_file(
        home,
        claude_lines.user("u1", None, "why the 502s?"),
        claude_lines.assistant("a1", "u1", "m1", call, after=1),
        claude_lines.user("u2", "a1", [claude_lines.result("toolu_1", "{}")], after=2),
    )


def after_listing(monkeypatch: pytest.MonkeyPatch, change: Callable[[], object]) -> None:
    """Let something change once all sessions have been listed."""
    list_whole = TranscriptPlace.list_whole

    def list_and_change(place: TranscriptPlace) -> None:
        list_whole(place)
        change()

    monkeypatch.setattr(TranscriptPlace, "list_whole", list_and_change)


def test_a_session_of_each_client_is_a_row_that_says_as_much_as_a_journal(
    home: Path, seqthink_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for run in RUNS:
        lay_out(run, home)
    (seqthink_home / "sessions").mkdir(parents=True)
    shop_api().write(seqthink_home / "sessions" / "shop.jsonl")

    rows = in_json(capsys)
    of_source = {row["source"]: row for row in rows}

    assert set(of_source) == {"journal", "claude", "codex", "gemini", "opencode"}
    assert {tuple(row) for row in rows} == {tuple(of_source["journal"])}
    assert [row["last"] for row in rows[:-1]] > [rows[-1]["last"]]
    assert all(Path(row["path"]).is_relative_to(home) for row in rows if row["source"] != "journal")
    assert all(Path(row["path"]).is_file() for row in rows)
    assert all(row["thoughts"] for row in rows)
    assert {row["client"] for row in rows} >= {"claude-code", "codex", "gemini", "opencode"}


def test_the_listed_id_of_a_session_is_one_that_other_commands_take(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for run in RUNS:
        lay_out(run, home)
    database = next(home.rglob("opencode.db"))
    with closing(sqlite3.connect(database)) as connection, connection:
        [old] = connection.execute("SELECT id FROM session WHERE parent_id IS NULL").fetchone()
        columns = "SELECT m.name, p.name FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table'"
        for table, column in connection.execute(columns).fetchall():
            connection.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE "{column}" = ?', ("a b\x1b[31m/c", old))

    rows = in_json(capsys)

    assert {row["source"] for row in rows} == {run.split("/")[0] for run in RUNS}
    for row in rows:
        assert row["session"].isprintable()
        assert main(["show", row["session"]]) == 0, row["session"]


def test_a_session_that_is_in_a_journal_and_in_a_transcript_is_one_row(
    home: Path, seqthink_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_out("claude/agents", home)
    (seqthink_home / "sessions").mkdir(parents=True)
    for journal in journals_of("claude/agents"):
        shutil.copy(journal, seqthink_home / "sessions")

    [joined] = in_json(capsys)
    [transcript] = in_json(capsys, "--sources", "claude")
    journals = in_json(capsys, "--sources", "journal")

    assert {name: joined[name] for name in ("session", "source", "path", "thoughts")} == {
        name: transcript[name] for name in ("session", "source", "path", "thoughts")
    }
    assert {(row["source"], Path(row["path"])) for row in journals} == {
        ("journal", path) for path in (seqthink_home / "sessions").iterdir()
    }


def test_only_the_sources_that_are_named_are_listed(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for run in RUNS:
        lay_out(run, home)

    assert {row["source"] for row in in_json(capsys, "--sources", "codex,gemini-cli")} == {"codex", "gemini"}
    assert in_json(capsys, "--sources", "none") == []
    monkeypatch.setenv("SEQTHINK_SOURCES", "claude")
    assert {row["source"] for row in in_json(capsys)} == {"claude"}


def test_hostile_text_of_a_client_reaches_no_terminal_and_secrets_are_redacted(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    thinking(home, f"pool \x1b[31mred\x1b]0;title\x07 \u202eright {SECRET}\nnext")

    for form in ((), ("--json",), ("--ascii",)):
        main(["sessions", *form])
        shown = capsys.readouterr().out
        assert SECRET in shown
        assert all(one.isprintable() or one == "\n" for one in shown)
        main(["sessions", *form, "--redact"])
        redacted = capsys.readouterr().out
        assert SECRET not in redacted
        assert "[redacted" in redacted


def test_with_ascii_a_row_of_a_client_is_drawn_in_ascii(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out("codex/agents", home)

    main(["sessions"])
    assert not capsys.readouterr().out.isascii()
    main(["sessions", "--ascii"])
    assert capsys.readouterr().out.isascii()


def test_a_file_in_no_known_format_is_named_in_a_line_and_hides_no_other(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = thinking(home, "one")
    broken = whole.with_name("4884676d-0fec-4478-a490-000000000000.jsonl")
    broken.write_bytes(b"\x00\xff{\n[1]\n" * 200)

    assert main(["sessions", "--json"]) == 0
    out, err = capsys.readouterr()

    assert [row["path"] for row in json.loads(out)] == [str(whole)]
    assert err == f"seqthink: Claude Code's file has a format that this version cannot read: {broken}\n"


def test_a_file_that_cannot_be_opened_is_named_in_a_line(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = thinking(home, "one")
    aside = home / "aside.jsonl"

    def replace_by_link() -> None:
        path.rename(aside)
        path.symlink_to(aside)

    after_listing(monkeypatch, replace_by_link)

    assert main(["sessions", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == []
    assert err == f"seqthink: {path}: {os.strerror(errno.ELOOP).lower()}\n"


def test_a_session_that_its_client_deletes_meanwhile_is_left_out(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    after_listing(monkeypatch, thinking(home, "one").unlink)

    assert main(["sessions", "--json"]) == 0
    out, err = capsys.readouterr()
    assert (json.loads(out), err) == ([], "")


def test_where_there_are_none_each_folder_is_named(
    home: Path, seqthink_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sessions", "--sources", "journal,claude,codex"]) == 0
    folders = f"{seqthink_home / 'sessions'}, {home / '.claude' / 'projects'}, {home / '.codex'}"
    assert capsys.readouterr() == ("", f"seqthink: no sessions in {folders} yet\n")

    assert main(["sessions", "--sources", "none"]) == 0
    assert capsys.readouterr() == ("", "seqthink: no sessions without a source; see --sources\n")


def test_where_there_was_no_time_to_list_them_it_is_not_said_that_there_are_none(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out("opencode/agents", home)
    is_over = threading.Event()

    def wait(_place: TranscriptPlace) -> None:
        is_over.wait()

    monkeypatch.setattr(TranscriptPlace, "_list", wait)
    monkeypatch.setenv("SEQTHINK_READ_SECONDS", "0.001")
    assert main(["sessions", "--sources", "opencode"]) == 0
    is_over.set()

    unlisted = "the sessions of other programs were not listed within 0.001 s; SEQTHINK_READ_SECONDS=60 waits longer"
    assert capsys.readouterr() == ("", f"seqthink: {unlisted}\n")


def test_in_a_pipe_the_columns_of_long_ids_are_below_their_titles(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_out("gemini/agents", home)
    lay_out("claude/agents", home)

    main(["sessions"])
    heading, *lines = capsys.readouterr().out.splitlines()
    place = heading.index("client")
    assert {line[place:].split()[0] for line in lines} == {"gemini", "claude-code"}


# Counting as long as there is time


@pytest.fixture
def two_counted(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Four sessions, of which there is time to read two."""
    for run in RUNS:
        lay_out(run, home)
    seconds = [0.0]
    budget = Budget(LIST_SECONDS, clock=lambda: seconds[0])
    read_whole = TranscriptSpools.read_whole

    def read_slowly(spools: TranscriptSpools, path: Path) -> bool:
        seconds[0] += 0.6 * LIST_SECONDS
        return read_whole(spools, path)

    def budget_of(*_: object) -> Budget:
        return budget

    monkeypatch.setattr(machine_sessions, "budget_of", budget_of)
    monkeypatch.setattr(TranscriptSpools, "read_whole", read_slowly)
    return home


@pytest.mark.usefixtures("two_counted")
def test_without_time_the_newest_are_counted_and_the_rest_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sessions", "--json"]) == 0
    out, err = capsys.readouterr()
    rows = json.loads(out)
    unknown = [row for row in rows if row["thoughts"] is None]

    assert rows[-len(unknown) :] == unknown
    assert len(rows) - len(unknown) == 2
    assert all(row["last"] and row["client"] and row["path"] for row in unknown)
    assert {row[name] for row in unknown for name in ("name", "state", "attention", "alive", "branches")} == {None}
    assert err == (
        f"seqthink: {len(unknown)} of {len(rows)} sessions were not counted within 10 s; "
        "SEQTHINK_READ_SECONDS=100 waits longer\n"
    )


@pytest.mark.usefixtures("two_counted")
def test_in_a_pipe_each_column_of_one_that_was_not_counted_has_a_sign(capsys: pytest.CaptureFixture[str]) -> None:
    main(["sessions"])
    _, *lines = capsys.readouterr().out.splitlines()

    assert lines[-1].split()[1] == "?"
    assert lines[-1].split()[4:] == ["?"] * 6


@pytest.mark.usefixtures("two_counted")
def test_on_a_terminal_one_that_was_not_counted_has_its_age_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    main(["sessions"])
    _, *lines = capsys.readouterr().out.splitlines()
    session, age, *more = lines[-1].split()

    assert session.split("-")[0] in TRANSCRIPTS
    assert age[0].isdigit()
    assert more == []


def test_while_sessions_are_counted_a_terminal_shows_how_many_were(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_line, "FIRST_SECONDS", 0.0)
    thinking(home, "one")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    main(["sessions"])

    assert capsys.readouterr().err == "\rcounting: 0 of 1 sessions\x1b[K\r\x1b[K"


def test_the_client_in_front_of_an_id_is_not_what_makes_it_long_enough(tmp_path: Path) -> None:
    names = {"20260101T000000": "journal", "20260202T000000": "journal", "opencode-ses_12345": "opencode"}
    files = [
        SessionFile(name, tmp_path, 1, datetime(2026, 3, 10, tzinfo=UTC), source) for name, source in names.items()
    ]

    assert list(short_ids(files).values()) == ["20260101", "20260202", "opencode-ses_1234"]
