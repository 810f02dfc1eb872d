"""What a client writes, in order: it can be written at once, in steps, or damaged."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from tests.sources.transcripts.opencode.client_database import TABLES
from tests.sources.transcripts.opencode.newer_database import NEWER_TABLES
from tests.support.transcripts.known.sessions import COUNTED, Row, Rows, Said

BEGIN_MS = 1_795_000_000_000
"""When the first session begins, in milliseconds since 1970."""


@dataclass(frozen=True)
class Write:
    """Bytes that a client adds to a file, or that replace it."""

    path: str
    """The file, relative to the home folder."""
    data: bytes
    holds: tuple[Said, ...] = ()
    """What is lost with it, unless another write holds it, too."""
    places: tuple[Said, ...] = ()
    """What is out of its place without it: the call whose answer this is."""
    marks: tuple[Said, ...] = ()
    """What cannot be known without it: an answer that nothing but the next prompt marks as one."""
    run: int = 0
    """Of the writes with one number that is not 0, no more than one may be lost: else they cannot be distinguished."""
    replaces: bool = False
    sql: tuple[str, tuple[object, ...]] | None = None
    """Of a database: the statement, and its values."""


@dataclass
class Written:
    """What a client wrote of a session."""

    source: str
    id: str
    """The client's id of the session."""
    writes: list[Write] = field(default_factory=list[Write], repr=False)
    said: list[Said] = field(default_factory=list[Said], repr=False)
    """All that has to be shown, that of each agent in its order."""
    has_unique_calls: bool = True
    has_order: bool = True
    late: tuple[Said, ...] = ()
    """What nothing shows to be an answer: it may be shown behind a prompt that nothing follows."""
    fragile: list[Write] = field(default_factory=list[Write], repr=False)
    """Those that are never damaged: without one, nobody knows which agent goes on, or a text is cut."""
    awaited: tuple[Said, ...] = ()
    """The same, if it is read before the next step."""
    contexts: dict[str | None, tuple[int, int | None]] = field(default_factory=dict[str | None, tuple[int, int | None]])
    """For each agent tokens and window of its newest answer."""


def apply(write: Write, home: Path, upto: int | None = None, since: int = 0) -> None:
    """Do a write, or the part of it between two bytes."""
    path = home / write.path
    path.parent.mkdir(parents=True, exist_ok=True)
    if write.sql is not None:
        if since == 0:
            _execute(path, [write.sql])
        return
    with path.open("wb" if write.replaces and since == 0 else "ab") as file:
        file.write(write.data[since:upto])


def apply_all(writes: Iterable[Write], home: Path) -> None:
    """Do all of them."""
    for path, group in groupby(writes, lambda write: write.path if write.sql is not None else None):
        if path is None:
            for write in group:
                apply(write, home)
        else:
            (home / path).parent.mkdir(parents=True, exist_ok=True)
            _execute(home / path, [write.sql for write in group if write.sql is not None])


def _execute(path: Path, statements: list[tuple[str, tuple[object, ...]]]) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            connection.executescript(f"PRAGMA journal_mode = WAL;{TABLES}{NEWER_TABLES}")
        for statement, values in statements:
            connection.execute(statement, values)
        connection.commit()


class Truth:
    """What has to be shown of a session, and in which order."""

    def __init__(self, written: Written, lost: Iterable[Write] = (), *, is_whole: bool = True) -> None:
        """Take in what was written, and what of it was destroyed.

        ``is_whole`` says that all was read at once: else what came after a text may not have shown yet whether that
        was a remark or an answer, and either is true.
        """
        destroyed = list(lost)
        # Without its call, an answer may seem to be that of another call with the same id.
        self._has_order = written.has_order and (written.has_unique_calls or not destroyed)
        gone = set(map(id, destroyed))
        kept = {said for write in written.writes if id(write) not in gone for said in write.holds}
        self._written = written
        self._lost = {said for write in destroyed for said in write.holds} - kept
        self._displaced = {said for write in destroyed for said in write.places}
        self._unmarked = {said for write in destroyed for said in write.marks}
        self._late = frozenset(written.late)
        self._kinds = {} if is_whole else {"remark": "words", "answer": "words"}

    def differences(self, shown: Rows) -> list[str]:
        """Return what is shown and not true, or true and not shown, in words."""
        found: list[str] = []
        for agent in sorted({*shown, *(said.agent for said in self._written.said)}, key=str):
            of_agent = [said for said in self._written.said if said.agent == agent and said not in self._lost]
            found += (f"{agent}: {words}" for words in self._of_agent(of_agent, shown.get(agent, [])))
        return found

    def _row(self, said: Said) -> Row:
        return self._kinds.get(said.kind, said.kind), said.text

    def _of_agent(self, said: list[Said], shown_rows: list[Row]) -> Iterator[str]:
        rows = [(self._kinds.get(kind, kind), text) for kind, text in shown_rows]
        free = self._displaced | self._unmarked | self._late
        all_rows, optional = Counter(rows), Counter(self._row(each) for each in said if each in self._unmarked)
        wanted = Counter(map(self._row, said))
        yield from (f"{count}x missing {row}" for row, count in (wanted - optional - all_rows).items())
        yield from (f"{count}x too much {row}" for row, count in (all_rows - wanted).items())
        loose = {self._row(each) for each in said if each in free} | {row for row in rows if row[0] in COUNTED}
        in_order = [self._row(each) for each in said if self._row(each) not in loose and each.kind not in COUNTED]
        shown = [row for row in rows if row not in loose]
        if self._has_order and Counter(in_order) == Counter(shown) and in_order != shown:
            yield f"not in order: {shown} instead of {in_order}"


def line_of(record: dict[str, Any]) -> bytes:
    """Return a record as a line of JSON."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
