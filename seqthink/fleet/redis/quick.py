"""The engine on one Redis server."""

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import redis

from seqthink.fleet.cards import Card, card_of, fields_of
from seqthink.fleet.engine import HEARTBEAT_SECONDS, Life, Line, ListedName, SentNote, Shipment, StreamState
from seqthink.fleet.failures import EngineRefusedError, EngineUnavailableError
from seqthink.fleet.layout import Layout, SessionName, is_origin, is_session, member, name_of_member

SCRIPT = """
local first, last = tonumber(ARGV[1]), 0
local info = redis.pcall('XINFO', 'STREAM', KEYS[1])
if not info.err then
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then last = tonumber(string.match(info[i + 1], '^%d+')) end
  end
end
if first > last + 1 then return last end
local upto = first + #ARGV - 3
for line = last + 1, upto do
  redis.call('XADD', KEYS[1], string.format('%.0f-0', line), 'l', ARGV[3 + line - first])
end
if upto > last then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return math.max(last, upto)
"""


@contextmanager
def failures() -> Iterator[None]:
    try:
        yield
    except (redis.AuthenticationError, redis.exceptions.NoPermissionError) as error:
        raise EngineRefusedError(str(error)) from error
    except redis.RedisError as error:
        raise EngineUnavailableError(str(error)) from error


