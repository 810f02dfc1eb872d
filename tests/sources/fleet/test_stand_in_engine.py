"""Scripts, keys, cards and cursors on a stand-in in this process: fast, and there without an engine's program."""

from typing import cast

import pytest
from fakeredis import FakeRedis, FakeRedisConnection, FakeServer
from hypothesis import given
from hypothesis import strategies as st
from redis.exceptions import NoScriptError, ResponseError
from typing_extensions import override

from seqthink.sources.fleet.cards import MAX_FIELD_BYTES, Card, card_of, fields_of
from seqthink.sources.fleet.engine import Line, SentNote, Shipment, StreamState
from seqthink.sources.fleet.layout import Layout, SessionName, is_session, member, name_of_member
from seqthink.sources.fleet.redis.origin import RedisOrigin
from seqthink.sources.fleet.redis.reader import RedisReader
from seqthink.sources.fleet.redis.reply_reader import ReplyReader
from seqthink.sources.fleet.redis.router import OneEngine
from seqthink.sources.fleet.redis.wire import EngineConnection, Opened

ORIGIN = "build17-abcdef"
ONE = SessionName(ORIGIN, "one")
LAYOUT = Layout("main")


class StandInConnection(FakeRedisConnection):
    """Its errors carry their codes, as an engine's do."""

    @override
    def read_response(self, **kwargs: object) -> object:
        try:
            return cast("object", super().read_response(**kwargs))  # pyright: ignore[reportUnknownMemberType] - the client has no types for it
        except NoScriptError as error:
            raise ResponseError(f"NOSCRIPT {error}") from error


class StandIn:
    """Both sides on one stand-in."""

    def __init__(self) -> None:
        self.server = server = FakeServer(version=(7, 0))

        def make() -> Opened:
            connection = StandInConnection(server=server, protocol=2, driver_info=None)
            return Opened(cast("EngineConnection", connection), ReplyReader())

        self.origin = RedisOrigin(OneEngine(make), LAYOUT, ORIGIN)
        self.reader = RedisReader(OneEngine(make), LAYOUT)


@pytest.fixture
def both() -> StandIn:
    return StandIn()


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(0, 6)), max_size=12))
def test_whatever_is_sent_the_lines_are_a_beginning_without_gaps(sendings: list[tuple[int, int]]) -> None:
    both = StandIn()
    there = 0
    for first, count in sendings:
        lines = [b"line %d" % number for number in range(first, first + count)]
        last = both.origin.append([Shipment("one", first, lines)])[0]
        there = max(there, first + count - 1) if first <= there + 1 else there
        assert last == there

    assert both.reader.lines(ONE, 0, 1 << 20) == [Line(number, b"line %d" % number) for number in range(1, there + 1)]
    assert both.origin.states(["one"]) == both.reader.states([ONE]) == [StreamState(min(there, 1), there)]


def test_many_sessions_go_in_one_call(both: StandIn) -> None:
    shipments = [Shipment(f"s{number}", 1, [b"x"] * number) for number in range(1, 50)]

    assert both.origin.append(shipments) == list(range(1, 50))


def test_the_end_comes_in_its_order(both: StandIn) -> None:
    both.origin.append([Shipment("one", 1, [b"%d" % number for number in range(1, 2501)])])

    assert [line.number for line in both.reader.ending(ONE, 3)] == [2498, 2499, 2500]
    assert [line.number for line in both.reader.ending(ONE, 2600)] == list(range(1, 2501))
    assert both.reader.ending(SessionName(ORIGIN, "none"), 3) == []


def test_lines_come_until_the_bytes_are_reached(both: StandIn) -> None:
    both.origin.append([Shipment("one", 1, [b"x" * 100_000] * 200)])

    first = both.reader.lines(ONE, 0, 1)
    assert first
    assert first[0].number == 1
    assert len(both.reader.lines(ONE, 0, 1 << 30)) == 200
    assert both.reader.lines(ONE, 200, 1) == []


