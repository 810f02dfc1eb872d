"""The side of a shipper: what it writes, and the notes that it takes."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Final

from seqthink.sources.fleet.cards import Card, fields_of
from seqthink.sources.fleet.engine import HEARTBEAT_SECONDS, SentNote, Shipment, StreamState
from seqthink.sources.fleet.failures import EngineUnavailableError
from seqthink.sources.fleet.layout import Layout, SessionName, member
from seqthink.sources.fleet.redis.notes import NotesReader
from seqthink.sources.fleet.redis.replies import FOREIGN_LAST, checked, number, pair_of
from seqthink.sources.fleet.redis.router import Keyed, Router
from seqthink.sources.fleet.redis.scripts import APPEND, STATE, Script
from seqthink.sources.fleet.redis.stream_lines import one_line_of
from seqthink.sources.fleet.redis.wire import Argument, Asking

KEEP_MILLISECONDS: Final = 30 * 24 * 3600 * 1000
"""How long a session is kept after its last line, if nothing else is said."""
_NEWS_KEPT: Final = 10_000
_COMMANDS_A_CALL: Final = 2000


class RedisOrigin:
    """The keys of one origin, an `OriginEngine`."""

    def __init__(self, router: Router, layout: Layout, origin: str, keep_milliseconds: int = KEEP_MILLISECONDS) -> None:
        self._router = router
        self._layout = layout
        self._origin = origin
        self._keep = keep_milliseconds
        self._append = Script(APPEND)
        self._state = Script(STATE)
        self._notes = NotesReader(router, layout.notes(origin))

    def append(self, shipments: Sequence[Shipment]) -> list[int]:
        """Append lines where they follow what is there (see `OriginEngine`)."""
        calls = [
            (self._lines_key(shipment.session), (shipment.first, self._keep, *shipment.lines)) for shipment in shipments
        ]
        return [_last(reply) for reply in self._append.run(self._router, calls)]

    def states(self, sessions: Sequence[str]) -> list[StreamState]:
        """Return what the engine has of each session."""
        found: list[StreamState] = []
        for at in range(0, len(sessions), _COMMANDS_A_CALL):
            calls = [(self._lines_key(session), ()) for session in sessions[at : at + _COMMANDS_A_CALL]]
            found += [pair_of(reply) for reply in self._state.run(self._router, calls)]
        return found

    def line(self, session: str, number: int) -> bytes | None:
        """Return one line of a session; None if it is not kept."""
        return one_line_of(self._router, self._lines_key(session), number)

    def put_cards(self, cards: Mapping[str, Card]) -> None:
        """Replace what lists show of these sessions; put them into the index and announce it.

        What is lost of index and news because the engine is away costs nothing: the next card says it again.
        """
        self._run([command for session, card in cards.items() for command in self._card_commands(session, card)])
        with suppress(EngineUnavailableError):
            self._run([self._index_command(session, card) for session, card in cards.items()])
            self._run([self._news_command(session, card) for session, card in cards.items()])

    def beat(self, alive: Collection[str], ended: Collection[str] = ()) -> None:
        """Say that the shipper and these sessions live, and that the ``ended`` do not."""
        keys = [self._layout.shipper(self._origin), *(self._alive_key(session) for session in alive)]
        beats: list[Keyed] = [Keyed(key, ("SET", key, 1, "EX", HEARTBEAT_SECONDS)) for key in keys]
        self._run(beats + [_delete(self._alive_key(session)) for session in ended])

    def leave(self) -> None:
        """Say that the shipper ends."""
        self._run([_delete(self._layout.shipper(self._origin))])

    def forget(self, sessions: Collection[str]) -> None:
        """Delete what the engine has of sessions. Their names in the index stay until they are tidied up."""
        names = [self._name(session) for session in sessions]
        layout = self._layout
        self._run(
            [_delete(key) for name in names for key in (layout.lines(name), layout.card(name), layout.alive(name))]
        )

    def notes(self, after: str, wait_seconds: float) -> list[SentNote]:
        """Return the notes behind the entry ``after`` (see `OriginEngine`)."""
        return self._notes.read(after, wait_seconds)

    def trim(self, session: str, keep_lines: int) -> None:
        """Drop all but about the last ``keep_lines`` lines of a session."""
        key = self._lines_key(session)
        self._run([Keyed(key, ("XTRIM", key, "MAXLEN", "~", keep_lines))])

    def close(self) -> None:
        """Close the connections; a call that waits in another thread ends."""
        self._router.close()

    def _run(self, commands: Sequence[Keyed]) -> None:
        for at in range(0, len(commands), _COMMANDS_A_CALL):
            for reply in self._router.run(commands[at : at + _COMMANDS_A_CALL], Asking()):
                checked(reply)

    def _name(self, session: str) -> SessionName:
        return SessionName(self._origin, session)

    def _lines_key(self, session: str) -> str:
        return self._layout.lines(self._name(session))

    def _alive_key(self, session: str) -> str:
        return self._layout.alive(self._name(session))

    def _card_commands(self, session: str, card: Card) -> tuple[Keyed, Keyed]:
        key = self._layout.card(self._name(session))
        words: list[Argument] = ["HSET", key]
        for field, value in fields_of(card).items():
            words += (field, value if isinstance(value, int) else value.encode(errors="replace"))
        return Keyed(key, words), Keyed(key, ("PEXPIRE", key, self._keep))

    def _index_command(self, session: str, card: Card) -> Keyed:
        key = self._layout.index(session)
        return Keyed(key, ("ZADD", key, card.last // 1000, member(self._name(session))))

    def _news_command(self, session: str, card: Card) -> Keyed:
        key = self._layout.news
        words = ("XADD", key, "MAXLEN", "~", _NEWS_KEPT, "*", "o", self._origin, "s", session, "n", card.lines)
        return Keyed(key, words)


def _delete(key: str) -> Keyed:
    return Keyed(key, ("DEL", key))


def _last(reply: object) -> int:
    """Return the last line there, as `pair_of` does."""
    found = checked(reply)
    return FOREIGN_LAST if found is None else number(found)
