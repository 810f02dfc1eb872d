"""Streams for the SDK path: JSON-RPC lines on the process's own stdin and stdout.

They replace the SDK's stdio streams because every request must be answered: lines that are not messages, lone
surrogates and very long lines are handled here; what was read before the end is answered; nothing but messages reaches
stdout. There is no thread where descriptors
can be waited for, and their flags stay as they are: they belong to the process that started us.
"""

import asyncio
import os
import stat
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

from seqthink.core import system
from seqthink.journal.lines import LineBuffer
from seqthink.server.wire.jsonrpc import (
    ErrorReply,
    IncomingMessage,
    IncomingNotification,
    IncomingRequest,
    IncomingResponse,
    read_message,
    skipped_line_message,
    write_message,
)
from seqthink.server.wire.protocol import is_stateless
from seqthink.server.wire.stdio import (
    DRAIN_SECONDS,
    HANG_UP_CHECK_SECONDS,
    MAX_READ_BYTES,
    NonBlockingWriter,
    is_hung_up,
)
from seqthink.server.wire.stdio_threads import InputThread, WriterThread


class StdoutStream:
    """Messages to the client, as whole lines in order. Counts the requests that are not answered yet."""

    def __init__(self, writer: NonBlockingWriter) -> None:
        self._writer = writer
        self._unanswered_requests = 0
        self._written_messages = 0
        self._progress = anyio.Event()
        self._has_unsent = anyio.Event()

    def count_request(self) -> None:
        """Count a request that came in."""
        self._unanswered_requests += 1

    async def count_answer(self) -> None:
        """Count a request as finished: answered, or cancelled by the client."""
        self._unanswered_requests -= 1
        self._progress.set()

    async def wait_until_drained(self) -> None:
        """Wait until every request is answered and every answer is written, or until the client stops reading."""
        while (state := self._state())[:2] != (0, 0) and not self._writer.is_abandoned:
            await self._wait_for_progress(DRAIN_SECONDS)
            if self._state() == state:
                break
        self.abandon()

    async def wait_for_room(self, stdin: int) -> None:
        """Wait while too many answers are unread: the client's next requests can wait too, unless it has left."""
        while self._writer.is_full and not is_hung_up(stdin):
            await self._wait_for_progress(HANG_UP_CHECK_SECONDS)

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
        """Write one message as a line: now, or as soon as the client reads. Does not wait.

        Raises:
            anyio.BrokenResourceError: the client closed its end.
        """
        self._writer.add(write_message(message))
        self._written_messages += 1
        self._flush()
        if self._writer.is_abandoned:
            raise anyio.BrokenResourceError

    async def pump(self) -> None:
        """Write what the client could not take at once, as soon as it can; runs until cancelled."""
        if isinstance(self._writer, WriterThread):
            loop = asyncio.get_running_loop()
            self._writer.on_progress = lambda: loop.call_soon_threadsafe(self._flush)
            await anyio.sleep_forever()
        while True:
            if not self._writer.unsent_bytes:
                self._has_unsent = anyio.Event()
                await self._has_unsent.wait()
            await anyio.wait_writable(self._writer.descriptor)
            self._flush()

    def abandon(self) -> None:
        """Stop writing to a client that does not read."""
        self._writer.abandon()
        self._progress.set()

    def _flush(self) -> None:
        self._writer.flush()
        self._progress.set()
        if self._writer.unsent_bytes:
            self._has_unsent.set()

    async def _wait_for_progress(self, seconds: float) -> None:
        self._progress = anyio.Event()
        with anyio.move_on_after(seconds):
            await self._progress.wait()

    def _state(self) -> tuple[int, int, int]:
        """Return how many requests and bytes are left, and how many messages were written."""
        return self._unanswered_requests, self._writer.unsent_bytes, self._written_messages

    async def aclose(self) -> None:
        """Do nothing: each message was written when it was sent."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        await self.aclose()


class _PolledInput:
    """Bytes from a descriptor that the event loop can wait for."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)

    async def wait(self) -> None:
        """Wait until there is something to read; a regular file and the null device are always ready."""
        if not self._is_file:  # macOS would wait at the end of a file for more
            with suppress(OSError):  # the null device cannot be waited for
                await anyio.wait_readable(self._descriptor)
                return
        await anyio.lowlevel.checkpoint()

    def read(self) -> bytes:
        """Return what is there; nothing at the end."""
        try:
            return os.read(self._descriptor, MAX_READ_BYTES)
        except OSError:
            return b""


