"""Connections of `seqthink web`, each bounded in bytes, in time and in number.

uvicorn's protocol knows neither of these: how long the headers of a request may take, what to do with a reader that
does not read, and whom to send away when all places are taken.
"""

import asyncio
import socket
from typing import Any, Final, NamedTuple

import h11
from typing_extensions import override
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from seqthink.share.web.answers import BUSY, MALFORMED, TOO_LARGE_HEADERS, Refusal, refusal_answer

MAX_INCOMPLETE_BYTES: Final = 16_384
"""Of a request whose headers are not complete."""
_CLOSING_CHECKS: Final = 3
"""How often a pause in sending is looked at before it is too long."""


class Bounds(NamedTuple):
    """How much one reader may cost."""

    connections: int = 128
    """Open at a time. When all are taken, one that waits for its next request makes room, the oldest first."""
    header_seconds: float = 10
    """From the first byte of a request, or the beginning of the connection, to the end of the headers."""
    keep_alive_seconds: float = 30
    """For the next request on a connection."""
    stall_seconds: float = 30
    """For a reader to take any of the bytes that wait for it."""


class WaitingConnections:
    """The connections that are answering nothing at present, oldest first: those that can be closed to make room."""

    def __init__(self) -> None:
        self._waiting: dict[BoundedConnection, None] = {}

    def add(self, connection: "BoundedConnection") -> None:
        """Put a connection behind the others."""
        self._waiting.pop(connection, None)
        self._waiting[connection] = None

    def discard(self, connection: "BoundedConnection") -> None:
        """Take a connection out: it is answering, or closed."""
        self._waiting.pop(connection, None)

    def close_oldest(self) -> bool:
        """Close the connection that has waited longest; return whether there was one."""
        oldest = next(iter(self._waiting), None)
        if oldest is None:
            return False
        self.discard(oldest)
        oldest.transport.abort()
        return True


class BoundedConnection(H11Protocol):
    """One connection, with the `Bounds` of its server."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        bounds: Bounds,
        waiting: WaitingConnections,
    ) -> None:
        super().__init__(config, server_state, app_state)
        self._bounds = bounds
        self._waiting = waiting
        self._header_timer: asyncio.TimerHandle | None = None
        self._stall_timer: asyncio.TimerHandle | None = None
        self._unsent = 0

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:
        transport.set_write_buffer_limits(0)  # whatever waits for the reader is noticed, and waited for
        # asyncio does this only on listeners that it made; without it, a body waits 40 ms behind its headers.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().connection_made(transport)
        # This one is in the set already.
        if len(self.connections) > self._bounds.connections and not self._waiting.close_oldest():
            self._refuse(BUSY)
            return
        self._watch_request()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._waiting.discard(self)
        self._stop_header_timer()
        self._stop_stall_timer()
        self._unset_keepalive_if_required()
        super().connection_lost(exc)

    @override
    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch_request()

    @override
    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch_request(is_new=True)

    @override
    def send_400_response(self, msg: str) -> None:
        is_long = len(self.conn.trailing_data[0]) > MAX_INCOMPLETE_BYTES
        self._refuse(TOO_LARGE_HEADERS if is_long else MALFORMED)

    @override
    def pause_writing(self) -> None:
        super().pause_writing()
        self._unsent = self.transport.get_write_buffer_size()
        self._watch_sending(0)

    @override
    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_stall_timer()

    @property
    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete  # pyright: ignore[reportUnnecessaryComparison] - uvicorn has None in it first

    def _watch_request(self, *, is_new: bool = False) -> None:
        """Note whether the connection waits for a request, and from when on; ``is_new``: it begins to wait again."""
        if self._is_answering or self.transport.is_closing():
            self._waiting.discard(self)
            self._stop_header_timer()
            return
        if is_new:
            self._waiting.add(self)
            return  # uvicorn's own timer runs until the first byte of the next request
        if self._header_timer is None:
            self._waiting.add(self)
            self._header_timer = self.loop.call_later(self._bounds.header_seconds, self.transport.abort)

    def _refuse(self, refusal: Refusal) -> None:
        """Answer outside of any request, and end the connection; in the middle of an answer, only end it."""
        headers, page = refusal_answer(refusal)
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            response = h11.Response(status_code=refusal.status, headers=headers)
            for event in (response, h11.Data(data=page), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self._waiting.discard(self)
        self._stop_header_timer()
        self.transport.close()

    def _watch_sending(self, checks: int) -> None:
        """Look again and again at what waits for the reader, and close the connection if it takes none of it."""
        unsent = self.transport.get_write_buffer_size()
        checks, self._unsent = (0 if unsent < self._unsent else checks), unsent
        if checks >= _CLOSING_CHECKS:
            self.transport.abort()
            return
        self._stop_stall_timer()
        seconds = self._bounds.stall_seconds / _CLOSING_CHECKS
        self._stall_timer = self.loop.call_later(seconds, self._watch_sending, checks + 1)

    def _stop_header_timer(self) -> None:
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None

    def _stop_stall_timer(self) -> None:
        if self._stall_timer is not None:
            self._stall_timer.cancel()
            self._stall_timer = None
