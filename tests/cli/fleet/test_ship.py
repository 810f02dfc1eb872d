"""`seqthink ship` on a real engine, as its user starts it."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from seqthink.sources.fleet.address import parse_address
from seqthink.sources.fleet.engine import FleetEngine, SentNote
from seqthink.sources.fleet.layout import SessionName
from seqthink.sources.fleet.opening import open_reader
from tests.support.depth import first
from tests.support.fleet.redis_server import WITHOUT_ENGINE, RedisServer, engine_program, running_server
from tests.support.fleet.running_shipper import wait_until
from tests.support.servers.client_scripts import handshake, think
from tests.support.servers.commands import TIMEOUT_SECONDS, command, environment, seqthink
from tests.support.servers.server_paths import lines

JOURNALS = Path(__file__).parents[2] / "journals"
ORIGIN = "desk-aaaaaa"


@pytest.fixture
def server(tmp_path: Path) -> Generator[RedisServer]:
    if not engine_program():
        pytest.skip(WITHOUT_ENGINE)
    with running_server(tmp_path / "engine") as running:
        yield running


@pytest.fixture
def sessions(seqthink_home: Path) -> Path:
    folder = seqthink_home / "sessions"
    folder.mkdir()
    for name in ("full", "shop-api"):
        shutil.copy(JOURNALS / f"{name}.jsonl", folder)
    return folder


@contextmanager
def reader(server: RedisServer) -> Generator[FleetEngine]:
    engine = open_reader(parse_address(server.url), {})
    yield engine
    engine.close()


@contextmanager
def shipping(*arguments: str) -> Generator[subprocess.Popen[bytes]]:
    """Run a shipper beside the block."""
    process = subprocess.Popen(
        command("ship", *arguments), env=environment(), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=TIMEOUT_SECONDS)


def text_of(engine: FleetEngine, session: str) -> bytes:
    return b"".join(line.text + b"\n" for line in engine.lines(SessionName(ORIGIN, session), 0, 1 << 20))


def test_once_ships_all_and_says_so(server: RedisServer, sessions: Path) -> None:
    done = seqthink("ship", server.url, "--once", "--verbatim", "--origin", ORIGIN)

    assert (done.returncode, done.stdout, done.stderr) == (0, "all is there: 57 lines sent, 2 sessions\n", "")
    with reader(server) as engine:
        for name in ("full", "shop-api"):
            assert text_of(engine, name) == (sessions / f"{name}.jsonl").read_bytes()
        assert {listed.name.session for listed in engine.listed(10)} == {"full", "shop-api"}


@pytest.mark.usefixtures("sessions")
def test_once_says_what_is_missing_where_there_is_no_engine() -> None:
    done = seqthink("ship", "redis://127.0.0.1:1", "--once", "--timeout", "1")

    assert done.returncode == 1
    assert "trying again until it works" in done.stderr
    assert "not all is there: 42 lines of full, 15 lines of shop-api" in done.stderr


def test_status_counts_lines_here_and_there(server: RedisServer, sessions: Path) -> None:
    seqthink("ship", server.url, "--once", "--origin", ORIGIN)
    with (sessions / "full.jsonl").open("ab") as file:
        file.write(b"more\n")

    shown = seqthink("ship", server.url, "--status", "--json", "--origin", ORIGIN)
    table = seqthink("ship", server.url, "--status", "--origin", ORIGIN)

    counts = {row["session"]: (row["here"], row["there"], row["behind"]) for row in json.loads(shown.stdout)}
    assert counts == {"full": (43, 42, 1), "shop-api": (15, 15, 0)}
    assert "2 sessions, 1 line behind; a shipper of this folder was last seen at" in table.stdout


def test_what_comes_is_there_at_once_and_a_signal_ends_it(server: RedisServer, sessions: Path) -> None:
    with shipping(server.url, "--verbatim", "--origin", ORIGIN) as process, reader(server) as engine:
        wait_until(lambda: text_of(engine, "full"))
        with (sessions / "full.jsonl").open("ab") as file:
            file.write(b"more\n")
        wait_until(lambda: text_of(engine, "full").endswith(b"more\n"))
        wait_until(lambda: engine.lives([SessionName(ORIGIN, "full")])[0].shipper)
        process.send_signal(signal.SIGINT)

        assert process.wait(TIMEOUT_SECONDS) == 130
        assert not engine.lives([SessionName(ORIGIN, "full")])[0].shipper


def test_a_note_comes_through_the_engine(server: RedisServer, sessions: Path) -> None:
    name = SessionName(ORIGIN, "full")
    with shipping(server.url, "--notes", "--origin", ORIGIN), reader(server) as engine:
        wait_until(lambda: engine.cards([name])[0])
        engine.send_note(name, SentNote("", "full", "0123456789abcdef", "2026-03-10T14:00:00Z", "look", "ana@desk", ""))
        notes = sessions / "full.notes.jsonl"
        wait_until(lambda: notes.exists() and b'"text":"look"' in notes.read_bytes())


@pytest.mark.usefixtures("sessions")
def test_one_session_is_shipped_until_its_end(server: RedisServer) -> None:
    with shipping(server.url, "--session", "full", "--origin", ORIGIN) as process, reader(server) as engine:
        assert process.wait(TIMEOUT_SECONDS) == 0
        assert [listed.name.session for listed in engine.listed(10)] == ["full"]


@pytest.mark.usefixtures("sessions")
def test_deleting_a_session_deletes_its_copy(server: RedisServer) -> None:
    with shipping(server.url, "--verbatim", "--origin", ORIGIN), reader(server) as engine:
        wait_until(lambda: len(engine.listed(10)) == 2)
        wait_until(lambda: text_of(engine, "full"))

        assert seqthink("delete", "full", "--yes").returncode == 0
        wait_until(lambda: engine.cards([SessionName(ORIGIN, "full")]) == [None])

        assert text_of(engine, "full") == b""
        assert text_of(engine, "shop-api") != b""


def test_prune_keeps_what_is_not_shipped_yet(sessions: Path) -> None:
    seqthink("ship", "redis://127.0.0.1:1", "--once", "--timeout", "1", "--since", "9999w")

    done = seqthink("prune", "--older-than", "1h")

    assert {path.name for path in sessions.iterdir()} == {"full.jsonl", "shop-api.jsonl"}
    assert "kept full: not all of it is shipped; `seqthink ship --status` says how much" in done.stderr


def test_names_without_a_session_are_tidied_away(server: RedisServer) -> None:
    client = server.client()
    client.zadd("seqthink:main:index:3", {"desk-aaaaaa gone": 1, "nonsense": 2})

    done = seqthink("ship", server.url, "--tidy")

    assert done.stdout == "2 names without a session taken out of the index\n"
    assert client.exists("seqthink:main:index:3") == 0
    client.close()


@pytest.mark.parametrize(
    ("arguments", "message"),
    first(
        2,
        [
            ([], "ship: where to? name the engine, as in `seqthink ship redis://127.0.0.1:6379`"),
            (["redis://h", "--once", "--status"], "ship: --once and --status exclude each other; leave one out"),
            (["redis://h", "--json"], "ship: --json is for --status only; add that, or leave it out"),
            (["redis://h", "--origin", "a/b"], "ship: --origin takes letters, digits"),
            (["redis://h", "--keep", "0d"], "must be a number above 0"),
            (["http://h"], ""),
            (["redis://me:secret@h"], "SEQTHINK_FLEET_PASSWORD"),
        ],
        is_unpacked=True,
    ),
)
def test_wrong_usage_is_one_line(arguments: list[str], message: str) -> None:
    done = seqthink("ship", *arguments)

    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert message in done.stderr
    assert "secret@" not in done.stderr


def test_a_wrong_password_ends_it_with_one_line(tmp_path: Path, sessions: Path) -> None:
    if not engine_program():
        pytest.skip(WITHOUT_ENGINE)
    with running_server(
        tmp_path / "other", acl="user default off resetpass ~* &* +@all\nuser ana on >right ~* &* +@all"
    ) as server:
        environ = environment(SEQTHINK_FLEET_USER="ana", SEQTHINK_FLEET_PASSWORD="wrong")
        done = subprocess.run(
            command("ship", server.url), env=environ, capture_output=True, text=True, encoding="utf-8",
            timeout=TIMEOUT_SECONDS, check=False,
        )  # fmt: skip

    assert (done.returncode, done.stderr.count("\n"), done.stdout) == (2, 1, "")
    assert os.fspath(sessions) not in done.stderr


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="this system has no such order")
@pytest.mark.usefixtures("sessions")
def test_a_shipper_that_follows_gives_way_to_the_agents_of_its_machine(server: RedisServer) -> None:
    with shipping(server.url, "--origin", ORIGIN) as process, reader(server) as engine:
        wait_until(lambda: text_of(engine, "full"))

        niceness = os.getpriority(os.PRIO_PROCESS, process.pid)

    assert niceness > os.getpriority(os.PRIO_PROCESS, 0)


def test_a_shipper_that_redacts_does_not_load_what_asks_services(server: RedisServer, sessions: Path) -> None:
    """The detectors' library would load it, with a sixth of the memory that a shipper takes."""
    token = b"ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    with (sessions / "full.jsonl").open("ab") as file:
        file.write(token + b"\n")
    program = (
        "import sys; from seqthink.__main__ import main; "
        f"main(['ship', '{server.url}', '--once', '--origin', '{ORIGIN}']); "
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(), capture_output=True, text=True, encoding="utf-8",
        timeout=TIMEOUT_SECONDS, check=True,
    )  # fmt: skip
    with reader(server) as engine:
        sent = text_of(engine, "full")

    assert {"detect_secrets.plugins.github_token", "requests", "urllib3"} & set(done.stderr.split()) == {
        "detect_secrets.plugins.github_token"
    }
    assert sent.endswith(b"[redacted GitHub Token]\n")


def test_the_roles_are_printed_without_an_engine() -> None:
    done = seqthink("ship", "redis://127.0.0.1:1/0/acme", "--acl", "--origin", ORIGIN)

    assert done.returncode == 0
    assert "seqthink:acme:{desk-aaaaaa}:*" in done.stdout


def test_a_server_ships_its_own_session_where_the_environment_says_so(server: RedisServer, seqthink_home: Path) -> None:
    sent = lines(handshake("2025-06-18"), think(1, "the only thought"))

    subprocess.run(
        command("serve"), env=environment(SEQTHINK_SHIP=server.url), input=sent, capture_output=True,
        timeout=TIMEOUT_SECONDS, check=True,
    )  # fmt: skip

    with reader(server) as engine:
        wait_until(lambda: any(card.ended for card in engine.cards([each.name for each in engine.listed(9)]) if card))
    assert (seqthink_home / "shipping" / "ship.log").read_bytes() == b""
