"""Both sides on a real engine."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from seqthink.sources.fleet.address import parse_address
from seqthink.sources.fleet.cards import Card
from seqthink.sources.fleet.engine import FleetEngine, Life, Line, OriginEngine, SentNote, Shipment, StreamState
from seqthink.sources.fleet.layout import SessionName
from seqthink.sources.fleet.opening import open_origin, open_reader
from tests.support.fleet.redis_server import RedisServer

ORIGIN = "build17-abcdef"
ONE = SessionName(ORIGIN, "one")


class Sides(NamedTuple):
    """Both sides of one engine."""

    origin: OriginEngine
    reader: FleetEngine


@pytest.fixture
def sides(redis_server: RedisServer) -> Iterator[Sides]:
    address = parse_address(redis_server.url)
    found = Sides(open_origin(address, ORIGIN, {}), open_reader(address, {}))
    yield found
    found.origin.close()
    found.reader.close()


def test_lines_come_back_as_they_were(sides: Sides) -> None:
    lines = [b'{"v":1}', b"\r", b"", b"\x00\xff", b"l"]

    assert sides.origin.append([Shipment("one", 1, lines)]) == [5]
    assert sides.reader.lines(ONE, 0, 1000) == [Line(number, text) for number, text in enumerate(lines, 1)]
    assert sides.origin.line("one", 2) == b"\r"
    assert sides.origin.line("one", 6) is None


def test_what_is_there_is_skipped_and_a_gap_is_refused(sides: Sides) -> None:
    assert sides.origin.append([Shipment("one", 1, [b"1", b"2"]), Shipment("two", 2, [b"x"])]) == [2, 0]
    assert sides.origin.append([Shipment("one", 2, [b"other", b"3"]), Shipment("one", 5, [b"5"])]) == [3, 3]
    assert [line.text for line in sides.reader.lines(ONE, 0, 1000)] == [b"1", b"2", b"3"]
    assert sides.origin.states(["one", "two"]) == [StreamState(1, 3), StreamState(0, 0)]


def test_a_large_line_comes_alone_and_stops_no_list(sides: Sides) -> None:
    large = b"x" * (20 << 20)
    sides.origin.append([Shipment("one", 1, [large, b"2", b"3"])])

    assert sides.reader.lines(ONE, 0, 1000) == [Line(1, large)]
    assert sides.reader.lines(ONE, 1, 1000) == [Line(2, b"2"), Line(3, b"3")]
    assert sides.reader.states([ONE, SessionName(ORIGIN, "none")]) == [StreamState(1, 3), StreamState(0, 0)]
    assert sides.reader.wait({ONE: 0}, 5) == {ONE: [Line(1, large)]}
    assert sides.origin.line("one", 1) == large


def test_lists_show_cards_and_lives(sides: Sides) -> None:
    card = Card(title="Fix it", last=1_700_000_000_000_000, lines=3)
    sides.origin.put_cards({"one": card, "two": Card(last=1_800_000_000_000_000)})
    sides.origin.beat(["one"])

    names = [listed.name for listed in sides.reader.listed(10)]
    assert names == [SessionName(ORIGIN, "two"), ONE]
    assert sides.reader.cards([ONE, SessionName(ORIGIN, "none")]) == [card, None]
    assert sides.reader.lives(names) == [Life(False, True), Life(True, True)]
    assert sorted(sides.reader.news("0-0", 0)[1]) == sorted(names)

    sides.origin.beat([], ["one"])
    sides.origin.leave()

    assert sides.reader.lives([ONE]) == [Life(False, False)]


def test_notes_come_in_their_order(sides: Sides) -> None:
    sent = [
        SentNote("", "one", f"{number:016x}", "2026-01-01T00:00:00Z", f"note {number}", "me", "") for number in range(3)
    ]
    for note in sent:
        sides.reader.send_note(ONE, note)

    found = sides.origin.notes("0-0", 0)

    assert [note._replace(entry="") for note in found] == sent
    assert sides.origin.notes(found[-1].entry, 0) == []


def test_a_forgotten_session_is_tidied_out_of_the_index(sides: Sides) -> None:
    sides.origin.append([Shipment("one", 1, [b"1"])])
    sides.origin.put_cards({"one": Card(), "two": Card()})
    sides.origin.forget(["one"])

    assert sides.reader.states([ONE]) == [StreamState(0, 0)]
    assert sides.reader.tidy() == 1
    assert [listed.name.session for listed in sides.reader.listed(10)] == ["two"]