def test_the_newest_sessions_are_listed_first(both: StandIn) -> None:
    both.origin.put_cards({f"s{number}": Card(last=number * 1_000_000) for number in range(100)})

    assert [listed.name.session for listed in both.reader.listed(3)] == ["s99", "s98", "s97"]
    assert len(both.reader.listed(1000)) == 100
    assert both.reader.listed(0) == []


def test_a_trimmed_session_says_what_is_kept(both: StandIn) -> None:
    both.origin.append([Shipment("one", 1, [b"x"] * 1000)])
    both.origin.trim("one", 100)

    state = both.reader.states([ONE])[0]
    assert state.last == 1000
    assert both.origin.states(["one"]) == [state]
    assert both.reader.lines(ONE, 0, 1 << 20)[0].number == state.first


def test_notes_out_of_bounds_are_passed_over(both: StandIn) -> None:
    good = SentNote("", "one", "0" * 16, "2026-01-01T00:00:00Z", "hello", "me", "")
    for note in (good._replace(text="x" * (17 << 10)), good._replace(session=""), good._replace(text=""), good):
        both.reader.send_note(ONE, note)
    for number in range(40):
        both.reader.send_note(ONE, good._replace(by="x" * 300, id=str(number)))
    both.reader.send_note(ONE, good._replace(text="last"))

    first = both.origin.notes("0-0", 0)
    assert [note.text for note in first] == ["hello"]
    second = both.origin.notes(first[-1].entry, 0)
    assert [note.text for note in second] == ["last"]
    assert both.origin.notes(second[-1].entry, 0) == []
    assert [note.text for note in both.origin.notes("no entry", 0)] == ["hello"]


def test_a_note_to_one_agent_comes_through_and_one_who_knows_no_agents_finds_no_text_in_it(both: StandIn) -> None:
    note = SentNote("", "one", "0" * 16, "2026-01-01T00:00:00Z", "hello", "me", "", "agent-1")
    both.reader.send_note(ONE, note)
    both.reader.send_note(ONE, note._replace(agent="x" * 1300))
    both.reader.send_note(ONE, note._replace(agent=""))

    to_one, to_any = both.origin.notes("0-0", 0)
    assert [to_one, to_any] == [note._replace(entry=to_one.entry), note._replace(entry=to_any.entry, agent="")]
    raw = FakeRedis(server=both.server).xrange(LAYOUT.notes(ORIGIN)) or []
    assert [b"text" in (fields or {}) for _, fields in raw] == [False, False, True]


@given(st.builds(Card, title=st.text(), cwd=st.text(), lines=st.integers(0, 2**53), head=st.text()))
def test_a_card_comes_back(card: Card) -> None:
    both = StandIn()
    both.origin.put_cards({"one": card})
    found = both.reader.cards([ONE])[0]

    assert found is not None
    assert found.lines == card.lines
    assert found.title == card.title.encode(errors="replace").decode()


def test_a_card_s_long_fields_are_cut_and_left_out() -> None:
    fields = fields_of(Card(title="ä" * 5000, head="x" * 20_000))

    assert len(str(fields["title"]).encode()) <= MAX_FIELD_BYTES
    assert fields["head"] == ""
    assert card_of({b"title": b"x" * 5000, b"lines": b"-5", b"thoughts": b"9" * 20, b"cwd": b"\xff"}) == Card(
        cwd="\ufffd"
    )
    assert card_of({}) is None


@given(st.text(max_size=200))
def test_only_names_that_stay_in_their_place_are_used(text: str) -> None:
    if is_session(text):
        assert "/" not in text
        assert not set(text) & set(":{}*?[] \n\0")
        assert name_of_member(member(SessionName(text, text)).encode()) == SessionName(text, text)
    else:
        assert name_of_member(f"{text} {text}".encode(errors="replace")) is None
