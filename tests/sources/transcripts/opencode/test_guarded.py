"""A database is read only where its tables are tables, and never for ever."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from seqthink.core.errors import UsageError
from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.choosing import UnreadableTranscriptError, sessions_of_file
from seqthink.sources.transcripts.opencode.feed import OpenCodeFeed
from seqthink.sources.transcripts.opencode.source import OpenCodeSource
from tests.sources.transcripts.opencode.client_database import ClientDatabase

ENDLESS = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r)"
COLUMNS = {
    "session": "id, parent_id, directory, title, version, time_created, time_updated",
    "message": "id, session_id, time_created, time_updated, data",
    "part": "id, message_id, session_id, time_created, time_updated, data",
    "event": "id, aggregate_id, seq, type, data",
    "session_v2": "id, parent_id, directory, title, version, time_created, time_updated, fork_session_id, agent",
    "session_message": "id, session_id, type, seq, time_created, time_updated, data",
}


def _view(name: str) -> str:
    values = ", ".join("'s' || x" if column in {"id", "session_id"} else "x" for column in COLUMNS[name].split(", "))
    return f"CREATE VIEW {name} ({COLUMNS[name]}) AS {ENDLESS} SELECT {values} FROM r"


def _database(path: Path, **instead: str) -> Path:
    with sqlite3.connect(path) as connection:
        for name, columns in COLUMNS.items():
            connection.executescript(instead.get(name, f"CREATE TABLE {name} ({columns})"))
    connection.close()
    return path


def _rewrite_schema(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(statement)
    connection.close()


def _virtual(name: str) -> Callable[[Path], None]:
    return lambda path: _database(path, **{name: f"CREATE VIRTUAL TABLE {name} USING fts5({COLUMNS[name]})"}) and None


def _trigger(path: Path) -> None:
    trigger = "CREATE TRIGGER later AFTER INSERT ON message BEGIN DELETE FROM part; END"
    _database(path, message=f"CREATE TABLE message ({COLUMNS['message']}); {trigger}")


def _computed(path: Path) -> None:
    computed = "time_updated AS (length(hex(zeroblob(100000000))))"
    _database(path, session=f"CREATE TABLE session ({COLUMNS['session'].replace('time_updated', computed)})")


REFUSED: dict[str, tuple[Callable[[Path], object], str]] = {
    "a session that is an endless view": (
        lambda path: _database(path, session=_view("session")),
        "`session` is a view",
    ),
    "a message that is an endless view": (
        lambda path: _database(path, message=_view("message")),
        "`message` is a view",
    ),
    "a part that is an endless view": (lambda path: _database(path, part=_view("part")), "`part` is a view"),
    "a log that is an endless view": (lambda path: _database(path, event=_view("event")), "`event` is a view"),
    "a name in capitals": (
        lambda path: _database(path, part=_view("part").replace("part", "PART", 1)),
        "`part` is a view",
    ),
    "a session of OpenCode 2 that is an endless view": (
        lambda path: _database(path, session_v2=_view("session_v2")),
        "`session_v2` is a view",
    ),
    "a message of OpenCode 2 that is an endless view": (
        lambda path: _database(path, session_message=_view("session_message")),
        "`session_message` is a view",
    ),
    "a virtual table of OpenCode 2": (_virtual("session_message"), "`session_message` is a virtual table"),
    "a virtual table": (_virtual("part"), "`part` is a virtual table"),
    "a trigger": (_trigger, "`later` is a trigger"),
    "a computed column": (_computed, "`session` has computed columns"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_database_with_anything_but_tables_is_refused_with_the_reason(tmp_path: Path, case: str) -> None:
    make, reason = REFUSED[case]
    make(tmp_path / "opencode.db")
    budget = Budget()

    assert OpenCodeSource(budget).find(tmp_path, 10) == []
    with pytest.raises(UnreadableTranscriptError, match=reason):
        sessions_of_file(str(tmp_path / "opencode.db"))
    assert reason in " ".join(budget.left_out)


def test_a_view_that_calls_itself_a_table_is_not_read(tmp_path: Path) -> None:
    path = _database(tmp_path / "opencode.db", part=_view("part"))
    _rewrite_schema(path, "UPDATE sqlite_master SET type = 'table' WHERE name = 'part'")

    assert OpenCodeSource().find(tmp_path, 10) == []
    with pytest.raises(UsageError, match="a format that this version cannot read"):
        sessions_of_file(str(path))


def test_a_view_that_came_while_the_session_was_followed_is_refused(tmp_path: Path) -> None:
    database = ClientDatabase(tmp_path / "opencode.db")
    database.session("s")
    budget = Budget()
    feed = OpenCodeFeed(database.path, "s", budget=budget)
    feed.read(1 << 20)

    database.message("s", "m", "user")
    database.connection.executescript(f"DROP TABLE part; {_view('part')}")
    batch = feed.read(1 << 20)
    feed.close()
    database.close()

    assert (batch.facts, batch.at_end) == ([], True)
    assert "stands for something else now" in " ".join(budget.left_out)


def test_a_database_that_takes_longer_than_the_budget_is_named_with_the_way_to_read_it(tmp_path: Path) -> None:
    database = ClientDatabase(tmp_path / "opencode.db")
    with database.connection:
        database.connection.executescript(
            f"{ENDLESS} INSERT INTO session SELECT 's' || x, NULL, '/x', 't', '1', x, x FROM r LIMIT 50000"
        )
    database.close()
    ticks = iter(range(1_000_000))
    budget = Budget(2.0, clock=lambda: float(next(ticks)))

    assert OpenCodeSource(budget).find(tmp_path, 10) == []
    assert budget.left_out == [
        f"{database.path}: not all of it was read within 2 s; SEQTHINK_READ_SECONDS=60 waits longer"
    ]


def _overwrite(path: Path, name: str) -> None:
    """Write nonsense over the first page of a table or an index, as a failing drive would."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
    connection.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


