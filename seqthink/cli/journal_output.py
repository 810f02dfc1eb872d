"""Output of a journal without the viewer: the drawing on stdout, warnings about unread lines on stderr."""

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from seqthink.chain.model import NONE
from seqthink.chain.native.switchable_fold import Shown
from seqthink.chain.session import Session
from seqthink.chain.session_texts import SessionTexts
from seqthink.cli.fleet.options import fleet_url
from seqthink.cli.option_values import journal_folder
from seqthink.drawing.describe.units import count
from seqthink.drawing.describe.unread import corrupt_lines, unread_sentences
from seqthink.drawing.plain import overview_lines
from seqthink.drawing.text.glyphs import Signs
from seqthink.errors import JournalNotFoundError, UsageError
from seqthink.export.texts_in_order import TextsInOrder
from seqthink.journal.decode import LineDecoder
from seqthink.journal.links import split_link
from seqthink.journal.scan import CorruptLine
from seqthink.journal.store import resolve_journal
from seqthink.loading import JournalTexts, load_journal

_MAX_CORRUPT_SHOWN = 3
_MAX_REASON_CHARS = 120


def take_link(options: argparse.Namespace) -> int:
    """Take the entry off a link ``SESSION#e41`` that ``options`` name, and return its ``seq``; 0 for none.

    A file whose name ends like a link is that file.
    """
    link = split_link(options.session)
    if link.seq and not (options.session and os.path.isfile(options.session)):  # noqa: PTH113 - never raises
        options.session = link.session
        return link.seq
    return 0


def linked_thought(session: Session, seq: int) -> int:
    """Return the index of the thought that a link means.

    Raises:
        UsageError: the entry is no thought, or is not there.
    """
    index = session.thoughts.index_of_seq(seq)
    if index == NONE:
        raise UsageError(f"no thought at e{seq}; copy links with Y in the viewer, or leave out what begins with #")
    return index


def journal_path(options: argparse.Namespace) -> Path:
    """Return the path of the journal that the command line names; for a transcript, of a journal in memory.

    So it is for a session of a fleet, all of which is read then.

    Raises:
        UsageError: there is none, or more than one.
        EngineUnavailableError: the fleet's engine is not there.
    """
    url = fleet_url(options)
    if url is not None:
        from seqthink.cli.fleet.reading import fleet_journal  # loads what speaks to an engine

        return fleet_journal(url, options)
    return resolve_session(options.session, journal_folder(options))


def resolve_session(reference: str | None, folder: Path) -> Path:
    """Return the path of the journal that a reference means, or a journal in memory for a transcript that it means.

    Raises:
        UsageError: there is none, or more than one.
    """
    try:
        path = resolve_journal(reference, folder)
    except JournalNotFoundError:
        # Only where there is no such journal: the readers of transcripts take time to load.
        from seqthink.cli.transcript_files import transcript_of_id

        found = transcript_of_id(reference) if reference is not None and reference != "last" else None
        if found is None:
            raise
        return found
    from seqthink.cli.transcript_files import is_transcript, transcript_of_file

    return (transcript_of_file(path) if is_transcript(path) else None) or path


def read_journal(path: Path, decode: LineDecoder, shown: str | None = None) -> JournalTexts:
    """Return the journal at ``path``, decoded by ``decode`` and folded, for a drawing of all of it.

    ``shown`` is as in `load_journal`.

    Raises:
        UsageError: it is missing, is not a journal, or cannot be read.
    """
    try:
        return TextsInOrder(load_journal(path, decode, shown=Shown(shown) if shown else None))
    except OSError as error:
        raise UsageError(f"{path}: {(error.strerror or str(error)).lower()}") from error


def drawing_lines(
    texts: SessionTexts, *, width: int, signs: Signs, is_timeline: bool = False, selected: int = NONE
) -> Iterator[str]:
    """Yield the drawing of a session, with the cursor at the thought ``selected``; an empty one says so."""
    yield from overview_lines(texts, width=width, signs=signs, is_timeline=is_timeline, selected=selected)
    if not texts.session.thought_count and not texts.session.asides.count:
        yield " no thoughts yet"


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