class _ThreadedInput:
    """Bytes that a thread has read, one chunk ahead at most."""

    def __init__(self, descriptor: int) -> None:
        self._chunks: deque[bytes] = deque()
        self._arrived = asyncio.Event()
        self._is_asked = False
        self._loop = asyncio.get_running_loop()
        self._thread = InputThread(descriptor, self._pass)

    def _pass(self, chunk: bytes) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._take, chunk)

    def _take(self, chunk: bytes) -> None:
        self._chunks.append(chunk)
        self._is_asked = False
        self._arrived.set()

    async def wait(self) -> None:
        """Wait until there is something to read."""
        if not self._chunks and not self._is_asked:
            self._is_asked = True
            self._arrived.clear()
            self._thread.ask()
        await self._arrived.wait()

    def read(self) -> bytes:
        """Return what is there; nothing at the end."""
        return self._chunks.popleft()


class StdinStream:
    """Messages from the client. Ends with stdin, once everything that was read is answered.

    ``on_end`` is called when no more messages can come, so that questions to the client can give up.
    """

    def __init__(
        self,
        descriptor: int,
        stdout: StdoutStream,
        buffer: LineBuffer,
        print_stderr: Callable[[str], None],
        on_end: Callable[[], None],
    ) -> None:
        self._descriptor = descriptor
        self._input = _PolledInput(descriptor) if system.HAS_POLL else _ThreadedInput(descriptor)
        self._on_end = on_end
        self._print_stderr = print_stderr
        self._stdout = stdout
        self._buffer = buffer
        self._messages: deque[SessionMessage] = deque()
        self._wait_scope: anyio.CancelScope | None = None
        self._is_over = False

    def stop(self) -> None:
        """Stop reading; what was read so far is still answered."""
        self._is_over = True
        if self._wait_scope is not None:
            self._wait_scope.cancel()

    async def receive(self) -> SessionMessage:
        """Return the next message.

        Raises:
            anyio.EndOfStream: there are no more.
        """
        while not self._messages:
            if self._is_over:
                self._on_end()
                await self._stdout.wait_until_drained()
                raise anyio.EndOfStream
            await self._read()
        return self._messages.popleft()

    async def _read(self) -> None:
        with anyio.CancelScope() as self._wait_scope:
            await self._stdout.wait_for_room(self._descriptor)
            await self._input.wait()
        self._wait_scope = None
        if self._is_over:
            return
        chunk = self._input.read()
        self._is_over = not chunk
        # At the end of input, a last line without a newline still counts.
        for line in self._buffer.feed(chunk or b"\n"):
            message = read_message(line.data)
            if message is not None:
                await self.deliver(message)
            elif skipped := skipped_line_message(line.data):
                self._print_stderr(skipped)

    async def deliver(self, message: IncomingMessage | ErrorReply) -> None:
        """Queue a message to be received, or answer it at once if it is an error reply."""
        match message:
            case ErrorReply():
                with suppress(anyio.BrokenResourceError):  # the client has left
                    await self._stdout.write(message.to_message())
            case IncomingRequest():
                self._stdout.count_request()
                request = JSONRPCRequest.model_construct(jsonrpc="2.0", **message._asdict())
                metadata = ServerMessageMetadata(
                    on_request_unanswered=self._stdout.count_answer,
                    # Stateless versions have no requests from the server to the client.
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
        """Do nothing: the descriptor belongs to the process."""

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
    try:  # an invalid response still ends the wait of the request's sender
        return JSONRPCResponse(jsonrpc="2.0", id=fields["id"], result={})
    except (KeyError, ValidationError):
        return None
