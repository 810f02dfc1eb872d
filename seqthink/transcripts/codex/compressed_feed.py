"""Reads a session of which some file is compressed: once, from the beginning to the end, since it no longer grows."""

import heapq
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import IO, Final

from seqthink.transcripts.codex.zstandard_files import open_rollout
from seqthink.transcripts.facts import Fact
from seqthink.transcripts.files.jsonl_feed import TranscriptFile
from seqthink.transcripts.files.tail import MAX_LINE_BYTES
from seqthink.transcripts.source import FactBatch, ReadCounts

_SLICE_BYTES: Final = 65_536


class CompressedFeed:
    """A `SessionFeed` of files that are read as streams; their facts come in the order of their times."""

    def __init__(self, files: Sequence[TranscriptFile], counts: ReadCounts) -> None:
        """Read these files, the main one first, whose readers count in ``counts``.

        Raises:
            OSError: the main one cannot be opened.
        """
        self._counts = counts
        self._files = files
        self._others = [file.path for file in files[1:]]
        self._bytes_read = 0
        self._streams: list[IO[bytes]] = [open_rollout(files[0].path)]
        parts = {files[0].path: [self._facts_of(self._streams[0], files[0])]}
        for file in files[1:]:
            try:
                self._streams.append(open_rollout(file.path))
            except OSError:
                continue
            # One that comes after another is read when that one has been.
            row = parts.get(file.after or file.path, [])
            row.append(self._facts_of(self._streams[-1], file))
            parts[file.path] = row
        rows = {id(row): chain.from_iterable(row) for row in parts.values()}
        self._facts = heapq.merge(*rows.values(), key=lambda pair: pair[0])
        self._is_done = False

    @property
    def counts(self) -> ReadCounts:
        """What became of the records so far."""
        return self._counts

    @property
    def agent_files(self) -> Sequence[Path]:
        """The files besides the main one."""
        return self._others

    def read(self, limit_bytes: int) -> FactBatch:
        """Return the facts of about the next ``limit_bytes`` bytes, decompressed (see `SessionFeed`)."""
        until = self._bytes_read + max(limit_bytes, 1)
        facts: list[Fact] = []
        while not self._is_done and self._bytes_read < until:
            pair = next(self._facts, None)
            if pair is None:
                self._is_done = True
            else:
                facts.append(pair[1])
        return FactBatch(facts, self._is_done)

    def settle(self) -> list[Fact]:
        """Return what is certain only if nothing more comes (see `SessionFeed`)."""
        return [fact for file in self._files for fact in file.reader.settle()]

    def close(self) -> None:
        """Close what is open. Calling it again does nothing."""
        self._is_done = True
        for stream in self._streams:
            stream.close()

    def _facts_of(self, stream: IO[bytes], file: TranscriptFile) -> Iterator[tuple[int, Fact]]:
        reached = -(1 << 63)
        for line in self._lines(stream):
            for fact in file.reader.read(line) if file.reader.wants(line) else ():
                reached = max(reached, fact.time)
                yield reached, fact

    def _lines(self, stream: IO[bytes]) -> Iterator[bytes]:
        """Yield the complete lines; a broken stream ends where it breaks."""
        is_too_long = False
        try:
            while line := stream.readline(MAX_LINE_BYTES + 1):
                self._bytes_read += len(line)
                if not line.endswith(b"\n"):
                    is_too_long = True
                elif is_too_long:
                    is_too_long = False
                    self._counts.too_long += 1
                    self._counts.read += 1
                elif not line.isspace():
                    self._counts.read += 1
                    yield line[:-1]
        except Exception:  # noqa: BLE001 (each decompressor has errors of its own for a broken file)
            self._counts.corrupt += 1
