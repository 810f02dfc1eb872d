"""Reads a session that consists of JSON Lines files: its main one, and others that appear while it goes on."""

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import Fact, ToolCall
from seqthink.sources.transcripts.files.json_lines import decode_object
from seqthink.sources.transcripts.files.tail import JsonlTail
from seqthink.sources.transcripts.source import FactBatch

_SLICE_BYTES: Final = 1 << 20
_MAX_TRIES: Final = 3


class LineReader(Protocol):
    """Turns the lines of one file into facts; a client's pure core. It never raises."""

    def wants(self, line: bytes) -> bool:
        """Return False if no fact can follow from this line; decided by its bytes, without decoding it."""
        ...

    def read(self, line: bytes) -> Sequence[Fact]:
        """Return what the next wanted line says, in order."""
        ...

    def settle(self) -> Sequence[Fact]:
        """Return what is certain only if no line follows (see `SessionFeed`)."""
        ...


class TranscriptFile(NamedTuple):
    """A file of a session, and what reads its lines."""

    path: Path
    reader: LineReader
    after: Path | None = None
    """The file that must have been read to its end once before this one is begun."""
    is_head_enough: Callable[[bytes], bool] | None = None
    """Returns whether the first bytes of a long line are all that the reader needs; None: it needs all."""
    record_start: bytes | None = None
    """How every record begins, where ``is_head_enough`` is given (see `JsonlTail`)."""
    tail: type[JsonlTail] = JsonlTail
    """What reads its bytes."""


class SessionFiles(Protocol):
    """Which files a session has; it holds the state that their readers share."""

    def files(self) -> Iterable[TranscriptFile]:
        """Return the files that there are now, the main one first; a known one again with the same reader."""
        ...


class OneFile:
    """The `SessionFiles` of a session that has one file."""

    def __init__(self, path: Path, reader: LineReader) -> None:
        self._files = (TranscriptFile(path, reader),)

    def files(self) -> Iterable[TranscriptFile]:
        """Return it."""
        return self._files


class JsonlFeed:
    """A `SessionFeed` of JSON Lines files.

    The facts of all files come in the order of their times as far as that can be known: a file that is ahead of the
    others waits for them. Within a file the order of its lines counts, whatever their times say.
    """

    def __init__(
        self,
        main: Path,
        begin: Callable[[ReadCounts], SessionFiles],
        is_misread: Callable[[], bool] = lambda: False,
    ) -> None:
        """Read the session whose main file is ``main``.

        Args:
            main: The file without which there is no session.
            begin: Returns the session's files with readers that have read nothing yet; they count what they cannot
                read in the counts that it is given. Called again when a file was replaced.
            is_misread: Asked at the current end: does it show that it has to be read again, in another way?
        """
        self._main = main
        self._is_misread = is_misread
        self._begin = begin
        self._open: dict[Path, _OpenFile] = {}
        self._start_over()

    def _start_over(self) -> None:
        self.close()
        self._counts = ReadCounts()
        self._files = self._begin(self._counts)
        # The files that wait until another was read to its end.
        self._waiting: dict[Path, list[_OpenFile]] = {}
        self._pushes = count()

    @property
    def counts(self) -> ReadCounts:
        """What became of the records so far."""
        return self._counts

    @property
    def agent_files(self) -> Sequence[Path]:
        """The files besides the main one that were read so far."""
        return [path for path, file in self._open.items() if path != self._main and file.is_begun]

    @property
    def files_now(self) -> Sequence[Path]:
        """The files that there are now, whether they were read or not."""
        return [file.path for file in self._files.files()]

    @property
    def unstarted_calls(self) -> Mapping[str, int]:
        """None: the client does not say (see `SessionFeed`)."""
        return {}

    def unwritten_calls(self) -> Sequence[ToolCall]:
        """Return nothing: the transcript holds a call as soon as it is made (see `SessionFeed`)."""
        return ()

    def is_abandoned(self) -> None:
        """Say nothing: the client does not keep its files open (see `SessionFeed`)."""

    def read(self, limit_bytes: int) -> FactBatch:
        """Return the facts of about the next ``limit_bytes`` bytes (see `SessionFeed`)."""
        restarted = False
        for _ in range(_MAX_TRIES):
            if self._advance(limit_bytes) and not (self._is_at_end() and self._is_misread()):
                break
            restarted = True
            self._start_over()
        return FactBatch(list(self._released()), self._is_at_end(), restarted)

    def _is_at_end(self) -> bool:
        return bool(self._open) and all(file.at_end for file in self._open.values())

    def settle(self) -> list[Fact]:
        """Return what is certain only if nothing more comes (see `SessionFeed`)."""
        return [fact for file in self._open.values() for fact in file.settle(self._counts)]

    def close(self) -> None:
        """Forget what was read, and close what is open. Calling it again does nothing."""
        for file in self._open.values():
            file.tail.close()
        self._open.clear()

    def _advance(self, limit_bytes: int) -> bool:
        """Read on in the files that are behind; return False if one of them was replaced."""
        self._find_files()
        for file in self._open.values():
            file.at_end = file.tail.is_unchanged()
        left = max(limit_bytes, 1)
        behind = self._behind(self._open.values())
        while left > 0 and (behind or (behind := self._behind(self._find_files()))):
            file = heapq.heappop(behind).file
            try:
                result = file.tail.read(min(left, _SLICE_BYTES))
            except OSError:
                if file.tail.path == self._main:
                    raise
                file.at_end = True  # an agent's file that is gone: what was read of it stays
                continue
            if result.restarted:
                return False
            left -= max(result.bytes_read, 1)
            file.recount_rest(self._counts)
            self._counts.read += result.seen
            self._counts.too_long += result.too_long
            self._counts.corrupt += result.damaged
            was_at_end = file.was_at_end
            file.take(result.lines, at_end=result.at_end)
            may_go = [file, *([] if was_at_end else self._waiting.pop(file.tail.path, ()))]
            for each in self._behind(may_go):
                heapq.heappush(behind, each)
        self._find_files()  # what was read may name others, whose facts come before
        return True

    def _find_files(self) -> list["_OpenFile"]:
        """Open the files that are new, and return them."""
        new: list[_OpenFile] = []
        for found in self._files.files():
            if found.path not in self._open:
                tail = found.tail(
                    found.path, found.reader.wants, is_head_enough=found.is_head_enough, record_start=found.record_start
                )
                file = self._open[found.path] = _OpenFile(tail, found.reader, found.after)
                new.append(file)
                if found.after is not None:
                    self._waiting.setdefault(found.after, []).append(file)
        return new

    def _behind(self, files: "Iterable[_OpenFile]") -> "list[_Behind]":
        """Return a heap of those files that have more to read, the one furthest behind first."""
        ready = (file for file in files if not file.at_end and self._is_ready(file))
        return sorted(_Behind(file.reached, next(self._pushes), file) for file in ready)

    def _is_ready(self, file: "_OpenFile") -> bool:
        before = self._open.get(file.after) if file.after else None
        return before is None or before.was_at_end

    def _released(self) -> Iterator[Fact]:
        """Take from the files what no other one can still come before."""
        behind = [file.reached for file in self._open.values() if not file.at_end and self._is_ready(file)]
        until = min(behind, default=None)
        for _, fact in heapq.merge(*(file.released(until) for file in self._open.values()), key=lambda pair: pair[0]):
            yield fact


