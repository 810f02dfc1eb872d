"""An engine that answers what a test gives it: nonsense, too much, nothing."""

import socket
import socketserver
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from io import BufferedIOBase

from typing_extensions import override

GREETING = (
    b"*14\r\n$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$6\r\n7.0.15\r\n$5\r\nproto\r\n:2\r\n$2\r\nid\r\n:5\r\n"
    b"$4\r\nmode\r\n$10\r\nstandalone\r\n$4\r\nrole\r\n$6\r\nmaster\r\n$7\r\nmodules\r\n*0\r\n"
)
"""What Redis 7 answers to HELLO."""
Answers = Callable[[list[bytes]], Iterable[bytes]]
"""Returns what is sent, piece by piece, for a command; an empty piece closes the connection."""


class ScriptedEngine:
    """A server on a free port; ``answer`` is asked for each command, ``hello`` is sent for the first."""

    def __init__(self, answer: Answers, hello: Iterable[bytes] = (GREETING,)) -> None:
        self._answer = answer
        self._hello = hello
        self.commands: list[list[bytes]] = []
        """All that came."""
        self._ended = threading.Event()

    @contextmanager
    def running(self) -> Generator[int]:
        """Give the port."""
        engine = self

        class Handler(socketserver.StreamRequestHandler):
            @override
            def handle(self) -> None:
                with suppress(OSError):
                    engine._serve(self.rfile, self.connection)

        with _Server(("127.0.0.1", 0), Handler) as server:
            thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
            thread.start()
            try:
                yield server.server_address[1]
            finally:
                self._ended.set()
                server.shutdown()
                thread.join()

    def _serve(self, received: BufferedIOBase, connection: socket.socket) -> None:
        for command in _commands(received):
            self.commands.append(command)
            pieces = self._hello if command[0] == b"HELLO" else self._answer(command)
            for piece in pieces:
                if not piece:
                    return
                if self._ended.is_set():
                    return
                connection.sendall(piece)


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True


def _commands(received: BufferedIOBase) -> Iterator[list[bytes]]:
    while head := received.readline():
        words: list[bytes] = []
        for _ in range(int(head[1:])):
            size = int(received.readline()[1:])
            words.append(received.read(size + 2)[:-2])
        yield words
