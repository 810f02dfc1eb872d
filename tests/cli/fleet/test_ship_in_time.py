"""`seqthink ship --once` ends in the time that it was given, whatever the engine keeps it waiting with."""

import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread, Timer

import pytest

from seqthink.cli.fleet import ship
from seqthink.sources.fleet.redis import wire
from tests.support.depth import first

JOURNALS = Path(__file__).parents[2] / "journals"
NEVER_SECONDS = 3600.0
GIVE_UP_SECONDS = 60.0

pytestmark = pytest.mark.slow  # waits until the time is out
"""When the engine of a test ends all by itself, so that a test that fails does not hang."""


class SilentEngine:
    """Accepts connections, sends ``answer`` into each, and no more until it has given up."""

    def __init__(self, answer: bytes) -> None:
        self.has_given_up = False
        self._answer = answer
        self._connections: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._timer = Timer(GIVE_UP_SECONDS, self._give_up)
        self._timer.start()
        Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self._connections.append(connection)
                connection.sendall(self._answer)

    def _give_up(self) -> None:
        self.has_given_up = True
        self.close()

    def close(self) -> None:
        self._timer.cancel()
        self._listener.close()
        for connection in self._connections:
            connection.close()


@contextmanager
def silent_engine(answer: bytes) -> Generator[SilentEngine]:
    engine = SilentEngine(answer)
    try:
        yield engine
    finally:
        engine.close()


@pytest.fixture(autouse=True)
def no_other_bounds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let nothing else end a call."""
    monkeypatch.setattr(wire, "ANSWER_SECONDS", NEVER_SECONDS)
    monkeypatch.setattr(wire, "CONNECT_SECONDS", NEVER_SECONDS)
    monkeypatch.setenv("SEQTHINK_HOME", str(tmp_path))


def ship_once(url: str) -> int:
    return ship.run([url, "--once", "--timeout", "1", "--journal-dir", str(JOURNALS), "--session", "minimal"])


@pytest.mark.parametrize(
    "answer", first(1, [b"", b"*14\r\n$6\r\nserver\r\n$5\r\nre"]), ids=["says nothing", "answers half"]
)
@pytest.mark.parametrize("scheme", ["redis", "rediss", "redis+sentinel", "redis+cluster"])
@pytest.mark.usefixtures("kept_signals")
def test_an_engine_that_accepts_and_is_silent_does_not_outlast_the_timeout(
    scheme: str, answer: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    with silent_engine(b"" if scheme == "rediss" else answer) as engine:
        status = ship_once(f"{scheme}://127.0.0.1:{engine.port}")

        assert not engine.has_given_up
    assert status == 1
    assert "not all is there" in capsys.readouterr().err


@pytest.mark.usefixtures("kept_signals")
def test_a_name_that_is_looked_up_for_ever_does_not_outlast_the_timeout(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = Event()
    has_outlasted = Event()

    def look_up(*_: object, **__: object) -> list[object]:
        if not ended.wait(GIVE_UP_SECONDS):
            has_outlasted.set()
        raise socket.gaierror(socket.EAI_AGAIN, "no answer")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    status = ship_once("redis://engine.example")
    ended.set()

    assert not has_outlasted.is_set()
    assert status == 1
    error = capsys.readouterr().err
    assert "the engine kept the shipper waiting for more than 1 s" in error
    assert "not all is there" in error


@pytest.fixture
def kept_signals() -> Generator[None]:
    """Put back the handlers that the command sets."""
    import signal

    numbers = (signal.SIGINT, signal.SIGTERM)
    before: list[Callable[..., object] | int | None] = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)