class _Behind(NamedTuple):
    reached: int
    push: int
    """A tie-breaker between files that have come equally far."""
    file: "_OpenFile"


class _OpenFile:
    """One file, and its facts that wait for those of others."""

    def __init__(self, tail: JsonlTail, reader: LineReader, after: Path | None) -> None:
        self.tail = tail
        self.reader = reader
        self.after = after
        self.reached = -(1 << 63)
        """The latest time of a fact so far."""
        self.at_end = False
        self.was_at_end = False
        self.is_begun = False
        self._waiting: deque[tuple[int, Fact]] = deque()
        self._damaged_rest = b""

    def take(self, lines: Iterable[bytes], *, at_end: bool) -> None:
        self.is_begun = True
        self.at_end = at_end
        self.was_at_end |= at_end
        for line in lines:
            for fact in self.reader.read(line):
                self.reached = max(self.reached, fact.time)
                self._waiting.append((self.reached, fact))

    def settle(self, counts: ReadCounts) -> Sequence[Fact]:
        """Return what is certain only if nothing more comes: then the last line is one, also without its newline.

        A torn one is counted as damaged until more of it comes.
        """
        rest = self.tail.rest if self.at_end else b""
        if not rest or rest == self._damaged_rest:
            return self.reader.settle()
        before = counts.corrupt
        facts = self.reader.read(rest)
        counts.read += 1
        if decode_object(rest) is None:
            counts.corrupt = before + 1
            self._damaged_rest = rest
        else:
            self.tail.skip_rest(rest)
        return [*facts, *self.reader.settle()]

    def recount_rest(self, counts: ReadCounts) -> None:
        """Take in that more of the file was read: a damaged rest of it is counted with its line."""
        if self._damaged_rest:
            counts.read -= 1
            counts.corrupt -= 1
            self._damaged_rest = b""

    def released(self, until: int | None) -> Iterator[tuple[int, Fact]]:
        while self._waiting and (until is None or self._waiting[0][0] <= until):
            yield self._waiting.popleft()
