"""Which sessions a command means: those in a file, one by its id, the one that changed last, or all there are."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from seqthink.chain.overview.work_place import WorkPlace
from seqthink.core.errors import SeqthinkError, UsageError
from seqthink.journal.journal_file import holds_events
from seqthink.journal.store import FILE_SUFFIXES
from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.description import ReadingTerms
from seqthink.sources.transcripts.fact_order import joined_sessions
from seqthink.sources.transcripts.facts import SessionDescribed
from seqthink.sources.transcripts.files.tail import read_head
from seqthink.sources.transcripts.registry import descriptions, likely_sources, load_source, transcript_names
from seqthink.sources.transcripts.source import FoundSession, Source
from seqthink.sources.transcripts.unreadable import UNKNOWN_WORDS, WHAT_TO_DO, unknown_format_to_show

_HEAD_BYTES = 64 << 10
_EVERY_SESSION = 1 << 30
_MAX_CANDIDATES_SHOWN = 5


class UnknownTranscriptError(UsageError):
    """A client's file has a format that this version cannot read."""


class UnreadableTranscriptError(SeqthinkError):
    """A file that was named cannot be read."""


class ChosenSession(NamedTuple):
    """A session, and the source that reads it."""

    source: Source
    found: FoundSession


class ClientFolders:
    """The sessions in the folders of this user's clients.

    Args:
        names: the names of the sources that are looked at.
        environ: the environment, which may name other folders.
        home: the user's home folder.
        budget: how much time and memory reading them may take; without one, as much as it needs.
    """

    def __init__(
        self, names: frozenset[str], environ: Mapping[str, str], home: Path, budget: Budget | None = None
    ) -> None:
        terms = ReadingTerms(budget, is_thorough=True)
        self._sources = [load_source(name, terms) for name in transcript_names() if name in names]
        self._environ, self._home = environ, home

    @property
    def places(self) -> str:
        """The folders, in words."""
        folders = [str(source.folder(self._environ, self._home)) for source in self._sources]
        return ", ".join(folders) or "no folder (no client is among the sources)"

    def all_sessions(self, since: int | None = None) -> list[ChosenSession]:
        """Return the sessions that changed at or after ``since`` (microseconds since 1970), newest first.

        One that is in several folders is there once, as what changed last.
        """
        chosen = [ChosenSession(*pair) for pair in self._find() if since is None or pair[1].changed >= since]
        chosen.sort(key=lambda session: session.found.changed, reverse=True)
        newest: dict[tuple[str, str], ChosenSession] = {}
        for session in chosen:
            newest.setdefault((session.found.source, session.found.id), session)
        return list(newest.values())

    def last_session(self) -> ChosenSession:
        """Return the session that changed last.

        Raises:
            UsageError: there is none.
        """
        sessions = self.all_sessions()
        if not sessions:
            raise UsageError(f"no sessions of other programs in {self.places}; name a file")
        return sessions[0]

    def named_session(self, reference: str) -> ChosenSession:
        """Return the session whose id is ``reference``, or the only one whose id begins with it.

        Raises:
            UsageError: there is none, or more than one.
        """
        sessions = self.all_sessions()
        exact = [session for session in sessions if session.found.id == reference]
        matching = exact or [session for session in sessions if reference and session.found.id.startswith(reference)]
        if len(matching) == 1:
            return matching[0]
        if matching:
            raise UsageError(f"{reference!r} could be {_abbreviated(matching)}; type more of it, or name a file")
        hint = "name one by its id, a unique prefix, `last`, or a file"
        with suppress(OSError, ValueError):
            if Path(reference).is_file():
                hint = f"there is a file of that name: ./{reference}"
        raise UsageError(f"no session {reference!r} in {self.places}; {hint}")

    def _find(self) -> Iterator[tuple[Source, FoundSession]]:
        for source in self._sources:
            for found in source.find(source.folder(self._environ, self._home), _EVERY_SESSION):
                yield source, found


