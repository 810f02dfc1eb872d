"""What every source offers: it finds the sessions of one client, and reads each as facts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import Fact, ToolCall


class FoundSession(NamedTuple):
    """A session of a client, as its folder or database lists it."""

    source: str
    """Name of the source."""
    id: str
    """The client's id of the session."""
    path: Path
    """Its file, or the database that holds it."""
    changed: int
    """When it changed last, in microseconds since 1970 (UTC)."""
    size: int
    """Bytes of its file; of a session in a database an estimate, or 0."""
    began: int = 0
    """When it began, in microseconds since 1970 (UTC); 0 if the listing does not say."""
    waits_for: str = ""
    """What its client waits for from its user, as the client says; empty if it waits for nothing, or does not say."""


class ClientProcess(NamedTuple):
    """What the process of a client with a session open says about itself, besides the transcript."""

    is_running: bool | None = None
    """Whether there is such a process; None if that is unknown."""
    waits_for: str = ""
    """What it waits for from its user, in the client's words (`FoundSession.waits_for`)."""
    since: int = 0
    """Since when it does, in microseconds since 1970; 0 if it does not say."""


class FactBatch(NamedTuple):
    """What one look at a transcript brought."""

    facts: list[Fact]
    at_end: bool
    """Whether all that is there now has been read."""
    restarted: bool = False
    """Whether a file was replaced or cut short: everything reported before is void, and these facts are the first."""


class SessionFeed(Protocol):
    """Reads one session with all its agents, from the beginning and then on as it grows."""

    @property
    def counts(self) -> ReadCounts:
        """What became of the records so far."""
        ...

    @property
    def agent_files(self) -> Sequence[Path]:
        """The files besides the main one that were read so far."""
        ...

    @property
    def unstarted_calls(self) -> Mapping[str, int]:
        """The calls that are made and do not run yet, with the time of each in microseconds since 1970.

        One for which that lasts waits for the user's permission. Empty where the client does not say.
        """
        ...

    def unwritten_calls(self) -> Sequence[ToolCall]:
        """Return the calls that the transcript does not hold yet, as far as the client's process shows that they run.

        A call that was returned keeps its id when the transcript says more of it. Any other fact comes from `read`.
        """
        ...

    def read(self, limit_bytes: int) -> FactBatch:
        """Return the facts of about the next ``limit_bytes`` bytes. Never raises for what a file holds.

        Raises:
            OSError: the session cannot be read at all (it is gone, or not permitted).
        """
        ...

    def is_abandoned(self) -> bool | None:
        """Return whether no client that may go on runs any more; None if neither is certain. Any thread may ask."""
        ...

    def settle(self) -> list[Fact]:
        """Return what is certain only if nothing more comes: the answer of a turn whose end no record marks.

        To be asked at the end of a transcript that has not changed for long. Should it go on, it goes on.
        """
        ...

    def close(self) -> None:
        """Close what is open. Calling it again does nothing."""
        ...


class Source(Protocol):
    """One client whose transcripts can be read."""

    name: str
    """Its name in ``--sources``."""
    label: str
    """The client's name for people."""

    def folder(self, environ: Mapping[str, str], home: Path) -> Path:
        """Return the folder that holds this client's sessions; it need not exist."""
        ...

    def find(self, folder: Path, limit: int) -> list[FoundSession]:
        """Return the sessions below ``folder`` that changed last, at most ``limit``, newest first.

        Nothing is opened for writing, links are not followed, files of other users are left out. What cannot be listed
        is left out, too. Subagents are not sessions of their own. Costs a directory listing, not a read of each file.
        """
        ...

    def watched_folders(self, folder: Path) -> Sequence[Path]:
        """Return the existing folders in which a change may mean a new or grown session, the likeliest first."""
        ...

    def recognises(self, path: Path, head: bytes) -> bool:
        """Return whether a file with these first bytes (at most 64 KiB) is a transcript of this client."""
        ...

    def sessions_in(self, path: Path) -> list[FoundSession]:
        """Return the sessions in a file that is recognised: one, or all root sessions of a database.

        Raises:
            OSError: it cannot be read.
        """
        ...

    def process_of(self, found: FoundSession, /) -> ClientProcess:
        """Return what the process of the client that has the session open says about itself.

        Costs a look at a folder.
        """
        ...

    def open(self, found: FoundSession) -> SessionFeed:
        """Return a feed of the session, which has read nothing yet.

        Raises:
            OSError: it cannot be opened.
        """
        ...
