"""Removes all that viewers keep of sessions that are deleted."""

from collections.abc import Collection
from pathlib import Path

from seqthink.library.viewer_store.edit_index import forget_edits
from seqthink.library.viewer_store.label_book import LabelBook
from seqthink.library.viewer_store.list_cache import forget_lists
from seqthink.library.viewer_store.marks import Marks
from seqthink.library.viewer_store.notified import NotifiedSessions
from seqthink.library.viewer_store.read_state import ReadState
from seqthink.library.viewer_store.shown_choices import ShownChoices


def forget_sessions(folder: Path, sessions: Collection[str]) -> None:
    """Remove from ``folder``, that of what viewers keep, all that it holds of ``sessions``.

    Raises:
        OSError: a file cannot be written or deleted.
        UsageError: one is not a file of our own.
    """
    if folder.is_dir():
        forget_lists(folder)
        forget_edits(folder, sessions)
        LabelBook(folder).forget(sessions)
        Marks(folder).forget(sessions)
        ReadState(folder).forget(sessions)
        ShownChoices(folder).forget(sessions)
        NotifiedSessions(folder).forget(sessions)
