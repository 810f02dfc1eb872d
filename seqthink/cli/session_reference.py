"""Finds the session that the command line names: a journal, a link into one, a session of a fleet, or a transcript.

A transcript of another program is translated into a journal in memory, which every command can read. The readers of
transcripts, and what speaks to an engine, take time to load: only a session that needs them loads them.
"""

import argparse
import atexit
import os
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from seqthink.cli.common import print_left_out, print_stderr
from seqthink.cli.fleet.options import fleet_url
from seqthink.cli.option_values import journal_folder
from seqthink.cli.overview.wanted_sessions import (
    has_wanted,
    newest_journal,
    require_choice,
    wanted_transcripts,
    wanted_words,
)
from seqthink.cli.preferences import preferences_of
from seqthink.core import system
from seqthink.core.errors import JournalNotFoundError, NotAJournalError, UnreadableJournalError, UsageError
from seqthink.core.text import one_line
from seqthink.journal.journal_file import PROBE_BYTES, JournalFile, holds_events, require_journal
from seqthink.journal.links import split_link
from seqthink.journal.store import resolve_journal
from seqthink.sources.transcripts.budget import Budget, budget_of
from seqthink.sources.transcripts.named_transcript import NamedTranscript
from seqthink.sources.transcripts.registry import likely_sources, transcript_names

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqthink.sources.transcripts.choosing import ChosenSession, ClientFolders


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

    So it is for a session of a fleet, which is read completely then.

    Raises:
        UsageError: there is none, or more than one.
        EngineUnavailableError: the fleet's engine is not there.
    """
    url = fleet_url(options)
    require_choice(options)
    if url is not None:
        from seqthink.cli.fleet.reading import fleet_journal  # loads what speaks to an engine

        return fleet_journal(url, options)
    if has_wanted(options):
        named = newest_wanted(options)
        return named if isinstance(named, Path) else translated(named)
    return resolve_session(options.session, journal_folder(options))


def newest_wanted(options: argparse.Namespace) -> Path | NamedTranscript:
    """Return the newest session that `--repo` and `--branch` want: of those that we kept, else of those of clients.

    Raises:
        UsageError: there is none.
    """
    journal = newest_journal(options, journal_folder(options))
    if journal is not None:
        return journal.path
    budget = budget_of(os.environ)
    sessions = _client_folders(preferences_of(options).sources, budget).all_sessions()
    found = next(wanted_transcripts(options, sessions), None)
    if found is None:
        raise UsageError(f"no session matches {wanted_words(options)}; `seqthink sessions` lists all")
    return _already_chosen(found.found.id, found, budget)


def resolve_session(reference: str | None, folder: Path) -> Path:
    """Return the path of the journal that a reference means, or a journal in memory for a transcript that it means.

    Raises:
        UsageError: there is none, or more than one.
    """
    named = named_session(reference, folder)
    if isinstance(named, Path):
        return named
    try:
        return translated(named)
    except (NotAJournalError, UnreadableJournalError):
        return named.path  # what reads it as a journal says what is wrong


def translated(named: NamedTranscript) -> Path:
    """Return a journal in memory that holds all that there is now of a session that the user named.

    Raises:
        UsageError: it is not a transcript that can be read, or the journal cannot be made.
    """
    return _translated(named.choose(print_stderr), named.budget)


def named_session(reference: str | None, folder: Path) -> Path | NamedTranscript:
    """Return the path of the journal that a reference means, or the transcript that it means.

    Where no journal is kept yet, the last session is that of a client. A file that begins like a transcript may not be
    one: what can say so takes time to load.

    Raises:
        UsageError: there is none, or more than one.
    """
    try:
        path = resolve_journal(reference, folder)
    except JournalNotFoundError:
        named = (
            last_transcript(preferences_of(argparse.Namespace()).sources)
            if reference is None or reference == "last"
            else transcript_of_id(reference)
        )
        if named is None:
            raise
        return named
    return _named_file(path) if is_transcript(path) else path


def _named_file(path: Path) -> Path | NamedTranscript:
    budget = budget_of(os.environ)
    named = NamedTranscript(path.name, path, budget, partial(_choose_in_file, path, budget))
    if likely_sources(_head_of(path)) and not _may_be_journal(path):
        return named
    from seqthink.sources.transcripts.choosing import UnknownTranscriptError  # loads what reads transcripts

    try:
        return _already_chosen(path.name, named.choose(print_stderr), budget)
    except UnknownTranscriptError:
        raise
    except UsageError:
        return path


def _head_of(path: Path) -> bytes:
    try:
        return JournalFile.open(path).read_bytes(0, PROBE_BYTES)
    except OSError:
        return b""


def _may_be_journal(path: Path) -> bool:
    try:
        require_journal(path)
    except UsageError:
        return False
    return True


def is_transcript(path: Path) -> bool:
    """Return whether a file that the user names is not a journal, but may be a transcript."""
    try:
        return path.is_file() and path.stat().st_size > 0 and not holds_events(path)
    except OSError:
        return False


def _choose_in_file(path: Path, budget: Budget, say: "Callable[[str], object]") -> "ChosenSession":
    """Return the newest session of a transcript, read alone (see `NamedTranscript`)."""
    from seqthink.sources.transcripts.choosing import UnknownTranscriptError, sessions_of_file

    try:
        chosen = sessions_of_file(os.path.join(".", path), budget, is_alone=True)  # noqa: PTH118 - pathlib drops the dot
    except UnknownTranscriptError:
        raise
    except UsageError:
        require_journal(path)
        raise
    newest = max(chosen, key=lambda session: session.found.changed)
    if len(chosen) > 1:
        say(
            f"{path.name} holds {len(chosen):,} sessions; this is the one that changed last, "
            f"{one_line(newest.found.id)} (`seqthink import` keeps all)"
        )
    return newest


def transcript_of_id(reference: str) -> NamedTranscript | None:
    """Return the session of a client whose id is ``reference``, or begins with it; None if there is none.

    Ids as the viewer lists them, with the name of the client in front, mean the same.

    Raises:
        UsageError: there is more than one.
    """
    from seqthink.sources.transcripts.choosing import is_written_as_a_file

    if is_written_as_a_file(reference):
        return None
    listed_as, names = reference, preferences_of(argparse.Namespace()).sources
    for name in transcript_names():
        if reference.startswith(f"{name}-"):
            names, reference = names & {name}, reference.removeprefix(f"{name}-")
    budget = budget_of(os.environ)
    folders = _client_folders(names, budget)
    sessions = folders.all_sessions()
    if not any(session.found.id.startswith(reference) for session in sessions):
        from seqthink.sources.transcripts.spool import spool_name

        # An id that cannot be part of a file's name is listed by its digest.
        listed = [session for session in sessions if spool_name(session.found).startswith(listed_as)]
        if len(listed) == 1:
            return _already_chosen(listed_as, listed[0], budget)
        print_left_out(budget)
        return None
    return _already_chosen(reference, folders.named_session(reference), budget)


def last_transcript(sources: frozenset[str]) -> NamedTranscript | None:
    """Return the session of a client among ``sources`` that changed last; None if there is none."""
    budget = budget_of(os.environ)
    sessions = _client_folders(sources, budget).all_sessions()
    return _already_chosen(sessions[0].found.id, sessions[0], budget) if sessions else None


def _client_folders(names: frozenset[str], budget: Budget) -> "ClientFolders":
    from seqthink.sources.transcripts.choosing import ClientFolders

    return ClientFolders(names, os.environ, system.home_folder(), budget)


def _already_chosen(name: str, chosen: "ChosenSession", budget: Budget) -> NamedTranscript:
    def choose(_say: "Callable[[str], object]") -> "ChosenSession":
        return chosen

    return NamedTranscript(name, chosen.found.path, budget, choose)


def _translated(chosen: "ChosenSession", budget: Budget) -> Path:
    """Translate a session to its end, with progress on a terminal; the journal is removed when the command ends."""
    from seqthink.sources.transcripts.imports.import_progress import ImportProgress
    from seqthink.sources.transcripts.spool import READ_BYTES, Spool, SpoolFolder
    from seqthink.sources.transcripts.unreadable import unknown_format_to_show

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
        raise JournalNotFoundError(_why_empty(chosen, budget))
    return spool.path


def _why_empty(chosen: "ChosenSession", budget: Budget) -> str:
    """Return why nothing was read of a session: a package that reads it may have failed."""
    from seqthink.sources.transcripts.installed.calls import FAULT_WORDS

    label = chosen.source.label
    if any(sentence.startswith(f"{label}: ") and FAULT_WORDS in sentence for sentence in budget.left_out):
        return f"the session {chosen.found.id} of {label} could not be read"
    return f"there is nothing in the session {chosen.found.id} of {label} yet"
