"""A fleet's sessions as a folder of journals, each filled once it is wanted.

What reads journals follows, folds, searches and exports the files as it does others. Whether a session's server runs is
said by the heartbeats of its machine.
"""

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from seqthink.chain.attention import STUCK_SECONDS
from seqthink.core.background import Troubles
from seqthink.core.errors import JournalNotFoundError, SeqthinkError
from seqthink.core.events import WriterState
from seqthink.drawing.describe.session import ListedSession
from seqthink.journal.foreign_writers import register_keeper, unregister_keeper
from seqthink.journal.notes_file import Note
from seqthink.journal.store import SessionFile
from seqthink.sources.fleet.cards import Card
from seqthink.sources.fleet.engine import FleetEngine, SentNote
from seqthink.sources.fleet.failures import EngineRefusedError, EngineUnavailableError
from seqthink.sources.fleet.layout import SessionName
from seqthink.sources.fleet.mirror.card_summaries import summary_of_card
from seqthink.sources.fleet.mirror.catching_up import STEP_BYTES, catch_up
from seqthink.sources.fleet.mirror.engine_link import EngineLink, Trouble, TroubleBoard
from seqthink.sources.fleet.mirror.following import Follower
from seqthink.sources.fleet.mirror.listing import FIRST_ROWS, Listing, host_of_origin
from seqthink.sources.fleet.mirror.mirror_file import MirrorFile
from seqthink.sources.fleet.mirror.mirror_store import MirrorStore
from seqthink.sources.fleet.mirror.news_listener import NewsListener
from seqthink.sources.fleet.mirror.references import MAX_SEARCHED, candidates, chosen
from seqthink.sources.fleet.signing import note_key, sign

LISTED_SESSIONS: Final = 2000
"""How many sessions are listed unless the caller says otherwise."""


