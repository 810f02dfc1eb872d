"""A session of another program that the user named: what is known of it before what reads transcripts is loaded."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from seqthink.transcripts.budget import Budget

# It takes time to load, and a viewer draws its first frame without it.
if TYPE_CHECKING:
    from seqthink.transcripts.choosing import ChosenSession

_MARKS: Final = (
    b'"sessionId"',
    b'"session_meta"',
    b'"instructions"',
    b'"projectID"',
    b"SQLite format 3\0",
    b"\x28\xb5\x2f\xfd",
)
"""What the beginning of a transcript holds, one of these for each client and form."""


def may_be_transcript(head: bytes) -> bool:
    """Return whether a file that begins so is probably a transcript; only its client's `Source` knows."""
    return any(mark in head for mark in _MARKS)


class NamedTranscript(NamedTuple):
    """A session of another program that the user named, by its id or by a file."""

    name: str
    """What the user called it, for people."""
    path: Path
    """The file that was named, or that holds the session."""
    budget: Budget
    """How much time and memory reading it may take."""
    choose: "Callable[[Callable[[str], object]], ChosenSession]"
    """Finds the session, and says to a function what there is to say of the choice.

    It raises `UsageError` where the file is no transcript that can be read, and `NotAJournalError` or
    `UnreadableJournalError` where it is no journal either.
    """
