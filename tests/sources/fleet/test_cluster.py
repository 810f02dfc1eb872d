"""Both sides on a real cluster of three nodes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from redis.crc import key_slot

from seqthink.core.errors import UsageError
from seqthink.sources.fleet.address import parse_address
from seqthink.sources.fleet.cards import Card
from seqthink.sources.fleet.engine import Line, SentNote, Shipment, StreamState
from seqthink.sources.fleet.failures import EngineRefusedError, EngineUnavailableError
from seqthink.sources.fleet.layout import Layout, SessionName
from seqthink.sources.fleet.opening import open_origin, open_reader
from tests.support.fleet.redis_cluster import RedisCluster, running_cluster
from tests.support.fleet.redis_server import WITHOUT_ENGINE, RedisServer, engine_program

ORIGINS = [f"machine{number}-abcdef" for number in range(6)]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisCluster]:
    if not engine_program():
        pytest.skip(WITHOUT_ENGINE)
    folder: Path = tmp_path_factory.mktemp("cluster")
    with running_cluster(folder) as running:
        yield running


def test_machines_of_all_nodes_are_on_one_list(cluster: RedisCluster) -> None:
    address = parse_address(f"{cluster.url}/0/lists")
    names = [SessionName(origin, "one") for origin in ORIGINS]
    for number, origin in enumerate(ORIGINS):
        side = open_origin(address, origin, {})
        assert side.append([Shipment("one", 1, [b"1", origin.encode()])]) == [2]
        side.put_cards({"one": Card(title=origin, last=number * 1_000_000)})
        side.beat(["one"])
        reader_note = SentNote("", "one", "0" * 16, "now", "hello", "me", "")
        reader = open_reader(address, {})
        reader.send_note(names[number], reader_note)
        assert [note.text for note in side.notes("0-0", 1)] == ["hello"]
        reader.close()
        side.close()
    reader = open_reader(address, {})

    assert [listed.name for listed in reader.listed(10)] == names[::-1]
    assert [card.title for card in reader.cards(names) if card] == ORIGINS
    assert all(life.session and life.shipper for life in reader.lives(names))
    assert reader.states(names) == [StreamState(1, 2)] * len(names)
    assert reader.wait(dict.fromkeys(names, 1), 10) == {name: [Line(2, name.origin.encode())] for name in names}
    assert reader.wait(dict.fromkeys(names, 2), 0.05) == {}
    assert reader.wait({names[0]: 1}, 10) == {names[0]: [Line(2, ORIGINS[0].encode())]}
    assert len(reader.news("0-0", 0)[1]) == len(names)
    reader.close()


def test_a_key_that_moves_is_followed(cluster: RedisCluster) -> None:
    address = parse_address(f"{cluster.url}/0/moves")
    side, reader = open_origin(address, "mover-abcdef", {}), open_reader(address, {})
    name = SessionName("mover-abcdef", "one")
    assert side.append([Shipment("one", 1, [b"1"])]) == [1]
    assert reader.states([name]) == [StreamState(1, 1)]
    side.forget(["one"])
    slot = key_slot(Layout("moves").lines(name).encode())
    holder = cluster.nodes[slot * 3 // 16384]
    cluster.move(slot, next(node for node in cluster.nodes if node is not holder))

    assert side.append([Shipment("one", 1, [b"1", b"2"])]) == [2]
    assert reader.lines(name, 1, 100) == [Line(2, b"2")]
    side.close()
    reader.close()


def test_the_address_says_that_it_is_a_cluster(cluster: RedisCluster, redis_server: RedisServer) -> None:
    one_node = open_reader(parse_address(f"redis://127.0.0.1:{cluster.nodes[0].port}"), {})
    no_cluster = open_reader(parse_address(f"redis+cluster://127.0.0.1:{redis_server.port}"), {})

    with pytest.raises(EngineRefusedError, match=r"redis\+cluster://"):
        one_node.listed(1)
    with pytest.raises(EngineRefusedError, match="neither a cluster nor a Sentinel"):
        no_cluster.listed(1)
    with pytest.raises(UsageError, match="only database 0"):
        parse_address(f"{cluster.url}/3")


def test_a_node_that_is_down_is_missed_and_comes_back(cluster: RedisCluster) -> None:
    address = parse_address(f"{cluster.url}/0/down")
    key = Layout("down").lines(SessionName("downer-abcdef", "one"))
    node = cluster.nodes[key_slot(key.encode()) * 3 // 16384]
    side = open_origin(address, "downer-abcdef", {})
    side.append([Shipment("one", 1, [b"1"])])
    node.kill()

    with pytest.raises(EngineUnavailableError):
        side.append([Shipment("one", 2, [b"2"])])

    node.start()
    cluster.wait()

    assert side.states(["one"]) == [StreamState(0, 0)]
    assert side.append([Shipment("one", 1, [b"1", b"2"])]) == [2]
    side.close()
