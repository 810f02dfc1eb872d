"""Which sessions a list shows for ``--tag``, and what people say about each."""

import argparse
import os
from typing import TYPE_CHECKING

from seqthink.core.errors import UsageError

if TYPE_CHECKING:
    from seqthink.core.labels import SessionLabels
    from seqthink.library.viewer_store.label_book import LabelBook


class Tagged:
    """The labels of sessions, and the tags that a command line asks for.

    Args:
        options: the command's options.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        from seqthink.library.viewer_store.label_book import label_book_of  # not needed for Tab or help

        self.found_count = 0
        """How many sessions were found that have the tags."""
        self._named = " and ".join(options.tag)
        self._wanted = frozenset(_plain(tag) for tag in options.tag)
        self.book: LabelBook | None = label_book_of(os.environ, is_redacted=getattr(options, "redact", False))

    def labels_of(self, session: str) -> "SessionLabels":
        """Return what people say about a session; what cannot be read is left out."""
        from seqthink.core.labels import NO_LABELS

        try:
            return self.book.of(session) if self.book is not None else NO_LABELS
        except (OSError, UsageError):
            return NO_LABELS

    @property
    def found_nothing(self) -> bool:
        """Whether there are tags, and no session has them."""
        return bool(self._wanted) and not self.found_count

    @property
    def why_nothing(self) -> str:
        """A sentence about that."""
        return f"no session has the tag {self._named}"

    def has(self, labels: "SessionLabels") -> bool:
        """Return whether a session with these labels is shown: it has all the tags."""
        return not self._wanted or self._wanted <= {_plain(tag) for tag in labels.tags}


def _plain(tag: str) -> str:
    from seqthink.core.labels import tag_of

    return tag_of(tag).casefold()
