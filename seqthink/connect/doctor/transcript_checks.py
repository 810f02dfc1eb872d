"""The sessions that other programs wrote: whether this version can list them all."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from seqthink.connect.doctor.results import CheckResult, right, warning
from seqthink.sources.transcripts.budget import STATUS_BYTES, STATUS_SECONDS, Budget
from seqthink.sources.transcripts.description import ReadingTerms
from seqthink.sources.transcripts.installed.calls import FAULT_WORDS
from seqthink.sources.transcripts.registry import installed, load_source, transcript_names
from seqthink.sources.transcripts.source import Source
from seqthink.sources.transcripts.unreadable import (
    LINK_WORDS,
    UNKNOWN_WORDS,
    have_content,
    is_unknown_format,
    unknown_format_at,
)

_READ_SESSIONS: Final = 3
"""Sessions of each client, the newest, whose beginning is read: a new version of a client shows there."""
_READ_BYTES: Final = 256 << 10
_PACKAGE_FIX: Final = "update that package, or remove it; if it is yours, test it (docs/sources/adding-a-source.md)"
_FIXES: Final = (
    (FAULT_WORDS, _PACKAGE_FIX),
    (UNKNOWN_WORDS, "install the newest seqthink; docs/sources.md, Transcripts, says what it reads"),
    (LINK_WORDS, "put the folder itself there in place of the link"),
    ("", "docs/sources.md, Bounds, says what is left out, and how to have more read"),
)
"""What to do about a sentence that holds these words; the first that fits counts."""


def transcript_checks(environ: Mapping[str, str], home: Path) -> list[CheckResult]:
    """Return the results for the sessions of each client. Takes a few seconds at most."""
    refused = [warning("sources", "one is not taken", sentence, fix=_PACKAGE_FIX) for sentence in installed().refused]
    return [*refused, *(result for name in transcript_names() for result in _source_checks(name, environ, home))]


def _source_checks(name: str, environ: Mapping[str, str], home: Path) -> list[CheckResult]:
    budget = Budget(STATUS_SECONDS, STATUS_BYTES)
    source = load_source(name, ReadingTerms(budget))
    folder = source.folder(environ, home)
    count = _look(source, folder, budget)
    if budget.left_out:
        message = "some of its sessions are not shown"
        return [warning(name, message, sentence, fix=_fix_of(sentence)) for sentence in budget.left_out]
    if not folder.is_dir():
        return _installed_only(name, folder)
    return [right(name, f"{count:,} session{'' if count == 1 else 's'} can be listed", str(folder))]


def _installed_only(name: str, folder: Path) -> list[CheckResult]:
    """Return that a package is installed whose client has no sessions; nothing for a client that we read."""
    package = installed().sources.get(name)
    if package is None:
        return []
    return [right(name, "a package reads its sessions", f"{package.package}; no folder {folder} yet")]


def _fix_of(sentence: str) -> str:
    return next(fix for words, fix in _FIXES if words in sentence)


def _look(source: Source, folder: Path, budget: Budget) -> int:
    """List sessions and folders, read the beginnings of the newest, and note in the budget what cannot be read."""
    listed = source.find(folder, 1 << 30)
    source.watched_folders(folder)
    for found in listed[:_READ_SESSIONS]:
        try:
            feed = source.open(found)
        except OSError:
            continue
        try:
            has_content = have_content(feed.read(_READ_BYTES).facts)
            if is_unknown_format(feed.counts, has_content=has_content):
                budget.leave_out(unknown_format_at(found.path, source.label))
        except OSError:
            continue
        finally:
            feed.close()
    return len(listed)
