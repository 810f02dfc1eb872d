"""Follows one root session in OpenCode's database: first its history, then what changes.

The history is read message by message, in the order in which they were created. After that, each look asks SQLite
whether anything was committed; if so, the event log says which messages changed, and these are read again. A client
that keeps no event log is followed by the times at which rows were updated, and by counting them.
"""

import errno
import heapq
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.facts import Fact, ToolCall
from seqthink.sources.transcripts.opencode.clients import DatabaseClients
from seqthink.sources.transcripts.opencode.columns import count
from seqthink.sources.transcripts.opencode.database import Database
from seqthink.sources.transcripts.opencode.forks import has_own_message, looks_forked, origins_of_forks
from seqthink.sources.transcripts.opencode.guarded import SpentError, note_failure
from seqthink.sources.transcripts.opencode.ordering import FactOrder
from seqthink.sources.transcripts.opencode.private_copy import PrivateCopies
from seqthink.sources.transcripts.opencode.records import OpenCodeReader
from seqthink.sources.transcripts.opencode.rows import SessionRow
from seqthink.sources.transcripts.opencode.tables import Tables
from seqthink.sources.transcripts.source import FactBatch, ReadCounts

_ROW_BYTES: Final = 64
"""What a row counts besides its data."""


class _Followed:
    """A session of the tree: how far it was followed."""

    def __init__(self) -> None:
        self.messages: set[str] = set()
        self.copied: set[str] = set()
        """Messages that are copies of another session's."""
        self.is_begun = False
        self.seq: int | None = None
        """The newest entry of the log that was read; None while the log has none of this session."""
        self.updated = 0
        """Without a log: the newest update that was read, in milliseconds."""
        self.compared: tuple[int, int] | None = None
        """Without a log: the row counts for which all messages were read again, so that it is done once."""


