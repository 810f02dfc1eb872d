"""Replies, read within bounds: what an engine sends is counted before it is kept.

redis-py calls this a parser. A reply that is larger than asked for, or that reserves memory for more elements than
any reply of ours has, is never stored: the engine is another machine, and may be hostile.
"""

import re
import socket
import time
from typing import Final, Protocol

import hiredis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import InvalidResponse, ResponseError

from seqthink.sources.fleet.failures import NonsenseReplyError, ReplyTooLargeError

SMALL_REPLY: Final = 64 << 10
"""Bound of a reply without lines."""
_CHUNK: Final = 128 << 10
_HEAD: Final = 2048
_MIN_RATE: Final = 16 << 10
"""Bytes a second that a reply makes at least, so that one in drops ends."""
_HUGE_ARRAY: Final = re.compile(rb"\r\n[*~%>|][+]?[0-9]{8,}\r")
"""An array whose elements would be reserved before they are there. A line of nothing but this is refused, too."""
_MAX_HEADER_BYTES: Final = 32
_MISSING: Final = object()


class UnreadReplyError(ReplyTooLargeError):
    """The reply that was not read, with how it began."""

    def __init__(self, head: bytes) -> None:
        super().__init__("the engine began an answer that is larger than what was asked for can be")
        self.head = head
        """The first bytes since the last whole reply."""


class _Connected(Protocol):
    _sock: socket.socket


class ReplyReader:
    """The replies of one connection."""

    def __init__(self) -> None:
        self.bound = SMALL_REPLY
        """Bytes that the next replies may have, each."""
        self.size = 0
        """Bytes that the last reply took, as far as they were not there with the one before."""
        self.opening: re.Pattern[bytes] | None = None
        """What the next reply must begin with, if it is not an error and not empty."""
        self.seconds = 0.0
        """How long to wait for the next bytes."""
        self._socket: socket.socket | None = None
        self._reader: hiredis.Reader | None = None
        self._chunk = bytearray(_CHUNK)
        self._forget()

    def on_connect(self, connection: _Connected, **_kwargs: object) -> None:
        """Begin with a new connection."""
        self._socket = connection._sock  # pyright: ignore[reportPrivateUsage] - as redis-py's own parsers do  # noqa: SLF001
        self._reader = hiredis.Reader(protocolError=InvalidResponse, replyError=_response_error, notEnoughData=_MISSING)
        self._tail = b"\r\n"
        self._forget()

    def on_disconnect(self) -> None:
        """End with the connection."""
        self._socket = None
        self._reader = None

    def can_read(self, timeout: float = 0) -> bool:
        """Return whether something is there; redis-py asks before it uses a connection from a pool."""
        del timeout
        return self._reader is not None and self._reader.has_data()

    def allow(self, seconds: float) -> None:
        """Let what is sent next take so long."""
        if self._socket is not None:
            self._socket.settimeout(seconds)

    def interrupt(self) -> None:
        """Make a call end that waits in another thread."""
        sock = self._socket
        if sock is not None:
            try:
                socket.socket.shutdown(sock, socket.SHUT_RDWR)
            except OSError:
                return

    def read_response(self, disable_decoding: bool = False, **_kwargs: object) -> object:
        """Return the next reply; an error of the engine is returned, too.

        Raises:
            UnreadReplyError: It is above the bound.
            NonsenseReplyError: It cannot be a reply of ours.
        """
        del disable_decoding
        reader = self._reader
        if reader is None:
            raise RedisConnectionError("the connection was closed")
        self._began = time.monotonic()
        try:
            reply = reader.gets()
            while reply is _MISSING:
                self._feed(reader)
                reply = reader.gets()
        except (MemoryError, RecursionError, ValueError, TypeError) as error:
            raise NonsenseReplyError("the engine answered nonsense") from error
        self.size = self._taken
        self._forget()
        return reply

    def _forget(self) -> None:
        self._taken = 0
        self._head = b""
        self._began = 0.0

    def _feed(self, reader: hiredis.Reader) -> None:
        count = self._receive(0)
        if self.opening is not None and not self._taken:
            count = self._checked_opening(self.opening, count)
        if len(self._head) < _HEAD:
            self._head += bytes(self._chunk[: min(count, _HEAD)])
        self._taken += count
        if self._taken > self.bound + _CHUNK:
            raise UnreadReplyError(self._head)
        seen = self._tail + bytes(self._chunk[: min(count, _MAX_HEADER_BYTES)])
        if _HUGE_ARRAY.search(self._chunk, 0, count) or _HUGE_ARRAY.search(seen):
            raise NonsenseReplyError("the engine announced an answer with more parts than any has")
        self._tail = (self._tail + bytes(self._chunk[max(0, count - _MAX_HEADER_BYTES) : count]))[-_MAX_HEADER_BYTES:]
        reader.feed(self._chunk, 0, count)  # pyright: ignore[reportArgumentType] - it takes every buffer

    def _receive(self, at: int) -> int:
        """Put the next bytes into the chunk, and return where they end."""
        sock = self._socket
        if sock is None:
            raise RedisConnectionError("the connection was closed")
        sock.settimeout(self.seconds)
        count = sock.recv_into(memoryview(self._chunk)[at:])
        if not count:
            raise RedisConnectionError("the engine closed the connection")
        if time.monotonic() - self._began > self.seconds + 5 + self._taken / _MIN_RATE:
            raise TimeoutError
        return at + count

    def _checked_opening(self, opening: re.Pattern[bytes], count: int) -> int:
        while not opening.match(self._chunk, 0, count):
            if self._chunk.startswith((b"-", b"*0\r\n", b"*-1\r\n")):
                return count
            if count > _HEAD:
                raise NonsenseReplyError("the engine answered with another entry than the one asked for")
            count = self._receive(count)
        return count


def _response_error(text: str) -> Exception:
    return ResponseError(text)