def test_a_damaged_list_of_sessions_is_named(tmp_path: Path) -> None:
    path = _database(tmp_path / "opencode.db")
    _overwrite(path, "session")
    budget = Budget()

    assert OpenCodeSource(budget).find(tmp_path, 10) == []
    assert budget.left_out == [f"{path}: not all of it was read: the database is damaged"]


def test_damage_in_a_session_is_named_on_the_way(tmp_path: Path) -> None:
    database = ClientDatabase(tmp_path / "opencode.db")
    database.session("s", "Why is it slow?")
    database.close()
    _overwrite(database.path, "message_session")
    budget = Budget()
    (found,) = OpenCodeSource(budget).find(tmp_path, 10)
    feed = OpenCodeFeed(database.path, found.id, budget=budget)
    batch = feed.read(1 << 20)
    feed.close()

    assert batch.at_end
    assert feed.counts.corrupt > 0
    assert budget.left_out == [f"{database.path}: not all of it was read: the database is damaged"]


def test_a_locked_database_is_not_called_damaged(tmp_path: Path) -> None:
    database = ClientDatabase(tmp_path / "opencode.db")
    database.session("s")
    database.connection.execute("PRAGMA journal_mode = DELETE")
    budget = Budget()
    feed = OpenCodeFeed(database.path, "s", budget=budget)
    database.connection.execute("BEGIN EXCLUSIVE")
    feed.read(1 << 20)
    database.connection.execute("ROLLBACK")
    feed.close()
    database.close()

    assert budget.left_out == []


def test_another_programs_view_beside_the_tables_does_no_harm(tmp_path: Path) -> None:
    database = ClientDatabase(tmp_path / "opencode.db")
    database.session("s")
    database.connection.execute(_view("part").replace("part", "other", 1))
    database.close()

    assert [found.id for found in OpenCodeSource().find(tmp_path, 10)] == ["s"]
