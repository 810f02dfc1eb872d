"""What every place is asked that sessions come from, with the answers of one whose journals lie in a folder.

A new place is one module: a `Place` that says which sessions there are, and a `PlacedSession` where one of its sessions
answers anything in another way than a journal that is there.
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from seqthink.chain.attention import STUCK_SECONDS
from seqthink.chain.session import Session
from seqthink.core.errors import UsageError
from seqthink.core.events import WriterState
from seqthink.core.file_edit import CallChange
from seqthink.core.labels import NO_LABELS, SessionLabels
from seqthink.core.text import SafeText, one_line
from seqthink.drawing.describe.session import ListedSession, session_label
from seqthink.journal.decode import LineDecoder
from seqthink.journal.peek import first_session_event, writer_state
from seqthink.journal.store import SessionFile
from seqthink.library.places.journal_callers import journal_callers
from seqthink.library.places.mailbox import Mailbox, NotesFileMailbox
from seqthink.library.places.note_obstacles import agent_obstacle, delivery_obstacle

# They take time to load, and most screens need none of them.
if TYPE_CHECKING:
    from seqthink.chain.query import Query
    from seqthink.journal.reader import Batch

LOOK_SECONDS = 2.0
"""The shortest pause before a place that announces no change is looked at again."""

SearchFilter: TypeAlias = Callable[[SessionFile], bool]
"""Makes a session's journal ready to be searched; returns False for a session that cannot hold what is looked for."""


