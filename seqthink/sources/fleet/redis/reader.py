"""The side of a reader: lists, states and lines of all origins, as they come."""

import time
from collections.abc import Mapping, Sequence
from threading import Event
from typing import Final

from seqthink.core.labels import MAX_LABELS_BYTES
from seqthink.sources.fleet.cards import MAX_FIELD_BYTES, MAX_HEAD_BYTES, Card, card_of
from seqthink.sources.fleet.engine import Life, Line, ListedName, SentNote, StreamState
from seqthink.sources.fleet.failures import EngineUnavailableError, ReplyTooLargeError
from seqthink.sources.fleet.layout import Layout, SessionName, is_origin, is_session
from seqthink.sources.fleet.redis.arrivals import LineArrivals
from seqthink.sources.fleet.redis.replies import AGENT_TEXT, checked, entries, listed_of, scored, state_of, streams
from seqthink.sources.fleet.redis.reply_reader import SMALL_REPLY, UnreadReplyError
from seqthink.sources.fleet.redis.router import Keyed, Router
from seqthink.sources.fleet.redis.stream_lines import StreamLines, state_in_head, within
from seqthink.sources.fleet.redis.tidying import tidy
from seqthink.sources.fleet.redis.translation import code_of, is_list
from seqthink.sources.fleet.redis.wire import Asking

_FIELDS: Final = Card.__struct_fields__
_CARD_BYTES: Final = len(_FIELDS) * (MAX_FIELD_BYTES + 32) + MAX_HEAD_BYTES + MAX_LABELS_BYTES
_STATE_BYTES: Final = 256 << 10
_MEMBER_BYTES: Final = 340
_CHUNK: Final = 200
"""Commands whose replies may be large, in one call."""
_NEWS_COUNT: Final = 1000
_NOTES_KEPT: Final = 1000
_ENDING_BYTES: Final = 8 << 20


