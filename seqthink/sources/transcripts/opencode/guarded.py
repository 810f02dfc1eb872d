"""A connection to another program's database on which only plain tables can be read, and nothing for ever.

A database is a program, too: a view may have no end, a computed column may cost any amount, a virtual table runs code.
So the names that we read must be tables whose rows lie in the file, SQLite's authorizer refuses whatever is not a plain
read of a column, and each statement asks the budget now and then whether it may go on.
"""

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.unreadable import unknown_format_at

READ_TABLES: Final = ("session", "message", "part", "event", "session_v2", "session_message")
"""The tables that are read: of OpenCode 1, then of OpenCode 2."""
_PRAGMAS: Final = ("trusted_schema=OFF", "query_only=ON", "mmap_size=0", "cell_size_check=ON", "temp_store=MEMORY")
_LIMITS: Final = {
    sqlite3.SQLITE_LIMIT_LENGTH: 256 << 20,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 1 << 20,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 4,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_STEPS: Final = 20_000
"""How many steps of SQLite's machine, a millisecond or less, are between two questions to the budget."""
_ACTIONS: Final = frozenset((sqlite3.SQLITE_SELECT, sqlite3.SQLITE_TRANSACTION))
_FUNCTIONS: Final = frozenset(("count", "max", "coalesce", "length"))
_SCHEMA: Final = frozenset(("sqlite_master", "sqlite_schema"))
_MAX_SHOWN: Final = 40
_DAMAGES: Final = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_IOERR")
"""How the names of those errors begin that another attempt hardly helps."""


class RefusedSchemaError(sqlite3.DatabaseError):
    """The tables that we read are none, or not only tables."""


class UnknownFormatError(sqlite3.DatabaseError):
    """The database has tables, but none that we know, or not the columns that they should have."""


class SpentError(sqlite3.DatabaseError):
    """The budget was spent before the database was read."""


def note_failure(path: Path, error: sqlite3.Error, budget: Budget, label: str) -> None:
    """Say in the budget what of a client's database is not read, unless it is only locked or being changed now."""
    match error:
        case RefusedSchemaError():
            budget.leave_out(f"{path}: {error}")
        case SpentError():
            budget.leave_out(f"{path}: not all of it was read {budget.words}")
        case UnknownFormatError():
            budget.leave_out(unknown_format_at(path, label, "database"))
        case _ if getattr(error, "sqlite_errorname", "").startswith(_DAMAGES):
            budget.leave_out(f"{path}: not all of it was read: the database is damaged")
        case _:
            pass


def guard(connection: sqlite3.Connection, budget: Budget) -> None:
    """Let a connection read only the tables that OpenCode writes.

    Raises:
        RefusedSchemaError: one of their names means something else.
        sqlite3.Error: the database cannot be read.
    """
    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)
    connection.set_progress_handler(lambda: budget.is_spent, _STEPS)
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    _check_schema(connection)
    connection.set_authorizer(_allow)


def _check_schema(connection: sqlite3.Connection) -> None:
    named = ", ".join("?" * len(READ_TABLES))
    found: Iterable[tuple[object, ...]] = connection.execute(
        "SELECT type, lower(CAST(name AS TEXT)), rootpage, upper(substr(CAST(sql AS TEXT), 1, 13)) "
        f"FROM sqlite_master WHERE lower(CAST(tbl_name AS TEXT)) IN ({named}) AND type <> 'index'",
        READ_TABLES,
    )
    for kind, name, page, beginning in list(found):
        shown, is_table = _plain(name), _plain(kind) == "table"
        if not is_table:
            raise RefusedSchemaError(f"`{shown}` is a {_plain(kind)}, which is not read: OpenCode has tables only")
        if not isinstance(page, int) or page <= 0 or _plain(beginning) != "CREATE TABLE ":
            raise RefusedSchemaError(f"`{shown}` is a virtual table, which is not read: it may do anything")
        if any(column[6] for column in connection.execute(f"PRAGMA table_xinfo({shown})")):
            raise RefusedSchemaError(f"`{shown}` has computed columns, which are not read: they may take any time")


def _plain(value: object) -> str:
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    return text[:_MAX_SHOWN]


def _allow(action: int, name: str | None, detail: str | None, _database: str | None, inside: str | None) -> int:
    """Return whether SQLite may do something: read a column of ours, count, and begin and end a transaction."""
    if inside is not None:  # a view's or a trigger's
        return sqlite3.SQLITE_DENY
    is_allowed = action in _ACTIONS
    if action == sqlite3.SQLITE_READ:
        is_allowed = name is not None and (name.lower() in READ_TABLES or name.lower() in _SCHEMA)
    elif action == sqlite3.SQLITE_FUNCTION:
        is_allowed = detail in _FUNCTIONS
    elif action == sqlite3.SQLITE_PRAGMA:
        is_allowed = name == "data_version"
    return sqlite3.SQLITE_OK if is_allowed else sqlite3.SQLITE_DENY