class PlacedSession:
    """One session of a place. It costs nothing until it is asked.

    Args:
        path: its journal; None for one that comes through a pipe.
    """

    task = "bringing the session up to date"
    """The name of the background task that `follow` is."""

    def __init__(self, path: Path | None) -> None:
        self._path = path

    @property
    def path(self) -> Path:
        """Its journal."""
        assert self._path is not None, "what comes through a pipe has no journal"
        return self._path

    @property
    def key(self) -> str:
        """What it is remembered by: its id, with whatever else distinguishes it from others of that id."""
        return self.path.stem

    @property
    def name(self) -> SafeText:
        """What it is called; empty if nothing says so yet."""
        self.read_head()
        event = first_session_event(self.path)
        return session_label(event) if event is not None else SafeText("")

    @property
    def machine(self) -> SafeText:
        """The other machine that it runs on; empty for this one."""
        return SafeText("")

    @property
    def is_there(self) -> bool:
        """Whether there is such a session."""
        return self.path.is_file()

    def is_live(self, _file: SessionFile, _now: int) -> bool:
        """Return whether its agent is at work, by what was listed of it and the time in microseconds since 1970."""
        return writer_state(self.path, first_session_event(self.path)) is WriterState.ALIVE

    @property
    def original(self) -> Path | None:
        """The file that holds it: its journal, or what that is made of; None if it is on another machine."""
        return None if self.machine else self._path

    @property
    def identity(self) -> tuple[int, int, int, int] | None:
        """What changes whenever the files do that it is made of: inode, size, and times of change in nanoseconds.

        None for a journal, and where nothing says it.
        """
        return None

    # Its lines

    @property
    def awaited_bytes(self) -> int:
        """How long it is while its journal is not complete yet, at least 1; else 0."""
        return 0

    def read_head(self) -> None:
        """Make sure that its journal says what session it is, if that takes a moment only."""

    def hold(self) -> None:
        """Make sure of the same, and keep its journal until another one is kept: it is on the screen."""

    def read_whole(self) -> None:
        """Bring its journal up to date.

        Raises:
            UsageError: the place will not serve this user.
        """

    async def follow(
        self,
        _reached_end: Callable[[], None],
        _note_trouble: Callable[[str], None],
    ) -> None:
        """Keep its journal up to date until cancelled, or return at once if somebody else does that.

        Args:
            reached_end: called whenever all that there was is in the journal, or cannot be had.
            note_trouble: called with the reason why it could not be brought up to date.

        Raises:
            OSError, SeqthinkError: it cannot be kept up to date now; trying again may help.
        """

    # What is known of it without its lines

    def summary(self, _stuck_seconds: int = STUCK_SECONDS) -> ListedSession | None:
        """Return what lists show of it; None if that takes its lines."""
        return None

    @property
    def facts(self) -> object:
        """Something that is the same as long as `summary` would say the same, but for ages."""
        return None

    def last_seen(self, changed: int, _now: int) -> int:
        """Return when it changed last by this machine's clock, in microseconds since 1970, for how long it is silent.

        ``changed`` is when its journal says that it did.
        """
        return changed

    @property
    def remark(self) -> str:
        """What of its beginning or end is not shown, and why; empty if all is."""
        return ""

    def changes(self, _calls: Collection[str], _on_read: Callable[[int], bool]) -> list[CallChange]:
        """Return what calls changed in files, read again from where the client keeps it.

        Args:
            calls: the client's ids of the calls.
            on_read: is called with the number of bytes read so far, and returns False to give up.

        Raises:
            UsageError: what they changed is not here, in a sentence.
        """
        raise UsageError("a journal does not keep the texts of files, and the client's transcript is not here")

    @property
    def received_labels(self) -> SessionLabels:
        """What people on other machines say about it, as it came with it."""
        return NO_LABELS

    # Notes to its agent

    @property
    def notes_journal(self) -> Path:
        """The journal whose server takes the notes."""
        return self.path

    def mailbox(self, decode: LineDecoder) -> Mailbox:
        """Return what takes notes to its agent; ``decode`` reads them as the journal's lines, so it may redact."""
        return NotesFileMailbox(self.notes_journal, decode)

    @property
    def called_journals(self) -> Sequence[Path]:
        """The journals of the servers that its agents call."""
        return (self.path,)

    def agent_obstacle(self, session: Session, agent: int) -> str:
        """Return why a note could not go to one agent alone, as a short text; empty if it could.

        Args:
            session: the session as it is now.
            agent: the agent's ordinal.
        """
        return agent_obstacle(session, agent, [(path, journal_callers(path)) for path in self.called_journals])

    def note_obstacle(self, session: Session, host: str, _zone: tzinfo) -> str:
        """Return why a note could not be delivered, as a short text; empty if it could.

        Args:
            session: the session as it is now.
            host: the name of this machine.
            zone: the time zone of the text.
        """
        return delivery_obstacle(session, self.path.resolve().stem if self._path is not None else None, host)


