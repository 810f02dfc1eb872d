"""Lets the commands that take a journal take a transcript of another program, too: as a journal in memory."""

import atexit
import os
import sys
import time
from argparse import Namespace
from pathlib import Path

from seqthink import system
from seqthink.cli.common import print_left_out, print_stderr
from seqthink.cli.preferences import preferences_of
from seqthink.errors import JournalNotFoundError, UsageError
from seqthink.text import one_line
from seqthink.transcripts.budget import Budget, budget_of
from seqthink.transcripts.choosing import (
    ChosenSession,
    ClientFolders,
    UnknownTranscriptError,
    is_written_as_a_file,
    sessions_of_file,
)
from seqthink.transcripts.import_progress import ImportProgress
from seqthink.transcripts.registry import TRANSCRIPTS
from seqthink.transcripts.spool import READ_BYTES, Spool, SpoolFolder
from seqthink.transcripts.unreadable import unknown_format_to_show


def transcript_of_file(path: Path) -> Path | None:
    """Return a journal in memory with the newest session of a transcript, read alone; None if the file is none.

    Raises:
        UsageError: its format is not known, or the journal cannot be made.
    """
    try:
        budget = budget_of(os.environ)
        chosen = sessions_of_file(os.path.join(".", path), budget, is_alone=True)  # noqa: PTH118 - pathlib drops the dot
    except UnknownTranscriptError:
        raise
    except UsageError:
        return None
    newest = max(chosen, key=lambda session: session.found.changed)
    if len(chosen) > 1:
        print_stderr(
            f"{path.name} holds {len(chosen):,} sessions; this is the one that changed last, "
            f"{one_line(newest.found.id)} (`seqthink import` keeps all)"
        )
    return _translated(newest, budget)


def transcript_of_id(reference: str) -> Path | None:
    """Return a journal in memory with the session of a client whose id is ``reference``, or begins with it.

    Ids as the viewer lists them, with the name of the client in front, mean the same. None if there is none.

    Raises:
        UsageError: there is more than one, or the journal cannot be made.
    """
    if is_written_as_a_file(reference):
        return None
    names = preferences_of(Namespace()).sources
    for name in TRANSCRIPTS:
        if reference.startswith(f"{name}-"):
            names, reference = names & {name}, reference.removeprefix(f"{name}-")
    budget = budget_of(os.environ)
    folders = ClientFolders(names, os.environ, system.home_folder(), budget)
    if not any(session.found.id.startswith(reference) for session in folders.all_sessions()):
        return None
    return _translated(folders.named_session(reference), budget)


def _translated(chosen: ChosenSession, budget: Budget) -> Path:
    """Translate a session to its end, with progress on a terminal; the journal is removed when the command ends."""
    try:
        folder = SpoolFolder(os.environ)
        atexit.register(folder.close)
        spool = Spool(chosen.source, chosen.found, folder.path_of(chosen.found))
    except OSError as error:
        raise UsageError(f"the session cannot be read into memory: {(error.strerror or str(error)).lower()}") from error
    with ImportProgress(sys.stderr, time.monotonic, [chosen], doing="reading") as progress:
        progress.begin(chosen.found)
        while not spool.advance(time.time_ns() // 1000):
            progress.advance(READ_BYTES)
            budget.spend(READ_BYTES)
            if budget.is_spent:
                budget.leave_out(f"{chosen.found.id}: its end is missing, it was not read {budget.words}")
                break
        spool.flush()
        progress.end()
    print_left_out(budget)
    if spool.format_trouble:
        raise UsageError(unknown_format_to_show(chosen.found.path, chosen.source.label))
    if not spool.path.stat().st_size:
        raise JournalNotFoundError(f"there is nothing in the session {chosen.found.id} of {chosen.source.label} yet")
    return spool.path
