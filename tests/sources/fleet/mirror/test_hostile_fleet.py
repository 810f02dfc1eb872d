"""A fleet in which others write what they like: nothing of it harms a reader, and nothing reaches a terminal raw."""

import re
from pathlib import Path

import pytest

from seqthink.chain.state import State
from seqthink.cli.fleet.reading import missing
from seqthink.journal.reader import JournalReader
from seqthink.library.places.fleet import FleetPlace
from seqthink.sources.fleet.address import parse_address
from seqthink.sources.fleet.cards import Card, CardPlace, encoded_place
from seqthink.sources.fleet.layout import INDEX_BUCKETS, Layout, SessionName
from seqthink.sources.fleet.mirror.folder import FleetFolder
from seqthink.sources.fleet.opening import open_reader
from tests.sources.fleet.mirror.conftest import NOW
from tests.sources.fleet.mirror.test_folder import BOX, HEAD, file_of, thought
from tests.support.depth import sized
from tests.support.fleet.memory_fleet import MemoryFleet
from tests.support.fleet.redis_server import RedisServer

BAD = "\x1b]0;owned\x07\x9b31m\u202eevil\u2066\x00\r\n" + "x" * 300
UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


def test_texts_of_a_card_are_safe_and_bounded(fleet: MemoryFleet, folder: FleetFolder) -> None:
    texts = dict.fromkeys(("name", "title", "client", "cwd", "model", "newest", "newest_number", "progress"), BAD)
    card = Card(
        **texts,
        place=encoded_place(CardPlace(BAD, BAD)),
        attention="asking",
        question=BAD,
        state="thinking",
        reason=BAD,
        doing=BAD,
        last=2**53,
    )
    fleet.put(BOX, card)
    fleet.alive.add(BOX)
    folder.refresh()
    summary = folder.summary_of(folder.listed[0].path)

    assert summary is not None
    place = summary.place
    texts_of_place = (place.folder, place.repository, place.address, place.branch)
    assert all(texts_of_place)
    for text in (summary.name, summary.title, summary.client, *texts_of_place, summary.model, summary.newest):
        assert not UNSAFE.search(text)
    for text in (summary.newest_number, summary.progress, summary.standing.question):
        assert not UNSAFE.search(text)
    assert len(summary.title) <= 220
    assert summary.last_change == NOW
    assert folder.host_of(folder.listed[0].path) == "build-box"


@pytest.mark.parametrize("word", ["", "nonsense", "THINKING", "thinking\x00", "left"])
def test_a_state_that_is_none_is_unknown(fleet: MemoryFleet, folder: FleetFolder, word: str) -> None:
    fleet.put(BOX, Card(state=word, attention=word, reason=word, doing=word))
    folder.refresh()
    summary = folder.summary_of(folder.listed[0].path)

    assert summary is not None
    assert summary.state in {State.UNKNOWN, State.LEFT}
    assert summary.name == BOX.session


@pytest.mark.parametrize(
    "head", ["no json", '{"v":1}', HEAD.decode() + "\n" + HEAD.decode(), "\ud800", '{"v":1,"seq":2,"type":"thought"}']
)
def test_a_head_that_is_no_first_line_is_left_out(fleet: MemoryFleet, folder: FleetFolder, head: str) -> None:
    lines = [HEAD, *map(thought, range(1, 9))]
    fleet.append(BOX, lines)
    fleet.put(BOX, Card(head=head, last=NOW))
    fleet.trim(BOX, 4)
    path = folder.resolve(None)
    folder.fill(path)

    assert path.read_bytes() == file_of(lines[3:])