class Place(ABC):
    """Where sessions come from. Any thread may call it.

    `Place.look`, `Place.refresh`, `Place.list_whole` and `Place.sessions` raise a `UsageError` where the place cannot
    be read, or will not serve this user.
    """

    is_translated = False
    """Whether its journals are made here of what other programs write."""
    is_remote = False
    """Whether its sessions run on other machines, and are fetched when they are wanted."""
    is_list = True
    """Whether one chooses among its sessions."""
    announces = True
    """Whether `hints` says all changes; else somebody has to `refresh`, whenever `until_changed` returns."""
    stream: "Callable[[LineDecoder], AsyncGenerator[Batch, None]] | None" = None
    """Reads the only session, of a place that has no files; ends with it."""

    @property
    @abstractmethod
    def name(self) -> SafeText:
        """Where it is, for people."""

    @abstractmethod
    def holds(self, path: Path) -> bool:
        """Return whether the journal at ``path`` is one of its sessions."""

    @abstractmethod
    def sessions(self) -> list[SessionFile]:
        """Return its sessions as they were at the last look, newest first."""

    def session(self, path: Path | None) -> PlacedSession:
        """Return one of its sessions; None for the one that has no file."""
        return PlacedSession(path)

    @property
    def is_local(self) -> bool:
        """Whether its journals are written by servers of this machine, and not made here."""
        return not (self.is_translated or self.is_remote)

    # Looking for sessions

    def look(self, _seconds: float) -> bool:
        """Look for sessions, at most so long; return False where that was not enough: the rest is found later."""
        return True

    def refresh(self, *, everywhere: bool = True) -> None:  # noqa: B027 - most places have nothing to do
        """Look for sessions, which may take a second; unless ``everywhere``, only where there seem to be new ones."""

    def list_whole(self) -> None:  # noqa: B027 - most places have nothing to do
        """Look for all sessions, old ones, too, for one who counts or searches them."""

    def join_with(self, journals: Sequence[SessionFile], *, is_whole: bool = False) -> None:  # noqa: B027 - likewise
        """Look which of its sessions hold the calls of these journals: the two are shown as one.

        With ``is_whole`` do so until nothing is left to be looked at; else a look that takes long is continued by the
        next one.
        """

    def shown_instead(self, _path: Path) -> Path | None:
        """Return the journal of its session that is shown in place of a journal from elsewhere; None if none is."""
        return None

    async def hints(self) -> AsyncGenerator[bool, None]:
        """Yield True when its sessions may have changed, and now and then False, as `follow_folder` does."""
        return
        yield False

    async def until_changed(self, took: float) -> None:
        """Wait until it should be looked at again; the last look took ``took`` seconds of work."""
        from asyncio import sleep  # noqa: PLC0415 - what reads one journal once needs no event loop

        await sleep(max(LOOK_SECONDS, took))

    @property
    def version(self) -> int:
        """A number that changes with its sessions, as far as that costs nothing to know."""
        return 0

    @property
    def report(self) -> "PlaceReport":
        """What is said of it."""
        return PlaceReport()

    # Reading many

    def search_filter(self, _query: "Query", _since: int | None) -> SearchFilter | None:
        """Return what makes its sessions ready for a search in what changed since a time; None if all are ready."""
        return None

    def on_wall(self, files: list[SessionFile]) -> list[SessionFile]:
        """Return which of its sessions the wall shows of those that it would show, and keep these up to date."""
        return files

    def close(self) -> None:  # noqa: B027 - most places have nothing to do
        """Give back what it holds. Calling it again does nothing."""


class PlaceReport:
    """What is said of a place, beside its sessions: here of one whose journals lie in a folder."""

    @property
    def is_listed(self) -> bool:
        """Whether all sessions have been looked for once."""
        return True

    @property
    def was_reached(self) -> bool:
        """Whether that look has ever come to an answer: the sessions of another machine may still be on their way."""
        return True

    @property
    def unlisted(self) -> str:
        """Which sessions `sessions` leaves out, since they were not looked for yet or are too old; empty if none."""
        return ""

    def is_cut_since(self, _time: int) -> bool:
        """Return whether there may be sessions that changed since ``time`` (µs since 1970) and are not listed."""
        return False

    @property
    def left_out(self) -> list[str]:
        """What `sessions` leaves out, since it cannot be read, in sentences; may cost a look at the folder."""
        return []

    @property
    def lost(self) -> str:
        """What was deleted meanwhile, so that sessions are missing or do not go on; empty if nothing was."""
        return ""

    @property
    def clients(self) -> list[tuple[str, Path]]:
        """The other programs whose sessions are looked for, by their names for people, and the folder of each."""
        return []

    @property
    def waiting_sentence(self) -> str:
        """What is waited for while it has no session to show; empty where nothing special is."""
        return ""

    @property
    def is_reached(self) -> bool:
        """Whether what it is asked reaches it now."""
        return True

    def trouble(self, _zone: tzinfo) -> str:
        """Return why it cannot be asked now, and since when; empty while it can."""
        return ""


def short_path(path: Path) -> SafeText:
    """Return a path with ``~`` in place of the user's home folder."""
    try:
        return one_line(f"~/{path.relative_to(Path.home())}")
    except (ValueError, RuntimeError):
        return one_line(str(path))
