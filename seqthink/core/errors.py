"""The errors of seqthink.

An error carries fields; the edges (command line, server, viewer) turn it into one line or a documented answer.
"""


class SeqthinkError(Exception):
    """Base class of all errors of this program; the message says what to do."""


class UsageError(SeqthinkError):
    """The user asked for something that does not exist or is not possible: one line on stderr, exit status 2."""


class JournalNotFoundError(UsageError):
    """No journal has this name, or there is none at all."""


class AmbiguousSessionError(UsageError):
    """The beginning of a session's id fits more than one session."""


class NotAJournalError(UsageError):
    """The file is not a journal: a folder, a notes file, or without any journal line at its beginning."""


class UnreadableJournalError(UsageError):
    """The operating system does not let the journal, or the folder of the journals, be read.

    Args:
        message: names the file and says what to do.
        reason: what the system says, for a screen that names the file itself.
    """

    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason


class OutputError(SeqthinkError):
    """Stdout cannot be written (for example, the disk is full)."""


class CorruptLineError(SeqthinkError):
    """A complete journal line does not decode (docs/journal.md, "Lines")."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class JournalInUseError(UsageError):
    """Another process is writing this journal (docs/journal.md, "One writer")."""

    def __init__(self, session: str) -> None:
        super().__init__(f"session {session} is in use by another server; stop that one, or start without --resume")
        self.session = session


class JournalWriteError(SeqthinkError):
    """A write to the journal failed, and nothing of it is left in the file.

    See docs/journal.md, "A failed write leaves no trace".
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class JournalChangedError(SeqthinkError):
    """A line that was read before is not in the journal any more: the file was rewritten or cannot be read."""

    def __init__(self) -> None:
        super().__init__("the journal was rewritten since it was read; open it again, or call `refresh()`")


class ClientFileError(UsageError):
    """A client's configuration file cannot be read, edited or written without a risk for what else is in it."""


def reason_of(error: Exception) -> str:
    """Return in a few words what went wrong: what the system says about a file, else the error's own text."""
    if isinstance(error, UnreadableJournalError) and error.reason:
        return error.reason
    return (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)


def cannot_read(name: str, error: OSError) -> str:
    """Return what is said of a file that cannot be read now, while it is tried again."""
    return f"cannot read {name}: {reason_of(error)}; trying again"


def unreadable_folder(folder: object, error: OSError) -> UnreadableJournalError:
    """Return the error for a folder of journals that cannot be listed."""
    reason = reason_of(error)
    return UnreadableJournalError(f"{folder}: {reason}; check its owner and mode", reason)