class RedisReader:
    """The keys of all origins of a tenant, a `FleetEngine`."""

    def __init__(self, router: Router, layout: Layout) -> None:
        self._router = router
        self._layout = layout
        self._closed = Event()
        self._arrivals = LineArrivals(router, layout, self._closed)

    def listed(self, limit: int) -> list[ListedName]:
        """Return the sessions that changed last, the newest first, at most ``limit``."""
        if limit < 1:
            return []
        asks = [Keyed(key, ("ZREVRANGE", key, 0, limit - 1, "WITHSCORES")) for key in self._layout.indexes]
        replies = self._router.run(asks, Asking(SMALL_REPLY + limit * _MEMBER_BYTES))
        found = sorted(
            ((score, spelled) for reply in replies for spelled, score in scored(reply)), key=lambda pair: -pair[0]
        )
        names: dict[SessionName, ListedName] = {}
        for score, spelled in found:
            one = listed_of(spelled, score)
            if one and one.name not in names:
                names[one.name] = one
                if len(names) == limit:
                    break
        return list(names.values())

    def cards(self, names: Sequence[SessionName]) -> list[Card | None]:
        """Return what lists show of sessions; None for one without a card."""
        keys = [self._layout.card(name) for name in names]
        asks = [Keyed(key, ("HMGET", key, *_FIELDS)) for key in keys]
        return [_card(reply) for reply in self._each(asks, Asking(_CARD_BYTES))]

    def lives(self, names: Sequence[SessionName]) -> list[Life]:
        """Return whose heartbeats there are."""
        keys = [self._layout.alive(name) for name in names]
        keys += [self._layout.shipper(origin) for origin in dict.fromkeys(name.origin for name in names)]
        replies = self._each([Keyed(key, ("EXISTS", key)) for key in keys], Asking(), 5000)
        lives = {key for key, reply in zip(keys, replies, strict=True) if checked(reply) == 1}
        return [Life(self._layout.alive(name) in lives, self._layout.shipper(name.origin) in lives) for name in names]

    def states(self, names: Sequence[SessionName]) -> list[StreamState]:
        """Return what the engine has of each session."""
        keys = [self._layout.lines(name) for name in names]
        asks = [Keyed(key, ("XINFO", "STREAM", key)) for key in keys]
        return [_state(reply) for reply in self._each(asks, Asking(_STATE_BYTES))]

    def lines(self, name: SessionName, after: int, limit_bytes: int) -> list[Line]:
        """Return lines behind number ``after`` (see `FleetEngine`)."""
        return list(within(StreamLines(self._router, self._layout.lines(name), after), limit_bytes))

    def ending(self, name: SessionName, count: int) -> list[Line]:
        """Return the last lines of a session, at most ``count``, in their order."""
        stream = StreamLines(self._router, self._layout.lines(name), backwards=True)
        return list(within(stream, _ENDING_BYTES, count))[::-1]

    def wait(self, after: Mapping[SessionName, int], seconds: float) -> dict[SessionName, list[Line]]:
        """Wait at most so long for lines behind the numbers, and return those that came; empty if none did."""
        return self._arrivals.wait(after, seconds)

    def news(self, after: str, seconds: float) -> tuple[str, list[SessionName]]:
        """Return the sessions that moved since ``after``, and what to ask with next (see `FleetEngine`)."""
        key = self._layout.news
        if after == "$":
            newest = self._router.run([Keyed(key, ("XREVRANGE", key, "+", "-", "COUNT", 1))], Asking())[0]
            after = next((entry.id.decode("ascii") for entry in entries(checked(newest))), "0-0")
        end = time.monotonic() + seconds
        words = ["XREAD", "COUNT", _NEWS_COUNT]
        if seconds > 0:
            words += ["BLOCK", max(1, int(seconds * 1000))]
        reply = self._router.run([Keyed(key, (*words, "STREAMS", key, after))], Asking(1 << 20, seconds=seconds))[0]
        if code_of(reply) == "WRONGTYPE":
            self._closed.wait(max(0.0, end - time.monotonic()))
        moved: dict[SessionName, None] = {}
        for entry in [entry for _, found in streams(checked(reply)) for entry in entries(found)]:
            after = entry.id.decode("ascii")
            name = _moved(entry.fields)
            if name:
                moved[name] = None
        return after, list(moved)

    def send_note(self, name: SessionName, note: SentNote) -> None:
        """Send a note to a session's machine; ``note.entry`` is not used."""
        key = self._layout.notes(name.origin)
        fields = (
            "s",
            note.session,
            "id",
            note.id,
            "time",
            note.time,
            AGENT_TEXT if note.agent else "text",
            note.text,
            "by",
            note.by,
            "mac",
            note.mac,
            *(("agent", note.agent) if note.agent else ()),
        )
        words = ("XADD", key, "MAXLEN", "~", _NOTES_KEPT, "*", *fields)
        if checked(self._router.run([Keyed(key, words)], Asking())[0]) is None:
            raise EngineUnavailableError("the engine has something else where the notes of that machine belong")

    def tidy(self) -> int:
        """Remove the sessions without a card from the index, and return how many; needs an administrator's rights."""
        return tidy(self._router, self._layout)

    def close(self) -> None:
        """Close the connections; a call that waits in another thread ends."""
        self._closed.set()
        self._router.close()

    def _each(self, asks: Sequence[Keyed], asking: Asking, at_once: int = _CHUNK) -> list[object]:
        """Return the replies; one that is too large is its error, and the others come all the same."""
        replies: list[object] = []
        for at in range(0, len(asks), at_once):
            some = asks[at : at + at_once]
            try:
                replies += self._router.run(some, asking)
            except ReplyTooLargeError:
                replies += [self._alone(ask, asking) for ask in some]
        return replies

    def _alone(self, ask: Keyed, asking: Asking) -> object:
        try:
            return self._router.run([ask], asking)[0]
        except UnreadReplyError as error:
            return error


def _card(reply: object) -> Card | None:
    if isinstance(reply, ReplyTooLargeError):
        return None
    found = checked(reply)
    if not is_list(found) or len(found) != len(_FIELDS):
        return None
    named = zip(_FIELDS, found, strict=True)
    return card_of({name.encode(): value for name, value in named if isinstance(value, bytes)})


def _state(reply: object) -> StreamState:
    return state_in_head(reply.head) if isinstance(reply, UnreadReplyError) else state_of(reply)


def _moved(fields: Sequence[object]) -> SessionName | None:
    """Return the session that an entry of the news names; None if it names none."""
    found = {name: value for name, value in zip(fields[::2], fields[1::2], strict=False) if isinstance(name, bytes)}
    origin, session = found.get(b"o"), found.get(b"s")
    if not isinstance(origin, bytes) or not isinstance(session, bytes) or len(origin) + len(session) > 300:
        return None
    name = SessionName(origin.decode("ascii", "replace"), session.decode("ascii", "replace"))
    return name if is_origin(name.origin) and is_session(name.session) else None
