"""The users that `roles` prints, on a real engine."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from redis.exceptions import NoPermissionError

from seqthink.sources.fleet.address import parse_address
from seqthink.sources.fleet.cards import Card
from seqthink.sources.fleet.engine import FleetEngine, OriginEngine, SentNote, Shipment
from seqthink.sources.fleet.failures import EngineRefusedError
from seqthink.sources.fleet.layout import SessionName
from seqthink.sources.fleet.opening import open_origin, open_reader
from seqthink.sources.fleet.roles import PASSWORD, roles
from tests.support.fleet.redis_server import WITHOUT_ENGINE, RedisServer, engine_program, running_server

MINE, OTHER = "build17-abcdef", "laptop-ghijkl"
ONE = SessionName(MINE, "one")
NOTE = SentNote("", "one", "0" * 16, "2026-01-01T00:00:00Z", "hello", "me", "")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    if not engine_program():
        pytest.skip(WITHOUT_ENGINE)
    folder: Path = tmp_path_factory.mktemp("roles")
    lines = roles("acme", MINE).replace(PASSWORD, "secret").splitlines()
    other = [line for line in roles("acme", OTHER).replace(PASSWORD, "secret").splitlines() if "user ship" in line]
    acl = "\n".join(
        [*(line for line in lines if line.startswith("user")), *other, "user admin on >secret ~* &* +@all", ""]
    )
    with running_server(folder, acl=acl, aof=True) as running:
        yield running


def environ(user: str) -> dict[str, str]:
    return {"SEQTHINK_FLEET_USER": user, "SEQTHINK_FLEET_PASSWORD": "secret"}


def shipper(server: RedisServer, origin: str, user: str) -> OriginEngine:
    return open_origin(parse_address(f"{server.url}/0/acme"), origin, environ(user))


def reader(server: RedisServer, user: str, tenant: str = "acme") -> FleetEngine:
    return open_reader(parse_address(f"{server.url}/0/{tenant}"), environ(user))


def test_each_role_does_its_work(server: RedisServer) -> None:
    side = shipper(server, MINE, f"ship-acme-{MINE}")
    view, steer = reader(server, "view-acme"), reader(server, "steer-acme")
    assert side.append([Shipment("one", 1, [b"1", b"2"])]) == [2]
    side.put_cards({"one": Card(title="t", lines=2)})
    side.beat(["one"], ["two"])
    side.trim("one", 100)
    steer.send_note(ONE, NOTE)

    assert [note.text for note in side.notes("0-0", 1)] == ["hello"]
    assert side.line("one", 2) == b"2"
    for watching in (view, steer):
        assert [listed.name for listed in watching.listed(5)] == [ONE]
        assert watching.states([ONE])[0].last == 2
        assert len(watching.lines(ONE, 0, 100)) == len(watching.ending(ONE, 5)) == 2
        assert watching.cards([ONE])[0] == Card(title="t", lines=2)
        assert watching.lives([ONE])[0].session
        assert watching.news("$", 0.01)[1] == []
        assert watching.wait({ONE: 1}, 5)
    side.forget(["one"])
    assert reader(server, "tidy-acme").tidy() == 1
    side.leave()


def test_a_shipper_has_its_own_keys_only(server: RedisServer) -> None:
    user = f"ship-acme-{OTHER}"
    foreign = shipper(server, MINE, user)
    shipper(server, OTHER, user).append([Shipment("one", 1, [b"1"])])

    for attempt in (
        lambda: foreign.append([Shipment("one", 1, [b"forged"])]),
        lambda: foreign.states(["one"]),
        lambda: foreign.notes("0-0", 0),
        lambda: foreign.put_cards({"one": Card()}),
        lambda: foreign.beat(["one"]),
        lambda: foreign.forget(["one"]),
        lambda: reader(server, user).listed(1),
        lambda: open_origin(parse_address(f"{server.url}/0/other"), OTHER, environ(user)).states(["one"]),
    ):
        with pytest.raises(EngineRefusedError, match="lacks a permission"):
            attempt()


def test_a_viewer_writes_nothing_and_sees_no_other_tenant(server: RedisServer) -> None:
    view = reader(server, "view-acme")

    with pytest.raises(EngineRefusedError, match="lacks a permission"):
        view.send_note(ONE, NOTE)
    with pytest.raises(EngineRefusedError, match="lacks a permission"):
        view.tidy()
    with pytest.raises(EngineRefusedError, match="lacks a permission"):
        reader(server, "view-acme", "other").listed(1)
    with pytest.raises(EngineRefusedError, match="lacks a permission"):
        shipper(server, MINE, "view-acme").append([Shipment("one", 1, [b"1"])])


def test_who_steers_adds_notes_and_nothing_else(server: RedisServer) -> None:
    client = server.client("steer-acme", "secret")
    line_key = f"seqthink:acme:{{{MINE}}}:e:one"

    with pytest.raises(NoPermissionError):
        client.xadd(line_key, {"l": "forged"})  # pyright: ignore[reportUnknownMemberType] - the client has no types for it
    with pytest.raises(NoPermissionError):
        client.delete(f"seqthink:acme:{{{MINE}}}:notes")
    with pytest.raises(NoPermissionError):
        client.flushall()  # pyright: ignore[reportUnknownMemberType] - the client has no types for it
    with pytest.raises(NoPermissionError):
        client.keys("*")  # pyright: ignore[reportUnknownMemberType] - the client has no types for it
    client.close()


def test_a_shipper_cannot_delete_what_all_share(server: RedisServer) -> None:
    client = server.client(f"ship-acme-{OTHER}", "secret")
    shared = ["seqthink:acme:news", *(f"seqthink:acme:index:{bucket}" for bucket in range(16))]

    for key in shared:
        with pytest.raises(NoPermissionError):
            client.delete(key)
    client.close()


def test_the_lines_are_taken_by_a_configuration_file(tmp_path: Path) -> None:
    if not engine_program():
        pytest.skip(WITHOUT_ENGINE)
    file = tmp_path / "users.conf"
    file.write_text(roles("acme", MINE).replace(PASSWORD, "secret"), encoding="ascii")
    with running_server(tmp_path / "engine", more=["--include", str(file)]) as running:
        found = open_reader(parse_address(f"{running.url}/0/acme"), environ("view-acme"))

        assert found.listed(1) == []

        found.close()


def test_a_wrong_password_and_none_are_refused(server: RedisServer) -> None:
    address = parse_address(f"{server.url}/0/acme")
    wrong = {"SEQTHINK_FLEET_USER": "view-acme", "SEQTHINK_FLEET_PASSWORD": "guess"}

    with pytest.raises(EngineRefusedError, match="refuses the user or the password"):
        open_reader(address, wrong).listed(1)
    with pytest.raises(EngineRefusedError, match="wants a password"):
        open_reader(address, {}).listed(1)


def test_what_the_engine_kept_is_there_after_a_crash(server: RedisServer) -> None:
    side = shipper(server, MINE, f"ship-acme-{MINE}")
    admin = server.client("admin", "secret")
    side.append([Shipment("kept", 1, [b"1", b"2"])])
    admin.config_set("appendfsync", "always")  # pyright: ignore[reportUnknownMemberType] - the client has no types for it
    side.append([Shipment("kept", 3, [b"3"])])
    admin.close()
    server.kill()
    server.start()

    assert side.states(["kept"])[0].last == 3
