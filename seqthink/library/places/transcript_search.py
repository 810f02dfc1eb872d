"""Finds the transcripts that hold the calls of our own journals, so that each such session is one row.

A journal is known by its first accepted call. If that has no id, it may be another session's as well, so the join is
looked at again as both grow (`guessed_joins.py`). A transcript is read for its calls once, and again when it changed;
what is kept of it are two numbers for each call. Belongs to one thread at a time.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from seqthink.core.times import microseconds_of
from seqthink.journal.peek import first_session_event
from seqthink.journal.store import SessionFile
from seqthink.library.places.guessed_joins import Choice, GuessedJoin, assigned
from seqthink.sources.transcripts.call_keys import CallKeys
from seqthink.sources.transcripts.joined_journal import FirstCall, first_call

MAX_FIRST_LOOK_BYTES, MAX_LOOK_BYTES = 4 << 20, 64 << 20
"""About how many bytes of transcripts are read in the first look, which the first frame waits for, and in a later one.

The next look goes on.
"""
CLOCK_TOLERANCE_SECONDS = 2
"""A transcript does not hold a call before its beginning or after its last change, unless by as little as this."""
_CLOCK_TOLERANCE = CLOCK_TOLERANCE_SECONDS * 1_000_000


_Change = tuple[int, SessionFile]
"""A transcript, after the time at which it changed last."""


class _Read(NamedTuple):
    """The calls of a transcript, as it was when it had changed at ``changed`` for the last time."""

    changed: int
    keys: CallKeys


class _Sought(NamedTuple):
    """A journal whose transcript is looked for."""

    size: int
    """Its bytes when its first call was looked for."""
    call: FirstCall | None
    looked_until: int
    """No transcript of its client that had changed up to this time holds the call."""


class TranscriptSearch:
    """Remembers which journals were looked at, and which calls the transcripts hold.

    Args:
        read_calls: returns the calls of a transcript, by its journal in memory; None if it cannot be read to its end
            now.
        began: returns when a transcript began, by its journal in memory, in microseconds since 1970; 0 if that is
            unknown.
    """

    def __init__(self, read_calls: Callable[[Path], CallKeys | None], began: Callable[[Path], int]) -> None:
        self._read_calls = read_calls
        self._began = began
        self.is_due = False
        """Whether the last look ended before it was through."""
        self._max_bytes = MAX_FIRST_LOOK_BYTES
        self._sought: dict[Path, _Sought] = {}
        self._read: dict[Path, _Read] = {}
        self._guessed: dict[Path, GuessedJoin] = {}
        self._left_bytes = 0
        self._imported_from: dict[Path, frozenset[tuple[str, str]]] = {}

    def imports(
        self, journals: Iterable[SessionFile], journal_of: Callable[[tuple[str, str]], Path | None]
    ) -> list[tuple[Path, Path]]:
        """Return the journals that were imported from a transcript that is still there, each with that one's journal.

        Args:
            journals: journals of ours.
            journal_of: returns the journal in memory of a transcript, by its source and id; None if it is not listed.
        """
        found: list[tuple[Path, Path]] = []
        for file in journals:
            path = next(filter(None, map(journal_of, self._sessions_in(file.path))), None)
            if path is not None:
                found.append((file.path, path))
        return found

    def _sessions_in(self, journal: Path) -> frozenset[tuple[str, str]]:
        """Return source and id of the sessions that a journal was imported from; none for one of our server."""
        known = self._imported_from.get(journal)
        event = first_session_event(journal) if known is None else None
        if event is not None:
            source = event.source if event.imported else None
            known = frozenset((source, one) for one in event.sourceIds if source is not None)
            self._imported_from[journal] = known
        return known or frozenset()

    def look(
        self, journals: Iterable[SessionFile], transcripts: Sequence[SessionFile]
    ) -> list[tuple[Path, Path | None]]:
        """Return the journals that were found in a transcript now, each with the transcript's journal in memory.

        A journal that was found must not be given again. One that was found before and turns out to belong elsewhere is
        among them, too; with None if it belongs to no transcript that is there now.
        """
        self._left_bytes, self._max_bytes = self._max_bytes, MAX_LOOK_BYTES
        by_source: dict[str, list[SessionFile]] = {}
        for transcript in transcripts:
            by_source.setdefault(transcript.source, []).append(transcript)
        found: list[tuple[Path, Path | None]] = []
        for journal in journals:
            call = self._call_of(journal) if journal.path not in self._guessed else None
            if call is not None and not call.line.has_unique_id:
                self._guessed[journal.path] = GuessedJoin(journal.path, call)
                call = None
            transcript = self._find(journal, call, by_source.get(call.source, [])) if call is not None else None
            if transcript is not None:
                found.append((journal.path, transcript))
                del self._sought[journal.path]
            if self._left_bytes <= 0:
                break
        found += self._guess(by_source)
        self.is_due = self._left_bytes <= 0
        return found

    def _guess(self, by_source: Mapping[str, Sequence[SessionFile]]) -> list[tuple[Path, Path | None]]:
        """Return the journals without ids whose transcript is another now than at the last look."""
        if not self._guessed:
            return []
        changes = {
            source: [(microseconds_of(file.last), file) for file in files] for source, files in by_source.items()
        }
        of_that_time = {
            path: self._of_that_time(join.call.line.time, changes.get(join.call.source, ()))
            for path, join in self._guessed.items()
        }
        claims = Counter(file.path for files in of_that_time.values() for _, file in files)
        choices: dict[Path, tuple[GuessedJoin, Mapping[Path, Choice]]] = {}
        for path, join in self._guessed.items():
            files = of_that_time[path]
            if [file.path for _, file in files] == [join.transcript] and claims[files[0][1].path] == 1:
                continue  # nothing can be said against it
            transcripts = self._choices_of(join, files)
            if transcripts:
                join.read()
                choices[path] = join, transcripts
        wanted = assigned(choices, [join for path, join in self._guessed.items() if path not in choices])
        changed = [path for path, (join, _) in choices.items() if wanted.get(path) != join.transcript]
        for path in changed:
            self._guessed[path].transcript = wanted.get(path)
        return [(path, wanted.get(path)) for path in changed]

    def _of_that_time(self, called: int, changes: Sequence[_Change]) -> list[_Change]:
        """Return the transcripts that may hold a call of this time."""
        return [
            (changed, file)
            for changed, file in changes
            if changed >= called - _CLOCK_TOLERANCE and self._began(file.path) <= called + _CLOCK_TOLERANCE
        ]

    def _choices_of(self, join: GuessedJoin, transcripts: Sequence[_Change]) -> dict[Path, Choice]:
        """Return the transcripts that hold the first call of a journal; none if not all could be read in this look."""
        found: dict[Path, Choice] = {}
        for changed, file in transcripts:
            keys = self._calls_in(file, changed)
            if keys is None and self._left_bytes <= 0:
                return {}  # the next look goes on
            if keys is not None and keys.times_of(join.first_keys):
                found[file.path] = changed, keys
        return found

    def _call_of(self, journal: SessionFile) -> FirstCall | None:
        """Return a journal's first call; one without any is looked at again when it has grown."""
        sought = self._sought.get(journal.path)
        if sought is None or (sought.call is None and sought.size != journal.size):
            call = first_call(journal.path)
            began = call.line.time - _CLOCK_TOLERANCE if call is not None else 0
            self._sought[journal.path] = sought = _Sought(journal.size, call, began - 1)
        return sought.call

    def _find(self, journal: SessionFile, call: FirstCall, transcripts: Sequence[SessionFile]) -> Path | None:
        """Return the transcript that holds a call. Those that changed when the journal did are the likeliest."""
        sought, last = self._sought[journal.path], microseconds_of(journal.last)
        changed = [(microseconds_of(file.last), file) for file in transcripts]
        changed = [(time, file) for time, file in changed if time > sought.looked_until]
        for time, file in sorted(changed, key=lambda one: abs(one[0] - last)):
            if self._began(file.path) > call.line.time + _CLOCK_TOLERANCE:
                continue
            keys = self._calls_in(file, time)
            if keys is None:
                return None  # the next look goes on
            if keys.holds(call.line):
                return file.path
        if changed:
            self._sought[journal.path] = sought._replace(looked_until=max(time for time, _ in changed))
        return None

    def _calls_in(self, file: SessionFile, changed: int) -> CallKeys | None:
        known = self._read.get(file.path)
        if known is not None and known.changed == changed:
            return known.keys
        if self._left_bytes <= 0:
            return None
        self._left_bytes -= max(file.size, 1 << 16)
        keys = self._read_calls(file.path)
        if keys is not None:
            self._read[file.path] = _Read(changed, keys)
        return keys
