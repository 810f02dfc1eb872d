"""What can go wrong, whose fault it is, and what to do about it.

Errors carry fields; the edges (command line, server, viewer) turn them into one line or a documented answer.
"""


class SeqthinkError(Exception):
    """Anything this program refuses, with a message that a person can act on."""


class UsageError(SeqthinkError):
    """The person asked for something that is not there or not possible: one line on stderr, exit 2."""


class JournalNotFoundError(UsageError):
    """No journal has this name, or there is none at all."""


class AmbiguousSessionError(UsageError):
    """The beginning of a session's id fits more than one session."""


class NotAJournalError(UsageError):
    """The file is no journal: a folder, a notes file, or without any journal line at its beginning."""


class UnreadableJournalError(UsageError):
    """The operating system does not let the journal, or the folder of the journals, be read."""


class OutputError(SeqthinkError):
    """Stdout takes no more of what was to be written to it."""


class CorruptLineError(SeqthinkError):
    """A complete journal line that does not decode (journal.md, "Lines")."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class JournalInUseError(UsageError):
    """Another process writes this journal (journal.md, promise 3)."""

    def __init__(self, session: str) -> None:
        super().__init__(f"session {session} is in use by another server; stop that one, or start without --resume")
        self.session = session


class JournalWriteError(SeqthinkError):
    """The operating system refused a write to the journal; nothing of it was left in the file."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class JournalChangedError(SeqthinkError):
    """A line that was read before is not in the journal any more: the file was rewritten or cannot be read."""

    def __init__(self) -> None:
        super().__init__("the journal was rewritten since it was read; open it again, or call `refresh()`")
