"""An engine behind TLS, and passwords from the environment."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from seqthink.core.errors import SeqthinkError, UsageError
from seqthink.sources.fleet.address import parse_address
from seqthink.sources.fleet.credentials import credentials
from seqthink.sources.fleet.failures import EngineRefusedError, EngineUnavailableError
from seqthink.sources.fleet.opening import open_reader
from seqthink.sources.fleet.redis import wire
from tests.support.fleet.certificates import WITHOUT_OPENSSL, has_openssl, make_certificates
from tests.support.fleet.redis_server import WITHOUT_ENGINE, RedisServer, engine_program, running_server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    if not engine_program():
        pytest.skip(WITHOUT_ENGINE)
    if not has_openssl():
        pytest.skip(WITHOUT_OPENSSL)
    folder: Path = tmp_path_factory.mktemp("tls")
    with running_server(folder / "engine", tls=make_certificates(folder / "certificates")) as running:
        yield running


def listed(url: str, environ: dict[str, str]) -> object:
    reader = open_reader(parse_address(url), environ)
    try:
        return reader.listed(5)
    finally:
        reader.close()


def authorities(server: RedisServer, name: str = "ca.crt") -> dict[str, str]:
    assert server.tls
    return {"SEQTHINK_FLEET_CA": str(server.tls / name)}


def test_the_right_authority_is_believed(server: RedisServer) -> None:
    assert listed(server.url, authorities(server)) == []


def test_another_authority_and_another_name_are_not(server: RedisServer) -> None:
    with pytest.raises(EngineRefusedError, match="certificate is not accepted"):
        listed(server.url, authorities(server, "other.crt"))
    with pytest.raises(EngineRefusedError, match="certificate is not accepted"):
        listed(server.url, {})
    with pytest.raises(EngineRefusedError, match="certificate is not accepted"):
        listed(f"rediss://localhost:{server.port}", authorities(server))


def test_tls_and_none_are_not_confused(
    server: RedisServer, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SeqthinkError, match=r"begins with rediss://|closed the connection|cannot be reached"):
        listed(f"redis://127.0.0.1:{server.port}", {})
    monkeypatch.setattr(wire, "ANSWER_SECONDS", 0.5)
    with pytest.raises(EngineUnavailableError, match="begins with redis://"):
        listed(f"rediss://127.0.0.1:{redis_server.port}", authorities(server))


def test_an_authority_that_is_none_is_said(server: RedisServer, tmp_path: Path) -> None:
    empty = tmp_path / "empty.crt"
    empty.write_text("no certificate\n", encoding="ascii")

    with pytest.raises(UsageError, match="holds no certificate"):
        listed(server.url, {"SEQTHINK_FLEET_CA": str(empty)})
    with pytest.raises(UsageError, match="does not exist"):
        listed(server.url, {"SEQTHINK_FLEET_CA": str(tmp_path / "none")})


def test_a_password_comes_from_the_environment_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("secret word\n", encoding="utf-8")
    file.chmod(0o600)
    environ = {"SEQTHINK_FLEET_USER": "me", "SEQTHINK_FLEET_PASSWORD_FILE": str(file)}

    assert credentials(environ)[:2] == ("me", "secret word")
    assert "secret" not in repr(credentials(environ))
    assert credentials({"SEQTHINK_FLEET_PASSWORD": "p"})[:2] == ("", "p")
    assert credentials({})[:2] == ("", "")
    file.chmod(0o644)
    with pytest.raises(UsageError, match="can be read by other users"):
        credentials(environ)


@pytest.mark.parametrize(
    ("environ", "sentence"),
    [
        ({"SEQTHINK_FLEET_USER": "me"}, "without SEQTHINK_FLEET_PASSWORD"),
        ({"SEQTHINK_FLEET_PASSWORD": "a", "SEQTHINK_FLEET_PASSWORD_FILE": "b"}, "both set"),
        ({"SEQTHINK_FLEET_PASSWORD": "a\n"}, "control character"),
        ({"SEQTHINK_FLEET_PASSWORD_FILE": "/no/such/file"}, "cannot be read"),
        ({"SEQTHINK_FLEET_PASSWORD_FILE": "/dev/null"}, "is not a regular file"),
    ],
)
def test_a_contradiction_is_said(environ: dict[str, str], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        credentials(environ)


def test_an_engine_without_a_password_refuses_one(redis_server: RedisServer) -> None:
    with pytest.raises(EngineRefusedError, match="has no password, but one is set"):
        listed(redis_server.url, {"SEQTHINK_FLEET_PASSWORD": "x"})
    with pytest.raises(EngineRefusedError, match="no such database"):
        listed(f"{redis_server.url}/99", {})
