"""Keys under our names that are not ours, on a real engine: nothing fails, and nothing else is stopped."""

from collections.abc import Iterator
from threading import Event, Thread
from typing import cast

import pytest

from seqthink.core.errors import SeqthinkError
from seqthink.sources.fleet.address import parse_address
from seqthink.sources.fleet.cards import Card
from seqthink.sources.fleet.engine import FleetEngine, Life, Line, OriginEngine, SentNote, Shipment, StreamState
from seqthink.sources.fleet.failures import EngineUnavailableError
from seqthink.sources.fleet.layout import Layout, SessionName
from seqthink.sources.fleet.opening import open_origin, open_reader
from seqthink.sources.fleet.redis.replies import FOREIGN_LAST
from tests.support.fleet.redis_server import RedisServer

ORIGIN = "build17-abcdef"
ONE, TWO = SessionName(ORIGIN, "one"), SessionName(ORIGIN, "two")
LAYOUT = Layout("main")
RUBBISH = ["", "one", "../.. one", "a b c", "x" * 1000, "\x1b[31m one", "é one", f"{ORIGIN} .."]
NOTE = SentNote("", "one", "0" * 16, "2026-01-01T00:00:00Z", "hello", "me", "")


@pytest.fixture
def origin(redis_server: RedisServer) -> Iterator[OriginEngine]:
    side = open_origin(parse_address(redis_server.url), ORIGIN, {})
    yield side
    side.close()


@pytest.fixture
def reader(redis_server: RedisServer) -> Iterator[FleetEngine]:
    side = open_reader(parse_address(redis_server.url), {})
    yield side
    side.close()


def command(server: RedisServer, *words: object) -> object:
    client = server.client()
    try:
        return cast("object", client.execute_command(*words))  # pyright: ignore[reportUnknownMemberType, reportArgumentType] - the client has no types for it
    finally:
        client.close()


def test_keys_of_another_kind_are_left_out(
    redis_server: RedisServer, origin: OriginEngine, reader: FleetEngine
) -> None:
    keys = [LAYOUT.lines(ONE), LAYOUT.card(ONE), LAYOUT.notes(ORIGIN), LAYOUT.news, *LAYOUT.indexes[:15]]
    for key in keys:
        command(redis_server, "SADD", key, "rubbish")
    command(redis_server, "SADD", LAYOUT.alive(ONE), "rubbish")
    origin.append([Shipment("two", 1, [b"2"])])

    assert origin.append([Shipment("one", 1, [b"1"])]) == [FOREIGN_LAST]
    assert origin.states(["one", "two"]) == [StreamState(0, FOREIGN_LAST), StreamState(1, 1)]
    assert origin.line("one", 1) is None
    origin.put_cards({"one": Card(), "two": Card(title="t")})
    origin.trim("one", 1)
    assert origin.notes("0-0", 0.01) == []
    assert {listed.name for listed in reader.listed(5)} <= {ONE, TWO}
    assert reader.cards([ONE, TWO]) == [None, Card(title="t")]
    assert reader.states([ONE, TWO]) == [StreamState(0, 0), StreamState(1, 1)]
    assert reader.lives([ONE, TWO]) == [Life(True, False), Life(False, False)]
    assert reader.lines(ONE, 0, 100) == reader.ending(ONE, 5) == []
    assert reader.wait({ONE: 0}, 0.05) == {}
    assert reader.wait({ONE: 0, TWO: 0}, 5) == {TWO: [Line(1, b"2")]}
    assert reader.news("0-0", 0.01) == ("0-0", [])
    with pytest.raises(EngineUnavailableError, match="something else where the notes"):
        reader.send_note(ONE, NOTE)
    assert reader.tidy() == 0


