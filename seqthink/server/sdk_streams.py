"""The wire for the SDK's server: messages as lines over the process's own stdin and stdout.

It stands in for the SDK's stdio streams because a client must never wait in vain: a line that is no message, a lone
surrogate or a very long line is dealt with here, what was read before the end is answered, and nothing but messages
can reach stdout. No thread and no change to the descriptors' flags: those belong to whoever started us.
"""

import os
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

import anyio
import anyio.lowlevel
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse
from pydantic import ValidationError

from seqthink.journal.lines import LineBuffer
from seqthink.server.jsonrpc import (
    ErrorReply,
    IncomingMessage,
    IncomingNotification,
    IncomingRequest,
    IncomingResponse,
    read_message,
    skipped_line_message,
    write_message,
)
from seqthink.server.protocol import is_stateless
from seqthink.server.stdio import DRAIN_SECONDS, HANG_UP_CHECK_SECONDS, MAX_READ_BYTES, NonBlockingWriter, is_hung_up


class StdoutStream:
    """Messages to the client: whole lines, in order; counts the requests that still want an answer."""

    def __init__(self, writer: NonBlockingWriter) -> None:
        self._sink = writer
        self._unanswered = 0
        self._written = 0
        self._moved = anyio.Event()
        self._stuck = anyio.Event()

    def count_request(self) -> None:
        """Count a request that came in."""
        self._unanswered += 1

    async def count_answer(self) -> None:
        """Count a request that is answered, or that will never be because the client took it back."""
        self._unanswered -= 1
        self._moved.set()

    async def wait_until_drained(self) -> None:
        """Wait until every request is answered and every answer is out, or until the client stops reading."""
        while (state := self._state())[:2] != (0, 0) and not self._sink.is_abandoned:
            await self._moves(DRAIN_SECONDS)
            if self._state() == state:
                break
        self.abandon()

    async def wait_for_room(self, stdin: int) -> None:
        """Wait while the client has too many answers to read: then its next requests can wait, unless it has left."""
        while self._sink.is_full and not is_hung_up(stdin):
            await self._moves(HANG_UP_CHECK_SECONDS)

    async def send(self, item: SessionMessage, /) -> None:
        """Write one message of the SDK's server."""
        message = item.message
        is_answer = isinstance(message, JSONRPCResponse | JSONRPCError)
        try:
            await self.write(message.model_dump(by_alias=True, exclude_unset=True))
        finally:
            if is_answer:
                await self.count_answer()

    async def write(self, message: dict[str, Any]) -> None:
        """Write one message as a line: now, or as soon as the client takes it; nobody has to wait for that.

        Raises:
            anyio.BrokenResourceError: the client closed its end.
        """
        self._sink.add(write_message(message))
        self._written += 1
        self._flush()
        if self._sink.is_abandoned:
            raise anyio.BrokenResourceError

    async def pump(self) -> None:
        """Send what the client could not take at once, as soon as it can; until cancelled."""
        while True:
            if not self._sink.unsent_bytes:
                self._stuck = anyio.Event()
                await self._stuck.wait()
            await anyio.wait_writable(self._sink.descriptor)
            self._flush()

    def abandon(self) -> None:
        """Stop waiting for a client that does not read."""
        self._sink.abandon()
        self._moved.set()

    def _flush(self) -> None:
        self._sink.flush()
        self._moved.set()
        if self._sink.unsent_bytes:
            self._stuck.set()

    async def _moves(self, seconds: float) -> None:
        self._moved = anyio.Event()
        with anyio.move_on_after(seconds):
            await self._moved.wait()

    def _state(self) -> tuple[int, int, int]:
        """Return what is left, and something that changes when a message beside the answers was written."""
        return self._unanswered, self._sink.unsent_bytes, self._written

    async def aclose(self) -> None:
        """Nothing is left to do: each message was written when it was sent."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        await self.aclose()


class StdinStream:
    """Messages from the client; ends when stdin does, once all that was read before is answered.

    ``leave`` is called when nothing more will come: whoever waits for the client waits in vain.
    """

    def __init__(
        self,
        descriptor: int,
        outbox: StdoutStream,
        buffer: LineBuffer,
        print_stderr: Callable[[str], None],
        leave: Callable[[], None],
    ) -> None:
        self._descriptor = descriptor
        self._leave = leave
        self._say = print_stderr
        self._outbox = outbox
        self._buffer = buffer
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
                self._leave()
                await self._outbox.wait_until_drained()
                raise anyio.EndOfStream
            await self._read()
        return self._messages.popleft()

    async def _read(self) -> None:
        with anyio.CancelScope() as self._waiting:
            await self._outbox.wait_for_room(self._descriptor)
            try:
                await anyio.wait_readable(self._descriptor)
            except PermissionError:
                await anyio.lowlevel.checkpoint()  # a file or the null device: always ready
        self._waiting = None
        if self._is_over:
            return
        try:
            chunk = os.read(self._descriptor, MAX_READ_BYTES)
        except OSError:
            chunk = b""
        self._is_over = not chunk
        # At the end a last line without its newline still counts.
        for line in self._buffer.feed(chunk or b"\n"):
            message = read_message(line.data)
            if message is not None:
                await self.deliver(message)
            elif words := skipped_line_message(line.data):
                self._say(words)

    async def deliver(self, message: IncomingMessage | ErrorReply) -> None:
        """Let a message that was read be the next to be received, or answer it at once."""
        match message:
            case ErrorReply():
                with suppress(anyio.BrokenResourceError):  # nobody is there to be told
                    await self._outbox.write(message.to_message())
            case IncomingRequest():
                self._outbox.count_request()
                request = JSONRPCRequest.model_construct(jsonrpc="2.0", **message._asdict())
                metadata = ServerMessageMetadata(
                    on_request_unanswered=self._outbox.count_answer,
                    # On 2026-07-28 there are no requests from the server to the client.
                    can_send_request=not is_stateless(message.params),
                )
                self._messages.append(SessionMessage(request, metadata))
            case IncomingNotification():
                notification = JSONRPCNotification.model_construct(jsonrpc="2.0", **message._asdict())
                self._messages.append(SessionMessage(notification))
            case IncomingResponse():
                if (response := _response(message.fields)) is not None:
                    self._messages.append(SessionMessage(response))

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


def _response(fields: dict[str, Any]) -> JSONRPCResponse | JSONRPCError | None:
    for kind in (JSONRPCResponse, JSONRPCError):
        try:
            return kind.model_validate(fields)
        except ValidationError:
            continue
    try:  # an answer, though none that can be read: whoever asked is not to wait for another
        return JSONRPCResponse(jsonrpc="2.0", id=fields["id"], result={})
    except (KeyError, ValidationError):
        return None
