"""What reads other programs' files ends in time, and says what it has not read."""

import sqlite3
from pathlib import Path

import pytest

from tests.growth.transcript_shapes.opencode import OPENCODE, write_opencode
from tests.support.depth import first
from tests.support.servers.commands import seqthink

ENDLESS_VIEW = (
    "DROP TABLE session; CREATE VIEW session AS WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) "
    "SELECT 's' || x id, NULL parent_id, '/x' directory, 't' title, '1' version, x time_created, x time_updated FROM r"
)


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a database with five sessions, where OpenCode has it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SEQTHINK_HOME", str(tmp_path / "seqthink"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    folder = tmp_path / ".local" / "share" / "opencode"
    return write_opencode(folder / "opencode.db", OPENCODE["sessions"], 5)


@pytest.mark.parametrize("command", [["status"], ["find", "why"], ["stats", "--since", "7d"]])
def test_a_command_says_that_it_has_not_read_a_database_with_a_view(database: Path, command: list[str]) -> None:
    connection = sqlite3.connect(database)
    connection.executescript(ENDLESS_VIEW)
    connection.close()

    done = seqthink(*command, "--sources", "opencode")

    assert f"seqthink: {database}: `session` is a view, which is not read" in done.stderr


@pytest.mark.parametrize("command", first(1, [["status"], ["find", "why"], ["import", "--all", "--dry-run"]]))
def test_a_command_without_time_says_what_it_left_out_and_how_to_read_it(
    database: Path, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = sqlite3.connect(database)
    with connection:
        rows = ((f"x{number}", None, "/x", "t", "1", 1, 1) for number in range(50_000))
        connection.executemany("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    connection.close()
    monkeypatch.setenv("SEQTHINK_READ_SECONDS", "0.000001")

    done = seqthink(*command, "--sources", "opencode")

    assert "within 1e-06 s; SEQTHINK_READ_SECONDS=60 waits longer" in done.stderr
    assert done.stdout == "?1\n" or command != ["status"]


@pytest.mark.parametrize(
    "command", first(2, [["show"], ["export", "--format", "md"], ["replay"], ["watch"], ["stats"]])
)
def test_a_database_is_taken_by_its_name_and_the_session_in_it_is_named(
    database: Path, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(database.parent)

    done = seqthink(*command, "opencode.db")

    assert done.returncode == 0
    assert done.stderr == (
        "seqthink: opencode.db holds 5 sessions; this is the one that changed last, s4 (`seqthink import` keeps all)\n"
    )