class RedisOrigin:
    def __init__(self, client: Any, tenant: str, origin: str, keep_ms: int = 30 * 86400 * 1000) -> None:
        self._client, self._layout, self._origin, self._keep = client, Layout(tenant), origin, keep_ms
        self._sha = ""

    def _name(self, session: str) -> SessionName:
        return SessionName(self._origin, session)

    def append(self, shipments: Sequence[Shipment]) -> list[int]:
        with failures():
            self._sha = self._sha or self._client.script_load(SCRIPT)
            pipe = self._client.pipeline(transaction=False)
            for one in shipments:
                pipe.evalsha(self._sha, 1, self._layout.lines(self._name(one.session)), one.first, self._keep, *one.lines)
            try:
                return pipe.execute()
            except redis.exceptions.NoScriptError:
                self._sha = ""
                return self.append(shipments)

    def states(self, sessions: Sequence[str]) -> list[StreamState]:
        return [_state(self._client, self._layout.lines(self._name(session))) for session in sessions]

    def line(self, session: str, number: int) -> bytes | None:
        with failures():
            found = self._client.xrange(self._layout.lines(self._name(session)), f"{number}-0", f"{number}-0")
            return found[0][1].get(b"l") if found else None

    def put_cards(self, cards: Mapping[str, Card]) -> None:
        with failures():
            pipe = self._client.pipeline(transaction=False)
            for session, card in cards.items():
                name = self._name(session)
                pipe.hset(self._layout.card(name), mapping=fields_of(card))
                pipe.pexpire(self._layout.card(name), self._keep)
                pipe.zadd(self._layout.index(session), {member(name): card.last // 1000})
                pipe.xadd(self._layout.news, {"o": self._origin, "s": session, "n": card.lines}, maxlen=10_000)
            pipe.execute()

    def beat(self, alive: Collection[str], ended: Collection[str] = ()) -> None:
        with failures():
            pipe = self._client.pipeline(transaction=False)
            pipe.set(self._layout.shipper(self._origin), 1, ex=HEARTBEAT_SECONDS)
            for session in alive:
                pipe.set(self._layout.alive(self._name(session)), 1, ex=HEARTBEAT_SECONDS)
            for session in ended:
                pipe.set(self._layout.alive(self._name(session)), 1, px=1)
            pipe.execute()

    def leave(self) -> None:
        with failures():
            self._client.set(self._layout.shipper(self._origin), 1, px=1)

    def notes(self, after: str, wait_seconds: float) -> list[SentNote]:
        with failures():
            key = self._layout.notes(self._origin)
            block = int(wait_seconds * 1000) or None
            found = self._client.xread({key: after}, count=100, block=block)
            return [_note(entry.decode(), fields) for _, entries in found for entry, fields in entries]

    def trim(self, session: str, keep_lines: int) -> None:
        with failures():
            self._client.xtrim(self._layout.lines(self._name(session)), maxlen=keep_lines)

    def close(self) -> None:
        self._client.close()


class RedisReader:
    def __init__(self, client: Any, tenant: str) -> None:
        self._client, self._layout = client, Layout(tenant)

    def listed(self, limit: int) -> list[ListedName]:
        with failures():
            pipe = self._client.pipeline(transaction=False)
            for key in self._layout.indexes:
                pipe.zrevrange(key, 0, limit - 1, withscores=True)
            found = [one for bucket in pipe.execute() for one in bucket]
        found.sort(key=lambda one: -one[1])
        names = ((name_of_member(text), int(score)) for text, score in found[:limit])
        return [ListedName(name, score) for name, score in names if name is not None]

    def cards(self, names: Sequence[SessionName]) -> list[Card | None]:
        with failures():
            pipe = self._client.pipeline(transaction=False)
            for name in names:
                pipe.hgetall(self._layout.card(name))
            return [card_of(found) for found in pipe.execute()]

    def lives(self, names: Sequence[SessionName]) -> list[Life]:
        with failures():
            pipe = self._client.pipeline(transaction=False)
            for name in names:
                pipe.exists(self._layout.alive(name))
                pipe.exists(self._layout.shipper(name.origin))
            found = pipe.execute()
        return [Life(bool(a), bool(b)) for a, b in zip(found[::2], found[1::2], strict=True)]

    def states(self, names: Sequence[SessionName]) -> list[StreamState]:
        return [_state(self._client, self._layout.lines(name)) for name in names]

    def lines(self, name: SessionName, after: int, limit_bytes: int) -> list[Line]:
        with failures():
            return _lines(self._client.xrange(self._layout.lines(name), f"({after}-0", "+", count=max(1, limit_bytes // 700)))

    def ending(self, name: SessionName, count: int) -> list[Line]:
        with failures():
            return _lines(self._client.xrevrange(self._layout.lines(name), count=count)[::-1])

    def wait(self, after: Mapping[SessionName, int], seconds: float) -> dict[SessionName, list[Line]]:
        if not after:
            return {}
        keys = {self._layout.lines(name).encode(): name for name in after}
        with failures():
            found = self._client.xread({key: f"{after[name]}-0" for key, name in keys.items()}, count=1000, block=max(1, int(seconds * 1000)))
        return {keys[key]: _lines(entries) for key, entries in found}

    def news(self, after: str, seconds: float) -> tuple[str, list[SessionName]]:
        with failures():
            found = self._client.xread({self._layout.news: after}, count=1000, block=max(1, int(seconds * 1000)))
        if not found:
            return after, []
        entries = found[0][1]
        names = [SessionName(fields.get(b"o", b"").decode("ascii", "replace"), fields.get(b"s", b"").decode("ascii", "replace")) for _, fields in entries]
        return entries[-1][0].decode(), [name for name in names if is_origin(name.origin) and is_session(name.session)]

    def send_note(self, name: SessionName, note: SentNote) -> None:
        with failures():
            fields = {"s": note.session, "id": note.id, "time": note.time, "text": note.text, "by": note.by, "mac": note.mac}
            self._client.xadd(self._layout.notes(name.origin), fields, maxlen=1000)

    def close(self) -> None:
        self._client.close()


def _state(client: Any, key: str) -> StreamState:
    with failures():
        try:
            info = client.xinfo_stream(key)
        except redis.ResponseError as error:
            if "no such key" in str(error):
                return StreamState(0, 0)
            raise
    last = int(info["last-generated-id"].split(b"-")[0])
    first = info.get("first-entry")
    return StreamState(int(first[0].split(b"-")[0]) if first else 0, last)


def _lines(entries: Any) -> list[Line]:
    found = [(int(entry.split(b"-")[0]), fields.get(b"l")) for entry, fields in entries]
    return [Line(number, text) for number, text in found if text is not None]


def _note(entry: str, fields: Any) -> SentNote:
    return SentNote(entry, *(fields.get(name, b"").decode(errors="replace") for name in (b"s", b"id", b"time", b"text", b"by", b"mac")))
