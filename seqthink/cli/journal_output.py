"""What commands that print a journal share: reading it, the thought of a link, warnings about unread lines."""

import os
from collections.abc import Sequence
from pathlib import Path

from seqthink.chain.model import NONE
from seqthink.chain.native.switchable_fold import Shown
from seqthink.chain.session import Session
from seqthink.core.errors import UsageError
from seqthink.core.labels import SessionLabels
from seqthink.drawing.describe.units import count
from seqthink.drawing.describe.unread import corrupt_lines, unread_sentences
from seqthink.journal.decode import LineDecoder
from seqthink.journal.decode import decode as plain_decode
from seqthink.journal.scan import CorruptLine
from seqthink.library.catalog.labelled import labels_of
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.journal_texts import JournalTexts
from seqthink.library.live_session import load_journal
from seqthink.library.viewer_store.label_book import label_book_of
from seqthink.share.export.texts_in_order import TextsInOrder

_MAX_CORRUPT_SHOWN = 3
_MAX_REASON_CHARS = 120


def linked_thought(session: Session, seq: int) -> int:
    """Return the index of the thought that a link means.

    Raises:
        UsageError: the entry is not a thought, or is not there.
    """
    index = session.thoughts.index_of_seq(seq)
    if index == NONE:
        raise UsageError(f"no thought at e{seq}; copy links with Y in the viewer, or leave out what begins with #")
    return index


def read_journal(path: Path, decode: LineDecoder, shown: str | None = None) -> JournalTexts:
    """Return the journal at ``path``, decoded by ``decode`` and folded, with its labels, for a drawing of all of it.

    ``shown`` is as in `load_journal`.

    Raises:
        UsageError: it is missing, is not a journal, or cannot be read.
    """
    try:
        texts = load_journal(path, decode, shown=Shown(shown) if shown else None)
    except OSError as error:
        raise UsageError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    labels = kept_labels(path, decode)
    texts.session = texts.session.with_writer(texts.session.writer, labels)
    return TextsInOrder(texts)


def kept_labels(path: Path, decode: LineDecoder) -> SessionLabels:
    """Return what is kept of what people say about the session of a journal."""
    book = label_book_of(os.environ, is_redacted=decode is not plain_decode)
    return labels_of(SessionCatalog(label_book=book), path)


def unread_messages(session: Session, corrupt: Sequence[CorruptLine]) -> list[str]:
    """Return warnings about lines that are not shown: at most one sentence for each kind."""
    sentences: list[str] = []
    if lines := corrupt_lines(session):
        shown = [
            f"{line.line_number} (byte {line.offset}): {_short(line.reason)}" for line in corrupt[:_MAX_CORRUPT_SHOWN]
        ]
        more = lines - len(shown)
        sentences.append(
            f"{count(lines, 'line')} could not be read: " + "; ".join(shown) + (f"; and {more} more" if more else "")
        )
    return sentences + unread_sentences(session)


def _short(reason: str) -> str:
    return reason if len(reason) <= _MAX_REASON_CHARS else reason[: _MAX_REASON_CHARS - 3] + "..."