def place_of(chosen: ChosenSession) -> WorkPlace:
    """Return where a session works, by the beginning of its transcript; nothing of one that cannot be read."""
    known: SessionDescribed | None = None
    try:
        feed = chosen.source.open(chosen.found)
    except OSError:
        return WorkPlace()
    try:
        for fact in feed.read(_HEAD_BYTES).facts:
            if isinstance(fact, SessionDescribed) and fact.agent is None:
                known = fact if known is None else joined_sessions(known, fact)
    except OSError:
        pass
    finally:
        feed.close()
    if known is None:
        return WorkPlace()
    return WorkPlace("", known.cwd or "", known.repository or "", known.remote or "", known.branch or "")


def is_written_as_a_file(reference: str) -> bool:
    """Return whether a reference names a file, and no session by its id."""
    return "/" in reference or os.sep in reference or reference[:1] in {".", "~"} or reference.endswith(FILE_SUFFIXES)


def sessions_of_file(reference: str, budget: Budget | None = None, *, is_alone: bool = False) -> list[ChosenSession]:
    """Return the sessions in a file, read within a budget: its content shows whose they are.

    A copy leads to the session that it is a copy of, unless the file is read alone.

    Raises:
        UnknownTranscriptError: a client wrote it in a format that this version cannot read.
        UsageError: there is no such file, or it is not a transcript that can be read.
        UnreadableTranscriptError: the system does not let it be read.
    """
    path = _path_of(reference)
    try:
        if path.is_dir():
            raise UsageError(f"{path} is a folder; name a file in it, or import all that the clients have with --all")
        head = read_head(path, _HEAD_BYTES)
        if holds_events(path):
            raise UsageError(f"{path} is a seqthink journal already; `seqthink show` takes it as it is")
        sources = _all_sources(head, ReadingTerms(budget, is_thorough=True, is_alone=is_alone))
        source = next((one for one in sources if one.recognises(path, head)), None)
        sessions = source.sessions_in(path) if source is not None else []
    except (FileNotFoundError, NotADirectoryError, ValueError):  # a NUL or a lone surrogate is in no file's name
        raise UsageError(f"{path}: no such file; name a transcript, or a session by its id") from None
    except OSError as error:
        words = f"{path}: {error.strerror or error}"
        raise UnreadableTranscriptError(f"{words}{WHAT_TO_DO}" if UNKNOWN_WORDS in words else words) from error
    if source is None and (label := _client_of_place(path)) is not None:
        raise UnknownTranscriptError(unknown_format_to_show(path, label))
    if source is None:
        labels = ", ".join(one.label for one in descriptions())
        raise UsageError(f"{path} is not a transcript that seqthink knows; it reads those of {labels}")
    if not sessions:
        raise UsageError(f"{path} is a file of {source.label}, but there is no session in it")
    return [ChosenSession(source, found) for found in sessions]


def _path_of(reference: str) -> Path:
    """Return the file that a reference means; a link that the user names is followed.

    Raises:
        UsageError: the home folder that it begins with is unknown, or nothing can have such a name.
    """
    try:
        return Path(reference).expanduser().resolve()
    except RuntimeError as error:
        raise UsageError(f"{reference}: that home folder is unknown; write the whole path") from error
    except (ValueError, OSError) as error:
        raise UsageError(f"{reference}: no such file; name a transcript, or a session by its id") from error


def _client_of_place(path: Path) -> str | None:
    """Return the client whose files have such a name and lie in such a folder; None if no client has such files."""
    named = (one for one in descriptions() if one.file_pattern)
    return next((one.label for one in named if path.match(one.file_pattern)), None)


def _all_sources(head: bytes, terms: ReadingTerms) -> Iterable[Source]:
    """Yield the sources, each loaded when it is asked for, the likely ones first: they spare loading the others."""
    likely = likely_sources(head)
    return (load_source(name, terms) for name in sorted(transcript_names(), key=lambda name: name not in likely))


def _abbreviated(sessions: list[ChosenSession]) -> str:
    names = [f"{session.found.id} ({session.source.name})" for session in sessions]
    more = len(names) - _MAX_CANDIDATES_SHOWN
    shown = ", ".join(names[:_MAX_CANDIDATES_SHOWN])
    return f"{shown} or {more} more" if more > 0 else shown
