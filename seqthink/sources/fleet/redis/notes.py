"""Notes to one origin's agents, read in their order; what is none, or too large, is passed over."""

import re
from typing import Final

from seqthink.sources.fleet.engine import SentNote
from seqthink.sources.fleet.failures import NonsenseReplyError, ReplyTooLargeError
from seqthink.sources.fleet.redis.replies import checked, entries, note_of
from seqthink.sources.fleet.redis.reply_reader import SMALL_REPLY, UnreadReplyError
from seqthink.sources.fleet.redis.router import Keyed, Router
from seqthink.sources.fleet.redis.translation import code_of
from seqthink.sources.fleet.redis.wire import Asking

_COUNT: Final = 32
_BOUND: Final = 1 << 20
_OTHERS: Final = "the engine answered with other notes than those asked for"
_FIRST_ENTRY: Final = re.compile(rb"\*1\r\n\*2\r\n\$[0-9]{1,2}\r\n([0-9]{1,20}-[0-9]{1,20})\r\n")
_ENTRY: Final = re.compile(r"[0-9]{1,20}-[0-9]{1,20}")


class NotesReader:
    """The notes of one origin."""

    def __init__(self, router: Router, key: str) -> None:
        self._router = router
        self._key = key
        self._passed: dict[str, str] = {}
        """Up to where nothing is a note, by where one asked: so that rubbish is read once."""

    def read(self, after: str, wait_seconds: float) -> list[SentNote]:
        """Return notes behind the entry ``after``; waits for one so long.

        Raises:
            SeqthinkError: As `Router.run`.
        """
        if not _ENTRY.fullmatch(after):
            after = "0-0"
        cursor = self._passed.get(after, after)
        notes, cursor = self._there(cursor)
        if not notes and wait_seconds > 0:
            self._wait(cursor, wait_seconds)
            notes, cursor = self._there(cursor)
        self._passed = {after: cursor} if not notes else {}
        return notes

    def _there(self, cursor: str) -> tuple[list[SentNote], str]:
        """Return the next notes, and up to where there are none if there are none."""
        count = _COUNT
        while True:
            command = Keyed(self._key, ("XRANGE", self._key, f"({cursor}", "+", "COUNT", count))
            try:
                found = list(entries(checked(self._router.run([command], Asking(_BOUND))[0])))
            except UnreadReplyError as error:
                if count > 1:
                    count = 1
                else:
                    cursor, count = _passed(error, cursor), _COUNT
                continue
            notes = [note for note in map(note_of, found) if note]
            if notes or not found:
                return notes, cursor
            cursor = _later(found[-1].id.decode("ascii"), cursor)

    def _wait(self, cursor: str, seconds: float) -> None:
        milliseconds = max(1, int(seconds * 1000))
        words = ("XREAD", "COUNT", 1, "BLOCK", milliseconds, "STREAMS", self._key, cursor)
        try:
            reply = self._router.run([Keyed(self._key, words)], Asking(SMALL_REPLY, seconds=seconds))[0]
        except ReplyTooLargeError:
            return
        if code_of(reply) != "UNBLOCKED":
            checked(reply)


def _passed(error: UnreadReplyError, cursor: str) -> str:
    """Return the entry that is too large, to go on behind it."""
    found = _FIRST_ENTRY.match(error.head)
    entry = found[1].decode("ascii") if found else ""
    if not found:
        raise NonsenseReplyError(_OTHERS) from error
    return _later(entry, cursor)


def _later(entry: str, cursor: str) -> str:
    """Return an entry, if it is behind the cursor: nobody can hold us with the same ones again and again."""
    if _order(entry) <= _order(cursor):
        raise NonsenseReplyError(_OTHERS)
    return entry


def _order(entry: str) -> tuple[int, int]:
    major, _, minor = entry.partition("-")
    return int(major), int(minor)
