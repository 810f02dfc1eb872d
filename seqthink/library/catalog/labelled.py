"""What people say about the sessions of a catalog: here, and where they come from."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from seqthink.core.errors import UsageError
from seqthink.core.labels import NO_LABELS, SessionLabels

# The catalog takes time to load, and a command that reads one journal asks for no session of it.
if TYPE_CHECKING:
    from seqthink.library.catalog.session_catalog import SessionCatalog


def labels_of(catalog: "SessionCatalog", path: Path | None) -> SessionLabels:
    """Return what people say about the session whose journal is at ``path``; what cannot be read is left out."""
    if path is None:
        return NO_LABELS
    placed, book, own = catalog.session(path), catalog.label_book, NO_LABELS
    received = placed.received_labels
    if book is not None:
        with suppress(OSError, UsageError):  # said when one is written
            own = book.of(placed.key)
        received = book.cleaned(received)
    return own.joined(received)
