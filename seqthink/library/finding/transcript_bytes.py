"""Finds transcripts that may hold the words by the bytes of their files, before the far slower translation."""

import os
import re
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import IO, Final

from seqthink.chain.query import Query
from seqthink.sources.transcripts.files.jsonl_feed import JsonlFeed
from seqthink.sources.transcripts.files.tail import open_own_file
from seqthink.sources.transcripts.source import FoundSession, Source

_BLOCK_BYTES: Final = 128 << 10
_ESCAPE: Final = b"\\u"
_PLAIN_RUN: Final = re.compile(r"[A-Za-z0-9_ -]+")
"""Characters that nobody escapes, also where JSON is quoted in JSON."""


class TranscriptBytes:
    """Looks for the words of a query in the files of transcripts.

    Args:
        query: the words.
    """

    def __init__(self, query: Query) -> None:
        self._folds = not query.is_case_sensitive
        runs = [max(_PLAIN_RUN.findall(word), key=len, default="") for word in query.words]
        self._parts = [run.lower().encode() if self._folds else run.encode() for run in runs if run]
        self._others = [word.encode("utf-8", "surrogatepass") for word in query.words if _is_caseless(word)]

    def may_be_in(self, source: Source, found: FoundSession) -> bool:
        """Return whether a session may hold the words; true where only its translation can decide."""
        if not self._parts and not self._others:
            return True
        try:
            feed = source.open(found)
            with closing(feed):
                paths = feed.files_now if isinstance(feed, JsonlFeed) else None
            return paths is None or self._are_in(paths)
        except OSError:
            return True

    def _are_in(self, paths: Sequence[Path]) -> bool:
        wanted = {*self._parts, *self._others}
        for path in paths:
            try:
                with os.fdopen(open_own_file(path), "rb") as file:
                    wanted -= self._found_in(file, wanted)
            except OSError:
                continue
            if not wanted:
                return True
        return False

    def _found_in(self, file: IO[bytes], wanted: set[bytes]) -> set[bytes]:
        found = set[bytes]()
        overlap, rest = max(map(len, wanted)), b""
        while found != wanted and (piece := file.read(_BLOCK_BYTES)):
            block = rest + piece
            folded = block.lower() if self._folds else block
            is_escaped = bool(self._others) and _ESCAPE in block
            found |= {part for part in wanted - found if part in folded or (is_escaped and part in self._others)}
            rest = block[-overlap:]
        return found


def _is_caseless(word: str) -> bool:
    return not word.isascii() and word == word.lower() == word.upper() and not _PLAIN_RUN.search(word)
