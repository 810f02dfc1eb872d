"""All sessions that the viewer can show: the journals of a folder, and the transcripts of other programs.

Or those of a fleet: then there are no others.
"""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from seqthink.events import WriterState
from seqthink.journal.peek import first_session_event, writer_state
from seqthink.journal.store import RECENT_SECONDS, SessionFile, list_sessions, no_journals
from seqthink.text import SafeText
from seqthink.times import is_recent, microseconds_of

# Its sources take time to load, and a command may want journals alone.
if TYPE_CHECKING:
    from seqthink.catalog.fleet_library import FleetLibrary
    from seqthink.catalog.transcript_library import TranscriptLibrary

MAX_JOINED_JOURNALS = 256
"""Journals for which a transcript is looked for, the newest."""
MAX_LISTING_SECONDS = 0.4
"""How long the first frame waits for the list of transcripts."""
LIVE_SECONDS = 60
"""A transcript that changed within this time counts as live."""


class SessionCatalog(NamedTuple):
    """The sessions of a folder, and those of a library if there is one."""

    folder: Path
    library: "TranscriptLibrary | None" = None
    has_journals: bool = True
    """Whether the journals of the folder are shown."""
    fleet: "FleetLibrary | None" = None
    """The sessions of a fleet, which are shown in place of all others."""

    def sessions(self) -> list[SessionFile]:
        """Return all sessions, newest first; transcripts as they were at the last look.

        Raises:
            UsageError: the folder cannot be read.
        """
        if self.fleet is not None:
            return self.fleet.listed
        journals = list_sessions(self.folder) if self.has_journals else []
        if self.library is None or not self.library.listed:
            return journals
        transcripts, joined = self.library.listed, self.library.spool_of
        journals = [file for file in journals if joined(file.path) is None]
        return sorted([*journals, *transcripts], key=lambda file: (file.last, file.session), reverse=True)

    def list_transcripts(self) -> bool:
        """Look for transcripts; return False where that is slow: what is not listed soon comes with the next `refresh`.

        Raises:
            UsageError: the engine of the fleet will not serve this user.
        """
        if self.fleet is not None:
            self.fleet.wait_listed(MAX_LISTING_SECONDS)
        return self.library is None or self.library.refresh_within(MAX_LISTING_SECONDS)

    def list_whole(self) -> None:
        """Look for all transcripts and for the journals that belong to them, however slow that is, within the budget.

        Raises:
            UsageError: the folder cannot be read.
        """
        if self.library is not None:
            self.library.list_whole()
            self.join()
            while self.library.is_join_due and not self.library.budget.is_spent:
                self.join()

    def refresh(self) -> None:
        """Look for transcripts, and for those that hold the calls of journals, which may take a second.

        Raises:
            UsageError: the folder cannot be read, or the engine of the fleet will not serve this user.
        """
        if self.fleet is not None:
            self.fleet.wait_listed(MAX_LISTING_SECONDS)
        if self.library is not None:
            self.library.refresh()
        self.join()

    def join(self) -> None:
        """Look for the transcripts that hold the calls of journals, among those that are listed.

        Raises:
            UsageError: the folder cannot be read.
        """
        if self.library is not None and self.has_journals:
            self.library.join(list_sessions(self.folder)[:MAX_JOINED_JOURNALS])

    @property
    def unlisted(self) -> str:
        """Which sessions `sessions` leaves out, since they were not looked for yet or are too old; empty if none."""
        return self.library.unlisted if self.library is not None else ""

    @property
    def left_out(self) -> list[str]:
        """What `sessions` leaves out, since it cannot be read; costs a look at the folder."""
        of_programs = self.library.left_out if self.library is not None else ""
        of_folder = no_journals(self.folder) if self.has_journals and self.fleet is None else ""
        return [sentence for sentence in (of_programs, of_folder) if sentence]

    @property
    def is_listed(self) -> bool:
        """Whether all transcripts have been looked for once."""
        return self.library is None or self.library.is_listed or bool(self.library.problem)

    @property
    def is_looked_for(self) -> bool:
        """Whether sessions may appear without a change of the folder: those of other programs, or of other machines."""
        return self.library is not None or self.fleet is not None

    def shown_instead(self, path: Path) -> Path | None:
        """Return the transcript's journal with which a journal of ours has been joined, or None."""
        return self.library.spool_of(path) if self.library is not None else None

    def notes_journal(self, path: Path) -> Path:
        """Return the journal whose server takes the notes of the session at ``path``."""
        journal = self.library.journal_of(path) if self.library is not None else None
        return journal or path

    def read_head(self, path: Path) -> None:
        """Make sure that a transcript's journal exists and names its session; nothing for any other one."""
        if self.library is not None:
            self.library.read_head(path)

    def read_whole(self, path: Path) -> None:
        """Bring the journal of a transcript, or of a fleet's session, up to date; nothing for a journal of ours.

        Raises:
            UsageError: the engine of the fleet will not serve this user.
        """
        if self.fleet is not None:
            self.fleet.read_whole(path)
        if self.library is not None:
            self.library.read_whole(path)

    def is_transcript(self, path: Path) -> bool:
        """Return whether a journal is a transcript's."""
        return self.library is not None and self.library.source_of(path) is not None

    def key_of(self, path: Path) -> str:
        """Return what a session is remembered by: its id, in a fleet with its origin."""
        return self.fleet.key_of(path) if self.fleet is not None else path.stem

    def machine_of(self, path: Path) -> SafeText:
        """Return the machine of a fleet that a session runs on; "" for one of this machine's folder."""
        return self.fleet.host_of(path) if self.fleet is not None else SafeText("")

    def awaited_bytes(self, path: Path) -> int:
        """Return how long a session is that has yet to be fetched, or translated, at least 1; 0 for any other one."""
        if self.fleet is not None:
            return max(1, self.fleet.size_of(path))
        return self.library.unread_bytes(path) if self.library is not None else 0

    def is_there(self, path: Path) -> bool:
        """Return whether there is such a session."""
        return self.fleet.has(path) if self.fleet is not None else path.is_file()

    def is_live(self, file: SessionFile, now: int) -> bool:
        """Return whether a session's server runs; of a transcript, whether it changed lately or waits for its user."""
        if self.fleet is not None:
            return self.fleet.is_live(file.path)
        if self.is_transcript(file.path):
            return bool(file.waits_for) or is_recent(microseconds_of(file.last), now, LIVE_SECONDS)
        return writer_state(file.path, first_session_event(file.path)) is WriterState.ALIVE


def has_changed_lately(file: SessionFile, now: int) -> bool:
    """Return whether a session changed in the last ten minutes; ``now`` in microseconds since 1970."""
    return is_recent(microseconds_of(file.last), now, RECENT_SECONDS)
