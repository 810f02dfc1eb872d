"""The wire: MCP messages as lines over the process's own stdin and stdout, for the SDK's server.

It stands in for the SDK's stdio streams because a client must never wait in vain: a line that is no message, a lone
surrogate or a very long line is dealt with here, what was read before the end is answered, and nothing but messages
can reach stdout. No thread and no change to the descriptors' flags: those belong to whoever started us.
"""

import fcntl
import json
import os
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Any, NamedTuple, Self

import anyio
import anyio.lowlevel
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import JSONRPCError, JSONRPCRequest, JSONRPCResponse

from seqthink.journal.lines import LineBuffer
from seqthink.server.messages import Reply, read_message
from seqthink.server.stderr import PIPE_CHUNK, is_writable

_SHOWN = 80
_CHUNK = 1 << 18
_MAX_UNSENT = 1 << 20
_PATIENCE = 0.6


class Wire(NamedTuple):
    """The descriptors that carry the protocol, out of reach of a stray print or a child process."""

    stdin: int
    stdout: int


def claim() -> Wire:
    """Move stdin and stdout to private descriptors; what is printed from now on goes to stderr.

    Raises:
        OSError: one of them is closed.
    """
    wire = Wire(fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 3), fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 3))
    nowhere = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    os.dup2(nowhere, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(nowhere, 1)
    os.close(nowhere)
    return wire


class Outbox:
    """Messages to the client: whole lines, in order; counts the requests that still want an answer."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._unsent = bytearray()
        self._unanswered = 0
        self._moved = anyio.Event()
        self._waiting: anyio.CancelScope | None = None
        self._is_abandoned = False

    def expect(self) -> None:
        """Count a request that came in."""
        self._unanswered += 1

    async def settle(self) -> None:
        """Count a request that is answered, or that will never be because the client took it back."""
        self._unanswered -= 1
        self._moved.set()

    async def settled(self) -> None:
        """Wait until every request is answered and every answer is out, or until the client stops reading."""
        while (state := self._state()) != (0, 0) and not self._is_abandoned:
            self._moved = anyio.Event()
            with anyio.move_on_after(_PATIENCE):
                await self._moved.wait()
            if self._state() == state:
                break
        self.abandon()

    async def room(self) -> None:
        """Wait while the client has too many answers to read: then its next requests can wait, too."""
        while len(self._unsent) > _MAX_UNSENT and not self._is_abandoned:
            self._moved = anyio.Event()
            await self._moved.wait()

    async def send(self, item: SessionMessage, /) -> None:
        """Write one message of the SDK's server."""
        message = item.message
        is_answer = isinstance(message, JSONRPCResponse | JSONRPCError)
        try:
            await self.write(message.model_dump(by_alias=True, exclude_unset=True))
        finally:
            if is_answer:
                await self.settle()

    async def write(self, message: dict[str, Any]) -> None:
        """Write one message as a line; a line once begun is finished, whoever stops waiting for it.

        Raises:
            anyio.BrokenResourceError: the client closed its end.
        """
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        try:
            line = text.encode()
        except UnicodeEncodeError:
            line = json.dumps(message, separators=(",", ":")).encode()
        if self._is_abandoned:
            raise anyio.BrokenResourceError
        is_being_written = bool(self._unsent)
        self._unsent += line + b"\n"
        if not is_being_written:
            await self._flush()

    def abandon(self) -> None:
        """Stop waiting for a client that does not read."""
        self._is_abandoned = True
        self._moved.set()
        if self._waiting is not None:
            self._waiting.cancel()

    async def _flush(self) -> None:
        try:
            while self._unsent and not self._is_abandoned:
                if is_writable(self._descriptor):
                    del self._unsent[: os.write(self._descriptor, self._unsent[:PIPE_CHUNK])]
                    self._moved.set()
                    continue
                with anyio.CancelScope(shield=True) as self._waiting:
                    await anyio.wait_writable(self._descriptor)
                self._waiting = None
        except OSError as error:
            self._is_abandoned = True
            raise anyio.BrokenResourceError from error

    def _state(self) -> tuple[int, int]:
        return self._unanswered, len(self._unsent)

    async def aclose(self) -> None:
        """Nothing is left to do: each message was written when it was sent."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        await self.aclose()


class Inbox:
    """Messages from the client; ends when stdin does, once all that was read before is answered."""

    def __init__(
        self, descriptor: int, outbox: Outbox, is_modern: Callable[[Any], bool], say: Callable[[str], None]
    ) -> None:
        self._descriptor = descriptor
        self._say = say
        self._outbox = outbox
        self._is_modern = is_modern
        self._buffer = LineBuffer()
        self._messages: deque[SessionMessage] = deque()
        self._waiting: anyio.CancelScope | None = None
        self._is_over = False

    def stop(self) -> None:
        """Read no more: what was read so far is all there is."""
        self._is_over = True
        if self._waiting is not None:
            self._waiting.cancel()

    async def receive(self) -> SessionMessage:
        """Return the next message.

        Raises:
            anyio.EndOfStream: there is none.
        """
        while not self._messages:
            if self._is_over:
                await self._outbox.settled()
                raise anyio.EndOfStream
            await self._read()
        return self._messages.popleft()

    async def _read(self) -> None:
        with anyio.CancelScope() as self._waiting:
            await self._outbox.room()
            try:
                await anyio.wait_readable(self._descriptor)
            except PermissionError:
                await anyio.lowlevel.checkpoint()  # a file or the null device: always ready
        self._waiting = None
        if self._is_over:
            return
        try:
            chunk = os.read(self._descriptor, _CHUNK)
        except OSError:
            chunk = b""
        self._is_over = not chunk
        # At the end a last line without its newline still counts.
        for line in self._buffer.feed(chunk or b"\n"):
            await self._take(line.data)

    async def _take(self, line: bytes) -> None:
        match read_message(line):
            case None:
                if not line.isspace() and line:
                    self._say(f"left out a line that is no message of MCP: {line[:_SHOWN].decode(errors='replace')}")
            case Reply() as reply:
                await self._outbox.write(reply.message())
            case JSONRPCRequest() as request:
                self._outbox.expect()
                metadata = ServerMessageMetadata(
                    on_request_unanswered=self._outbox.settle,
                    # On 2026-07-28 there are no requests from the server to the client.
                    can_send_request=not self._is_modern(request.params),
                )
                self._messages.append(SessionMessage(request, metadata))
            case message:
                self._messages.append(SessionMessage(message))

    async def aclose(self) -> None:
        """Nothing is left to do: the descriptor is the process's own."""

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        await self.aclose()
