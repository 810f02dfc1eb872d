"""Opens a journal and folds it into a session; ``refresh`` adds what was written since."""

import os
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from typing_extensions import override

from seqthink.api.session_views import SessionView
from seqthink.api.view_sources import EventReader
from seqthink.chain.fold import Fold
from seqthink.core.errors import JournalNotFoundError, UnreadableJournalError, UsageError
from seqthink.journal import store
from seqthink.journal.decode import LineDecoder, decode
from seqthink.journal.folder import default_folder
from seqthink.journal.journal_file import require_journal
from seqthink.journal.peek import writer_state
from seqthink.journal.reader import JournalReader
from seqthink.journal.store import SessionFile
from seqthink.library.live_session import LiveSession

StrPath = str | os.PathLike[str]


class Journal(SessionView):
    """An open journal: the session as it was when the journal was last read.

    Use it as a context manager, or call ``close``, and from one thread at a time. A refresh does not change the views
    that it returned before. Texts can be read until it is closed.
    """

    def __init__(self, path: Path, decode: LineDecoder = decode, *, has_native: bool = False) -> None:
        self._path = path
        self._source = JournalReader(path, decode)
        self._live = LiveSession(partial(Fold, has_native=has_native))
        self._readers: list[EventReader] = []
        self._is_closed = False
        self.refresh()

    @property
    def path(self) -> Path:
        """The journal's file."""
        return self._path

    def refresh(self) -> bool:
        """Read what was appended since, and return whether there was anything.

        A file that was replaced or rewritten is read from its beginning; one that is gone leaves the session as it is.

        Raises:
            JournalNotFoundError: the file vanished before it was read for the first time.
            UnreadableJournalError: the operating system does not let it be read.
            ValueError: the journal is closed.
        """
        if self._is_closed:
            raise ValueError("the journal is closed; open it again with `open_journal`")
        has_news = at_end = False
        while not at_end:
            try:
                batch = self._source.read()
            except OSError as error:
                raise UnreadableJournalError(f"{self._path}: {(error.strerror or str(error)).lower()}") from error
            if batch.journal is not None and (batch.restarted or not self._readers):
                self._readers.append(EventReader(batch.journal))
            self._live.add(batch)
            has_news, at_end = has_news or batch.has_news, batch.at_end
        if not self._readers:
            raise JournalNotFoundError(f"{self._path}: no such file; name a session or a journal (.jsonl)")
        session = self._live.fold.session()
        self._reader = self._readers[-1]
        self._folded = session.with_writer(writer_state(self._path, session.session_event))
        return has_news

    def close(self) -> None:
        """Close the file: views keep their facts, but texts cannot be read any more. Calling it again does nothing."""
        self._is_closed = True
        for reader in self._readers:
            reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @override
    def __repr__(self) -> str:
        return f"<journal {str(self._path)!r}, {self.state}, {len(self.thoughts)} thoughts>"


def open_journal(
    path_or_id: StrPath = "last", *, folder: StrPath | None = None, redact: bool = False, native: bool = False
) -> Journal:
    """Open a journal and return its session, read to the end of the file.

    Args:
        path_or_id: a session's id or a unique prefix of it, ``last`` for the newest session, or a journal's path: a
            `Path`, or a string that is written as one (with a slash, or ending in ``.jsonl``).
        folder: the folder of the journals, in which ids are looked up; the default is that of the command line
            (``SEQTHINK_JOURNAL_DIR``, else ``SEQTHINK_HOME``/sessions, else the platform's state folder).
        redact: whether passwords, keys and tokens of known shape are replaced by ``[redacted …]`` in all texts.
        native: whether prompts, native reasoning, remarks and answers are thoughts, too (docs/journal.md, "Native
            reasoning").

    Raises:
        JournalNotFoundError: there is no such session or file.
        AmbiguousSessionError: more than one session's id begins with the given prefix.
        NotAJournalError: the file holds something else.
        UnreadableJournalError: the operating system does not let it be read.
    """
    path = find_journal(path_or_id, folder)
    require_journal(path)
    return Journal(path, line_decoder(redact=redact), has_native=native)


def sessions(folder: StrPath | None = None) -> list[SessionFile]:
    """Return the sessions in a folder, the newest first; an empty list where there is no such folder.

    Args:
        folder: as for `open_journal`.

    Raises:
        UnreadableJournalError: the operating system does not let the folder be read.
    """
    return store.list_sessions(folder_of(folder))


def find_journal(path_or_id: StrPath | None, folder: StrPath | None) -> Path:
    """Return the path of the journal that `open_journal` would open. Raises the same errors, but reads no journal."""
    if path_or_id is None or isinstance(path_or_id, str):
        return store.resolve_journal(path_or_id, folder_of(folder))
    path = Path(path_or_id)
    # The dot keeps a bare name from being taken for an id.
    return store.resolve_journal(str(path) if path.is_absolute() else os.path.join(".", path), folder_of(folder))  # noqa: PTH118 - pathlib drops the dot


def folder_of(folder: StrPath | None) -> Path:
    """Return the folder that the caller named, or the default.

    Raises:
        UsageError: it begins with a home folder that is not known.
    """
    try:
        return default_folder(os.environ) if folder is None else Path(folder).expanduser()
    except RuntimeError as error:
        raise UsageError("the home folder (~) is unknown; write the whole path as `folder`") from error


def line_decoder(*, redact: bool) -> LineDecoder:
    """Return the decoder of journal lines: with ``redact`` the events have no secrets."""
    if not redact:
        return decode
    from seqthink.library.redacted_lines import decode_redacted  # noqa: PLC0415 - loads the library of secret patterns

    return decode_redacted
