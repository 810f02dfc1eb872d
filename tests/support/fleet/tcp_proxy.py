"""A network that misbehaves: a proxy before an engine, which a test holds, cuts, slows or leaves half-open."""

import socket
import struct
import threading
from contextlib import suppress
from typing import Self

_CHUNK_BYTES = 64 << 10
_LINGER_NONE = struct.pack("ii", 1, 0)
"""For SO_LINGER: closing sends a reset."""


class TcpProxy:
    """Passes connections on to a port of this machine; a context manager. Any thread may call it."""

    def __init__(self, target_port: int) -> None:
        self._target_port = target_port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._passes = threading.Event()
        self._passes.set()
        self._chunk_pause = 0.0
        self._lock = threading.Lock()
        self._pairs: list[_Pair] = []
        self._lost: list[_Pair] = []

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # the thread that accepts wakes up
        self._listener.close()
        self._passes.set()
        self.cut()
        for pair in self._lost:
            pair.reset()

    @property
    def url(self) -> str:
        """What a shipper or a viewer is given."""
        return f"redis://127.0.0.1:{self.port}"

    def hold(self) -> None:
        """Pass nothing on, in neither direction, until `release`; connections stay, and new ones are taken."""
        self._passes.clear()

    def release(self) -> None:
        """Pass everything on, at full speed."""
        self._chunk_pause = 0.0
        self._passes.set()

    def slow(self, bytes_per_second: float) -> None:
        """Pass about that many bytes a second in each direction of each connection, until `release`."""
        self._chunk_pause = 1 / bytes_per_second

    def cut(self) -> None:
        """Reset all connections; new ones are taken at once."""
        with self._lock:
            pairs, self._pairs = self._pairs, []
        for pair in pairs:
            pair.reset()

    def lose_peer(self) -> None:
        """Leave all connections half-open: what the client sends is lost without a word, and nothing comes back.

        The engine sees its side end. New connections are passed on.
        """
        with self._lock:
            pairs, self._pairs = self._pairs, []
            self._lost += pairs
        for pair in pairs:
            pair.lose()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            try:
                engine = socket.create_connection(("127.0.0.1", self._target_port), timeout=5)
            except OSError:  # no engine: as a port that nobody listens at would
                _reset(client)
                continue
            engine.settimeout(None)
            for one in (client, engine):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            pair = _Pair(client, engine)
            with self._lock:
                self._pairs.append(pair)
            for source, target in ((client, engine), (engine, client)):
                threading.Thread(target=self._pass, args=(pair, source, target), daemon=True).start()

    def _pass(self, pair: "_Pair", source: socket.socket, target: socket.socket) -> None:
        pause = threading.Event()
        with suppress(OSError):
            while True:
                chunk = source.recv(4 << 10 if self._chunk_pause else _CHUNK_BYTES)
                self._passes.wait()
                if pair.is_lost:
                    if source is pair.engine:
                        return
                    continue  # the client's bytes go nowhere
                if not chunk:
                    break
                if self._chunk_pause:
                    pause.wait(len(chunk) * self._chunk_pause)
                target.sendall(chunk)
        if not pair.is_lost:
            pair.reset()


class _Pair:
    def __init__(self, client: socket.socket, engine: socket.socket) -> None:
        self.client = client
        self.engine = engine
        self.is_lost = False

    def reset(self) -> None:
        _reset(self.client)
        _reset(self.engine)

    def lose(self) -> None:
        self.is_lost = True
        with suppress(OSError):
            self.engine.shutdown(socket.SHUT_RDWR)


def _reset(one: socket.socket) -> None:
    with suppress(OSError):
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_NONE)
        one.shutdown(socket.SHUT_RDWR)  # a thread that reads it wakes up
    one.close()
