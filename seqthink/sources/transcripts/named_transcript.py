"""A session of another program that the user named: what is known of it before what reads transcripts is loaded."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from seqthink.sources.transcripts.budget import Budget

# It takes time to load, and a viewer draws its first frame without it.
if TYPE_CHECKING:
    from seqthink.sources.transcripts.choosing import ChosenSession


class NamedTranscript(NamedTuple):
    """A session of another program that the user named, by its id or by a file."""

    name: str
    """What the user called it, for people."""
    path: Path
    """The file that was named, or that holds the session."""
    budget: Budget
    """How much time and memory reading it may take."""
    choose: "Callable[[Callable[[str], object]], ChosenSession]"
    """Finds the session, and calls a function with messages about the choice.

    It raises `UsageError` where the file is not a transcript that can be read, and `NotAJournalError` or
    `UnreadableJournalError` where it is not a journal either.
    """
