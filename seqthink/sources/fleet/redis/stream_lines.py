"""Lines of a session out of its stream, in replies that stay small: as many at once as fit, a large one alone."""

import re
from collections.abc import Iterator
from typing import Final

from seqthink.sources.fleet.engine import Line, StreamState
from seqthink.sources.fleet.failures import NonsenseReplyError
from seqthink.sources.fleet.redis.replies import MAX_LINE_BYTES, StreamEntry, checked, entries, line_of
from seqthink.sources.fleet.redis.reply_reader import UnreadReplyError
from seqthink.sources.fleet.redis.router import Keyed, Router
from seqthink.sources.fleet.redis.wire import Asking

BATCH_BYTES: Final = 8 << 20
"""Bound of a reply with several lines."""
_COUNT: Final = 1000
_VAIN_ROUNDS: Final = 100
"""At most this many replies without a line are read."""
_LAST_MINOR: Final = 2**64 - 1
_ONE_LINE: Final = re.compile(
    rb"\*1\r\n\*2\r\n\$[0-9]{1,2}\r\n([0-9]{1,16})-0\r\n\*2\r\n\$1\r\nl\r\n\$([0-9]{1,9})\r\n"
)
_FIRST_ENTRY: Final = re.compile(rb"\*1\r\n\*2\r\n\$[0-9]{1,2}\r\n([0-9]{1,20})-([0-9]{1,20})\r\n")


class StreamLines:
    """A stream, read in one direction, from the line behind a number to its end or backwards to its beginning."""

    def __init__(self, router: Router, key: str, after: int = 0, *, backwards: bool = False) -> None:
        self._router = router
        self._key = key
        self._cursor = f"({after}-{_LAST_MINOR}" if after else "-"
        if backwards:
            self._cursor = "+"
        self._backwards = backwards
        self._count = _COUNT
        self._last = (after, _LAST_MINOR) if after else (0, -1)
        if backwards:
            self._last = (_LAST_MINOR, _LAST_MINOR)
        self._vain_rounds = 0
        self.is_done = False
        """Whether there is nothing more."""

    def next(self, most: int = _COUNT) -> list[Line]:
        """Return about this many of the next lines; empty if what was there is not ours, or nothing more is there.

        Raises:
            SeqthinkError: As `Router.run`.
        """
        count = self._count if self._vain_rounds else max(1, min(self._count, most))
        try:
            found = list(entries(self._ask(count, Asking(BATCH_BYTES))))
        except UnreadReplyError as error:
            if count > 1:
                self._count = max(1, count // 8)
                return []
            return self._one(error)
        return self._lines(found, count)

    def _ask(self, count: int, asking: Asking) -> object:
        command, end = ("XREVRANGE", "-") if self._backwards else ("XRANGE", "+")
        words = (command, self._key, self._cursor, end, "COUNT", count)
        return checked(self._router.run([Keyed(self._key, words)], asking)[0])

    def _lines(self, found: list[StreamEntry], asked: int) -> list[Line]:
        """Return the lines in entries, and go on behind them."""
        for entry in found:
            self._pass(entry.major, entry.minor)
        lines = [line for line in map(line_of, found) if line]
        self._vain_rounds = 0 if lines else self._vain_rounds + 1
        if len(found) < asked or self._vain_rounds > _VAIN_ROUNDS:
            self.is_done = True
        if sum(len(line.text) for line in lines) * 4 < BATCH_BYTES:
            self._count = min(_COUNT, self._count * 2)
        return lines

    def _pass(self, major: int, minor: int) -> None:
        """Go on behind an entry; nobody can hold us with the same ones again and again."""
        is_later = (major, minor) < self._last if self._backwards else (major, minor) > self._last
        if not is_later:
            raise NonsenseReplyError("the engine answered with other lines than those asked for")
        self._last = (major, minor)
        self._cursor = f"({major}-{minor}"

    def _one(self, error: UnreadReplyError) -> list[Line]:
        """Return a line that is alone in its reply; what is there instead and is not a line is passed over."""
        self._count = 1
        found = _ONE_LINE.match(error.head)
        if found and int(found[2]) <= MAX_LINE_BYTES:
            reply = list(entries(self._ask(1, Asking(MAX_LINE_BYTES + 1024, opening=_ONE_LINE))))
            return self._lines(reply, 1)
        foreign = _FIRST_ENTRY.match(error.head)
        if not foreign:
            raise NonsenseReplyError("the engine answered with something else than lines") from error
        self._pass(int(foreign[1]), int(foreign[2]))
        return []


def one_line_of(router: Router, key: str, number: int) -> bytes | None:
    """Return one line; None if it is not kept.

    Raises:
        SeqthinkError: As `Router.run`.
    """
    words = ("XRANGE", key, f"{number}-0", f"{number}-0", "COUNT", 1)
    try:
        reply = router.run([Keyed(key, words)], Asking(BATCH_BYTES))[0]
    except UnreadReplyError as error:
        found = _ONE_LINE.match(error.head)
        if not found or int(found[2]) > MAX_LINE_BYTES:
            return None
        reply = router.run([Keyed(key, words)], Asking(MAX_LINE_BYTES + 1024, opening=_ONE_LINE))[0]
    lines = [line.text for line in map(line_of, entries(checked(reply))) if line and line.number == number]
    return lines[0] if lines else None


def within(stream: StreamLines, limit_bytes: int, limit_lines: int = 1 << 60) -> Iterator[Line]:
    """Yield lines of a stream until this many bytes or lines are reached; at least one if there is one.

    Raises:
        SeqthinkError: As `Router.run`.
    """
    size = count = 0
    while not stream.is_done and count < limit_lines and size < limit_bytes:
        for line in stream.next(limit_lines - count)[: limit_lines - count]:
            yield line
            size += len(line.text)
            count += 1


def state_in_head(head: bytes) -> StreamState:
    """Return what a description of a stream says whose first or last line is too large, from how it began."""
    last = _LAST_ID.search(head)
    first = _FIRST_ID.search(head)
    if not last or not first:
        raise NonsenseReplyError("the engine answered with something else than the state of a session")
    return StreamState(int(first[1]), int(last[1]))


_LAST_ID: Final = re.compile(rb"\r\nlast-generated-id\r\n\$[0-9]{1,2}\r\n([0-9]{1,16})-")
_FIRST_ID: Final = re.compile(rb"\r\nfirst-entry\r\n\*2\r\n\$[0-9]{1,2}\r\n([0-9]{1,16})-")
