"""Which lines of a rollout are there a second time: a write that was done again, or a file that was appended to itself.

A line has its time. So one that is there already and is older than what was read last was written again, and so are
those behind it as far as they are known, too. Lines of one time may be alike, as those that a fork copies in one burst.
"""

from seqthink.sources.transcripts.codex.line_head import LineHead


class RepeatedLines:
    """Follows the lines of one rollout."""

    def __init__(self) -> None:
        self._known: set[int] = set()
        self._beginning: int | None = None
        self._last: int | None = None
        self._newest_time = ""
        self._is_repeating = False

    def take(self, line: bytes, head: LineHead | None) -> bool:
        """Take in the next line; return whether it is there already."""
        name, time = hash(line), head.timestamp if head is not None else ""
        is_known = name in self._known
        is_older = head is not None and time < self._newest_time
        self._is_repeating = is_known and (self._is_repeating or is_older or name == self._beginning)
        is_repeated = self._is_repeating or (head is not None and name == self._last)
        self._known.add(name)
        self._last, self._newest_time = name, max(time, self._newest_time)
        return is_repeated

    def note_beginning(self) -> None:
        """The line that was taken last says whose rollout this is: so it is there once."""
        self._beginning = self._last