class OpenCodeFeed:
    """Reads a root session with the sessions of its subagents.

    Raises:
        OSError: there is no database of this user at the path.
    """

    def __init__(
        self,
        path: Path,
        session_id: str,
        copies: PrivateCopies | None = None,
        budget: Budget | None = None,
        clients: DatabaseClients | None = None,
        label: str = "OpenCode",
    ) -> None:
        self._path = path
        self._label = label
        self._clients = clients or DatabaseClients(path)
        self._folder = ""
        self._session_id = session_id
        self._is_refused = False
        self._is_abandoned: bool | None = None
        self._budget = budget or Budget()
        self._database = Database(path, copies, self._budget)
        self._begin()
        self._file = self._database.file()

    @property
    def counts(self) -> ReadCounts:
        """What became of the records so far; while SQLite refuses to read, there is a corrupt one more."""
        return msgspec.structs.replace(self._counts, corrupt=self._counts.corrupt + self._is_refused)

    @property
    def agent_files(self) -> Sequence[Path]:
        """No files: subagents are in the same database."""
        return ()

    @property
    def unstarted_calls(self) -> Mapping[str, int]:
        """The calls that do not run yet (see `SessionFeed`)."""
        calls = dict(self._reader.unstarted_calls)
        for call, held in self._reader.held_calls.items():
            if self._clients.has_asked(self._followed.keys(), held.permissions, held.time):
                calls[call] = held.time
        return calls

    def read(self, limit_bytes: int) -> FactBatch:
        """Return the facts of about the next ``limit_bytes`` bytes. Never raises for what the database holds.

        What cannot be read now, because the client has it locked or changes its tables, is tried again the next time.

        Raises:
            OSError: the database is gone or not permitted, or has no such session.
        """
        restarted = self._restart_if_replaced()
        self._is_refused, is_readable = False, True
        try:
            version = self._database.data_version()
            if self._backlog or version != self._version:
                self._look(limit_bytes, has_changed=version != self._version)
                self._version = version
        except sqlite3.Error as error:
            note_failure(self._path, error, self._budget, self._label)
            self._is_refused = not isinstance(error, SpentError)
            is_readable = False
        until = self._backlog[0][0] * 1000 if self._backlog else None
        facts = self._order.release(until)
        self._is_abandoned = None if facts else self._is_abandoned
        return FactBatch(facts, at_end=not (is_readable and self._backlog), restarted=restarted)

    def settle(self) -> list[Fact]:
        """Return the answers in steps that were not completed, as of a client that was killed (see `SessionFeed`)."""
        self._order.add(self._reader.settle())
        return self._order.release()

    def unwritten_calls(self) -> Sequence[ToolCall]:
        """Return nothing: the client writes a call as soon as it is made (see `SessionFeed`)."""
        return ()

    def is_abandoned(self) -> bool | None:
        """Return whether the client that worked on the session has ended since something came last."""
        if not self._is_abandoned:
            sessions, changed = self._followed.keys(), self._reader.last_time
            self._is_abandoned = self._clients.is_abandoned(sessions, self._folder, changed)
        return self._is_abandoned

    def close(self) -> None:
        """Close what is open. Calling it again does nothing."""
        self._database.close()

    def _begin(self) -> None:
        self._counts = ReadCounts()
        self._reader = OpenCodeReader(self._session_id, self._counts)
        self._order = FactOrder()
        self._followed: dict[str, _Followed] = {}
        self._backlog: list[tuple[int, str]] = []
        """The messages to read, with the milliseconds of their creation: a heap."""
        self._waiting: set[str] = set()
        self._forks: dict[str, str] = {}
        """The forks of the tree, with the session that each was copied from."""
        self._forks_of: dict[str, list[str]] = {}
        self._in_forks: set[str] = set()
        """The subagents of forks."""
        self._possible_forks: list[SessionRow] = []
        """Sessions that were not yet followed by a message of their own."""
        self._sessions_seen = (0, 0)
        self._version: tuple[int, int] | None = None

    def _restart_if_replaced(self) -> bool:
        file = self._database.file()
        is_replaced = file != self._file
        if is_replaced:
            self._begin()
        self._file = file
        return is_replaced

    def _look(self, limit_bytes: int, *, has_changed: bool) -> None:
        """Find what has changed, then read messages until the limit is reached."""
        with self._database.reading() as connection:
            tables = Tables(connection)
            for session_id in self._find_sessions(tables) if has_changed else ():
                self._find_changes(tables, session_id)
            read_bytes = 0
            while self._backlog and read_bytes < limit_bytes:
                read_bytes += self._read_message(tables, heapq.heappop(self._backlog)[1])
        self._order.add(self._reader.take_removals())

    def _find_sessions(self, tables: Tables) -> list[str]:
        """Take in the rows of the root and of its subagents; return the ids."""
        root = tables.session(self._session_id)
        if root is None and not self._followed:
            raise FileNotFoundError(errno.ENOENT, "no such session", self._session_id)
        self._find_forks(tables)
        self._folder = root.directory if root is not None else self._folder
        rows = [] if root is None else [root]
        ids = dict.fromkeys(row.id for row in rows)
        for row in rows:
            self._order.add(self._reader.take_session(row, self._forks.get(row.id)))
            forks = self._forks_of.get(row.id, ())
            forked = [found for fork in forks if (found := tables.session(fork)) is not None]
            children = self._own_children(tables, row)
            new = [each for each in children + forked if each.id not in ids]
            rows += new
            ids |= dict.fromkeys(each.id for each in new)
        return list(ids)

    def _own_children(self, tables: Tables, row: SessionRow) -> list[SessionRow]:
        """Return a session's subagents; without those that Kilo copied with a fork, as long as they say nothing new.

        Like the fork itself, a copied subagent is newer than what it says.
        """
        children = tables.child_sessions(row.id)
        if row.id not in self._forks and row.id not in self._in_forks:
            return children
        self._in_forks.update(each.id for each in children)
        return [each for each in children if each.id in self._followed or has_own_message(tables, each)]

    def _find_forks(self, tables: Tables) -> None:
        """Find the forks among the sessions that are new, once they have a message of their own."""
        rows, self._sessions_seen = tables.root_sessions_after(self._sessions_seen)
        possible = self._possible_forks + [row for row in rows if row.id != self._session_id and looks_forked(row)]
        certain = [row for row in possible if has_own_message(tables, row)]
        ids = {row.id for row in certain}
        self._possible_forks = [row for row in possible if row.id not in ids]
        for fork, origin in origins_of_forks(tables, certain).items():
            self._forks[fork] = origin
            self._forks_of.setdefault(origin, []).append(fork)

    def _find_changes(self, tables: Tables, session_id: str) -> None:
        followed = self._followed.setdefault(session_id, _Followed())
        newest = tables.last_seq(session_id)
        if not followed.is_begun:
            followed.is_begun, followed.seq = True, newest
            followed.updated = tables.last_update(session_id) if newest is None else 0
            followed.copied = self._copied_messages(tables, session_id)
            self._put_back(tables, followed, [each for _, each in tables.message_times(session_id)])
        elif newest is None:
            self._compare(tables, session_id, followed)
        elif newest != followed.seq:
            changed: dict[str | None, None] = {}
            for row in tables.log_after(session_id, -1 if followed.seq is None else followed.seq):
                changed[self._reader.changed_message(row)] = None
            followed.seq = newest
            self._put_back(tables, followed, [each for each in changed if each is not None])

    def _copied_messages(self, tables: Tables, session_id: str) -> set[str]:
        """Return the messages of a fork that its original has, too, or those of a subagent that was copied with it."""
        if session_id in self._in_forks:
            row = tables.session(session_id)
            created = count(row.created) if row is not None else 0
            return {message_id for time, message_id in tables.message_times(session_id) if time < created}
        origin = self._forks.get(session_id)
        if origin is None:
            return set()
        times = {time for time, _ in tables.message_times(origin)}
        return {message_id for time, message_id in tables.message_times(session_id) if time in times}

    def _compare(self, tables: Tables, session_id: str, followed: _Followed) -> None:
        """Find what changed without a log: by the times of the rows, or because some are missing."""
        updated = tables.messages_updated_since(session_id, followed.updated)
        followed.updated = max((time for time, _ in updated), default=followed.updated)
        changed = {message_id for _, message_id in updated}
        if not followed.copied and followed.messages.isdisjoint(self._waiting):
            counts = tables.row_counts(session_id)
            if counts not in (self._expected_counts(tables, session_id, changed), followed.compared):
                followed.compared = counts
                changed |= followed.messages
        self._put_back(tables, followed, sorted(changed))

    def _expected_counts(self, tables: Tables, session_id: str, changed: set[str]) -> tuple[int, int]:
        """Return how many messages and rows of parts a session has if nothing is gone."""
        messages = self._followed[session_id].messages
        if not tables.has_rows_of_parts(session_id):
            return len(messages | changed), 0
        return len(messages | changed), self._reader.part_count(messages - changed) + tables.part_count(changed)

    def _put_back(self, tables: Tables, followed: _Followed, message_ids: Iterable[str]) -> None:
        """Let these messages be read, for the first time or again; forget those that are gone."""
        for message_id in message_ids:
            time = tables.message_time(message_id)
            if time is None:
                followed.messages.discard(message_id)
                self._reader.remove_message(message_id)
            elif message_id not in self._waiting and message_id not in followed.copied:
                followed.messages.add(message_id)
                self._waiting.add(message_id)
                heapq.heappush(self._backlog, (time, message_id))

    def _read_message(self, tables: Tables, message_id: str) -> int:
        """Read a message with its parts; return how many bytes that were."""
        self._waiting.discard(message_id)
        found = tables.message(message_id)
        if found is None:
            self._reader.remove_message(message_id)
            return _ROW_BYTES
        facts = self._reader.take_message(found.row, found.parts)
        if facts:
            self._order.add(self._reader.take_removals())
        self._order.add(facts)
        return found.bytes + _ROW_BYTES * (1 + len(found.parts))