class FleetFolder:
    """The sessions of a fleet as journals in a private folder, each filled once it is wanted. Any thread may call it.

    Args:
        open_engine: opens a connection to the engine; there is one for lists, one for the lines of a session, one for
            all followed sessions, and one for news, so that none waits for another.
        environ: the environment: where memory for files is.
        clock: returns the time in microseconds since 1970.
        place: where the engine is, for people.

    Raises:
        SeqthinkError: the folder cannot be made.
    """

    def __init__(
        self,
        open_engine: Callable[[], FleetEngine],
        environ: Mapping[str, str],
        clock: Callable[[], int],
        place: str = "",
    ) -> None:
        self.place = place
        """Where the engine is, for people."""
        self._open_engine, self._environ, self._clock = open_engine, environ, clock
        self._store = MirrorStore(environ)
        self._board = TroubleBoard(clock)
        self._listing = Listing(self._store.sessions, clock)
        self._link, self._list_link = EngineLink(open_engine, self._board), EngineLink(open_engine, self._board)
        self._follower = Follower(open_engine, self._board, self._listing)
        self._news: NewsListener | None = None
        self._callbacks: list[Callable[[list[Path]], None]] = []
        register_keeper(self._store.sessions, self.writer_state)

    @property
    def listed(self) -> list[SessionFile]:
        """The sessions as they were at the last look, newest first; their files may not exist yet."""
        return self._listing.files

    @property
    def tasks(self) -> Troubles:
        """What is wrong with the threads that ask the engine, and does not come from it."""
        return self._board.tasks

    @property
    def trouble(self) -> Trouble | None:
        """Why the engine is not there now; None while it is."""
        return self._board.trouble

    def refresh(self, limit: int = LISTED_SESSIONS) -> None:
        """Look which sessions there are. If the engine is not there, that is `trouble`, and what is known is kept.

        Raises:
            EngineRefusedError: the engine will not serve this user.
        """
        try:
            self._list_link.call(lambda engine: self._listing.refresh(engine, limit))
        except EngineUnavailableError:
            return
        self._listing.forget([*self._store.names, *self._follower.names])

    def name_of(self, path: Path) -> SessionName | None:
        """Return which session's file is at ``path``; None for any other file."""
        return self._listing.name_of(path)

    def card_of(self, path: Path) -> Card | None:
        """Return what lists show of the session, as it is in the engine. All of it is untrusted."""
        name = self.name_of(path)
        known = self._listing.get(name) if name is not None else None
        return known.card if known is not None else None

    def host_of(self, path: Path) -> str:
        """Return the name of the machine that a session runs on; "" for any other file."""
        name = self.name_of(path)
        return host_of_origin(name.origin) if name is not None else ""

    def writer_state(self, path: Path) -> WriterState:
        """Return whether a session's server runs: as the heartbeats say, and unknown while the engine is not there."""
        name = self.name_of(path)
        known = self._listing.get(name) if name is not None else None
        if known is None or self.trouble is not None:
            return WriterState.UNKNOWN
        if known.life.session:
            return WriterState.ALIVE
        return WriterState.GONE if known.life.shipper else WriterState.UNKNOWN

    def summary_of(self, path: Path, stuck_seconds: int = STUCK_SECONDS) -> ListedSession | None:
        """Return what lists draw of a session without its lines; None for any other file."""
        name = self.name_of(path)
        known = self._listing.get(name) if name is not None else None
        if name is None or known is None:
            return None
        writer = self.writer_state(path)
        alive = None if writer is WriterState.UNKNOWN else writer is WriterState.ALIVE
        return summary_of_card(
            name, known.card, alive=alive, now=self._clock(), changed=known.changed, stuck_seconds=stuck_seconds
        )

    def fill(
        self, path: Path, max_bytes: int | None = None, progress: Callable[[int, int], None] | None = None
    ) -> bool:
        """Bring a session's file up to date.

        Args:
            path: the file.
            max_bytes: how long it may become, about; None for all of it.
            progress: called with how many lines there are now, and how many there will be.

        Returns:
            Whether all is there that the engine had. If the engine is not there, that is `trouble`.

        Raises:
            EngineRefusedError: the engine will not serve this user.
        """
        name, mirror = self.name_of(path), self._mirror(path)
        if name is None or mirror is None:
            return False
        try:
            state = self._link.call(lambda engine: engine.states([name]))[0]
            mirror.forget_comparison()
            while not self._step(name, mirror, max_bytes):
                if progress is not None:
                    progress(mirror.position.last, state.last)
                if mirror.position.is_compared and mirror.position.last >= state.last:
                    break
                if max_bytes is not None and mirror.size >= max_bytes:
                    return False
        except EngineUnavailableError:
            return False
        return not mirror.problem

    def _step(self, name: SessionName, mirror: MirrorFile, max_bytes: int | None) -> bool:
        limit = STEP_BYTES if max_bytes is None else min(STEP_BYTES, max_bytes)
        known = self._listing.get(name)
        card = known.card if known is not None else None
        try:
            return self._link.call(lambda engine: catch_up(engine, name, mirror, card, limit))
        except (EngineUnavailableError, EngineRefusedError):
            raise
        except SeqthinkError as error:  # a line that is larger than any
            mirror.stop(str(error))
            return True

    def copy(self, path: Path, place: Path, progress: Callable[[int, int], None] | None = None) -> MirrorFile:
        """Write a session's lines, all that the engine has now, to a new file in ``place``; the caller closes it.

        Raises:
            EngineUnavailableError: the engine is not there.
            UsageError: it will not serve this user, or does not have the session.
        """
        name = self.name_of(path)
        if name is None:
            raise JournalNotFoundError("the fleet has no such session any more")
        copied = MirrorFile(place, math.inf)
        is_copied = False
        try:
            state = self._link.call(lambda engine: engine.states([name]))[0]
            while not self._step(name, copied, None) and copied.position.last < state.last:
                if progress is not None:
                    progress(copied.position.last, state.last)
            is_copied = True
            return copied
        finally:
            if not is_copied:
                copied.close()

    def problem_of(self, path: Path) -> str:
        """Return why a session's file is not filled any more, in words; "" if it is."""
        name = self.name_of(path)
        mirror = self._store.get(name) if name is not None else None
        return mirror.problem if mirror is not None else ""

    def follow(self, path: Path) -> None:
        """Keep a session's file up to date from now on; it is filled by a thread, if that was not done."""
        name, mirror = self.name_of(path), self._mirror(path)
        if name is not None and mirror is not None:
            self._follower.add(name, mirror)

    def unfollow(self, path: Path) -> None:
        """Leave a session's file as it is."""
        name = self.name_of(path)
        if name is not None:
            self._follower.remove(name)

    def first_kept(self, path: Path) -> int:
        """Return the number of the first line that the engine still had when the file was filled; 1 if it had all."""
        name = self.name_of(path)
        mirror = self._store.get(name) if name is not None else None
        return max(1, mirror.first) if mirror is not None else 1

    def has_holes(self, path: Path) -> bool:
        """Whether lines are missing between those of a session's file: they were dropped while it was filled."""
        name = self.name_of(path)
        mirror = self._store.get(name) if name is not None else None
        return mirror is not None and mirror.has_holes

    def resolve(self, reference: str | None) -> Path:
        """Return the file of the session that ``reference`` means: an id, a unique prefix, ``last``, ``host/prefix``.

        Raises:
            UsageError: there is none, or more than one; or the engine will not serve this user.
            EngineUnavailableError: the engine is not there.
        """
        limit = FIRST_ROWS if reference in {None, "last"} else MAX_SEARCHED
        listed = self._link.call(lambda engine: engine.listed(limit))
        possible = candidates(reference, listed)
        there = set(self._link.call(lambda engine: self._listing.look_at(engine, possible)))
        newest_first = [file.path for file in self._listing.files if file.path in there]
        name = chosen(reference, [name for path in newest_first if (name := self._listing.name_of(path))])
        return self._listing.path_of(name)

    def send_note(self, path: Path, note: Note, by: str) -> None:
        """Send a note to a session's agent, signed if there is a key.

        Raises:
            EngineUnavailableError: the engine is not there.
            UsageError: it takes no notes of this user, or the key cannot be used.
        """
        name = self.name_of(path)
        if name is None:
            return
        sent = SentNote("", name.session, note.id, note.time, note.text, by, "", note.agent)
        key = note_key(self._environ)
        if key is not None:
            sent = sent._replace(mac=sign(sent, key))
        self._link.call(lambda engine: engine.send_note(name, sent))

    def on_change(self, callback: Callable[[list[Path]], None]) -> None:
        """Call ``callback`` in a thread with the files of sessions that moved, or with none if the engine came or went.

        What is known of them is up to date then, and they are listed.
        """
        self._callbacks.append(callback)
        if self._news is None:
            self._news = NewsListener(self._open_engine, self._board, self._listing, self._announce)

    def _announce(self, moved: list[Path]) -> None:
        for callback in self._callbacks:
            callback(moved)

    def close(self) -> None:
        """Close the connections and delete the files. Calling it again does nothing."""
        unregister_keeper(self._store.sessions)
        if self._news is not None:
            self._news.close()
        self._follower.close()
        self._link.close()
        self._list_link.close()
        self._store.close()

    def _mirror(self, path: Path) -> MirrorFile | None:
        name = self.name_of(path)
        if name is None:
            return None
        return self._store.open(name, self._listing.path_of(name), self._follower.names)
