"""Finds the session that the command line names: a journal, a link into one, a session of a fleet, or a transcript.

The readers of transcripts, and what speaks to an engine, take time to load: only a session that needs them loads them.
"""

import argparse
import os
from pathlib import Path

from seqthink.cli.fleet.options import fleet_url
from seqthink.cli.option_values import journal_folder
from seqthink.errors import JournalNotFoundError
from seqthink.journal.journal_file import holds_events
from seqthink.journal.links import split_link
from seqthink.journal.store import resolve_journal


def take_link(options: argparse.Namespace) -> int:
    """Take the entry off a link ``SESSION#e41`` that ``options`` name, and return its ``seq``; 0 for none.

    A file whose name ends like a link is that file.
    """
    link = split_link(options.session)
    if link.seq and not (options.session and os.path.isfile(options.session)):  # noqa: PTH113 - never raises
        options.session = link.session
        return link.seq
    return 0


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
        # Only where there is no such journal.
        from seqthink.cli.transcript_files import transcript_of_id

        found = transcript_of_id(reference) if reference is not None and reference != "last" else None
        if found is None:
            raise
        return found
    if not is_transcript(path):
        return path
    from seqthink.cli.transcript_files import transcript_of_file

    return transcript_of_file(path) or path


def is_transcript(path: Path) -> bool:
    """Return whether a file that the user names is no journal, but may be a transcript."""
    try:
        return path.is_file() and path.stat().st_size > 0 and not holds_events(path)
    except OSError:
        return False
