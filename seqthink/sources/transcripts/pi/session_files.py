"""Which files a session of pi has: its own, and the sessions that were copied from it."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.files.families import Copy
from seqthink.sources.transcripts.files.jsonl_feed import TranscriptFile
from seqthink.sources.transcripts.pi.records import PiReader


class PiFiles:
    """The files of one session, and the state that their readers share."""

    def __init__(self, main: Path, session: str, counts: ReadCounts, copies: Callable[[], Sequence[Copy]]) -> None:
        """Read the session whose file is ``main``; ``copies`` returns the sessions that were copied from it."""
        self._main = main
        self._counts = counts
        self._copies = copies
        self._owners: dict[str, str | None] = {}
        self._paths = {session: main}
        self._files = {main: TranscriptFile(main, PiReader(session, counts, self._owners))}

    def files(self) -> Iterable[TranscriptFile]:
        """Return the files that there are now, the main one first."""
        for copy in self._copies():
            if copy.path not in self._files:
                reader = PiReader(copy.id, self._counts, self._owners, agent=copy.id, copied_from=copy.original)
                before = self._paths.get(copy.original, self._main)
                self._files[copy.path] = TranscriptFile(copy.path, reader, after=before)
                self._paths[copy.id] = copy.path
        return list(self._files.values())