def test_entries_that_are_no_lines_are_passed_over(
    redis_server: RedisServer, origin: OriginEngine, reader: FleetEngine
) -> None:
    key = LAYOUT.lines(ONE)
    origin.append([Shipment("one", 1, [b"1"])])
    for entry, fields in [("1-5", ["l", "x"]), ("2-1", ["l", "x"]), ("3-0", ["z", "x"]), ("4-0", ["l", "x", "m", "y"])]:
        command(redis_server, "XADD", key, entry, *fields)
    command(redis_server, "XADD", key, "5-0", "z", "x" * (20 << 20))
    command(redis_server, "XADD", key, "6-0", "l", "two\nlines")
    for number in range(7, 300):
        command(redis_server, "XADD", key, f"{number}-1", "l", "x")
    command(redis_server, "XADD", key, "300-0", "l", "mine")

    assert [line.number for line in reader.lines(ONE, 0, 1 << 20)] == [1, 300]
    assert [line.number for line in reader.ending(ONE, 5)] == [1, 300]
    assert reader.lines(ONE, 1, 10) == [Line(300, b"mine")]
    assert reader.wait({ONE: 1}, 10) == {ONE: [Line(300, b"mine")]}
    assert reader.wait({ONE: 300}, 0.05) == {}
    assert origin.line("one", 3) is None


def test_rubbish_in_the_index_and_the_news_is_left_out(
    redis_server: RedisServer, origin: OriginEngine, reader: FleetEngine
) -> None:
    for place, spelled in enumerate(RUBBISH):
        command(redis_server, "ZADD", LAYOUT.indexes[place], "inf", spelled)
    origin.put_cards({"one": Card(last=5_000)})
    for fields in (["o", "..", "s", "one"], ["x", "y"], ["o", ORIGIN, "s", "a/b"], ["o", "x" * 5000, "s", "y"]):
        command(redis_server, "XADD", LAYOUT.news, "*", *fields)

    assert [listed.name for listed in reader.listed(5)] == [ONE]
    assert reader.news("0-0", 0)[1] == [ONE]
    assert reader.tidy() == len(RUBBISH)


def test_large_values_in_cards_and_notes_stop_nothing(
    redis_server: RedisServer, origin: OriginEngine, reader: FleetEngine
) -> None:
    origin.put_cards({"one": Card(), "two": Card(title="t")})
    command(redis_server, "HSET", LAYOUT.card(ONE), "title", "x" * (20 << 20))
    reader.send_note(ONE, NOTE)
    command(redis_server, "XADD", LAYOUT.notes(ORIGIN), "*", "s", "one", "text", "x" * (20 << 20))
    reader.send_note(ONE, NOTE._replace(text="later"))

    assert reader.cards([ONE, TWO]) == [None, Card(title="t")]
    assert [note.text for note in origin.notes("0-0", 0)] == ["hello"]
    first = origin.notes("0-0", 0)[0].entry
    assert [note.text for note in origin.notes(first, 1)] == ["later"]


def test_who_waits_is_woken_by_a_line_and_by_the_end(
    redis_server: RedisServer, origin: OriginEngine, reader: FleetEngine
) -> None:
    found: list[object] = []
    waits = Event()

    def wait() -> None:
        waits.set()
        found.append(reader.wait({ONE: 0}, 60))
        try:
            reader.wait({ONE: 1}, 60)
        except SeqthinkError as error:
            found.append(str(error))

    thread = Thread(target=wait)
    thread.start()
    waits.wait()
    _until_blocked(redis_server)
    origin.append([Shipment("one", 1, [b"1"])])
    _until_blocked(redis_server)
    reader.close()
    thread.join(30)

    assert not thread.is_alive()
    assert found == [{ONE: [Line(1, b"1")]}, "the connection was closed"]


def _until_blocked(server: RedisServer) -> None:
    pause = Event()
    while cast("dict[str, int]", command(server, "INFO", "clients"))["blocked_clients"] != 1:
        pause.wait(0.01)


def test_a_crash_and_an_idle_connection_are_got_over(redis_server: RedisServer, origin: OriginEngine) -> None:
    origin.append([Shipment("one", 1, [b"1"])])
    redis_server.kill()

    with pytest.raises(EngineUnavailableError):
        origin.append([Shipment("one", 2, [b"2"])])

    redis_server.start()

    assert origin.append([Shipment("one", 2, [b"2"])]) == [0]
    assert origin.append([Shipment("one", 1, [b"1", b"2"])]) == [2]
