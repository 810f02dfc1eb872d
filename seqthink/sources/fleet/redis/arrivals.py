"""Waiting for the next lines of many sessions.

Where one command may ask for all of them, the engine keeps it until a line comes. Sessions of several slots of a
cluster cannot be in one command: they are asked for again and again, at growing distances.
"""

import time
from collections.abc import Mapping, Sequence
from threading import Event
from typing import Final

from seqthink.sources.fleet.engine import Line
from seqthink.sources.fleet.failures import ReplyTooLargeError
from seqthink.sources.fleet.layout import Layout, SessionName
from seqthink.sources.fleet.redis.replies import StreamEntry, checked, entries, line_of, streams
from seqthink.sources.fleet.redis.router import Keyed, Router
from seqthink.sources.fleet.redis.stream_lines import BATCH_BYTES, StreamLines, within
from seqthink.sources.fleet.redis.translation import code_of
from seqthink.sources.fleet.redis.wire import Asking

_COUNT: Final = 200
"""Lines of a session in one reply."""
_STREAMS: Final = 500
"""Sessions that one command asks for."""
_SOONEST: Final = 0.005
_LATEST: Final = 0.05
_LAST_MINOR: Final = 2**64 - 1
_STATE_BYTES: Final = 256 << 10


class LineArrivals:
    """What comes for sessions."""

    def __init__(self, router: Router, layout: Layout, closed: Event) -> None:
        self._router = router
        self._layout = layout
        self._closed = closed

    def wait(self, after: Mapping[SessionName, int], seconds: float) -> dict[SessionName, list[Line]]:
        """Wait at most so long for lines behind the numbers, and return those that came; empty if none did.

        Raises:
            SeqthinkError: As `Router.run`.
        """
        end = time.monotonic() + seconds
        cursors = {name: f"{number}-{_LAST_MINOR}" if number else "0-0" for name, number in after.items()}
        pause = _SOONEST
        while True:
            left = max(0.0, end - time.monotonic())
            blocks = left > 0 and 0 < len(cursors) <= _STREAMS and self._share(cursors)
            came, passed = self._ask(after, cursors, left if blocks else 0.0)
            if came or self._closed.is_set() or time.monotonic() >= end:
                return came
            cursors |= passed
            if not blocks:
                self._closed.wait(min(pause, max(0.0, end - time.monotonic())))
                pause = min(pause * 2, _LATEST)

    def _share(self, cursors: Mapping[SessionName, str]) -> bool:
        return self._router.share_call([self._layout.lines(name) for name in cursors])

    def _ask(
        self, after: Mapping[SessionName, int], cursors: dict[SessionName, str], seconds: float
    ) -> tuple[dict[SessionName, list[Line]], dict[SessionName, str]]:
        """Return the lines that are there, and how far entries go that are none."""
        names = {self._layout.lines(name): name for name in cursors}
        groups = [[*names]] if seconds else self._groups(names)
        commands = [_command([(key, cursors[names[key]]) for key in group], seconds) for group in groups]
        try:
            replies = self._router.run(commands, Asking(BATCH_BYTES, seconds=seconds))
        except ReplyTooLargeError:
            return self._singly(after), {}
        came: dict[SessionName, list[Line]] = {}
        passed: dict[SessionName, str] = {}
        for group, reply in zip(groups, replies, strict=True):
            if code_of(reply) == "WRONGTYPE":
                self._leave_foreign([names[key] for key in group], cursors)
            elif code_of(reply) != "UNBLOCKED":
                for key, found in streams(checked(reply)):
                    if key in names:
                        name = names[key]
                        self._sort(name, after[name], list(entries(found)), came, passed)
        return came, passed

    def _groups(self, names: Mapping[str, SessionName]) -> list[list[str]]:
        by_origin: dict[str, list[str]] = {}
        for key, name in names.items():
            by_origin.setdefault(name.origin, []).append(key)
        if self._router.share_call([*names]):
            by_origin = {"": [*names]}
        return [keys[at : at + _STREAMS] for keys in by_origin.values() for at in range(0, len(keys), _STREAMS)]

    @staticmethod
    def _sort(
        name: SessionName,
        after: int,
        found: Sequence[StreamEntry],
        came: dict[SessionName, list[Line]],
        passed: dict[SessionName, str],
    ) -> None:
        lines: list[Line] = []
        for line in map(line_of, found):
            if line and line.number > (lines[-1].number if lines else after):
                lines.append(line)
        if lines:
            came[name] = lines
        elif found:
            passed[name] = found[-1].id.decode("ascii")

    def _singly(self, after: Mapping[SessionName, int]) -> dict[SessionName, list[Line]]:
        """Return the lines of the first session that has some, for replies that are too large."""
        for name, number in after.items():
            lines = list(within(StreamLines(self._router, self._layout.lines(name), number), BATCH_BYTES))
            if lines:
                return {name: lines}
        return {}

    def _leave_foreign(self, names: Sequence[SessionName], cursors: dict[SessionName, str]) -> None:
        """Ask no more in this call for keys that hold something else than a stream."""
        for name in names:
            key = self._layout.lines(name)
            command = Keyed(key, ("XRANGE", key, "-", "-"))
            if code_of(self._router.run([command], Asking(_STATE_BYTES))[0]) == "WRONGTYPE":
                cursors.pop(name, None)


def _command(cursors: Sequence[tuple[str, str]], seconds: float) -> Keyed:
    keys = [key for key, _ in cursors]
    words = ["XREAD", "COUNT", _COUNT]
    if seconds:
        words += ["BLOCK", max(1, int(seconds * 1000))]
    return Keyed(keys[0], (*words, "STREAMS", *keys, *(cursor for _, cursor in cursors)))