def test_lines_that_are_no_events_are_counted_and_stay_lines(fleet: MemoryFleet, folder: FleetFolder) -> None:
    lines = [HEAD, b"no json", b"\xff\xfe\x00", b"", thought(1), b"a\nb\n", b'{"v":1,"seq":9}', thought(2) + b"\r"]
    fleet.append(BOX, lines)
    fleet.put(BOX, Card(last=NOW))
    path = folder.resolve(None)

    assert folder.fill(path)
    assert path.read_bytes().count(b"\n") == len(lines)
    batch = JournalReader(path).read()
    assert len(batch.corrupt_lines) == 5
    assert len(batch.events) == 3


def test_holes_and_jumps_in_a_stream_end_somewhere(fleet: MemoryFleet, folder: FleetFolder) -> None:
    fleet.streams[BOX] = {1: HEAD, 5: thought(1), 2**52: thought(2)}
    fleet.last_numbers[BOX] = 2**53
    fleet.put(BOX, Card(last=NOW))
    path = folder.resolve(None)
    folder.fill(path)
    folder.fill(path)
    copied = folder.copy(path, path.with_name("copy"))

    assert path.read_bytes() == file_of([HEAD, thought(1), thought(2)])
    assert missing(folder, path) == ["some lines between are missing"]
    assert FleetPlace(folder).session(path).remark == "some lines between are missing"
    assert copied.has_holes
    copied.close()


def test_thousands_of_origins_are_a_list(fleet: MemoryFleet, folder: FleetFolder) -> None:
    origins = sized(1_000, 10_000)
    for number in range(origins):
        fleet.put(SessionName(f"host{number}-aaaaaa", "same-id"), Card(name=f"n{number}", last=NOW - number))
    folder.refresh(origins)
    folder.refresh(100)

    assert len(folder.listed) == 100
    assert folder.host_of(folder.listed[0].path) == "host0"
    last = f"host{origins - 1}"
    assert folder.name_of(folder.resolve(f"{last}/same")) == SessionName(f"{last}-aaaaaa", "same-id")


def test_foreign_keys_under_our_names_harm_nobody(redis_server: RedisServer, tmp_path: Path) -> None:
    layout, client = Layout("main"), redis_server.client()
    for bucket in range(INDEX_BUCKETS):
        members = [
            "",
            " ",
            "../../etc passwd",
            "a/b c",
            "a b/../../c",
            "a b c",
            "\x1b[31m x",
            "x" * 4000 + " y",
            ".. ..",
        ]
        client.zadd(layout.indexes[bucket], dict.fromkeys(members, 9e15))
        client.zadd(layout.indexes[bucket], {f"good-aaaaaa s{bucket}": float("inf"), f"good-aaaaaa t{bucket}": -5.5})
    names = [SessionName("good-aaaaaa", f"s{bucket}") for bucket in range(INDEX_BUCKETS)]
    client.set(layout.card(names[0]), "a string")
    client.hset(layout.card(names[1]), mapping={"title": "\x1b[31m", "lines": "-1", "last": "9" * 30, "bytes": "1e9"})
    client.hset(layout.card(names[2]), mapping={"title": "x" * 100_000, "nothing": "known"})
    client.hset(layout.card(names[3]), mapping={"state": "done"})
    client.set(layout.lines(names[1]), "no stream")
    client.xadd(layout.lines(names[2]), {"x": "y"}, id="7-3")
    client.xadd(layout.lines(names[2]), {"l": thought(1), "l2": "z"}, id="8-0")
    client.lpush(layout.lines(names[3]), "no stream")
    client.set(layout.news, "no stream")
    client.close()
    address = parse_address(redis_server.url)
    folder = FleetFolder(lambda: open_reader(address, {}), {"XDG_RUNTIME_DIR": str(tmp_path)}, lambda: NOW)
    try:
        folder.refresh()
        paths = [file.path for file in folder.listed]
        for path in paths:
            folder.fill(path)
            folder.follow(path)
        folder.on_change(lambda _: None)
        found = {name for path in paths if (name := folder.name_of(path))}
        private = {path.parent.parent for path in paths}
    finally:
        folder.close()

    assert found <= set(names)
    assert names[3] in found
    assert len(private) == 1
